/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A closed control loop at 1 kHz over four nodes, in integers: node 0 beats the time, node 1 is the sensor of
 * a tank, node 2 the controller, node 3 the valve. In each period a beat makes the sensor write the level, the
 * controller the command, the valve apply it. Node 0 prints the time from beat to command applied, and how much
 * it varies, in ns on the ring.
 *
 *     awgstar run -n 4 -- ./control 50
 */
#include <rfm2g_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LEVEL = 0x00, COMMAND = 0x40, INFLOW = 0x80, GOAL = 10000, PERIOD_NS = 1000000 };

static void check(RFM2G_STATUS status, const char *what) {
    if (status != RFM2G_SUCCESS) {
        fprintf(stderr, "%s: %s\n", what, RFM2gErrorMsg(status));
        exit(1);
    }
}

static long long now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void wait_for(RFM2GHANDLE board, RFM2GEVENTTYPE event) {
    RFM2GEVENTINFO info = {0};
    info.Event = (RFM2G_UINT8)event;
    info.Timeout = 10;
    check(RFM2gWaitForEvent(board, &info), "RFM2gWaitForEvent");
}

/* The beat, and how long the loop takes. */
static int beat(RFM2GHANDLE board, int periods) {
    long long begin = now_ns(), least = PERIOD_NS, most = 0, late = 0;
    for (int period = 1; period <= periods; period++) {
        long long due = begin + (long long)period * PERIOD_NS;
        struct timespec until = {due / 1000000000, due % 1000000000};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        long long from = now_ns();
        check(RFM2gSendEvent(board, 1, RFM2GEVENT_INTR1, (RFM2G_UINT32)period), "RFM2gSendEvent");
        wait_for(board, RFM2GEVENT_INTR4);
        long long took = now_ns() - from;
        if (took < least) least = took;
        if (took > most) most = took;
        if (from - due > late) late = from - due;
    }
    RFM2G_UINT32 level;
    check(RFM2gPeek32(board, LEVEL, &level), "RFM2gPeek32");
    printf("level %u after %d periods; loop %lld to %lld ns, jitter %lld ns; beat late by %lld ns at most\n", level,
           periods, least, most, most - least, late);
    return level > GOAL - 200 && level < GOAL + 200 ? 0 : 3;
}

int main(int argc, char **argv) {
    static const RFM2GEVENTTYPE events[] = {RFM2GEVENT_INTR4, RFM2GEVENT_INTR1, RFM2GEVENT_INTR2, RFM2GEVENT_INTR3};
    int periods = argc > 1 ? atoi(argv[1]) : 50, result = 0;
    RFM2GHANDLE board = NULL;
    RFM2G_NODE me;
    check(RFM2gOpen("/dev/rfm2g0", &board), "RFM2gOpen");
    check(RFM2gNodeID(board, &me), "RFM2gNodeID");
    if (me > 3) return 2;
    check(RFM2gEnableEvent(board, events[me]), "RFM2gEnableEvent");
    RFM2G_UINT32 level = 0, command, inflow = 0;
    if (me == 0) result = beat(board, periods);
    for (int period = 0; me != 0 && period < periods; period++) {
        wait_for(board, events[me]);
        if (me == 1) {
            /* The tank loses a tenth of what is in it, and gets what the valve lets in. */
            check(RFM2gPeek32(board, INFLOW, &inflow), "RFM2gPeek32");
            level = level - level / 10 + inflow;
            check(RFM2gPoke32(board, LEVEL, level), "RFM2gPoke32");
            check(RFM2gSendEvent(board, 2, RFM2GEVENT_INTR2, 0), "RFM2gSendEvent");
        } else if (me == 2) {
            check(RFM2gPeek32(board, LEVEL, &level), "RFM2gPeek32");
            command = level < GOAL ? GOAL / 10 + (GOAL - level) / 4 : GOAL / 10 - (level - GOAL) / 4;
            check(RFM2gPoke32(board, COMMAND, command), "RFM2gPoke32");
            check(RFM2gSendEvent(board, 3, RFM2GEVENT_INTR3, 0), "RFM2gSendEvent");
        } else {
            check(RFM2gPeek32(board, COMMAND, &command), "RFM2gPeek32");
            check(RFM2gPoke32(board, INFLOW, command), "RFM2gPoke32");
            check(RFM2gSendEvent(board, 0, RFM2GEVENT_INTR4, 0), "RFM2gSendEvent");
        }
    }
    check(RFM2gClose(&board), "RFM2gClose");
    return result;
}
