// SPDX-License-Identifier: MIT OR Apache-2.0
// Power iteration with a sparse matrix by rows. With the argument `shared` the index of the inner loop is a variable
// that all threads share: each writes it, and none needs the value of another. The result is the same as long as the
// compiler keeps the index in a register within a row, but it is a race.
#include <stdio.h>
#include <string.h>

#define ROWS 48
#define MOST 5

static int first[ROWS + 1], column[ROWS * MOST];
static double value[ROWS * MOST], x[ROWS], y[ROWS];

static void make(void)
{
    int count = 0;
    for (int row = 0; row < ROWS; row++) {
        first[row] = count;
        for (int i = 0; i <= row % MOST; i++, count++) {
            column[count] = (row * 7 + i * 11) % ROWS;
            value[count] = 1.0 / (1 + i);
        }
        x[row] = 1.0;
    }
    first[ROWS] = count;
}

// The sum of a row, and the index after it.
static double sum_of(int row, int *end)
{
    double sum = 0;
    int k = first[row];
    for (; k < first[row + 1]; k++)
        sum += value[k] * x[column[k]];
    *end = k;
    return sum;
}

static void multiply_shared(void)
{
    int k;
#pragma omp parallel
    {
#pragma omp for
        for (int row = 0; row < ROWS; row++)
            y[row] = sum_of(row, &k);
    }
}

static void multiply_private(void)
{
    int k;
#pragma omp parallel private(k)
    {
#pragma omp for
        for (int row = 0; row < ROWS; row++)
            y[row] = sum_of(row, &k);
    }
}

int main(int argc, char **argv)
{
    int shared = argc > 1 && strcmp(argv[1], "shared") == 0;
    make();
    for (int step = 0; step < 4; step++) {
        double largest = 0;
        if (shared)
            multiply_shared();
        else
            multiply_private();
        for (int row = 0; row < ROWS; row++)
            largest = y[row] > largest ? y[row] : largest;
        for (int row = 0; row < ROWS; row++)
            x[row] = y[row] / largest;
        printf("%d %.15e\n", step, largest);
    }
}
