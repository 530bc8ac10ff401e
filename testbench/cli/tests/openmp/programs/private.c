/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Each thread has a big array of its own. */
#include <stdio.h>

static double x[30000];
#pragma omp threadprivate(x)

int main(void) {
    double sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        for (int i = 0; i < 30000; i++) x[i] = i;
        for (int i = 0; i < 30000; i++) sum += x[i];
    }
    printf("%.0f\n", sum);
    return 0;
}
