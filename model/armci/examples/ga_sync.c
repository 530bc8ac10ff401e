/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The synchronization of Global Arrays (paper 001, section 4.1): every process writes into the parts of a
 * two-dimensional array that are at other processes, meets the others, and then synchronizes. The time of the
 * synchronization is the mean over all repetitions and processes.
 *
 *     awgstar run -n 4 -- ./ga_sync 100 combined
 *
 * `fence` as second argument: a fence of all and then a barrier, as before the paper; `combined`: ARMCI_Barrier.
 */
#include <armci.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 8, COLUMNS = 16 };

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    ARMCI_Init();
    int repetitions = argc > 1 ? atoi(argv[1]) : 100;
    int fence = argc > 2 && strcmp(argv[2], "fence") == 0;
    int me, processes;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    void **part = malloc((size_t)processes * sizeof *part);
    int row = COLUMNS * (int)sizeof(double);
    /* Each process has a part with ROWS rows for each writer. */
    ARMCI_Malloc(part, (armci_size_t)processes * ROWS * row);
    double block[ROWS][COLUMNS], time = 0;
    int count[2] = {row, ROWS}, wrong = 0;
    for (int repetition = 0; repetition < repetitions; repetition++) {
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                block[i][j] = 1000 * repetition + 100 * me + i + j / 16.0;
        for (int step = 1; step < processes; step++) {
            int to = (me + step) % processes;
            ARMCI_PutS(block, &row, (char *)part[to] + me * ROWS * row, &row, count, 1, to);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        double from = MPI_Wtime();
        if (fence) {
            ARMCI_AllFence();
            MPI_Barrier(MPI_COMM_WORLD);
        } else {
            ARMCI_Barrier();
        }
        time += MPI_Wtime() - from;
        ARMCI_Access_begin(part[me]);
        double (*mine)[COLUMNS] = part[me];
        for (int from_process = 0; from_process < processes; from_process++)
            for (int i = 0; i < ROWS && from_process != me; i++)
                for (int j = 0; j < COLUMNS; j++) {
                    double expected = 1000 * repetition + 100 * from_process + i + j / 16.0;
                    wrong += mine[from_process * ROWS + i][j] != expected;
                }
        ARMCI_Access_end(part[me]);
        /* No process writes again before all have looked. */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    int all_wrong;
    double sum;
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&time, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) {
        printf("%d processes, %d synchronizations, %d wrong values\n", processes, repetitions, all_wrong);
        printf("time: %.3f us\n", 1e6 * sum / processes / repetitions);
    }
    ARMCI_Free(part[me]);
    free(part);
    ARMCI_Finalize();
    MPI_Finalize();
    return all_wrong ? 1 : 0;
}
