// SPDX-License-Identifier: MIT OR Apache-2.0
// Product of two matrices.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 24;
    double *a = malloc((size_t)n * n * sizeof *a), *b = malloc((size_t)n * n * sizeof *b);
    double *c = calloc((size_t)n * n, sizeof *c);
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < n * n; i++)
            a[i] = i % 13 / 3.0;
#pragma omp for
        for (int i = 0; i < n * n; i++)
            b[i] = i % 17 / 7.0;
#pragma omp for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = 0; k < n; k++)
                    s += a[i * n + k] * b[k * n + j];
                c[i * n + j] = s;
            }
    }
    double s = 0;
    for (int i = 0; i < n * n; i++)
        s += c[i] * (i % 3);
    printf("%a\n", s);
    free(a);
    free(b);
    free(c);
}
