// SPDX-License-Identifier: MIT OR Apache-2.0
// Conjugate gradients for a band matrix. Sums are taken over parts in a fixed order, so that the result has the
// same bits with every number of threads.
#include <stdio.h>
#include <stdlib.h>

#define PARTS 16
static double part[PARTS];

static double dot(const double *x, const double *y, int n)
{
#pragma omp for schedule(static)
    for (int p = 0; p < PARTS; p++) {
        double s = 0;
        for (int i = p * n / PARTS; i < (p + 1) * n / PARTS; i++)
            s += x[i] * y[i];
        part[p] = s;
    }
    double s = 0;
    for (int p = 0; p < PARTS; p++)
        s += part[p];
#pragma omp barrier
    return s;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 64, steps = argc > 2 ? atoi(argv[2]) : 5;
    double *x = calloc(n, sizeof *x), *r = calloc(n, sizeof *r), *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *q);
    double rest = 0;
    for (int i = 0; i < n; i++)
        r[i] = p[i] = 1 + i % 7;
#pragma omp parallel
    {
        double rho = dot(r, r, n);
        for (int k = 0; k < steps; k++) {
#pragma omp for
            for (int i = 0; i < n; i++) {
                double s = 4.5 * p[i];
                if (i > 0)
                    s -= p[i - 1];
                if (i < n - 1)
                    s -= p[i + 1];
                if (i >= 8)
                    s -= p[i - 8];
                if (i < n - 8)
                    s -= p[i + 8];
                q[i] = s;
            }
            double alpha = rho / dot(p, q, n);
#pragma omp for
            for (int i = 0; i < n; i++) {
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
            }
            double next = dot(r, r, n), beta = next / rho;
            rho = next;
#pragma omp for
            for (int i = 0; i < n; i++)
                p[i] = r[i] + beta * p[i];
        }
#pragma omp master
        rest = rho;
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    printf("%a %a\n", rest, s);
}
