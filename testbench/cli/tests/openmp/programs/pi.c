// SPDX-License-Identifier: MIT OR Apache-2.0
// Pi by integration. Each thread adds its part in a fixed order, so the result has the same bits each time.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 20000;
    double parts[256], pi = 0;
    int threads = 1;
#pragma omp parallel
    {
        double s = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < steps; i++) {
            double x = (i + 0.5) / steps;
            s += 4 / (1 + x * x);
        }
        parts[omp_get_thread_num()] = s;
#pragma omp single
        threads = omp_get_num_threads();
    }
    for (int t = 0; t < threads; t++)
        pi += parts[t] / steps;
    printf("%.17g\n", pi);
}
