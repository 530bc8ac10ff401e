/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A counter goes from node to node: each polls the word of the node before it, and writes its own. Values of
 * every width travel beside it.
 *
 *     awgstar run -n 5 -- ./polling 5 3
 */
#include <rfm2g_api.h>
#include <stdio.h>
#include <stdlib.h>

static void check(RFM2G_STATUS status, const char *what) {
    if (status != RFM2G_SUCCESS) {
        fprintf(stderr, "%s: %s\n", what, RFM2gErrorMsg(status));
        exit(1);
    }
}

int main(int argc, char **argv) {
    RFM2G_UINT32 nodes = argc > 1 ? (RFM2G_UINT32)atoi(argv[1]) : 2;
    RFM2G_UINT32 rounds = argc > 2 ? (RFM2G_UINT32)atoi(argv[2]) : 3;
    RFM2GHANDLE board = NULL;
    RFM2G_NODE me;
    check(RFM2gOpen("/dev/rfm2g0", &board), "RFM2gOpen");
    check(RFM2gNodeID(board, &me), "RFM2gNodeID");
    RFM2G_UINT32 before = 32 * ((me + nodes - 1) % nodes), own = 32u * me, found = 0;
    for (RFM2G_UINT32 round = 1; round <= rounds; round++) {
        RFM2G_UINT32 expected = me == 0 ? round - 1 : round;
        do check(RFM2gPeek32(board, before, &found), "RFM2gPeek32");
        while (found != expected);
        RFM2G_UINT8 byte;
        RFM2G_UINT16 half;
        RFM2G_UINT64 whole;
        check(RFM2gPeek8(board, before + 5, &byte), "RFM2gPeek8");
        check(RFM2gPeek16(board, before + 6, &half), "RFM2gPeek16");
        check(RFM2gPeek64(board, before + 8, &whole), "RFM2gPeek64");
        if (byte != (RFM2G_UINT8)(3 * expected) || half != (RFM2G_UINT16)(500 * expected)) return 3;
        if (whole != 0x100000001ull * expected) return 4;
        check(RFM2gPoke8(board, own + 5, (RFM2G_UINT8)(3 * round)), "RFM2gPoke8");
        check(RFM2gPoke16(board, own + 6, (RFM2G_UINT16)(500 * round)), "RFM2gPoke16");
        check(RFM2gPoke64(board, own + 8, 0x100000001ull * round), "RFM2gPoke64");
        check(RFM2gPoke32(board, own, round), "RFM2gPoke32");
    }
    if (me + 1u == nodes) printf("%u rounds over %u nodes\n", rounds, nodes);
    check(RFM2gClose(&board), "RFM2gClose");
    return 0;
}
