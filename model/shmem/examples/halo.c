/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Heat in a rod, a part of it on each PE: halo POINTS STEPS, points of each PE. Before each step a PE puts its first and
 * its last value to its neighbours, each with a signal that says which step it is for.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* What PEs put to each other: by the step, even or odd, values from the left and from the right. */
static double edge[2][2];
static uint64_t signal_of[2][2];

int main(int argc, char **argv) {
    shmem_init();
    long points = argc > 1 ? atol(argv[1]) : 8, steps = argc > 2 ? atol(argv[2]) : 10;
    int me = shmem_my_pe(), pes = shmem_n_pes();
    double *now = calloc((size_t)points, sizeof *now), *next = calloc((size_t)points, sizeof *next);
    if (points < 1 || !now || !next)
        shmem_global_exit(2);
    for (long i = 0; i < points; i++)
        now[i] = (double)((me * points + i) % 7 * 64);
    for (long step = 1; step <= steps; step++) {
        int half = (int)(step % 2);
        if (me > 0)
            shmem_double_put_signal(&edge[half][1], &now[0], 1, &signal_of[half][1], (uint64_t)step,
                                    SHMEM_SIGNAL_SET, me - 1);
        if (me < pes - 1)
            shmem_double_put_signal(&edge[half][0], &now[points - 1], 1, &signal_of[half][0], (uint64_t)step,
                                    SHMEM_SIGNAL_SET, me + 1);
        /* The ends of the rod are insulated. */
        double left = now[0], right = now[points - 1];
        if (me > 0) {
            shmem_signal_wait_until(&signal_of[half][0], SHMEM_CMP_EQ, (uint64_t)step);
            left = edge[half][0];
        }
        if (me < pes - 1) {
            shmem_signal_wait_until(&signal_of[half][1], SHMEM_CMP_EQ, (uint64_t)step);
            right = edge[half][1];
        }
        for (long i = 0; i < points; i++) {
            double before = i > 0 ? now[i - 1] : left, behind = i < points - 1 ? now[i + 1] : right;
            next[i] = now[i] + (before - 2 * now[i] + behind) / 4;
        }
        double *old = now;
        now = next;
        next = old;
    }
    /* The whole rod on one PE. */
    static long wrong, all_wrong;
    long all = points * pes;
    double *rod = malloc((size_t)all * sizeof *rod), *other = malloc((size_t)all * sizeof *other);
    for (long i = 0; i < all; i++)
        rod[i] = (double)(i % 7 * 64);
    for (long step = 0; step < steps; step++) {
        for (long i = 0; i < all; i++) {
            double before = rod[i > 0 ? i - 1 : 0], behind = rod[i < all - 1 ? i + 1 : i];
            other[i] = rod[i] + (before - 2 * rod[i] + behind) / 4;
        }
        double *old = rod;
        rod = other;
        other = old;
    }
    for (long i = 0; i < points; i++)
        wrong += now[i] != rod[me * points + i];
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all_wrong, &wrong, 1);
    if (me == 0)
        printf("%d PEs, %ld points of each, %ld steps: %ld wrong\n", pes, points, steps, all_wrong);
    int code = all_wrong != 0;
    shmem_finalize();
    return code;
}
