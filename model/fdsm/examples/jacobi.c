/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Heat in a square plate by Jacobi's method: the upper edge is hot. Two tables in shared memory; each process computes
 * rows of one from the other and then back, in two loops, each of which always accesses the same memory.
 *     awgstar run -n 4 --machine cluster --coherence fdsm -- ./jacobi [POINTS [STEPS]] */
#include <fdsm.h>
#include <fdsmx.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Computes rows of a table from another one: the greatest change of a point. */
static double sweep(const double *from, double *to, long n, long first, long end) {
    double change = 0;
    for (long row = first; row < end; row++)
        for (long i = 1; i < n - 1; i++) {
            const double *at = from + row * n + i;
            double value = (at[-n] + at[-1] + at[1] + at[n]) / 4;
            change = fmax(change, fabs(value - *at));
            to[row * n + i] = value;
        }
    return change;
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 64, steps = argc > 2 ? atol(argv[2]) : 50;
    if (n < 3 || n > 4096 || steps < 0 || steps % 2) {
        fprintf(stderr, "usage: jacobi [POINTS [STEPS]], 3 to 4096 points, an even number of steps\n");
        return 2;
    }
    fdsm_init();
    long node = fdsmx_node(), nodes = fdsmx_nodes();
    long first = 1 + (n - 2) * node / nodes, end = 1 + (n - 2) * (node + 1) / nodes;
    double *one = fdsm_alloc((size_t)(n * n) * sizeof *one);
    double *other = fdsm_alloc((size_t)(n * n) * sizeof *other);

    /* Process 0 alone writes the edge; the rest is zeros. */
    if (node == 0)
        for (long i = 0; i < n; i++) one[i] = other[i] = 1;
    fdsm_after_loop();

    double change = 0, start = fdsmx_wtime();
    for (long step = 0; step < steps; step += 2) {
        fdsm_before_loop();
        sweep(one, other, n, first, end);
        fdsm_after_loop();
        fdsm_before_loop();
        change = sweep(other, one, n, first, end);
        fdsm_after_loop();
    }
    fdsm_reduce(&change, 1, FDSM_DOUBLE, FDSM_MAX);

    if (node == 0) {
        /* The sum of all points, always in the same order. */
        double sum = 0;
        for (long i = 0; i < n * n; i++) sum += one[i];
        printf("%ld x %ld points, %ld steps: last change %.17g, sum %.17g\n", n, n, steps, change, sum);
        printf("time: %.0f us on %ld nodes\n", (fdsmx_wtime() - start) * 1e6, nodes);
        fflush(stdout);
    }
    fdsm_finalize();
    return 0;
}
