/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Node 0 sends an event to all every millisecond; the others count them in a callback while they sleep, and
 * the last one answers.
 *
 *     awgstar run -n 4 -- ./callback 10
 */
#include <rfm2g_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile RFM2G_UINT32 seen, sum;

static void called(RFM2GHANDLE board, RFM2GEVENTINFO *info) {
    (void)board;
    seen++;
    sum += info->ExtendedInfo;
}

static void check(RFM2G_STATUS status, const char *what) {
    if (status != RFM2G_SUCCESS) {
        fprintf(stderr, "%s: %s\n", what, RFM2gErrorMsg(status));
        exit(1);
    }
}

int main(int argc, char **argv) {
    RFM2G_UINT32 events = argc > 1 ? (RFM2G_UINT32)atoi(argv[1]) : 10, count;
    RFM2GHANDLE board = NULL;
    RFM2G_NODE me;
    check(RFM2gOpen("/dev/rfm2g0", &board), "RFM2gOpen");
    check(RFM2gNodeID(board, &me), "RFM2gNodeID");
    if (me == 0) {
        for (RFM2G_UINT32 i = 1; i <= events; i++) {
            usleep(1000);
            check(RFM2gSendEvent(board, RFM2G_NODE_ALL, RFM2GEVENT_INTR3, i), "RFM2gSendEvent");
        }
    } else {
        check(RFM2gEnableEvent(board, RFM2GEVENT_INTR3), "RFM2gEnableEvent");
        check(RFM2gEnableEventCallback(board, RFM2GEVENT_INTR3, called), "RFM2gEnableEventCallback");
        RFM2GEVENTINFO info = {0};
        info.Event = RFM2GEVENT_INTR3;
        if (RFM2gWaitForEvent(board, &info) != RFM2G_EVENT_IN_USE) return 3;
        for (RFM2G_UINT32 ms = 0; ms < 2 * events && seen < events; ms++) usleep(1000);
        check(RFM2gGetEventCount(board, RFM2GEVENT_INTR3, &count), "RFM2gGetEventCount");
        if (seen != events || count != events || sum != events * (events + 1) / 2) return 4;
        printf("node %u: %u events\n", (unsigned)me, seen);
    }
    check(RFM2gClose(&board), "RFM2gClose");
    return 0;
}
