/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A product of matrices in blocks. A counter at process 0 gives out the tasks (read-modify-write); a task gets a
 * block of each factor, multiplies them, and accumulates the product into the result where that is.
 *
 *     awgstar run -n 4 -- ./matmul 48 8
 *
 * The matrices have N rows and columns in blocks of B; the rows of blocks are dealt to the processes in turn.
 */
#include <armci.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int n, b, blocks, processes;

/* Small whole numbers: their sums are exact in any order. */
static double left(int i, int k) { return (i * 3 + k) % 7 - 3; }
static double right(int k, int j) { return (k + j * 5) % 11 - 5; }

/* Address of the first element of a block, in the memory of the process that has its row of blocks. */
static double *block_of(void **matrix, int i, int j) {
    return (double *)matrix[i % processes] + (size_t)(i / processes) * b * n + (size_t)j * b;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    ARMCI_Init();
    n = argc > 1 ? atoi(argv[1]) : 48;
    b = argc > 2 ? atoi(argv[2]) : 8;
    if (b < 1 || n < b || n % b) {
        fprintf(stderr, "the rows must be a multiple of those of a block\n");
        return 2;
    }
    blocks = n / b;
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    void **matrices[4];
    int rows = (blocks + processes - 1 - me) / processes * b;
    for (int m = 0; m < 4; m++) {
        matrices[m] = malloc((size_t)processes * sizeof(void *));
        ARMCI_Malloc(matrices[m], m < 3 ? (armci_size_t)rows * n * sizeof(double) : me == 0 ? sizeof(long) : 0);
    }
    void **a = matrices[0], **c = matrices[2], **counter = matrices[3];
    if (rows)
        for (int m = 0; m < 3; m++) {
            ARMCI_Access_begin(matrices[m][me]);
            for (int row = 0; row < rows; row++) {
                int i = (row / b * processes + me) * b + row % b;
                for (int j = 0; j < n; j++)
                    ((double *)matrices[m][me])[row * n + j] = m == 0 ? left(i, j) : m == 1 ? right(i, j) : 0;
            }
            ARMCI_Access_end(matrices[m][me]);
        }
    if (me == 0) {
        ARMCI_Access_begin(counter[0]);
        *(long *)counter[0] = 0;
        ARMCI_Access_end(counter[0]);
    }
    ARMCI_Barrier();
    double time = MPI_Wtime(), one = 1;
    double *factor[2], *product = ARMCI_Malloc_local((armci_size_t)b * b * sizeof(double));
    for (int f = 0; f < 2; f++) factor[f] = ARMCI_Malloc_local((armci_size_t)b * b * sizeof(double));
    int far = n * (int)sizeof(double), near = b * (int)sizeof(double), count[2] = {near, b};
    for (;;) {
        long task;
        ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &task, counter[0], 1, 0);
        if (task >= (long)blocks * blocks * blocks) break;
        int i = (int)(task / blocks / blocks), j = (int)(task / blocks % blocks), k = (int)(task % blocks);
        armci_hdl_t handle[2];
        for (int f = 0; f < 2; f++) {
            int row = f ? k : i, column = f ? j : k;
            ARMCI_INIT_HANDLE(&handle[f]);
            ARMCI_NbGetS(block_of(f ? matrices[1] : a, row, column), &far, factor[f], &near, count, 1,
                         row % processes, &handle[f]);
        }
        ARMCI_Wait(&handle[0]);
        ARMCI_Wait(&handle[1]);
        for (int x = 0; x < b; x++)
            for (int y = 0; y < b; y++) {
                double sum = 0;
                for (int z = 0; z < b; z++) sum += factor[0][x * b + z] * factor[1][z * b + y];
                product[x * b + y] = sum;
            }
        ARMCI_AccS(ARMCI_ACC_DBL, &one, product, &near, block_of(c, i, j), &far, count, 1, i % processes);
    }
    ARMCI_Barrier();
    time = MPI_Wtime() - time;
    int wrong = 0;
    double sum = 0;
    if (rows) ARMCI_Access_begin(c[me]);
    for (int row = 0; row < rows; row++) {
        int i = (row / b * processes + me) * b + row % b;
        for (int j = 0; j < n; j++) {
            double expected = 0, found = ((double *)c[me])[row * n + j];
            for (int k = 0; k < n; k++) expected += left(i, k) * right(k, j);
            wrong += found != expected;
            sum += found * ((i + 2 * j) % 13);
        }
    }
    if (rows) ARMCI_Access_end(c[me]);
    int all_wrong;
    double all;
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) {
        printf("%d x %d in blocks of %d on %d processes: sum %.0f, %d wrong\n", n, n, b, processes, all, all_wrong);
        printf("time: %.3f us\n", 1e6 * time);
    }
    ARMCI_Free_local(product);
    for (int f = 0; f < 2; f++) ARMCI_Free_local(factor[f]);
    for (int m = 0; m < 4; m++) {
        ARMCI_Free(matrices[m][me]);
        free(matrices[m]);
    }
    ARMCI_Finalize();
    MPI_Finalize();
    return all_wrong ? 1 : 0;
}
