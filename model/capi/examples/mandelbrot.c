/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The evaluation of the thesis (4.2.2): z^2 - c, rows divided among the nodes, results in an array of
 * 1000 x 3000 words of the shared memory. Node 0 initialises the array; all compute and write their rows;
 * node 0 reads the picture back from its replica and sends it to the program that draws.
 *
 *     cc -O2 -ffp-contract=off mandelbrot.c -I include libawgstar.a -lm -o mandelbrot
 *     awgstar run -n 4 --memory 16M -- ./mandelbrot 120 200
 *     awgstar run -n 4 --machine gen1 -- ./mandelbrot 300 10000 rows
 *
 * Arguments: points of a row, most iterations, "words" (each result is written as soon as it is computed) or
 * "rows" (a row at a time), and the time of an array's word while it is initialised, in ns.
 * What computing takes is the study's: 6.540 ns an iteration, 100 ns a point, and on node 0 a ninth more.
 */
#include <awgstar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAY_ROWS = 1000, ARRAY_WIDTH = 3000 };

static void check(int error, const char *what) {
    if (error) {
        fprintf(stderr, "node %d: %s: %s\n", awg_node(), what, awg_error(error));
        exit(1);
    }
}

static uint32_t iterations(double re, double im, uint32_t limit) {
    double x = 0.0, y = 0.0;
    for (uint32_t step = 0; step < limit; step++) {
        double xx = x * x, yy = y * y;
        if (xx + yy > 4.0) return step;
        y = 2.0 * x * y - im;
        x = xx - yy - re;
    }
    return limit;
}

/* Node 0 has 90 % of its processor. */
static uint64_t on_node(uint64_t ns) { return awg_node() == 0 ? (ns * 100 + 89) / 90 : ns; }

int main(int argc, char **argv) {
    uint32_t size = argc > 1 ? (uint32_t)atol(argv[1]) : 120;
    uint32_t limit = argc > 2 ? (uint32_t)atol(argv[2]) : 200;
    int by_rows = argc > 3 && strcmp(argv[3], "rows") == 0;
    uint64_t word_ns = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
    static uint32_t row[ARRAY_WIDTH];
    if (size < 1 || size > ARRAY_WIDTH || limit < 1) {
        fprintf(stderr, "expected 1 to %d points and 1 iteration or more\n", ARRAY_WIDTH);
        return 2;
    }

    check(awg_init(), "awg_init");
    uint32_t array, node = (uint32_t)awg_node(), nodes = (uint32_t)awg_nodes();
    uint64_t start = awg_now(), sum = 0;
    check(awg_alloc(4 * ARRAY_ROWS * ARRAY_WIDTH, &array), "awg_alloc");
    if (node == 0) {
        for (uint32_t y = 0; y < ARRAY_ROWS; y++) {
            if (word_ns) check(awg_compute(word_ns * ARRAY_WIDTH), "awg_compute");
            check(awg_write(array + 4 * ARRAY_WIDTH * y, row, sizeof row), "awg_write");
        }
    }
    for (uint32_t first = 0; first < size; first += ARRAY_ROWS) {
        uint32_t rows = size - first < ARRAY_ROWS ? size - first : ARRAY_ROWS;
        check(awg_barrier(), "awg_barrier");
        for (uint32_t y = rows * node / nodes; y < rows * (node + 1) / nodes; y++) {
            uint32_t place = array + 4 * ARRAY_WIDTH * y;
            double im = -1.5 + (1.5 - -1.5) * (double)(first + y) / (double)size;
            uint64_t work = 0, before = 0;
            for (uint32_t x = 0; x < size; x++) {
                double re = -0.75 + (2.25 - -0.75) * (double)x / (double)size;
                row[x] = iterations(re, im, limit);
                work += row[x];
                uint64_t ns = on_node((work * 6540 + 999) / 1000 + (x + 1) * (100 + word_ns));
                if (by_rows && x + 1 < size) continue;
                check(awg_compute(ns - before), "awg_compute");
                if (!by_rows) check(awg_write(place + 4 * x, &row[x], 4), "awg_write");
                before = ns;
            }
            if (by_rows) check(awg_write(place, row, 4 * size), "awg_write");
        }
        check(awg_barrier(), "awg_barrier");
        if (node == 0) {
            for (uint32_t y = 0; y < rows; y++) {
                check(awg_read(array + 4 * ARRAY_WIDTH * y, row, 4 * size), "awg_read");
                for (uint32_t x = 0; x < size; x++) sum += row[x];
                /* 100 MB/s to the program that draws. */
                check(awg_compute(on_node(40ull * size)), "awg_compute");
            }
        }
    }
    if (node == 0)
        printf("%u x %u points, %llu iterations, %llu ns\n", size, size, (unsigned long long)sum,
               (unsigned long long)(awg_now() - start));
    check(awg_finalize(), "awg_finalize");
    return 0;
}
