// SPDX-License-Identifier: MIT OR Apache-2.0
// Histogram: each thread counts on its own and adds its counts in a critical section; a second one with an atomic
// operation for each number.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2000;
    static int h[32], g[8];
#pragma omp parallel
    {
        int own[32] = {0};
#pragma omp for
        for (int i = 0; i < n; i++)
            own[(unsigned)i * 2654435761u >> 27]++;
#pragma omp critical
        for (int k = 0; k < 32; k++)
            h[k] += own[k];
#pragma omp for
        for (int i = 0; i < n / 50; i++)
#pragma omp atomic
            g[(unsigned)i * 2654435761u >> 29]++;
    }
    for (int k = 0; k < 32; k++)
        printf("%d ", h[k]);
    for (int k = 0; k < 8; k++)
        printf("%d ", g[k]);
    printf("\n");
}
