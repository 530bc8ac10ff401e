// SPDX-License-Identifier: MIT OR Apache-2.0
// Writes to every other page of a large block: more separate pages than the system has mappings for a process.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long pages = argc > 1 ? atol(argv[1]) : 1000, sum = 0;
    char *m = calloc(pages, 8192);
#pragma omp parallel for schedule(static, 1)
    for (long i = 0; i < pages; i++)
        m[i * 8192] = (char)(i % 100 + 1);
#pragma omp parallel for schedule(static, 3)
    for (long i = 0; i < pages; i++)
        m[i * 8192 + 5] = (char)(m[i * 8192] + 1);
    for (long i = 0; i < pages; i++)
        sum += m[i * 8192] * 3 + m[i * 8192 + 5];
    printf("%ld\n", sum);
}
