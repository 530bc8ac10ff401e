/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Free windows (--mapped flush) on two nodes: stores go out with the next call. Node 0 changes 151 bytes, node 1
 * changes 21. */
#include <rfm2g_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static RFM2GHANDLE board;
static RFM2G_NODE me;

static void expect(int line, long found, long expected) {
    if (found != expected) {
        fprintf(stderr, "node %d, line %d: found %ld, expected %ld\n", me, line, found, expected);
        exit(9);
    }
}
#define EXPECT(found, expected) expect(__LINE__, (long)(found), (long)(expected))

static void wait_for(RFM2GEVENTTYPE event) {
    RFM2GEVENTINFO info = {0};
    info.Event = (RFM2G_UINT8)event;
    info.Timeout = RFM2G_INFINITE_TIMEOUT;
    EXPECT(RFM2gWaitForEvent(board, &info), RFM2G_SUCCESS);
}

int main(int argc, char **argv) {
    volatile void *first = NULL, *second = NULL;
    EXPECT(RFM2gOpen("/dev/rfm2g0", &board), RFM2G_SUCCESS);
    EXPECT(RFM2gNodeID(board, &me), RFM2G_SUCCESS);
    EXPECT(RFM2gUserMemory(board, &first, 0x1000, 2), RFM2G_SUCCESS);
    EXPECT(RFM2gUserMemoryBytes(board, &second, 0x2000, 16), RFM2G_SUCCESS);
    EXPECT(RFM2gEnableEvent(board, RFM2GEVENT_INTR1), RFM2G_SUCCESS);
    EXPECT(RFM2gEnableEvent(board, RFM2GEVENT_INTR2), RFM2G_SUCCESS);
    volatile unsigned char *a = first, *b = second;
    unsigned char found[256];
    if (argc > 1 && strcmp(argv[1], "beyond") == 0) b[17] = 1;
    if (argc > 1 && strcmp(argv[1], "refused") == 0) {
        /* The ring is cut by now; more than a board keeps for later. */
        usleep(me == 0 ? 2000 : 200000);
        for (int i = 0; me == 0 && i < 8192; i++) a[i] = (unsigned char)(i + 1);
        RFM2gRead(board, 0, found, 4);
        RFM2gClose(&board);
        return 0;
    }
    if (me == 0) {
        /* Across the border of two pages; the second window shows the second page, too. */
        for (int i = 0; i < 100; i++) a[4096 - 50 + i] = (unsigned char)(i + 1);
        /* Its copy is of before these stores. */
        b[8] = 200;
        a[4096 + 9] = 201;
        EXPECT(RFM2gSendEvent(board, 1, RFM2GEVENT_INTR1, 0), RFM2G_SUCCESS);
        EXPECT(a[4096 + 8], 200);
        EXPECT(b[9], 201);
        /* Beside the bytes of node 1, at the same time; one of them comes back to what it was. */
        for (int i = 0; i < 100; i += 2) a[100 + i] = 7;
        a[300] = 1;
        a[300] = 0;
        wait_for(RFM2GEVENT_INTR2);
    } else {
        wait_for(RFM2GEVENT_INTR1);
        for (int i = 0; i < 100; i++) EXPECT(a[4096 - 50 + i], i == 58 ? 200 : i == 59 ? 201 : i + 1);
        EXPECT(b[8], 200);
        /* Not before the next call. */
        for (int i = 1; i < 42; i += 2) a[100 + i] = 8;
        EXPECT(RFM2gSendEvent(board, 0, RFM2GEVENT_INTR2, 0), RFM2G_SUCCESS);
        EXPECT(RFM2gSendEvent(board, 0, RFM2GEVENT_INTR1, 0), RFM2G_SUCCESS);
    }
    /* What node 0 stored before it waited is on its way before this event. */
    if (me == 0) {
        wait_for(RFM2GEVENT_INTR1);
        EXPECT(RFM2gSendEvent(board, 1, RFM2GEVENT_INTR2, 0), RFM2G_SUCCESS);
    } else {
        wait_for(RFM2GEVENT_INTR2);
    }
    for (int i = 0; i < 100; i++) EXPECT(a[100 + i], i % 2 == 0 ? 7 : i < 42 ? 8 : 0);
    EXPECT(RFM2gRead(board, 0x1000, found, sizeof found), RFM2G_SUCCESS);
    EXPECT(memcmp(found, (const void *)a, sizeof found), 0);
    EXPECT(RFM2gUnMapUserMemory(board, &first, 2), RFM2G_SUCCESS);
    EXPECT(RFM2gUnMapUserMemoryBytes(board, &second, 16), RFM2G_SUCCESS);
    return 0;
}
