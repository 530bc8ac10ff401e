/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Integer sort by buckets: sort KEYS, of a PE. Each PE has a range of the keys; a counter in each PE, which others add
 * to, gives out the places of its bucket. The result is in order over all PEs, and has the keys of the begin. */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANGE = 1 << 16 };

static long taken;
static long own[3], all[3];
static int last, first, ok, good;

static int compare(const void *one, const void *other) {
    int a = *(const int *)one, b = *(const int *)other;
    return (a > b) - (a < b);
}

int main(int count, char **arguments) {
    long keys = count > 1 ? atol(arguments[1]) : 200;
    shmem_init();
    int me = shmem_my_pe(), pes = shmem_n_pes();
    int *mine = keys > 0 ? malloc((size_t)keys * sizeof *mine) : NULL;
    /* A bucket may get all keys. */
    int *bucket = keys > 0 ? shmem_malloc((size_t)keys * (size_t)pes * sizeof *bucket) : NULL;
    if (mine == NULL || bucket == NULL) {
        fprintf(stderr, "sort: no room for %ld keys\n", keys);
        return 1;
    }
    unsigned number = 12345u * (unsigned)(me + 1);
    long sum = 0, squares = 0;
    for (long i = 0; i < keys; i++) {
        number = number * 1103515245u + 12345u;
        mine[i] = (int)(number >> 15) % RANGE;
        sum += mine[i];
        squares += (long)mine[i] * mine[i];
    }
    double begin = shmemx_wtime();
    qsort(mine, (size_t)keys, sizeof *mine, compare);
    for (long from = 0, to; from < keys; from = to) {
        int pe = (int)((long)mine[from] * pes / RANGE);
        for (to = from; to < keys && (int)((long)mine[to] * pes / RANGE) == pe; to++)
            ;
        long at = shmem_long_atomic_fetch_add(&taken, to - from, pe);
        shmem_int_put(bucket + at, mine + from, (size_t)(to - from), pe);
    }
    shmem_barrier_all();
    qsort(bucket, (size_t)taken, sizeof *bucket, compare);
    double time = shmemx_wtime() - begin;
    own[0] = taken;
    for (long i = 0; i < taken; i++) {
        own[1] += bucket[i];
        own[2] += (long)bucket[i] * bucket[i];
    }
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, all, own, 3);
    static long before[2], whole[2];
    before[0] = sum;
    before[1] = squares;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, whole, before, 2);
    ok = all[0] == keys * pes && all[1] == whole[0] && all[2] == whole[1];
    first = taken > 0 ? bucket[0] : RANGE;
    last = taken > 0 ? bucket[taken - 1] : -1;
    for (long i = 1; i < taken; i++)
        ok &= bucket[i - 1] <= bucket[i];
    shmem_barrier_all();
    /* The next bucket that is not empty begins with no smaller key. */
    for (int pe = me + 1; pe < pes; pe++)
        ok &= last <= shmem_int_g(&first, pe);
    shmem_int_min_reduce(SHMEM_TEAM_WORLD, &good, &ok, 1);
    if (me == 0) {
        printf("%ld keys on %d PEs: sum %ld, %s\n", all[0], pes, all[1], good ? "in order" : "WRONG");
        printf("time: %.3f us\n", time * 1e6);
    }
    free(mine);
    shmem_finalize();
    return !good;
}
