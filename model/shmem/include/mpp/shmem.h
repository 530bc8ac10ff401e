/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Where old programs look for it. */
#include <shmem.h>
