/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Heat in a ring of cells that is divided among the PEs: halo CELLS STEPS, cells of a PE. Each PE puts its first and
 * last cell to its neighbours, with a signal that says of which step it is. The sum of all cells stays, and every PE
 * computes the whole ring alone to compare. */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1024 };

/* Cells with a neighbour's at each end, for even and odd steps: a neighbour may be a step ahead. */
static long cells[2][MOST + 2];
static uint64_t left, right;
static long mine, sum;

static long next_of(long before, long cell, long after) {
    return (before & ~3L) / 4 + (cell - (cell & ~3L) / 4 * 2) + (after & ~3L) / 4;
}

static long first_of(long at) {
    return at % 7 == 0 ? 1000000 : at * 40;
}

int main(int count, char **arguments) {
    int width = count > 1 ? atoi(arguments[1]) : 32, steps = count > 2 ? atoi(arguments[2]) : 20;
    if (width < 1 || width > MOST || steps < 0) {
        fprintf(stderr, "halo: expected 1 to %d cells, and 0 or more steps\n", MOST);
        return 2;
    }
    shmem_init();
    int me = shmem_my_pe(), pes = shmem_n_pes(), after = (me + 1) % pes, before = (me + pes - 1) % pes;
    int total = width * pes, failures = 0;
    for (int i = 1; i <= width; i++)
        cells[0][i] = first_of(me * width + i - 1);
    shmem_barrier_all();
    double begin = shmemx_wtime();
    for (int step = 0; step < steps; step++) {
        long *now = cells[step % 2], *then = cells[(step + 1) % 2];
        shmem_long_put_signal(&now[width + 1], &now[1], 1, &right, (uint64_t)step + 1, SHMEM_SIGNAL_SET, before);
        shmem_long_put_signal(&now[0], &now[width], 1, &left, (uint64_t)step + 1, SHMEM_SIGNAL_SET, after);
        shmem_signal_wait_until(&left, SHMEM_CMP_GE, (uint64_t)step + 1);
        shmem_signal_wait_until(&right, SHMEM_CMP_GE, (uint64_t)step + 1);
        for (int i = 1; i <= width; i++)
            then[i] = next_of(now[i - 1], now[i], now[i + 1]);
    }
    double time = shmemx_wtime() - begin;
    long *whole = malloc(2 * (size_t)total * sizeof *whole);
    if (whole == NULL)
        return 1;
    for (int i = 0; i < total; i++)
        whole[i] = first_of(i);
    for (int step = 0; step < steps; step++) {
        long *now = whole + step % 2 * total, *then = whole + (step + 1) % 2 * total;
        for (int i = 0; i < total; i++)
            then[i] = next_of(now[(i + total - 1) % total], now[i], now[(i + 1) % total]);
    }
    for (int i = 0; i < width; i++) {
        mine += cells[steps % 2][i + 1];
        failures += cells[steps % 2][i + 1] != whole[steps % 2 * total + me * width + i];
    }
    free(whole);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
    long expected = 0;
    for (int i = 0; i < total; i++)
        expected += first_of(i);
    failures += sum != expected;
    static int own, all;
    own = failures;
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &all, &own, 1);
    if (me == 0) {
        printf("%d cells after %d steps on %d PEs: sum %ld, %d wrong\n", total, steps, pes, sum, all);
        printf("time: %.3f us a step\n", steps > 0 ? time * 1e6 / steps : 0.0);
    }
    shmem_finalize();
    return all != 0;
}
