/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Wrong use of ARMCI and of the small MPI: the argument names the case. The last process does what is wrong while the
 * others wait; in cases of collectives all do. A case that comes back prints that it does. */
#include <armci.h>
#include <armcix.h>
#include <awgstar_armci.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, processes;

/* Exchanges words with the neighbours for ever. */
static void work(void **part) {
    int right = (me + 1) % processes;
    for (int i = 0;; i++) {
        ARMCI_Put(&i, part[right], sizeof i, right);
        ARMCI_Barrier();
    }
}

/* The last process ends the run while the others go on without it. */
static void alone(void **part) {
    if (me == processes - 1) MPI_Abort(MPI_COMM_WORLD, 5);
    for (long counter;;) ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &counter, part[0], 1, 0);
}

static void collective(const char *what, void **part, ARMCI_Group *world) {
    void **more = malloc((size_t)processes * sizeof *more);
    int one = 1;
    double d = 1;
    if (!strcmp(what, "room")) ARMCI_Malloc(more, 1L << 40);
    if (!strcmp(what, "bytes")) ARMCI_Malloc(more, -1);
    if (!strcmp(what, "free")) ARMCI_Free((char *)part[me] + 8);
    if (!strcmp(what, "twice")) ARMCI_Free(part[me]), ARMCI_Free(part[me]);
    if (!strcmp(what, "mutexes twice")) ARMCI_Create_mutexes(1), ARMCI_Create_mutexes(1);
    if (!strcmp(what, "mutexes many")) ARMCI_Create_mutexes(70000);
    if (!strcmp(what, "no mutexes")) ARMCI_Destroy_mutexes();
    if (!strcmp(what, "destroy locked")) {
        ARMCI_Create_mutexes(1);
        ARMCI_Lock(0, me);
        ARMCI_Destroy_mutexes();
    }
    if (!strcmp(what, "end locked")) {
        ARMCI_Create_mutexes(1);
        ARMCI_Lock(0, me);
        ARMCI_Finalize();
    }
    if (!strcmp(what, "op")) armci_msg_igop(&one, 1, "xor");
    if (!strcmp(what, "op of type")) armci_msg_dgop(&d, 1, "or");
    if (!strcmp(what, "type")) armci_msg_gop_scope(SCOPE_ALL, &one, 1, "+", 5);
    if (!strcmp(what, "scope")) armci_msg_gop_scope(3, &one, 1, "+", ARMCI_INT);
    if (!strcmp(what, "sel")) armci_msg_sel(&one, 4, "+", ARMCI_INT, 1);
    if (!strcmp(what, "length")) armci_msg_bcast(&d, me == 0 ? 8 : 4, 0);
    if (!strcmp(what, "lengths")) armci_msg_dgop(&d, me == 0 ? 1 : 0, "+");
    if (!strcmp(what, "freed group")) {
        ARMCI_Group dup, copy;
        ARMCIX_Group_dup(world, &dup);
        copy = dup;
        ARMCI_Group_free(&dup);
        armci_msg_group_barrier(&copy);
    }
    if (!strcmp(what, "all group")) ARMCI_Group_free(world);
    if (!strcmp(what, "start mpi")) MPI_Init(NULL, NULL);
    if (!strcmp(what, "mpi op")) MPI_Allreduce(MPI_IN_PLACE, &d, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD);
    if (!strcmp(what, "mpi type")) MPI_Bcast(&d, 1, 99, 0, MPI_COMM_WORLD);
    if (!strcmp(what, "after")) {
        ARMCI_Finalize();
        ARMCI_Barrier();
    }
    free(more);
}

static void single(const char *what, void **part, void **small, ARMCI_Group *world) {
    static char bytes[256];
    int *counts = calloc(16, sizeof *counts), *strides = calloc(16, sizeof *strides);
    for (int i = 0; i < 16; i++) counts[i] = 1, strides[i] = 8;
    int to = 0, one = 1;
    long value = 1;
    armci_hdl_t handle;
    if (!strcmp(what, "range")) ARMCI_Put(bytes, (char *)part[to] + 249, 8, to);
    if (!strcmp(what, "before")) ARMCI_Get((char *)part[to] - 1, bytes, 1, to);
    if (!strcmp(what, "across")) ARMCI_Get((char *)part[to] + 250, bytes, 200, to);
    if (!strcmp(what, "strange")) ARMCI_Put(bytes, bytes, 8, to);
    if (!strcmp(what, "of another")) ARMCI_Put(bytes, small[me], 8, to);
    if (!strcmp(what, "null")) ARMCI_Put(NULL, part[to], 8, to);
    if (!strcmp(what, "null target")) ARMCI_Put(bytes, NULL, 8, to);
    if (!strcmp(what, "null value")) ARMCI_Rmw(ARMCI_SWAP, NULL, part[to], 1, to);
    if (!strcmp(what, "process")) ARMCI_Put(bytes, part[to], 8, processes);
    if (!strcmp(what, "fence")) ARMCI_Fence(-1);
    if (!strcmp(what, "negative")) ARMCI_Get(part[to], bytes, -8, to);
    if (!strcmp(what, "levels")) ARMCI_PutS(bytes, strides, part[to], strides, counts, 9, to);
    if (!strcmp(what, "no levels")) ARMCI_GetS(part[to], strides, bytes, strides, counts, -1, to);
    if (!strcmp(what, "box")) {
        counts[1] = 3, strides[0] = 100;
        ARMCI_PutS(bytes, strides, (char *)part[to] + 60, strides, counts, 1, to);
    }
    if (!strcmp(what, "large box")) {
        for (int i = 0; i < 8; i++) counts[i] = 1 << 30;
        ARMCI_GetS(part[to], strides, bytes, strides, counts, 7, to);
    }
    if (!strcmp(what, "no strides")) ARMCI_PutS(bytes, NULL, part[to], strides, counts, 1, to);
    if (!strcmp(what, "helper")) armci_write_strided(bytes, 9, strides, counts, bytes);
    if (!strcmp(what, "vector")) {
        void *from[2] = {bytes, bytes + 8}, *targets[2] = {part[to], (char *)part[to] + 252};
        armci_giov_t vector = {from, targets, 8, 2};
        ARMCI_PutV(&vector, 1, to);
    }
    if (!strcmp(what, "vectors")) ARMCI_PutV(NULL, 1, to);
    if (!strcmp(what, "numbers")) ARMCI_Acc(ARMCI_ACC_DBL, &value, bytes, part[to], 12, to);
    if (!strcmp(what, "datatype")) ARMCI_Acc(6, &value, bytes, part[to], 8, to);
    if (!strcmp(what, "scale")) ARMCI_Acc(ARMCI_ACC_INT, NULL, bytes, part[to], 8, to);
    if (!strcmp(what, "acc unaligned")) ARMCI_Acc(ARMCI_ACC_INT, &one, bytes, (char *)part[to] + 2, 8, to);
    if (!strcmp(what, "rmw")) ARMCI_Rmw(4, &value, part[to], 1, to);
    if (!strcmp(what, "unaligned")) ARMCI_Rmw(ARMCI_SWAP_LONG, &value, (char *)part[to] + 4, 1, to);
    if (!strcmp(what, "pair")) AWGSTAR_ARMCI_Fetch_pair((void *)bytes, (char *)part[to] + 248, to);
    if (!strcmp(what, "flag")) ARMCI_Put_flag(bytes, part[to], 8, (int *)((char *)part[to] + 250), 1, to);
    if (!strcmp(what, "value")) ARMCI_PutValueDouble(1, (char *)part[to] + 252, to);
    if (!strcmp(what, "handle")) ARMCI_Wait(NULL);
    if (!strcmp(what, "wait proc")) ARMCI_WaitProc(processes);
    if (!strcmp(what, "no set")) ARMCI_Lock(0, 0);
    if (!strcmp(what, "access")) ARMCI_Access_end(part[me]);
    if (!strcmp(what, "access twice")) ARMCI_Access_begin(part[me]), ARMCI_Access_begin(part[me]);
    if (!strcmp(what, "access other")) ARMCI_Access_begin(bytes);
    if (!strcmp(what, "local")) ARMCI_Free_local(bytes);
    if (!strcmp(what, "tag")) armci_msg_snd(-1, bytes, 8, to);
    if (!strcmp(what, "to")) armci_msg_snd(1, bytes, 8, processes);
    if (!strcmp(what, "room for it")) armci_msg_snd(1, bytes, 8, me), armci_msg_rcv(1, bytes, 4, NULL, me);
    if (!strcmp(what, "members")) {
        ARMCI_Group group;
        int list[2] = {0, 0};
        ARMCI_Group_create(2, list, &group);
    }
    if (!strcmp(what, "member")) ARMCI_Absolute_id(world, processes);
    if (!strcmp(what, "strange group")) {
        ARMCI_Group group;
        int list = 0;
        ARMCI_Group_create(1, &list, &group);
        armci_msg_group_barrier(&group);
    }
    if (!strcmp(what, "domain")) armci_domain_id(1, 0);
    if (!strcmp(what, "comm")) MPI_Barrier(world->comm);
    if (!strcmp(what, "mpi root")) MPI_Bcast(bytes, 8, MPI_BYTE, -1, MPI_COMM_WORLD);
    if (!strcmp(what, "mpi count")) MPI_Bcast(bytes, -8, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (!strcmp(what, "error")) ARMCI_Error("it is enough", 7);
    if (!strcmp(what, "abort")) armci_msg_abort(0);
    if (!strcmp(what, "mpi abort")) MPI_Abort(MPI_COMM_WORLD, 3);
    ARMCI_INIT_HANDLE(&handle);
    free(counts);
    free(strides);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "before start")) ARMCI_Barrier();
    if (!strcmp(what, "mpi before")) MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (!strcmp(what, "threads")) ARMCI_Init_thread(MPI_THREAD_MULTIPLE);
    if (!strcmp(what, "start comm")) ARMCI_Init_thread_comm(0, MPI_COMM_NULL);
    MPI_Init(&argc, &argv);
    ARMCI_Init();
    me = armci_msg_me();
    processes = armci_msg_nproc();
    void **part = malloc((size_t)processes * sizeof *part), **small = malloc((size_t)processes * sizeof *small);
    ARMCI_Malloc(part, 256);
    ARMCI_Malloc(small, me == processes - 1 ? 64 : 0);
    ARMCI_Group world;
    ARMCI_Group_get_world(&world);
    if (!strcmp(what, "work")) work(part);
    if (!strcmp(what, "alone")) alone(part);
    if (!strncmp(what, "mutex ", 6)) {
        ARMCI_Create_mutexes(2);
        if (me == processes - 1) {
            if (!strcmp(what, "mutex unlock")) ARMCI_Unlock(0, 0);
            if (!strcmp(what, "mutex twice")) ARMCI_Lock(1, 0), ARMCI_Lock(1, 0);
            if (!strcmp(what, "mutex number")) ARMCI_Lock(2, 0);
            if (!strcmp(what, "mutex process")) ARMCI_Lock(0, processes);
            if (!strcmp(what, "mutex other")) ARMCI_Lock(1, 0), ARMCI_Unlock(0, 0);
        }
    }
    collective(what, part, &world);
    if (me == processes - 1) {
        single(what, part, small, &world);
        printf("%s: it comes back\n", what);
        fflush(stdout);
    }
    ARMCI_Barrier();
    ARMCI_Free(small[me]);
    ARMCI_Free(part[me]);
    ARMCI_Finalize();
    MPI_Finalize();
    return 0;
}
