// SPDX-License-Identifier: MIT OR Apache-2.0
// A library of a program: its variables are shared, and its atomic instructions are found.
int calls;
static double large[3000];

void library_work(int n)
{
#pragma omp for
    for (int i = 0; i < n; i++)
        large[i] += i;
#pragma omp atomic
    calls++;
}

double library_sum(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += large[i];
    return s;
}
