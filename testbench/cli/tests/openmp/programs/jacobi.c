// SPDX-License-Identifier: MIT OR Apache-2.0
// Heat in a plate by Jacobi's method.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 16, steps = argc > 2 ? atoi(argv[2]) : 8;
    double *now = calloc((size_t)n * n, sizeof *now), *next = calloc((size_t)n * n, sizeof *next);
    for (int i = 0; i < n; i++)
        now[i] = next[i] = 100;
    double change = 0;
    for (int k = 0; k < steps; k++) {
        change = 0;
#pragma omp parallel for reduction(max : change)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                double v = (now[(i - 1) * n + j] + now[(i + 1) * n + j] + now[i * n + j - 1] + now[i * n + j + 1]) / 4;
                double d = v > now[i * n + j] ? v - now[i * n + j] : now[i * n + j] - v;
                change = d > change ? d : change;
                next[i * n + j] = v;
            }
        double *swap = now;
        now = next;
        next = swap;
    }
    double s = 0;
    for (int i = 0; i < n * n; i++)
        s += now[i];
    printf("%a %a\n", change, s);
}
