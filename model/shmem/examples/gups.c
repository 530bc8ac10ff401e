/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Random updates of a table that is divided among the PEs: gups WORDS UPDATES, both for each PE. Each update adds to a
 * word of any PE in one step, so none is lost, and the table is known at the end.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The next number of a sequence that each PE has (xorshift). */
static uint64_t after(uint64_t number) {
    number ^= number << 13;
    number ^= number >> 7;
    return number ^ number << 17;
}

static uint64_t first_of(int pe) {
    return 88172645463325252u + 7919u * (uint64_t)pe;
}

int main(int argc, char **argv) {
    shmem_init();
    long words = argc > 1 ? atol(argv[1]) : 64, updates = argc > 2 ? atol(argv[2]) : 100;
    int me = shmem_my_pe(), pes = shmem_n_pes();
    uint64_t *table = shmem_calloc((size_t)words, sizeof *table);
    if (words < 1 || updates < 0 || !table) {
        fprintf(stderr, "gups WORDS UPDATES: no room for these words, or no number\n");
        shmem_global_exit(2);
    }
    shmem_barrier_all();
    uint64_t number = first_of(me);
    for (long update = 0; update < updates; update++) {
        number = after(number);
        uint64_t place = number % ((uint64_t)words * (uint64_t)pes);
        shmem_uint64_atomic_add(&table[place % (uint64_t)words], number >> 32, (int)(place / (uint64_t)words));
    }
    shmem_barrier_all();
    /* The same updates by this PE alone. */
    uint64_t *expected = calloc((size_t)words, sizeof *expected);
    for (int pe = 0; pe < pes; pe++) {
        number = first_of(pe);
        for (long update = 0; update < updates; update++) {
            number = after(number);
            uint64_t place = number % ((uint64_t)words * (uint64_t)pes);
            if (place / (uint64_t)words == (uint64_t)me)
                expected[place % (uint64_t)words] += number >> 32;
        }
    }
    static long wrong, all_wrong;
    for (long word = 0; word < words; word++)
        wrong += table[word] != expected[word];
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all_wrong, &wrong, 1);
    if (me == 0)
        printf("%d PEs, %ld updates of each: %ld wrong words\n", pes, updates, all_wrong);
    int code = all_wrong != 0;
    shmem_free(table);
    free(expected);
    shmem_finalize();
    return code;
}
