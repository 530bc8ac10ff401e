// SPDX-License-Identifier: MIT OR Apache-2.0
// The Mandelbrot set, rows handed out one by one.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 24;
    unsigned short *picture = malloc((size_t)n * n * sizeof *picture);
#pragma omp parallel for schedule(dynamic)
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            double a = 3.0 * column / n - 2, b = 2.0 * row / n - 1, x = 0, y = 0;
            int k = 0;
            for (; k < 200 && x * x + y * y < 4; k++) {
                double next = x * x - y * y + a;
                y = 2 * x * y + b;
                x = next;
            }
            picture[row * n + column] = (unsigned short)k;
        }
    unsigned long sum = 0;
    for (int i = 0; i < n * n; i++)
        sum = sum * 31 + picture[i];
    printf("%lu\n", sum);
    free(picture);
}
