// SPDX-License-Identifier: MIT OR Apache-2.0
// Pairs of random numbers within a circle, counted by their distance. Each thread fills a separate large array with
// the numbers of a batch, and sums are reduced at the end.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NUMBERS
#define NUMBERS (1 << 17)
#endif
#define RINGS 10

// 1 MiB in each thread.
static double numbers[NUMBERS];
static long counts[RINGS];
#pragma omp threadprivate(numbers, counts)

static unsigned long long step(unsigned long long state)
{
    return state * 6364136223846793005ULL + 1442695040888963407ULL;
}

static void fill(int batch)
{
    unsigned long long state = step(0x9e3779b97f4a7c15ULL * (unsigned)(batch + 1));
    for (int i = 0; i < NUMBERS; i++) {
        state = step(state);
        numbers[i] = 2.0 * (double)(state >> 11) / 9007199254740992.0 - 1.0;
    }
}

int main(int argc, char **argv)
{
    int batches = argc > 1 ? atoi(argv[1]) : 4;
    long total[RINGS] = {0};
    double sx[64] = {0}, sy[64] = {0}, last[64] = {0};
    long pairs = 0;
#pragma omp parallel reduction(+ : pairs)
    {
        for (int i = 0; i < RINGS; i++)
            counts[i] = 0;
#pragma omp for schedule(static, 1) nowait
        for (int batch = 0; batch < batches; batch++) {
            double x = 0, y = 0;
            fill(batch);
            for (int i = 0; i < NUMBERS / 2; i++) {
                double a = numbers[2 * i], b = numbers[2 * i + 1], t = a * a + b * b;
                if (t >= 1.0)
                    continue;
                counts[(int)(RINGS * t)]++;
                x += a * t;
                y += b * t;
                pairs++;
            }
            sx[batch % 64] = x;
            sy[batch % 64] = y;
        }
#pragma omp critical
        for (int i = 0; i < RINGS; i++)
            total[i] += counts[i];
    }
    // The values stay in the next region.
#pragma omp parallel
    last[omp_get_thread_num()] = numbers[NUMBERS - 1];
    double x = 0, y = 0;
    for (int i = 0; i < 64; i++) {
        x += sx[i];
        y += sy[i];
    }
    printf("%ld pairs, sums %.12e %.12e, last %.12e %.12e\n", pairs, x, y, last[0], last[1]);
    for (int i = 0; i < RINGS; i++)
        printf("%d %ld\n", i, total[i]);
}
