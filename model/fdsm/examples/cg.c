/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Conjugate gradients, as in the measurements of paper 003: the vectors are in shared memory, each process has a part of
 * each, and a product reads parts of others. The matrix has 2 on its diagonal and -1 beside it.
 *     awgstar run -n 4 --machine cluster --coherence fdsm -- ./cg [ROWS] */
#include <fdsm.h>
#include <fdsmx.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static long rows, first, end;

/* The product of the own parts of two vectors, over all processes. It ends the loops before it. */
static double dot(const double *a, const double *b) {
    double sum = 0;
    for (long i = first; i < end; i++) sum += a[i] * b[i];
    fdsm_reduce(&sum, 1, FDSM_DOUBLE, FDSM_SUM);
    return sum;
}

/* A row of the matrix times a vector. */
static double product(const double *p, long i) {
    return 2 * p[i] - (i > 0 ? p[i - 1] : 0) - (i < rows - 1 ? p[i + 1] : 0);
}

int main(int argc, char **argv) {
    rows = argc > 1 ? atol(argv[1]) : 40;
    if (rows < 2 || rows > 1 << 20) {
        fprintf(stderr, "usage: cg [ROWS], 2 to 1048576\n");
        return 2;
    }
    fdsm_init();
    long node = fdsmx_node(), nodes = fdsmx_nodes();
    first = rows * node / nodes, end = rows * (node + 1) / nodes;
    size_t bytes = (size_t)rows * sizeof(double);
    double *x = fdsm_alloc(bytes), *p = fdsm_alloc(bytes);
    double *r = malloc(bytes), *q = malloc(bytes);
    if (!r || !q) return 1;

    /* The right side: the first row is 1. */
    fdsm_before_loop();
    for (long i = first; i < end; i++) p[i] = r[i] = i == 0;
    fdsm_after_loop();

    double rho = dot(r, r), start = fdsmx_wtime();
    long steps = 0;
    for (; steps < rows && rho > 1e-20; steps++) {
        fdsm_before_loop();
        for (long i = first; i < end; i++) q[i] = product(p, i);
        fdsm_after_loop();
        double alpha = rho / dot(p, q);
        fdsm_before_loop();
        for (long i = first; i < end; i++) x[i] += alpha * p[i], r[i] -= alpha * q[i];
        fdsm_after_loop();
        double next = dot(r, r);
        fdsm_before_loop();
        for (long i = first; i < end; i++) p[i] = r[i] + next / rho * p[i];
        fdsm_after_loop();
        rho = next;
    }

    /* The solution is known: x[i] = (rows - i) / (rows + 1). */
    double error = 0;
    for (long i = first; i < end; i++)
        error = fmax(error, fabs(x[i] - (double)(rows - i) / (double)(rows + 1)));
    fdsm_reduce(&error, 1, FDSM_DOUBLE, FDSM_MAX);
    if (node == 0) {
        printf("%ld rows, %ld steps: %s\n", rows, steps, error < 1e-9 ? "solved" : "wrong");
        printf("time: %.0f us on %ld nodes\n", (fdsmx_wtime() - start) * 1e6, nodes);
        fflush(stdout);
    }
    free(r), free(q);
    fdsm_free(p), fdsm_free(x);
    fdsm_finalize();
    return 0;
}
