/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A lock at process 0 that is requested and released many times (paper 001, section 4.2): mean times of both over
 * all repetitions and contending processes. Then a counter under the lock: a lost update would show.
 *
 *     awgstar run -n 4 -- ./lock 10000
 *
 * With two more arguments the processes FIRST to LAST contend, the others wait: `lock 10000 1 1` on two processes is
 * one process with a remote lock, `lock 10000 0 0` with a local one.
 */
#include <armci.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    ARMCI_Init();
    int me, processes;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    int repetitions = argc > 1 ? atoi(argv[1]) : 10000;
    int first = argc > 3 ? atoi(argv[2]) : 0;
    int last = argc > 3 ? atoi(argv[3]) : processes - 1;
    int contends = first <= me && me <= last;
    void **counter = malloc((size_t)processes * sizeof *counter);
    ARMCI_Malloc(counter, me == 0 ? sizeof(long) : 0);
    if (me == 0) {
        ARMCI_Access_begin(counter[0]);
        *(long *)counter[0] = 0;
        ARMCI_Access_end(counter[0]);
    }
    ARMCI_Create_mutexes(me == 0 ? 1 : 0);
    ARMCI_Barrier();
    double times[2] = {0, 0};
    for (int i = 0; contends && i < repetitions; i++) {
        double from = MPI_Wtime();
        ARMCI_Lock(0, 0);
        double inside = MPI_Wtime();
        ARMCI_Unlock(0, 0);
        times[0] += inside - from;
        times[1] += MPI_Wtime() - inside;
    }
    ARMCI_Barrier();
    int additions = repetitions < 100 ? repetitions : 100;
    for (int i = 0; contends && i < additions; i++) {
        long value;
        ARMCI_Lock(0, 0);
        ARMCI_Get(counter[0], &value, sizeof value, 0);
        value += 1;
        ARMCI_Put(&value, counter[0], sizeof value, 0);
        ARMCI_Fence(0);
        ARMCI_Unlock(0, 0);
    }
    ARMCI_Barrier();
    long value, expected = (long)(last - first + 1) * additions;
    ARMCI_Get(counter[0], &value, sizeof value, 0);
    double sums[2];
    MPI_Allreduce(times, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) {
        double turns = (double)(last - first + 1) * repetitions;
        printf("%d processes, %d repetitions: the counter is %ld\n", processes, repetitions, value);
        printf("time: acquire %.3f us, release %.3f us\n", 1e6 * sums[0] / turns, 1e6 * sums[1] / turns);
    }
    ARMCI_Destroy_mutexes();
    ARMCI_Free(counter[me]);
    free(counter);
    ARMCI_Finalize();
    MPI_Finalize();
    return value == expected ? 0 : 1;
}
