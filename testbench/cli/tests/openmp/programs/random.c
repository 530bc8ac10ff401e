// SPDX-License-Identifier: MIT OR Apache-2.0
// Constructs in an order that a seed chooses, on shared variables and on the heap.
#include <stdio.h>
#include <stdlib.h>

#define N 64
static long v[N], w[N];

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 16;
}

int main(int argc, char **argv)
{
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1, s = seed;
    long total = 0, *h = calloc(N, sizeof *h);
    for (int region = 0; region < 6; region++) {
        int add = next(&s) % 6, threads = 1 + next(&s) % 4;
#pragma omp parallel num_threads(threads)
        {
            unsigned own = seed * 7 + region;
            for (int step = 0; step < 4; step++) {
                switch (next(&own) % 7) {
                case 0:
#pragma omp for schedule(dynamic, 3)
                    for (int i = 0; i < N; i++)
                        v[i] = v[i] * 3 + w[(i + region) % N] % 7 + i;
                    break;
                case 1:
#pragma omp for
                    for (int i = 0; i < N; i++)
                        w[i] += v[N - 1 - i] % 11;
                    break;
                case 2:
#pragma omp critical
                    total += add + 1;
#pragma omp barrier
                    break;
                case 3:
#pragma omp atomic
                    h[step] += region;
#pragma omp barrier
                    break;
                case 4:
#pragma omp single
                    {
                        free(h);
                        h = calloc(N, sizeof *h);
                        h[3] = region;
                    }
                    break;
                case 5:
#pragma omp for reduction(+ : total) schedule(guided)
                    for (int i = 0; i < N; i++)
                        total += v[i] % 5;
                    break;
                default:
#pragma omp sections
                    {
#pragma omp section
                        v[1] += h[3];
#pragma omp section
                        w[2] += h[0];
                    }
                }
            }
        }
        v[region] += total % 13;
    }
    unsigned long x = (unsigned long)total;
    for (int i = 0; i < N; i++)
        x = x * 31 + (unsigned long)(v[i] + w[i] * 7 + h[i]);
    printf("%lu\n", x);
}
