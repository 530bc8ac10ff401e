/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Heat in a rod, in integers: each node has a part and reads the border cells of its neighbours from its own
 * replica. Node 0 prints the sum, which heat that flows between nodes does not change. With the argument "mapped" it
 * loads them from the mapped replica, which takes no time on the ring.
 *
 *     awgstar run -n 4 -- ./halo 50
 *     awgstar run -n 4 -- ./halo 50 mapped
 */
#include <awgstar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 16 };

static void check(int error, const char *what) {
    if (error) {
        fprintf(stderr, "%s: %s\n", what, awg_error(error));
        exit(1);
    }
}

static const unsigned char *replica;

static uint32_t cell(uint32_t addr) {
    uint32_t word;
    if (replica) memcpy(&word, replica + addr, 4);
    else check(awg_read(addr, &word, 4), "awg_read");
    return word;
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 50;
    check(awg_init(), "awg_init");
    if (argc > 2 && strcmp(argv[2], "mapped") == 0) check(awg_replica((const void **)&replica, NULL), "awg_replica");
    int me = awg_node(), nodes = awg_nodes();
    uint32_t rod, cells[CELLS], left, right;
    check(awg_alloc((size_t)(4 * CELLS * nodes), &rod), "awg_alloc");
    uint32_t mine = rod + (uint32_t)(4 * CELLS * me);
    for (int i = 0; i < CELLS; i++) cells[i] = me == 0 && i == 0 ? 1000000u : 0u;
    check(awg_write(mine, cells, sizeof cells), "awg_write");
    for (int step = 0; step < steps; step++) {
        check(awg_barrier(), "awg_barrier");
        left = cells[0];
        right = cells[CELLS - 1];
        if (me > 0) left = cell(mine - 4);
        if (me < nodes - 1) right = cell(mine + 4 * CELLS);
        check(awg_barrier(), "awg_barrier");
        /* A quarter of each cell flows to each side; what flows over a border is computed alike on both. */
        uint32_t next[CELLS];
        for (int i = 0; i < CELLS; i++) {
            uint32_t l = i > 0 ? cells[i - 1] : left, r = i < CELLS - 1 ? cells[i + 1] : right;
            int ends = (me == 0 && i == 0) || (me == nodes - 1 && i == CELLS - 1);
            uint32_t out = ends ? cells[i] / 4 : 2 * (cells[i] / 4);
            uint32_t in = (me == 0 && i == 0 ? 0 : l / 4) + (me == nodes - 1 && i == CELLS - 1 ? 0 : r / 4);
            next[i] = cells[i] - out + in;
        }
        for (int i = 0; i < CELLS; i++) cells[i] = next[i];
        check(awg_compute(20 * CELLS), "awg_compute");
        check(awg_write(mine, cells, sizeof cells), "awg_write");
    }
    check(awg_barrier(), "awg_barrier");
    uint32_t sum = 0;
    for (int i = 0; i < CELLS * nodes; i++) sum += cell(rod + (uint32_t)(4 * i));
    if (me == 0) printf("sum %u after %d steps, %llu ns\n", sum, steps, (unsigned long long)awg_now());
    check(awg_finalize(), "awg_finalize");
    return sum == 1000000u ? 0 : 1;
}
