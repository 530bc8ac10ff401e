/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Node 0 produces blocks, the other nodes consume them. A block travels through the shared memory; the signal
 * FULL says that it is there, EMPTY that its place is free again. Each consumer has two places, so that it
 * works on one while the other is filled.
 *
 *     awgstar run -n 3 -- ./producer 10
 */
#include <awgstar.h>
#include <stdio.h>
#include <stdlib.h>

enum { FULL = 1, EMPTY = 2, WORDS = 16, PLACES = 2, END = 0xffffffff };

static void check(int error, const char *what) {
    if (error) {
        fprintf(stderr, "%s: %s\n", what, awg_error(error));
        exit(1);
    }
}

/* Address of a consumer's place. */
static uint32_t place(uint32_t base, int consumer, uint32_t number) {
    return base + 4u * WORDS * (PLACES * (uint32_t)(consumer - 1) + number % PLACES);
}

static void produce(uint32_t base, uint32_t blocks, int nodes) {
    uint32_t free[256], sent[256] = {0};
    for (int node = 1; node < nodes; node++) free[node] = PLACES;
    for (uint32_t block = 0; block < blocks; block++) {
        int to = 1 + (int)(block % (uint32_t)(nodes - 1));
        while (free[to] == 0) {
            uint32_t from;
            check(awg_wait(EMPTY, UINT64_MAX, &from, NULL), "awg_wait");
            free[from]++;
        }
        uint32_t words[WORDS];
        for (int i = 0; i < WORDS; i++) words[i] = block * WORDS + (uint32_t)i;
        check(awg_write(place(base, to, sent[to]), words, sizeof words), "awg_write");
        check(awg_signal(to, FULL, sent[to]), "awg_signal");
        free[to]--;
        sent[to]++;
    }
    check(awg_signal(-1, FULL, END), "awg_signal");
}

static void consume(uint32_t base, uint32_t sums) {
    uint32_t number, sum = 0, blocks = 0;
    for (;; blocks++) {
        check(awg_wait(FULL, UINT64_MAX, NULL, &number), "awg_wait");
        if (number == END) break;
        uint32_t words[WORDS];
        check(awg_read(place(base, awg_node(), number), words, sizeof words), "awg_read");
        check(awg_compute(2000), "awg_compute");
        for (int i = 0; i < WORDS; i++) sum += words[i];
        check(awg_signal(0, EMPTY, number), "awg_signal");
    }
    uint32_t result[2] = {sum, blocks};
    check(awg_write(sums + 8u * (uint32_t)awg_node(), result, sizeof result), "awg_write");
}

int main(int argc, char **argv) {
    uint32_t blocks = argc > 1 ? (uint32_t)atoi(argv[1]) : 10, base, sums;
    check(awg_init(), "awg_init");
    int nodes = awg_nodes();
    if (nodes < 2) {
        fprintf(stderr, "expected 2 nodes or more\n");
        return 2;
    }
    check(awg_alloc(4u * WORDS * PLACES * (size_t)(nodes - 1), &base), "awg_alloc");
    check(awg_alloc(8u * (size_t)nodes, &sums), "awg_alloc");
    if (awg_node() == 0)
        produce(base, blocks, nodes);
    else
        consume(base, sums);
    check(awg_barrier(), "awg_barrier");
    uint32_t sum = 0, count = 0;
    for (int node = 1; node < nodes; node++) {
        uint32_t result[2];
        check(awg_read(sums + 8u * (uint32_t)node, result, sizeof result), "awg_read");
        sum += result[0];
        count += result[1];
    }
    uint32_t all = blocks * WORDS, expected = all / 2 * (all - 1);
    if (awg_node() == 0)
        printf("%u blocks, sum %u, %llu ns\n", count, sum, (unsigned long long)awg_now());
    check(awg_finalize(), "awg_finalize");
    return count == blocks && sum == expected ? 0 : 1;
}
