/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs on rings: each process writes to all rings, reads from all, and finds what it must. */
#include <awgstar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 40, PLACE = 4096, COUNT = 4092, OWN_LOCK = 0x8000 };

static void check(int error, const char *what) {
    if (error) {
        fprintf(stderr, "%s: %s\n", what, awg_error(error));
        exit(1);
    }
}

static void expect(int found, int expected, const char *what) {
    if (found != expected) {
        fprintf(stderr, "%s: %d, expected %d\n", what, found, expected);
        exit(2);
    }
}

static uint32_t value(int process, int at) { return (uint32_t)(1000 * process + at); }

/* Calls that are wrong leave no trace. */
static void wrong(int rings) {
    uint32_t words[2] = {7, 8}, end = awg_memory();
    expect(awg_far_read(rings, 64, words, 4), AWG_NO_RING, "ring beyond the last");
    expect(awg_far_write(-1, 64, words, 4), AWG_NO_RING, "ring -1");
    expect(awg_far_write(0, 66, words, 4), AWG_FAR_UNALIGNED, "address of no word");
    expect(awg_far_read(0, 64, words, 3), AWG_FAR_UNALIGNED, "three bytes");
    expect(awg_far_read(0, end, words, 4), AWG_RANGE, "beyond the end");
    expect(awg_far_write(rings - 1, end - 4, words, 8), AWG_RANGE, "across the end");
    expect(awg_far_read(0, 64, NULL, 4), AWG_NULL, "to nowhere");
    expect(awg_far_write(0, 64, NULL, 4), AWG_NULL, "from nowhere");
    expect((int)words[0], 7, "a refused read");
    check(awg_far_read(0, 64, words, 0), "nothing");
}

int main(int argc, char **argv) {
    expect(awg_ring(), -1, "ring before awg_init");
    expect(awg_rings(), -1, "rings before awg_init");
    check(awg_init(), "awg_init");
    int ring = awg_ring(), rings = awg_rings(), node = awg_node(), nodes = awg_nodes();
    int me = ring * nodes + node, all = rings * nodes;
    uint32_t data[WORDS], found[WORDS];
    if (argc > 1 && strcmp(argv[1], "wrong") == 0) wrong(rings);
    for (int at = 0; at < WORDS; at++) data[at] = value(me, at);
    for (int to = 0; to < rings; to++)
        check(awg_far_write(to, (uint32_t)(PLACE + 4 * WORDS * me), data, sizeof data), "awg_far_write");
    check(awg_barrier(), "awg_barrier");
    for (int from = 0; from < rings; from++) {
        for (int process = 0; process < all; process++) {
            check(awg_far_read(from, (uint32_t)(PLACE + 4 * WORDS * process), found, sizeof found), "awg_far_read");
            for (int at = 0; at < WORDS; at++)
                if (found[at] != value(process, at)) {
                    fprintf(stderr, "process %d, word %d of ring %d: %u\n", process, at, from, found[at]);
                    return 2;
                }
        }
    }
    /* A lock of all rings: each process counts, in the memory of the last one. */
    for (int turn = 0; turn < 3; turn++) {
        uint32_t count;
        check(awg_lock(3), "awg_lock");
        check(awg_far_read(rings - 1, COUNT, &count, 4), "awg_far_read");
        count++;
        check(awg_far_write(rings - 1, COUNT, &count, 4), "awg_far_write");
        check(awg_unlock(3), "awg_unlock");
    }
    check(awg_barrier(), "awg_barrier");
    check(awg_far_read(rings - 1, COUNT, found, 4), "awg_far_read");
    expect((int)found[0], 3 * all, "count of all rings");
    /* What is of a ring alone: signals, its locks, atomic functions. */
    if (nodes > 1) {
        uint32_t from, word;
        check(awg_signal((node + 1) % nodes, 7, (uint32_t)me), "awg_signal");
        check(awg_wait(7, UINT64_MAX, &from, &word), "awg_wait");
        expect((int)from, (node + nodes - 1) % nodes, "sender");
        expect((int)word, ring * nodes + (int)from, "value");
    }
    for (int turn = 0; turn < 3; turn++) check(awg_fetch_add(64, 1, NULL), "awg_fetch_add");
    check(awg_lock(OWN_LOCK), "awg_lock");
    check(awg_unlock(OWN_LOCK), "awg_unlock");
    check(awg_barrier(), "awg_barrier");
    for (int other = 0; other < rings; other++) {
        check(awg_far_read(other, 64, found, 4), "awg_far_read");
        expect((int)found[0], 3 * nodes, "count of a ring");
    }
    const unsigned char *replica;
    check(awg_replica((const void **)&replica, NULL), "awg_replica");
    uint32_t mapped;
    memcpy(&mapped, replica + PLACE + 4 * WORDS * (all - 1), 4);
    expect((int)mapped, 1000 * (all - 1), "mapped replica");
    printf("ring %d of %d, node %d of %d: %llu ns\n", ring, rings, node, nodes, (unsigned long long)awg_now());
    check(awg_finalize(), "awg_finalize");
    return 0;
}
