// SPDX-License-Identifier: MIT OR Apache-2.0
// Calls the hooks of the library a known number of times: 1000 basic blocks for the first thread, 2000 for the second;
// five stores and a load of shared data in each, and a store to its own stack.
#include <omp.h>
#include <stddef.h>

void awgstar_openmp_block(void) __attribute__((weak));
void awgstar_openmp_load(const void *addr, size_t bytes) __attribute__((weak));
void awgstar_openmp_store(const void *addr, size_t bytes) __attribute__((weak));

static int shared[64];

int main(void)
{
    awgstar_openmp_block();
#pragma omp parallel
    {
        int thread = omp_get_thread_num(), own = 0;
        for (int i = 0; i < 1000 * (thread + 1); i++)
            awgstar_openmp_block();
        for (int i = 0; i < 5; i++) {
            awgstar_openmp_store(&shared[8 * thread + i], sizeof shared[0]);
            shared[8 * thread + i] = i + 1;
        }
        awgstar_openmp_store(&own, sizeof own);
        awgstar_openmp_load(&shared[thread], sizeof shared[0]);
    }
    return shared[12] != 5;
}
