// SPDX-License-Identifier: MIT OR Apache-2.0
// Queens on a board: a task for each place of the first two.
#include <stdio.h>
#include <stdlib.h>

static int solutions;

static int count(unsigned all, unsigned columns, unsigned left, unsigned right)
{
    if (columns == all)
        return 1;
    int found = 0;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned here = free & -free;
        found += count(all, columns | here, (left | here) << 1, (right | here) >> 1);
    }
    return found;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 7;
    unsigned all = (1u << n) - 1;
#pragma omp parallel
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
        {
            unsigned here = 1u << i;
            int found = count(all, here, here << 1, here >> 1);
#pragma omp atomic
            solutions += found;
        }
#pragma omp taskwait
    }
    printf("%d\n", solutions);
}
