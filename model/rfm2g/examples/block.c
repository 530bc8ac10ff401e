/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Node 0 writes a block and sends INTR1 to each other node in turn; that node reads the block, answers with a
 * block of its own and INTR2.
 *
 *     awgstar run -n 3 -- ./block 4
 */
#include <rfm2g_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WORDS = 64, DOWN = 0x100, UP = 0x800 };

static void check(RFM2G_STATUS status, const char *what) {
    if (status != RFM2G_SUCCESS) {
        fprintf(stderr, "%s: %s\n", what, RFM2gErrorMsg(status));
        exit(1);
    }
}

static RFM2GEVENTINFO wait_for(RFM2GHANDLE board, RFM2GEVENTTYPE event) {
    RFM2GEVENTINFO info = {0};
    info.Event = (RFM2G_UINT8)event;
    info.Timeout = 100;
    check(RFM2gWaitForEvent(board, &info), "RFM2gWaitForEvent");
    return info;
}

static void fill(RFM2G_UINT32 *words, RFM2G_UINT32 seed) {
    for (RFM2G_UINT32 i = 0; i < WORDS; i++) words[i] = seed * 1000 + i;
}

static int wrong(const RFM2G_UINT32 *words, RFM2G_UINT32 seed) {
    for (RFM2G_UINT32 i = 0; i < WORDS; i++)
        if (words[i] != seed * 1000 + i) return 1;
    return 0;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 4, nodes = argc > 2 ? atoi(argv[2]) : 2;
    RFM2GHANDLE board = NULL;
    RFM2G_NODE me;
    RFM2G_UINT32 words[WORDS];
    check(RFM2gOpen("/dev/rfm2g0", &board), "RFM2gOpen");
    check(RFM2gNodeID(board, &me), "RFM2gNodeID");
    check(RFM2gEnableEvent(board, me == 0 ? RFM2GEVENT_INTR2 : RFM2GEVENT_INTR1), "RFM2gEnableEvent");
    for (int round = 0; round < rounds; round++) {
        RFM2G_UINT32 seed = (RFM2G_UINT32)round;
        if (me == 0) {
            for (RFM2G_NODE to = 1; to < nodes; to++) {
                fill(words, seed + to);
                check(RFM2gWrite(board, DOWN, words, sizeof words), "RFM2gWrite");
                check(RFM2gSendEvent(board, to, RFM2GEVENT_INTR1, seed + to), "RFM2gSendEvent");
                RFM2GEVENTINFO info = wait_for(board, RFM2GEVENT_INTR2);
                check(RFM2gRead(board, UP, words, sizeof words), "RFM2gRead");
                if (info.NodeId != to || wrong(words, 7 * info.ExtendedInfo)) return 3;
            }
        } else {
            RFM2GEVENTINFO info = wait_for(board, RFM2GEVENT_INTR1);
            check(RFM2gRead(board, DOWN, words, sizeof words), "RFM2gRead");
            if (info.NodeId != 0 || info.ExtendedInfo != seed + me || wrong(words, seed + me)) return 4;
            fill(words, 7 * seed);
            check(RFM2gWrite(board, UP, words, sizeof words), "RFM2gWrite");
            check(RFM2gSendEvent(board, 0, RFM2GEVENT_INTR2, seed), "RFM2gSendEvent");
        }
    }
    if (me == 0) printf("%d rounds with %d nodes\n", rounds, nodes - 1);
    check(RFM2gClose(&board), "RFM2gClose");
    return 0;
}
