/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* LU decomposition without pivots (paper 004, section 5.3): the rows of a matrix are dealt out to all nodes of all
 * rings. Who has a row finishes it and puts it into the memory of its ring; the nodes there read it from their replicas.
 * Other rings get it in one of three ways: with "push" its owner writes it to each of them, with "pull" each node there
 * reads it through the gateways, with "window" the gateways reflect it.
 *
 *     awgstar run -n 6 --ring rings.toml -- ./lu 120 push
 *     awgstar run -n 6 --ring windows.toml -- ./lu 120 window
 *     awgstar run -n 6 --ring compas.toml -- ./lu 120 pull
 *     awgstar run -n 6 -- ./lu 120
 *
 * Each node has its share of the memory for its rows: on a cluster a row is where its owner is. With "window" the window
 * of ring k is the bytes from 65536 k on, and each node of the ring has its share of it.
 *
 * The third argument is the time in ps that a processor takes to update an element: 57151 is the paper's, whose serial
 * program takes 32.878 s for 1200 rows. The fourth is the time in ns of each row that is updated: 13324 is what the
 * paper's shared memory takes for it.
 */
#include <awgstar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 65536 };

static void check(int error, const char *what) {
    if (error) {
        fprintf(stderr, "%s: %s\n", what, awg_error(error));
        exit(1);
    }
}

static double element(size_t row, size_t column, size_t rows) {
    return row == column ? (double)rows : 1.0 / (double)(1 + (row * 7 + column * 3) % 11);
}

static void *memory(size_t bytes) {
    void *found = malloc(bytes);
    if (!found) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return found;
}

/* Subtracts from a row the multiple of a finished one that its elements begin with. */
static void update(double *row, const double *pivot, size_t at, size_t rows) {
    double factor = row[at] / pivot[at];
    row[at] = factor;
    for (size_t column = at + 1; column < rows; column++) row[column] -= factor * pivot[column];
}

int main(int argc, char **argv) {
    size_t rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 120;
    const char *way = argc > 2 ? argv[2] : "push";
    int push = strcmp(way, "push") == 0, pull = strcmp(way, "pull") == 0, window = strcmp(way, "window") == 0;
    double ps = argc > 3 ? strtod(argv[3], NULL) : 57151, row_ns = argc > 4 ? strtod(argv[4], NULL) : 0;
    if (rows < 2 || rows > 4096 || ps < 0 || row_ns < 0 || push + pull + window != 1) {
        fprintf(stderr, "usage: lu [ROWS, 2 to 4096] [push, pull or window] [PS of an update] [NS of a row]\n");
        return 2;
    }
    check(awg_init(), "awg_init");
    size_t rings = (size_t)awg_rings(), nodes = (size_t)awg_nodes(), ring = (size_t)awg_ring();
    size_t me = ring * nodes + (size_t)awg_node(), all = rings * nodes, bytes = rows * sizeof(double);
    /* Two rows of each node: its next one is written while some still read the one before. */
    uint32_t share = window ? (uint32_t)(WINDOW / nodes) & ~(uint32_t)7 : (uint32_t)(awg_memory() / nodes) & ~(uint32_t)4095;
    if (2 * bytes > share) {
        fprintf(stderr, "a node has %u bytes of memory: expected %zu for two rows\n", (unsigned)share, 2 * bytes);
        return 1;
    }
    double *own = memory(rows * bytes), *pivot = memory(bytes);
    for (size_t row = me; row < rows; row += all)
        for (size_t column = 0; column < rows; column++) own[row * rows + column] = element(row, column, rows);
    check(awg_barrier(), "awg_barrier");
    uint64_t begin = awg_now();
    for (size_t at = 0; at + 1 < rows; at++) {
        size_t owner = at % all, left = bytes - at * sizeof(double);
        uint32_t first = window ? (uint32_t)(owner / nodes) * WINDOW : 0;
        uint32_t place = first + (uint32_t)(owner % nodes) * share + (uint32_t)((at / all % 2) * bytes + at * sizeof(double));
        if (owner == me) {
            memcpy(pivot + at, own + at * rows + at, left);
            check(awg_write(place, pivot + at, left), "awg_write");
            for (size_t other = 0; other < rings && push; other++)
                if (other != ring) check(awg_far_write((int)other, place, pivot + at, left), "awg_far_write");
        }
        check(awg_barrier(), "awg_barrier");
        if (owner != me) {
            if (pull && owner / nodes != ring)
                check(awg_far_read((int)(owner / nodes), place, pivot + at, left), "awg_far_read");
            else
                check(awg_read(place, pivot + at, left), "awg_read");
        }
        size_t updates = 0, updated = 0;
        for (size_t row = at + 1; row < rows; row++) {
            if (row % all != me) continue;
            update(own + row * rows, pivot, at, rows);
            updates += rows - at - 1;
            updated++;
        }
        check(awg_compute((uint64_t)((double)updates * ps / 1000 + (double)updated * row_ns)), "awg_compute");
    }
    check(awg_barrier(), "awg_barrier");
    uint64_t end = awg_now();
    check(awg_finalize(), "awg_finalize");
    /* The same without a ring, in the same order: each bit is the same. */
    double *whole = memory(rows * bytes);
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < rows; column++) whole[row * rows + column] = element(row, column, rows);
    for (size_t at = 0; at + 1 < rows; at++)
        for (size_t row = at + 1; row < rows; row++) update(whole + row * rows, whole + at * rows, at, rows);
    for (size_t row = me; row < rows; row += all) {
        if (memcmp(own + row * rows, whole + row * rows, bytes)) {
            fprintf(stderr, "node %zu: row %zu is wrong\n", me, row);
            return 1;
        }
    }
    if (me == 0) printf("%zu rows on %zu rings of %zu nodes: %.6f s\n", rows, rings, nodes, (double)(end - begin) / 1e9);
    return 0;
}
