/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Types of the RFM2g interface. */
#ifndef RFM2G_TYPES_H
#define RFM2G_TYPES_H

#include <stdint.h>

typedef uint8_t RFM2G_UINT8;
typedef uint16_t RFM2G_UINT16;
typedef uint32_t RFM2G_UINT32;
typedef uint64_t RFM2G_UINT64;
typedef int8_t RFM2G_INT8;
typedef int16_t RFM2G_INT16;
typedef int32_t RFM2G_INT32;
typedef int64_t RFM2G_INT64;
typedef char RFM2G_CHAR;
typedef unsigned char RFM2G_BOOL;
typedef uint32_t RFM2G_ADDR;
typedef uint16_t RFM2G_NODE;
typedef void *RFM2GHANDLE;

typedef enum {
    RFM2G_BYTE = 1,
    RFM2G_WORD = 2,
    RFM2G_LONG = 4,
    RFM2G_LONGLONG = 8
} RFM2GDATAWIDTH;

typedef enum {
    RFM2GEVENT_RESET,
    RFM2GEVENT_INTR1,
    RFM2GEVENT_INTR2,
    RFM2GEVENT_INTR3,
    RFM2GEVENT_INTR4,
    RFM2GEVENT_BAD_DATA,
    RFM2GEVENT_RXFIFO_FULL,
    RFM2GEVENT_ROGUE_PKT,
    RFM2GEVENT_RXFIFO_AFULL,
    RFM2GEVENT_SYNC_LOSS,
    RFM2GEVENT_MEM_WRITE_INHIBITED,
    RFM2GEVENT_LOCAL_MEM_PARITY_ERR,
    RFM2GEVENT_LAST
} RFM2GEVENTTYPE;

typedef struct {
    RFM2G_UINT32 ExtendedInfo; /* word that came with the event */
    RFM2G_NODE NodeId;         /* node that sent it */
    RFM2G_UINT8 Event;         /* RFM2GEVENTTYPE */
    RFM2G_UINT32 Timeout;      /* ms of time on the ring, RFM2G_NO_WAIT, RFM2G_INFINITE_TIMEOUT */
    void *pDrvSpec;            /* not used */
} RFM2GEVENTINFO;

typedef struct {
    RFM2G_NODE NodeId;
    RFM2G_UINT8 BoardId;
    RFM2G_UINT8 Unit;
    RFM2G_NODE MaxNodeId;
    RFM2G_UINT32 Capabilities;
    RFM2G_UINT32 RegisterSize; /* bytes */
    RFM2G_UINT32 MemorySize;   /* bytes */
    char Device[64];
} RFM2GCONFIG;

typedef void (*RFM2G_EVENT_FUNCPTR)(RFM2GHANDLE, RFM2GEVENTINFO *);

#endif
