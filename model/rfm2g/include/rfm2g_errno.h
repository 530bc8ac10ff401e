/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Status codes of the RFM2g interface. */
#ifndef RFM2G_ERRNO_H
#define RFM2G_ERRNO_H

typedef enum {
    RFM2G_SUCCESS, /* 0: success */
    RFM2G_NOT_IMPLEMENTED, /* 1: not implemented */
    RFM2G_DRIVER_ERROR, /* 2: the run is over */
    RFM2G_TIMED_OUT, /* 3: the time is over */
    RFM2G_LOW_MEMORY, /* 4: no memory */
    RFM2G_MEM_NOT_MAPPED, /* 5: no window begins at this pointer */
    RFM2G_OS_ERROR, /* 6: the operating system refused */
    RFM2G_EVENT_IN_USE, /* 7: the event has a callback, or a thread waits for it */
    RFM2G_NOT_SUPPORTED, /* 8: the modelled board has nothing of the kind */
    RFM2G_NOT_OPEN, /* 9: the handle is not open */
    RFM2G_NO_RFM2G_BOARD, /* 10: no board: expected a path that ends in a digit, and a program under `awgstar run` on the ring */
    RFM2G_BAD_PARAMETER_1, /* 11: argument 1 is wrong */
    RFM2G_BAD_PARAMETER_2, /* 12: argument 2 is wrong */
    RFM2G_BAD_PARAMETER_3, /* 13: argument 3 is wrong */
    RFM2G_BAD_PARAMETER_4, /* 14: argument 4 is wrong */
    RFM2G_BAD_PARAMETER_5, /* 15: argument 5 is wrong */
    RFM2G_BAD_PARAMETER_6, /* 16: argument 6 is wrong */
    RFM2G_BAD_PARAMETER_7, /* 17: argument 7 is wrong */
    RFM2G_BAD_PARAMETER_8, /* 18: argument 8 is wrong */
    RFM2G_BAD_PARAMETER_9, /* 19: argument 9 is wrong */
    RFM2G_OUT_OF_RANGE, /* 20: beyond the end of the memory */
    RFM2G_MAP_NOT_ALLOWED, /* 21: mapping is not allowed */
    RFM2G_LINK_TEST_FAIL, /* 22: the ring is cut */
    RFM2G_MEM_READ_ONLY, /* 23: the memory can only be read */
    RFM2G_UNALIGNED_OFFSET, /* 24: the offset is no multiple of the width */
    RFM2G_UNALIGNED_ADDRESS, /* 25: the address is no multiple of the width */
    RFM2G_LSEEK_ERROR, /* 26: lseek failed */
    RFM2G_READ_ERROR, /* 27: the board refused a read */
    RFM2G_WRITE_ERROR, /* 28: the board refused a write: its store is full and the ring is cut */
    RFM2G_HANDLE_NOT_NULL, /* 29: the handle is open already */
    RFM2G_MODULE_NOT_LOADED, /* 30: the driver is not loaded */
    RFM2G_NOT_ENABLED, /* 31: the event is not enabled */
    RFM2G_ALREADY_ENABLED, /* 32: the event is enabled already */
    RFM2G_EVENT_NOT_IN_USE, /* 33: no thread waits for the event */
    RFM2G_BAD_RFM2G_BOARD_ID, /* 34: not this kind of board */
    RFM2G_NULL_DESCRIPTOR, /* 35: the handle is null */
    RFM2G_WAIT_EVENT_CANCELED, /* 36: the wait was cancelled */
    RFM2G_DMA_FAILED, /* 37: the transfer failed */
    RFM2G_NOT_INITIALIZED, /* 38: not initialised */
    RFM2G_UNALIGNED_LENGTH, /* 39: the length is no multiple of the width */
    RFM2G_SIGNALED, /* 40: a signal ended the wait */
    RFM2G_NODE_ID_SELF, /* 41: a node cannot send an event to itself */
    RFM2G_MAX_ERROR_CODE /* 42: no such status */
} RFM2G_STATUS;

#endif
