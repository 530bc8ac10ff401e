/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Many small puts: puts COUNT BYTES. Each process writes COUNT numbers, one put each, to places of all others that are
 * its own, the last of a part of BYTES among them; the last number at a place is checked. */
#include <armci.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACES = 64 };

/* The number that a process puts in a turn. */
static long number(int from, long turn) { return turn * 1000 + from + 1; }

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    ARMCI_Init();
    int me, processes;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    long count = argc > 1 ? atol(argv[1]) : 1000;
    size_t least = (size_t)(processes * PLACES + processes) * sizeof(long);
    size_t bytes = argc > 2 ? strtoull(argv[2], NULL, 0) : least;
    if (processes < 2 || bytes < least || bytes % sizeof(long)) {
        fprintf(stderr, "puts: expected two processes, and parts of %zu bytes or more\n", least);
        return 2;
    }
    void **part = malloc((size_t)processes * sizeof *part);
    ARMCI_Malloc(part, (armci_size_t)bytes);
    for (long turn = 0; turn < count; turn++) {
        int to = (me + 1 + (int)(turn % (processes - 1))) % processes;
        long value = number(me, turn);
        ARMCI_Put(&value, (long *)part[to] + me * PLACES + turn % PLACES, sizeof value, to);
    }
    long last = number(me, count);
    long end = (long)(bytes / sizeof last) - 1 - me;
    ARMCI_Put(&last, (long *)part[(me + 1) % processes] + end, sizeof last, (me + 1) % processes);
    ARMCI_Barrier();
    /* The last turn of each place of each process that came here. */
    long *expected = calloc((size_t)processes * PLACES, sizeof *expected), wrong = 0, all_wrong;
    for (int from = 0; from < processes; from++)
        for (long turn = 0; turn < count; turn++)
            if ((from + 1 + (int)(turn % (processes - 1))) % processes == me)
                expected[from * PLACES + turn % PLACES] = number(from, turn);
    ARMCI_Access_begin(part[me]);
    long *mine = part[me];
    for (int from = 0; from < processes; from++)
        for (int place = 0; place < PLACES && from != me; place++)
            wrong += expected[from * PLACES + place] && mine[from * PLACES + place] != expected[from * PLACES + place];
    int before = (me + processes - 1) % processes;
    wrong += mine[(long)(bytes / sizeof last) - 1 - before] != number(before, count);
    ARMCI_Access_end(part[me]);
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        printf("%ld puts of each of %d processes, %ld wrong\n", count, processes, all_wrong);
    free(expected);
    ARMCI_Free(part[me]);
    free(part);
    ARMCI_Finalize();
    MPI_Finalize();
    return all_wrong ? 1 : 0;
}
