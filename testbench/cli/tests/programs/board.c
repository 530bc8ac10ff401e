/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Every function of RFM2g with good and bad arguments; the first argument says what else. */
#include <pthread.h>
#include <rfm2g_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int is(const char *what, const char *mode) { return strcmp(what, mode) == 0; }

static void expect(int line, RFM2G_STATUS found, RFM2G_STATUS expected) {
    if (found != expected) {
        fprintf(stderr, "line %d: found %d (%s), expected %d\n", line, found, RFM2gErrorMsg(found), expected);
        exit(9);
    }
}
#define EXPECT(call, status) expect(__LINE__, call, RFM2G_##status)

static RFM2GHANDLE board;
static volatile RFM2G_STATUS waited = RFM2G_MAX_ERROR_CODE;

static void nothing(RFM2GHANDLE handle, RFM2GEVENTINFO *info) {
    (void)handle;
    (void)info;
}

static RFM2G_STATUS wait_for(RFM2GEVENTTYPE event, RFM2G_UINT32 ms) {
    RFM2GEVENTINFO info = {0};
    info.Event = (RFM2G_UINT8)event;
    info.Timeout = ms;
    return RFM2gWaitForEvent(board, &info);
}

static void *waits(void *unused) {
    waited = wait_for(RFM2GEVENT_INTR4, RFM2G_INFINITE_TIMEOUT);
    return unused;
}

static void memory(void) {
    RFM2G_UINT32 size, first = 1, word = 5;
    RFM2G_UINT8 byte;
    RFM2G_UINT16 half;
    RFM2G_UINT64 whole;
    unsigned char bytes[7] = {1, 2, 3, 4, 5, 6, 7}, found[7];
    volatile void *window = NULL;
    EXPECT(RFM2gSize(board, &size), SUCCESS);
    EXPECT(RFM2gFirst(board, &first), SUCCESS);
    if (size != (16 << 20) || first != 0) exit(3);
    EXPECT(RFM2gPeek16(board, 1, &half), UNALIGNED_OFFSET);
    EXPECT(RFM2gPoke32(board, 2, 1), UNALIGNED_OFFSET);
    EXPECT(RFM2gPeek64(board, 12, &whole), UNALIGNED_OFFSET);
    EXPECT(RFM2gPeek8(board, size, &byte), OUT_OF_RANGE);
    EXPECT(RFM2gPoke64(board, 0xfffffff8, 1), OUT_OF_RANGE);
    EXPECT(RFM2gPeek32(board, 0, NULL), BAD_PARAMETER_3);
    EXPECT(RFM2gRead(board, 0, NULL, 4), BAD_PARAMETER_3);
    EXPECT(RFM2gWrite(board, 0, NULL, 4), BAD_PARAMETER_3);
    EXPECT(RFM2gRead(board, size - 4, &word, 5), OUT_OF_RANGE);
    EXPECT(RFM2gWrite(board, 4, &word, 0xffffffff), OUT_OF_RANGE);
    EXPECT(RFM2gWrite(board, 1, bytes, sizeof bytes), SUCCESS);
    EXPECT(RFM2gRead(board, 1, found, sizeof found), SUCCESS);
    if (memcmp(bytes, found, sizeof bytes)) exit(4);
    EXPECT(RFM2gUserMemory(board, NULL, 0, 1), BAD_PARAMETER_2);
    EXPECT(RFM2gUserMemory(board, &window, 1, 1), UNALIGNED_OFFSET);
    EXPECT(RFM2gUserMemory(board, &window, 0, 4097), OUT_OF_RANGE);
    EXPECT(RFM2gUserMemory(board, &window, 0x100000000, 1), OUT_OF_RANGE);
    EXPECT(RFM2gUserMemoryBytes(board, &window, 0, 0), BAD_PARAMETER_4);
    EXPECT(RFM2gUnMapUserMemory(board, &window, 1), MEM_NOT_MAPPED);
    EXPECT(RFM2gUserMemoryBytes(board, &window, 0, 8), SUCCESS);
    if (memcmp((void *)((char *)window + 1), bytes, sizeof bytes)) exit(5);
    memset((void *)window, 0x55, 8);
    EXPECT(RFM2gPeek32(board, 4, &word), SUCCESS);
    if (word != 0x55555555) exit(6);
    EXPECT(RFM2gUnMapUserMemoryBytes(board, &window, 8), SUCCESS);
    if (window != NULL) exit(7);
}

static void events(RFM2G_NODE me) {
    RFM2G_UINT32 count = 9;
    pthread_t thread;
    EXPECT(RFM2gWaitForEvent(board, NULL), BAD_PARAMETER_2);
    EXPECT(wait_for(RFM2GEVENT_INTR1, 0), NOT_ENABLED);
    EXPECT(wait_for(RFM2GEVENT_LAST, 0), BAD_PARAMETER_2);
    EXPECT(RFM2gEnableEvent(board, RFM2GEVENT_INTR1), SUCCESS);
    EXPECT(RFM2gEnableEvent(board, RFM2GEVENT_INTR1), ALREADY_ENABLED);
    EXPECT(wait_for(RFM2GEVENT_INTR1, RFM2G_NO_WAIT), TIMED_OUT);
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    EXPECT(wait_for(RFM2GEVENT_INTR1, 3), TIMED_OUT);
    clock_gettime(CLOCK_MONOTONIC, &after);
    long ns = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
    if (ns < 3000000 || ns > 3001000) exit(3);
    EXPECT(RFM2gEnableEventCallback(board, RFM2GEVENT_INTR1, NULL), BAD_PARAMETER_3);
    EXPECT(RFM2gEnableEventCallback(board, RFM2GEVENT_INTR1, nothing), SUCCESS);
    EXPECT(RFM2gEnableEventCallback(board, RFM2GEVENT_INTR1, nothing), EVENT_IN_USE);
    EXPECT(wait_for(RFM2GEVENT_INTR1, 0), EVENT_IN_USE);
    EXPECT(RFM2gDisableEventCallback(board, RFM2GEVENT_INTR1), SUCCESS);
    EXPECT(RFM2gDisableEventCallback(board, RFM2GEVENT_INTR1), EVENT_NOT_IN_USE);
    EXPECT(RFM2gDisableEvent(board, RFM2GEVENT_INTR1), SUCCESS);
    EXPECT(RFM2gDisableEvent(board, RFM2GEVENT_INTR1), NOT_ENABLED);
    EXPECT(RFM2gSendEvent(board, me, RFM2GEVENT_INTR1, 0), NODE_ID_SELF);
    EXPECT(RFM2gSendEvent(board, 300, RFM2GEVENT_INTR1, 0), BAD_PARAMETER_2);
    EXPECT(RFM2gSendEvent(board, 200, RFM2GEVENT_INTR1, 0), BAD_PARAMETER_2);
    EXPECT(RFM2gSendEvent(board, RFM2G_NODE_ALL, RFM2GEVENT_SYNC_LOSS, 0), BAD_PARAMETER_3);
    EXPECT(RFM2gClearEvent(board, RFM2GEVENT_INTR2), SUCCESS);
    EXPECT(RFM2gClearEventCount(board, RFM2GEVENT_INTR2), SUCCESS);
    EXPECT(RFM2gGetEventCount(board, RFM2GEVENT_INTR2, &count), SUCCESS);
    EXPECT(RFM2gGetEventCount(board, RFM2GEVENT_INTR2, NULL), BAD_PARAMETER_3);
    if (count != 0) exit(4);
    /* A wait without end of one thread is cancelled by another. */
    EXPECT(RFM2gCancelWaitForEvent(board, RFM2GEVENT_INTR4), EVENT_NOT_IN_USE);
    EXPECT(RFM2gEnableEvent(board, RFM2GEVENT_INTR4), SUCCESS);
    if (pthread_create(&thread, NULL, waits, NULL)) exit(5);
    while (RFM2gCancelWaitForEvent(board, RFM2GEVENT_INTR4) == RFM2G_EVENT_NOT_IN_USE) usleep(50);
    pthread_join(thread, NULL);
    if (waited != RFM2G_WAIT_EVENT_CANCELED) exit(6);
}

static void settings(RFM2G_NODE me) {
    RFM2GCONFIG config;
    RFM2G_UINT8 id;
    RFM2G_BOOL on = 9;
    RFM2G_UINT32 word;
    volatile void *place = NULL;
    char name[64];
    EXPECT(RFM2gGetConfig(board, &config), SUCCESS);
    if (config.NodeId != me || config.MemorySize != (16 << 20) || config.MaxNodeId != 255) exit(3);
    EXPECT(RFM2gGetConfig(board, NULL), BAD_PARAMETER_2);
    EXPECT(RFM2gBoardID(board, &id), SUCCESS);
    if (id != config.BoardId) exit(4);
    EXPECT(RFM2gDeviceName(board, name), SUCCESS);
    EXPECT(RFM2gDllVersion(board, name), SUCCESS);
    EXPECT(RFM2gDriverVersion(board, name), SUCCESS);
    EXPECT(RFM2gDriverVersion(board, NULL), BAD_PARAMETER_2);
    EXPECT(RFM2gSetLed(board, RFM2G_ON), SUCCESS);
    EXPECT(RFM2gGetLed(board, &on), SUCCESS);
    if (on != RFM2G_ON) exit(5);
    EXPECT(RFM2gSetDMAThreshold(board, 77), SUCCESS);
    EXPECT(RFM2gGetDMAThreshold(board, &word), SUCCESS);
    if (word != 77) exit(6);
    EXPECT(RFM2gCheckRingCont(board), SUCCESS);
#define SWITCH(name, is)                                        \
    EXPECT(RFM2gGet##name(board, &on), SUCCESS);                \
    if (on != is) exit(7);                                      \
    EXPECT(RFM2gSet##name(board, is), SUCCESS);                 \
    EXPECT(RFM2gSet##name(board, !is), NOT_SUPPORTED)
    SWITCH(DMAByteSwap, RFM2G_FALSE);
    SWITCH(PIOByteSwap, RFM2G_FALSE);
    SWITCH(DarkOnDark, RFM2G_FALSE);
    SWITCH(Transmit, RFM2G_TRUE);
    SWITCH(Loopback, RFM2G_FALSE);
    SWITCH(ParityEnable, RFM2G_FALSE);
    EXPECT(RFM2gClearOwnData(board, &on), NOT_SUPPORTED);
    EXPECT(RFM2gGetMemoryOffset(board, &word), NOT_SUPPORTED);
    EXPECT(RFM2gSetMemoryOffset(board, 0), NOT_SUPPORTED);
    EXPECT(RFM2gGetSlidingWindow(board, &word, &word), NOT_SUPPORTED);
    EXPECT(RFM2gSetSlidingWindow(board, 0), NOT_SUPPORTED);
    EXPECT(RFM2gReadReg(board, 0, 0, 4, &word), NOT_SUPPORTED);
    EXPECT(RFM2gWriteReg(board, 0, 0, 4, 0), NOT_SUPPORTED);
    EXPECT(RFM2gSetReg(board, 0, 0, 4, 0), NOT_SUPPORTED);
    EXPECT(RFM2gClearReg(board, 0, 0, 4, 0), NOT_SUPPORTED);
    EXPECT(RFM2gMapDeviceMemory(board, &place), NOT_SUPPORTED);
    EXPECT(RFM2gUnMapDeviceMemory(board, &place), NOT_SUPPORTED);
    EXPECT(RFM2gGetDebugFlags(board, &word), SUCCESS);
    EXPECT(RFM2gSetDebugFlags(board, 1), NOT_SUPPORTED);
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    RFM2GHANDLE other = NULL;
    RFM2G_NODE me;
    if (is(mode, "texts")) {
        for (int status = 0; status <= RFM2G_MAX_ERROR_CODE; status++) puts(RFM2gErrorMsg((RFM2G_STATUS)status));
        return strcmp(RFM2gErrorMsg((RFM2G_STATUS)1000), RFM2gErrorMsg(RFM2G_MAX_ERROR_CODE));
    }
    if (is(mode, "no board")) {
        EXPECT(RFM2gOpen("/dev/rfm2g0", &board), NO_RFM2G_BOARD);
        EXPECT(RFM2gNodeID(board, &me), NULL_DESCRIPTOR);
        usleep(1000);
        return 0;
    }
    EXPECT(RFM2gOpen(NULL, &board), BAD_PARAMETER_1);
    EXPECT(RFM2gOpen("/dev/rfm2g0", NULL), BAD_PARAMETER_2);
    EXPECT(RFM2gOpen("/dev/rfm2g", &board), NO_RFM2G_BOARD);
    EXPECT(RFM2gOpen("/dev/rfm2g0", &board), SUCCESS);
    EXPECT(RFM2gOpen("/dev/rfm2g0", &board), HANDLE_NOT_NULL);
    EXPECT(RFM2gOpen("/dev/rfm2g1", &other), SUCCESS);
    EXPECT(RFM2gNodeID(other, &me), SUCCESS);
    RFM2GHANDLE closed = other;
    EXPECT(RFM2gClose(&other), SUCCESS);
    EXPECT(RFM2gClose(&other), NULL_DESCRIPTOR);
    EXPECT(RFM2gNodeID(closed, &me), NOT_OPEN);
    EXPECT(RFM2gClose(&closed), NOT_OPEN);
    EXPECT(RFM2gClose(NULL), BAD_PARAMETER_1);
    if (is(mode, "beyond")) {
        volatile void *window = NULL;
        EXPECT(RFM2gUserMemoryBytes(board, &window, 0, 8), SUCCESS);
        ((volatile char *)window)[8] = 1;
    }
    if (is(mode, "buffer")) {
        volatile void *window = NULL;
        EXPECT(RFM2gUserMemoryBytes(board, &window, 0, 8), SUCCESS);
        RFM2gWrite(board, 64, (void *)window, 8);
    }
    if (is(mode, "crash")) *(volatile int *)8 = 1;
    if (is(mode, "for ever") && me == 0) {
        EXPECT(RFM2gEnableEvent(board, RFM2GEVENT_INTR1), SUCCESS);
        wait_for(RFM2GEVENT_INTR1, RFM2G_INFINITE_TIMEOUT);
    }
    if (is(mode, "all")) {
        memory();
        events(me);
        settings(me);
    }
    /* A board that is open when the program ends is closed. */
    return 0;
}
