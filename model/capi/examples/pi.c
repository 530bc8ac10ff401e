/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pi by numerical integration, as in figure 8 of the thesis: each node adds its share to one sum under a
 * lock. The sum is in units of 2^-28, so it does not depend on the order of the nodes.
 *
 *     awgstar run -n 4 -- ./pi 100000
 */
#include <awgstar.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int error, const char *what) {
    if (error) {
        fprintf(stderr, "%s: %s\n", what, awg_error(error));
        exit(1);
    }
}

int main(int argc, char **argv) {
    long steps = argc > 1 ? atol(argv[1]) : 100000;
    uint32_t sum, total;
    check(awg_init(), "awg_init");
    check(awg_alloc(4, &sum), "awg_alloc");
    if (awg_node() == 0) {
        total = 0;
        check(awg_write(sum, &total, 4), "awg_write");
    }
    check(awg_barrier(), "awg_barrier");

    double part = 0.0;
    for (long i = awg_node(); i < steps; i += awg_nodes()) {
        double x = ((double)i + 0.5) / (double)steps;
        part += 4.0 / (1.0 + x * x);
    }
    /* 10 ns for each step. */
    check(awg_compute((uint64_t)(10 * (steps / awg_nodes() + 1))), "awg_compute");

    check(awg_lock(1), "awg_lock");
    check(awg_read(sum, &total, 4), "awg_read");
    total += (uint32_t)(part / (double)steps * 268435456.0 + 0.5);
    check(awg_write(sum, &total, 4), "awg_write");
    check(awg_unlock(1), "awg_unlock");
    check(awg_barrier(), "awg_barrier");

    if (awg_node() == 0) {
        check(awg_read(sum, &total, 4), "awg_read");
        printf("pi is about %.6f, found on %d nodes in %llu ns\n", total / 268435456.0, awg_nodes(),
               (unsigned long long)awg_now());
    }
    check(awg_finalize(), "awg_finalize");
    return 0;
}
