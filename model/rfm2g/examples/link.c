/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Watches the link: writes a heartbeat every 100 us and asks for the state of the ring, until it is lost or the
 * time is over. Prints what was found, and when.
 *
 *     awgstar run -n 3 --ring cut.toml -- ./link 20
 */
#include <rfm2g_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int ms = argc > 1 ? atoi(argv[1]) : 20;
    RFM2GHANDLE board = NULL;
    RFM2G_STATUS status = RFM2gOpen("/dev/rfm2g0", &board);
    if (status != RFM2G_SUCCESS) {
        fprintf(stderr, "RFM2gOpen: %s\n", RFM2gErrorMsg(status));
        return 1;
    }
    RFM2G_NODE me;
    RFM2gNodeID(board, &me);
    RFM2gEnableEvent(board, RFM2GEVENT_SYNC_LOSS);
    RFM2GEVENTINFO info = {0};
    info.Event = RFM2GEVENT_SYNC_LOSS;
    info.Timeout = RFM2G_NO_WAIT;
    for (int beat = 0; beat < 10 * ms; beat++) {
        RFM2gPoke32(board, 4u * me, (RFM2G_UINT32)beat);
        usleep(100);
        RFM2G_STATUS ring = RFM2gCheckRingCont(board), event = RFM2gWaitForEvent(board, &info);
        if (ring == RFM2G_SUCCESS && event == RFM2G_TIMED_OUT) continue;
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        printf("node %u: ring: %s; event: %s; after %ld us\n", (unsigned)me, RFM2gErrorMsg(ring),
               RFM2gErrorMsg(event), now.tv_sec * 1000000 + now.tv_nsec / 1000);
        return 0;
    }
    printf("node %u: the ring was closed for %d ms\n", (unsigned)me, ms);
    return 0;
}
