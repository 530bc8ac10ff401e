/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The interface of programs for reflective-memory boards of the 5565 family, on the modelled ring.
 * docs/rfm2g.md says what each function does here. */
#ifndef RFM2G_API_H
#define RFM2G_API_H

#include "rfm2g_defs.h"
#include "rfm2g_errno.h"
#include "rfm2g_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first handle joins the ring; the path ends in a digit. */
RFM2G_STATUS RFM2gOpen(char *path, RFM2GHANDLE *handle);
RFM2G_STATUS RFM2gClose(RFM2GHANDLE *handle);
char *RFM2gErrorMsg(RFM2G_STATUS status);

RFM2G_STATUS RFM2gGetConfig(RFM2GHANDLE handle, RFM2GCONFIG *config);
RFM2G_STATUS RFM2gNodeID(RFM2GHANDLE handle, RFM2G_NODE *node);
RFM2G_STATUS RFM2gBoardID(RFM2GHANDLE handle, RFM2G_UINT8 *board);
RFM2G_STATUS RFM2gSize(RFM2GHANDLE handle, RFM2G_UINT32 *bytes);
RFM2G_STATUS RFM2gFirst(RFM2GHANDLE handle, RFM2G_UINT32 *offset);
RFM2G_STATUS RFM2gDeviceName(RFM2GHANDLE handle, char *name);
RFM2G_STATUS RFM2gDllVersion(RFM2GHANDLE handle, char *version);
RFM2G_STATUS RFM2gDriverVersion(RFM2GHANDLE handle, char *version);

/* Offsets and lengths in bytes. Writes are posted: they reach the other nodes in their order. */
RFM2G_STATUS RFM2gRead(RFM2GHANDLE handle, RFM2G_UINT32 offset, void *to, RFM2G_UINT32 length);
RFM2G_STATUS RFM2gWrite(RFM2GHANDLE handle, RFM2G_UINT32 offset, void *from, RFM2G_UINT32 length);
RFM2G_STATUS RFM2gPeek8(RFM2GHANDLE handle, RFM2G_UINT32 offset, RFM2G_UINT8 *to);
RFM2G_STATUS RFM2gPeek16(RFM2GHANDLE handle, RFM2G_UINT32 offset, RFM2G_UINT16 *to);
RFM2G_STATUS RFM2gPeek32(RFM2GHANDLE handle, RFM2G_UINT32 offset, RFM2G_UINT32 *to);
RFM2G_STATUS RFM2gPeek64(RFM2GHANDLE handle, RFM2G_UINT32 offset, RFM2G_UINT64 *to);
RFM2G_STATUS RFM2gPoke8(RFM2GHANDLE handle, RFM2G_UINT32 offset, RFM2G_UINT8 value);
RFM2G_STATUS RFM2gPoke16(RFM2GHANDLE handle, RFM2G_UINT32 offset, RFM2G_UINT16 value);
RFM2G_STATUS RFM2gPoke32(RFM2GHANDLE handle, RFM2G_UINT32 offset, RFM2G_UINT32 value);
RFM2G_STATUS RFM2gPoke64(RFM2GHANDLE handle, RFM2G_UINT32 offset, RFM2G_UINT64 value);

/* Windows: the offset is a multiple of 4096; pages have 4096 bytes. */
RFM2G_STATUS RFM2gUserMemory(RFM2GHANDLE handle, volatile void **to, RFM2G_UINT64 offset, RFM2G_UINT32 pages);
RFM2G_STATUS RFM2gUserMemoryBytes(RFM2GHANDLE handle, volatile void **to, RFM2G_UINT64 offset, RFM2G_UINT32 bytes);
RFM2G_STATUS RFM2gUnMapUserMemory(RFM2GHANDLE handle, volatile void **from, RFM2G_UINT32 pages);
RFM2G_STATUS RFM2gUnMapUserMemoryBytes(RFM2GHANDLE handle, volatile void **from, RFM2G_UINT32 bytes);

RFM2G_STATUS RFM2gEnableEvent(RFM2GHANDLE handle, RFM2GEVENTTYPE event);
RFM2G_STATUS RFM2gDisableEvent(RFM2GHANDLE handle, RFM2GEVENTTYPE event);
RFM2G_STATUS RFM2gSendEvent(RFM2GHANDLE handle, RFM2G_NODE to, RFM2GEVENTTYPE event, RFM2G_UINT32 extended);
RFM2G_STATUS RFM2gWaitForEvent(RFM2GHANDLE handle, RFM2GEVENTINFO *info);
RFM2G_STATUS RFM2gEnableEventCallback(RFM2GHANDLE handle, RFM2GEVENTTYPE event, RFM2G_EVENT_FUNCPTR function);
RFM2G_STATUS RFM2gDisableEventCallback(RFM2GHANDLE handle, RFM2GEVENTTYPE event);
RFM2G_STATUS RFM2gClearEvent(RFM2GHANDLE handle, RFM2GEVENTTYPE event);
RFM2G_STATUS RFM2gCancelWaitForEvent(RFM2GHANDLE handle, RFM2GEVENTTYPE event);
RFM2G_STATUS RFM2gClearEventCount(RFM2GHANDLE handle, RFM2GEVENTTYPE event);
RFM2G_STATUS RFM2gGetEventCount(RFM2GHANDLE handle, RFM2GEVENTTYPE event, RFM2G_UINT32 *count);

/* RFM2G_LINK_TEST_FAIL when the ring is cut. */
RFM2G_STATUS RFM2gCheckRingCont(RFM2GHANDLE handle);
RFM2G_STATUS RFM2gGetLed(RFM2GHANDLE handle, RFM2G_BOOL *on);
RFM2G_STATUS RFM2gSetLed(RFM2GHANDLE handle, RFM2G_BOOL on);
RFM2G_STATUS RFM2gGetDMAThreshold(RFM2GHANDLE handle, RFM2G_UINT32 *bytes);
RFM2G_STATUS RFM2gSetDMAThreshold(RFM2GHANDLE handle, RFM2G_UINT32 bytes);

/* Switches that have one position: a Set to the other one answers RFM2G_NOT_SUPPORTED. */
RFM2G_STATUS RFM2gGetDMAByteSwap(RFM2GHANDLE handle, RFM2G_BOOL *on);
RFM2G_STATUS RFM2gSetDMAByteSwap(RFM2GHANDLE handle, RFM2G_BOOL on);
RFM2G_STATUS RFM2gGetPIOByteSwap(RFM2GHANDLE handle, RFM2G_BOOL *on);
RFM2G_STATUS RFM2gSetPIOByteSwap(RFM2GHANDLE handle, RFM2G_BOOL on);
RFM2G_STATUS RFM2gGetDarkOnDark(RFM2GHANDLE handle, RFM2G_BOOL *on);
RFM2G_STATUS RFM2gSetDarkOnDark(RFM2GHANDLE handle, RFM2G_BOOL on);
RFM2G_STATUS RFM2gGetTransmit(RFM2GHANDLE handle, RFM2G_BOOL *on);
RFM2G_STATUS RFM2gSetTransmit(RFM2GHANDLE handle, RFM2G_BOOL on);
RFM2G_STATUS RFM2gGetLoopback(RFM2GHANDLE handle, RFM2G_BOOL *on);
RFM2G_STATUS RFM2gSetLoopback(RFM2GHANDLE handle, RFM2G_BOOL on);
RFM2G_STATUS RFM2gGetParityEnable(RFM2GHANDLE handle, RFM2G_BOOL *on);
RFM2G_STATUS RFM2gSetParityEnable(RFM2GHANDLE handle, RFM2G_BOOL on);

/* Not on this board: RFM2G_NOT_SUPPORTED. */
RFM2G_STATUS RFM2gClearOwnData(RFM2GHANDLE handle, RFM2G_BOOL *state);
RFM2G_STATUS RFM2gGetMemoryOffset(RFM2GHANDLE handle, RFM2G_UINT32 *offset);
RFM2G_STATUS RFM2gSetMemoryOffset(RFM2GHANDLE handle, RFM2G_UINT32 offset);
RFM2G_STATUS RFM2gGetSlidingWindow(RFM2GHANDLE handle, RFM2G_UINT32 *offset, RFM2G_UINT32 *size);
RFM2G_STATUS RFM2gSetSlidingWindow(RFM2GHANDLE handle, RFM2G_UINT32 offset);
RFM2G_STATUS RFM2gReadReg(RFM2GHANDLE handle, RFM2G_UINT32 space, RFM2G_UINT32 offset, RFM2G_UINT32 width, void *to);
RFM2G_STATUS RFM2gWriteReg(RFM2GHANDLE handle, RFM2G_UINT32 space, RFM2G_UINT32 offset, RFM2G_UINT32 width, RFM2G_UINT32 value);
RFM2G_STATUS RFM2gSetReg(RFM2GHANDLE handle, RFM2G_UINT32 space, RFM2G_UINT32 offset, RFM2G_UINT32 width, RFM2G_UINT32 mask);
RFM2G_STATUS RFM2gClearReg(RFM2GHANDLE handle, RFM2G_UINT32 space, RFM2G_UINT32 offset, RFM2G_UINT32 width, RFM2G_UINT32 mask);
RFM2G_STATUS RFM2gMapDeviceMemory(RFM2GHANDLE handle, volatile void **to);
RFM2G_STATUS RFM2gUnMapDeviceMemory(RFM2GHANDLE handle, volatile void **from);
RFM2G_STATUS RFM2gGetDebugFlags(RFM2GHANDLE handle, RFM2G_UINT32 *flags);
RFM2G_STATUS RFM2gSetDebugFlags(RFM2GHANDLE handle, RFM2G_UINT32 flags);

#ifdef __cplusplus
}
#endif

#endif
