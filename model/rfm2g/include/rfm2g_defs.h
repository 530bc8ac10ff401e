/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Values of the RFM2g interface. */
#ifndef RFM2G_DEFS_H
#define RFM2G_DEFS_H

#define RFM2G_FALSE 0
#define RFM2G_TRUE 1
#define RFM2G_OFF 0
#define RFM2G_ON 1
#define RFM2G_DISABLE 0
#define RFM2G_ENABLE 1

#define RFM2G_NODE_MAX 255
#define RFM2G_NODE_UNKNOWN 0xFFFE
#define RFM2G_NODE_ALL 0xFFFF

#define RFM2G_NO_WAIT 0
#define RFM2G_INFINITE_TIMEOUT 0xFFFFFFFF

#define STDRFM2GCALL RFM2G_STATUS

#endif
