/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Node 0 and node 1 pass a block to and fro through mapped windows: stores, and loops that poll a flag.
 *
 *     awgstar run -n 2 -- ./mapped 5
 */
#include <rfm2g_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 8 };

struct shared {
    volatile RFM2G_UINT32 turn;
    volatile RFM2G_UINT8 bytes[4];
    volatile double value;
    volatile RFM2G_UINT32 words[WORDS];
};

static void check(RFM2G_STATUS status, const char *what) {
    if (status != RFM2G_SUCCESS) {
        fprintf(stderr, "%s: %s\n", what, RFM2gErrorMsg(status));
        exit(1);
    }
}

int main(int argc, char **argv) {
    RFM2G_UINT32 rounds = argc > 1 ? (RFM2G_UINT32)atoi(argv[1]) : 5;
    RFM2GHANDLE board = NULL;
    RFM2G_NODE me;
    volatile void *window = NULL;
    check(RFM2gOpen("/dev/rfm2g0", &board), "RFM2gOpen");
    check(RFM2gNodeID(board, &me), "RFM2gNodeID");
    check(RFM2gUserMemory(board, &window, 0x1000, 1), "RFM2gUserMemory");
    struct shared *all = (struct shared *)window;
    if (me > 1) return 0;
    for (RFM2G_UINT32 round = 0; round < rounds; round++) {
        while (all->turn != 2 * round + me) {
        }
        RFM2G_UINT32 copy[WORDS];
        for (int i = 0; i < WORDS; i++) copy[i] = all->words[i];
        if (all->bytes[me] != (RFM2G_UINT8)round || all->value != 0.5 * (2 * round + me)) return 3;
        for (int i = 0; i < WORDS; i++)
            if (copy[i] != (round == 0 && me == 0 ? 0 : 2 * round + me + (RFM2G_UINT32)i)) return 4;
        for (int i = 0; i < WORDS; i++) all->words[i] = 2 * round + me + 1 + (RFM2G_UINT32)i;
        all->bytes[me]++;
        all->value += 0.5;
        all->turn++;
    }
    if (me == 0)
        while (all->turn != 2 * rounds) {
        }
    if (me == 0) printf("%u rounds through a window\n", rounds);
    check(RFM2gUnMapUserMemory(board, &window, 1), "RFM2gUnMapUserMemory");
    check(RFM2gClose(&board), "RFM2gClose");
    return 0;
}
