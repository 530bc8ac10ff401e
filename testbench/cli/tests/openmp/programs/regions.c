// SPDX-License-Identifier: MIT OR Apache-2.0
// A library that has all parallel regions of a program.
static double squares[500];

double regions_sum(void)
{
    double sum = 0;
#pragma omp parallel for
    for (int i = 0; i < 500; i++)
        squares[i] = (double)i * i;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 500; i++)
        sum += squares[499 - i];
    return sum;
}
