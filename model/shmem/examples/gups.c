/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Random updates of a table that is divided among the PEs: gups WORDS UPDATES, both of a PE. Each update is an
 * exclusive or in one step, so the same updates once more give the table as it was. */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t wrong, all;

/* The next number of a linear shift register of 64 bits. */
static uint64_t following(uint64_t number) {
    return (number << 1) ^ ((int64_t)number < 0 ? 7 : 0);
}

static void update(uint64_t *table, long words, long updates) {
    uint64_t number = 0x123456789abcdefULL * (uint64_t)(shmem_my_pe() + 1);
    for (long i = 0; i < updates; i++) {
        number = following(number);
        uint64_t at = number % (uint64_t)(words * shmem_n_pes());
        shmem_uint64_atomic_xor(&table[at % (uint64_t)words], number, (int)(at / (uint64_t)words));
    }
    shmem_barrier_all();
}

int main(int count, char **arguments) {
    long words = count > 1 ? atol(arguments[1]) : 256, updates = count > 2 ? atol(arguments[2]) : 512;
    shmem_init();
    int me = shmem_my_pe(), pes = shmem_n_pes();
    uint64_t *table = words > 0 ? shmem_malloc((size_t)words * sizeof *table) : NULL;
    if (table == NULL) {
        fprintf(stderr, "gups: no room for %ld words\n", words);
        return 1;
    }
    for (long i = 0; i < words; i++)
        table[i] = (uint64_t)(me * words + i);
    shmem_barrier_all();
    double begin = shmemx_wtime();
    update(table, words, updates);
    double time = shmemx_wtime() - begin;
    uint64_t sum = 0;
    for (long i = 0; i < words; i++)
        sum ^= table[i] * (uint64_t)(me * words + i + 1);
    static uint64_t part, whole;
    part = sum;
    shmem_uint64_xor_reduce(SHMEM_TEAM_WORLD, &whole, &part, 1);
    shmem_barrier_all();
    update(table, words, updates);
    for (long i = 0; i < words; i++)
        wrong += table[i] != (uint64_t)(me * words + i);
    shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, &all, &wrong, 1);
    if (me == 0) {
        printf("%ld words, %ld updates on %d PEs: %016llx, %llu wrong\n", words * pes, updates * pes, pes,
               (unsigned long long)whole, (unsigned long long)all);
        printf("time: %.3f us an update of a PE\n", updates > 0 ? time * 1e6 / (double)updates : 0.0);
    }
    shmem_finalize();
    return all != 0;
}
