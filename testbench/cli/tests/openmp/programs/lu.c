// SPDX-License-Identifier: MIT OR Apache-2.0
// LU decomposition without pivots.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 14;
    double *m = malloc((size_t)n * n * sizeof *m);
    for (int i = 0; i < n * n; i++)
        m[i] = (i * 7919 % 101) / 101.0 + (i % (n + 1) == 0 ? n : 0);
#pragma omp parallel
    for (int k = 0; k < n; k++) {
#pragma omp for schedule(static)
        for (int i = k + 1; i < n; i++) {
            m[i * n + k] /= m[k * n + k];
            for (int j = k + 1; j < n; j++)
                m[i * n + j] -= m[i * n + k] * m[k * n + j];
        }
    }
    double s = 0, d = 1;
    for (int i = 0; i < n * n; i++)
        s += m[i] * (i % 5);
    for (int i = 0; i < n; i++)
        d *= m[i * n + i] / n;
    printf("%a %a\n", s, d);
    free(m);
}
