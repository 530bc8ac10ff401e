/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Many small checks of every family of functions of ARMCI and of the small MPI. After each family the processes
 * print a digest of their memory, in order: the same with every library, on every machine.
 *
 *     awgstar run -n 4 -- ./armci [FAMILY...]
 */
#include <armci.h>
#include <armcix.h>
#include <message.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 8192, TAG = 77 };

static int me, processes, right, before;
static long failures;
static void **part;           /* A part of BYTES bytes of each process. */
static unsigned char *mine;   /* The own one. */
static unsigned char local[BYTES], other[BYTES];

#define CHECK(what) \
    do { \
        if (!(what) && failures++ < 5) \
            fprintf(stderr, "process %d, line %d: %s\n", me, __LINE__, #what); \
    } while (0)

static void *at(int process, size_t offset) { return (char *)part[process] + offset; }

/* Bytes that differ by writer, place and purpose. */
static unsigned char value(int writer, int place, int purpose) {
    return (unsigned char)(writer * 37 + place * 11 + place / 256 + purpose * 101 + 1);
}

static void fill(unsigned char *to, int bytes, int purpose) {
    for (int i = 0; i < bytes; i++) to[i] = value(me, i, purpose);
}

/* The part is set to a byte by its owner. */
static void begin(int byte) {
    ARMCI_Barrier();
    ARMCI_Access_begin(mine);
    memset(mine, byte, BYTES);
    ARMCI_Access_end(mine);
    ARMCI_Barrier();
}

/* Prints the digests of the parts. */
static void end(const char *family) {
    ARMCI_Barrier();
    uint64_t digest = 0xcbf29ce484222325;
    ARMCI_Access_begin(mine);
    for (int i = 0; i < BYTES; i++) digest = (digest ^ mine[i]) * 0x100000001b3;
    ARMCI_Access_end(mine);
    if (me != 0) {
        armci_msg_snd(TAG, &digest, sizeof digest, 0);
    } else {
        printf("%s", family);
        for (int from = 0; from < processes; from++) {
            int bytes = sizeof digest;
            if (from != 0) armci_msg_rcv(TAG, &digest, sizeof digest, &bytes, from);
            CHECK(bytes == sizeof digest);
            printf(" %016llx", (unsigned long long)digest);
        }
        printf("\n");
    }
    ARMCI_Barrier();
}

static void contiguous(void) {
    static const int sizes[] = {0, 1, 3, 4, 8, 13, 250, 1024, 3001};
    int per = BYTES / processes / 8 * 8;
    begin(0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int bytes = sizes[s] < per - 5 ? sizes[s] : per - 5;
        fill(local, bytes, (int)s);
        /* To every process, the own one, too. */
        for (int to = 0; to < processes; to++)
            CHECK(ARMCI_Put(local, at(to, (size_t)(me * per) + s % 5), bytes, to) == 0);
        ARMCI_AllFence();
        ARMCI_Barrier();
        for (int from = 0; from < processes; from++) {
            memset(other, 0, sizeof other);
            CHECK(ARMCI_Get(at(from, (size_t)(right * per) + s % 5), other, bytes, from) == 0);
            int same = 1;
            for (int i = 0; i < bytes; i++) same &= other[i] == value(right, i, (int)s);
            CHECK(same && other[bytes] == 0);
        }
        ARMCI_Barrier();
    }
    /* Several writes of one process to one place: the last one stays. */
    for (int i = 1; i <= 20; i++) ARMCI_Put(&i, at(right, BYTES - 4), 4, right);
    int last = 0;
    ARMCI_Get(at(right, BYTES - 4), &last, 4, right);
    CHECK(last == 20);
    /* Buffers in the own part of the memory. */
    ARMCI_Barrier();
    ARMCI_Access_begin(mine);
    memcpy(mine, "in the segment itself", 22);
    ARMCI_Access_end(mine);
    ARMCI_Barrier();
    ARMCI_Put(mine, at(right, 64), 22, right);
    ARMCI_Barrier();
    ARMCI_Get(at(before, 64), mine + 128, 22, before);
    ARMCI_Copy(mine + 128, other, 22);
    CHECK(strcmp((char *)other, "in the segment itself") == 0);
    end("contiguous");
}

/* Strides of a box of `levels` dimensions beyond the first, in a local array and in a remote one. */
static int count[4], near[3], far[3];

static int box(int levels) {
    static const int sizes[] = {24, 3, 4, 2};
    int bytes = sizes[0], step = 24, wide = 40;
    for (int level = 0; level <= levels; level++) count[level] = sizes[level];
    for (int level = 0; level < levels; level++) {
        near[level] = step;
        far[level] = wide;
        step *= sizes[level + 1];
        wide = wide * (sizes[level + 1] + 1) + 8;
        bytes *= sizes[level + 1];
    }
    return bytes;
}

static void strided(void) {
    begin(0x55);
    for (int levels = 0; levels <= 3; levels++) {
        int bytes = box(levels);
        for (int blocking = 0; blocking < 2; blocking++) {
            size_t place = (size_t)blocking * 4096 + (size_t)levels * 8;
            fill(local, bytes, levels);
            armci_hdl_t handle;
            ARMCI_INIT_HANDLE(&handle);
            if (blocking) {
                CHECK(ARMCI_PutS(local, near, at(right, place), far, count, levels, right) == 0);
            } else {
                CHECK(ARMCI_NbPutS(local, near, at(right, place), far, count, levels, right, &handle) == 0);
                ARMCI_Wait(&handle);
            }
            ARMCI_Barrier();
            memset(other, 0, sizeof other);
            if (blocking) {
                CHECK(ARMCI_GetS(mine + place, far, other, near, count, levels, me) == 0);
            } else {
                CHECK(ARMCI_NbGetS(mine + place, far, other, near, count, levels, me, &handle) == 0);
                ARMCI_Wait(&handle);
            }
            int same = 1;
            for (int i = 0; i < bytes; i++) same &= other[i] == value(before, i, levels);
            CHECK(same && other[bytes] == 0);
            /* The helpers for the same box. */
            memset(other, 0, sizeof other);
            armci_write_strided(mine + place, levels, far, count, (char *)other);
            same = 1;
            for (int i = 0; i < bytes; i++) same &= other[i] == value(before, i, levels);
            CHECK(same);
            memset(local, 0, sizeof local);
            armci_read_strided(local, levels, far, count, (char *)other);
            CHECK(memcmp(local, mine + place, 24) == 0);
            ARMCI_Barrier();
        }
    }
    end("strided");
}

static void vectors(void) {
    begin(0);
    void *sources[12], *targets[12];
    armci_giov_t vector[2] = {{sources, targets, 7, 5}, {sources + 5, targets + 5, 16, 6}};
    for (int blocking = 0; blocking < 2; blocking++) {
        fill(local, 512, blocking);
        for (int i = 0; i < 12; i++) {
            sources[i] = local + 20 * i;
            targets[i] = at(right, (size_t)(blocking * 1024 + 900 - 33 * i));
        }
        if (blocking) {
            CHECK(ARMCI_PutV(vector, 2, right) == 0);
        } else {
            CHECK(ARMCI_NbPutV(vector, 2, right, NULL) == 0);
            CHECK(ARMCI_WaitAll() == 0);
        }
        ARMCI_Barrier();
        memset(other, 0, sizeof other);
        for (int i = 0; i < 12; i++) {
            sources[i] = at(before, (size_t)(blocking * 1024 + 900 - 33 * i));
            targets[i] = other + 20 * i;
        }
        if (blocking) {
            CHECK(ARMCI_GetV(vector, 2, before) == 0);
        } else {
            armci_hdl_t handle;
            ARMCI_INIT_HANDLE(&handle);
            CHECK(ARMCI_NbGetV(vector, 2, before, &handle) == 0);
            CHECK(ARMCI_Wait(&handle) == 0);
        }
        for (int i = 0; i < 11; i++) {
            int bytes = i < 5 ? 7 : 16, same = 1, writer = (before + processes - 1) % processes;
            for (int b = 0; b < bytes; b++) same &= other[20 * i + b] == value(writer, 20 * i + b, blocking);
            CHECK(same && other[20 * i + bytes] == 0);
        }
        CHECK(other[20 * 11] == 0);
        ARMCI_Barrier();
    }
    end("vectors");
}

static void values(void) {
    begin(0);
    CHECK(ARMCI_PutValueInt(-5 - me, at(right, 0), right) == 0);
    CHECK(ARMCI_PutValueLong(1234567890123L + me, at(right, 8), right) == 0);
    CHECK(ARMCI_PutValueFloat(0.25f + (float)me, at(right, 16), right) == 0);
    CHECK(ARMCI_PutValueDouble(-1e100 * (me + 1), at(right, 24), right) == 0);
    armci_hdl_t handle;
    ARMCI_INIT_HANDLE(&handle);
    CHECK(ARMCI_NbPutValueInt(7 + me, at(right, 4), right, &handle) == 0);
    ARMCI_Wait(&handle);
    CHECK(ARMCI_NbPutValueLong(-9L - me, at(right, 32), right, NULL) == 0);
    CHECK(ARMCI_NbPutValueFloat(-0.5f, at(right, 40), right, NULL) == 0);
    CHECK(ARMCI_NbPutValueDouble(3.5, at(right, 48), right, NULL) == 0);
    ARMCI_WaitProc(right);
    ARMCI_Barrier();
    for (int from = 0; from < processes; from++) {
        int writer = (from + processes - 1) % processes;
        CHECK(ARMCI_GetValueInt(at(from, 0), from) == -5 - writer);
        CHECK(ARMCI_GetValueInt(at(from, 4), from) == 7 + writer);
        CHECK(ARMCI_GetValueLong(at(from, 8), from) == 1234567890123L + writer);
        CHECK(ARMCI_GetValueFloat(at(from, 16), from) == 0.25f + (float)writer);
        CHECK(ARMCI_GetValueDouble(at(from, 24), from) == -1e100 * (writer + 1));
        CHECK(ARMCI_GetValueLong(at(from, 32), from) == -9L - writer);
        CHECK(ARMCI_GetValueFloat(at(from, 40), from) == -0.5f);
        CHECK(ARMCI_GetValueDouble(at(from, 48), from) == 3.5);
    }
    end("values");
}

/* All add to a place of every process: every sum is exact in any order. */
static void accumulate(void) {
    begin(0);
    int i[6], i_scale = 3;
    long l[6], l_scale = -2;
    float f[6], f_scale = 0.5f;
    double d[6], d_scale = 4;
    float c[12], c_scale[2] = {1, 2};
    double z[12], z_scale[2] = {0, -1};
    for (int k = 0; k < 6; k++) {
        i[k] = me + k;
        l[k] = 100000000000L * (me + 1) + k;
        f[k] = (float)(2 * me + k);
        d[k] = me * 0.125 + k;
        c[2 * k] = (float)me;
        c[2 * k + 1] = (float)k;
        z[2 * k] = k;
        z[2 * k + 1] = me;
    }
    armci_hdl_t handle;
    ARMCI_INIT_HANDLE(&handle);
    for (int to = 0; to < processes; to++) {
        CHECK(ARMCI_Acc(ARMCI_ACC_INT, &i_scale, i, at(to, 0), sizeof i, to) == 0);
        CHECK(ARMCI_Acc(ARMCI_ACC_LNG, &l_scale, l, at(to, 64), sizeof l, to) == 0);
        CHECK(ARMCI_NbAcc(ARMCI_ACC_FLT, &f_scale, f, at(to, 128), sizeof f, to, &handle) == 0);
        CHECK(ARMCI_Wait(&handle) == 0);
        CHECK(ARMCI_NbAcc(ARMCI_ACC_DBL, &d_scale, d, at(to, 192), sizeof d, to, NULL) == 0);
        CHECK(ARMCI_Acc(ARMCI_ACC_CPL, c_scale, c, at(to, 256), sizeof c, to) == 0);
        CHECK(ARMCI_Acc(ARMCI_ACC_DCP, z_scale, z, at(to, 320), sizeof z, to) == 0);
    }
    ARMCI_WaitAll();
    ARMCI_Barrier();
    int n = processes, sum = n * (n - 1) / 2;
    for (int k = 0; k < 6; k++) {
        CHECK(((int *)mine)[k] == 3 * (sum + n * k));
        CHECK(((long *)(mine + 64))[k] == -2 * (100000000000L * (sum + n) + n * k));
        CHECK(((float *)(mine + 128))[k] == 0.5f * (float)(2 * sum + n * k));
        CHECK(((double *)(mine + 192))[k] == 4 * (sum * 0.125 + n * k));
        CHECK(((float *)(mine + 256))[2 * k] == (float)(sum - 2 * n * k));
        CHECK(((float *)(mine + 256))[2 * k + 1] == (float)(2 * sum + n * k));
        CHECK(((double *)(mine + 320))[2 * k] == sum);
        CHECK(((double *)(mine + 320))[2 * k + 1] == -n * k);
    }
    /* Boxes and vectors. */
    int strides[2] = {16, 48}, wide[2] = {40, 160}, size[3] = {16, 3, 2};
    double one = 1, block[12];
    for (int k = 0; k < 12; k++) block[k] = me + k * 0.5;
    void *from[3] = {block, block + 4, block + 8}, *to[3];
    armci_giov_t vector = {from, to, 32, 3};
    for (int target = 0; target < processes; target++) {
        CHECK(ARMCI_AccS(ARMCI_ACC_DBL, &one, block, strides, at(target, 1024), wide, size, 2, target) == 0);
        CHECK(ARMCI_NbAccS(ARMCI_ACC_DBL, &one, block, strides, at(target, 2048), wide, size, 2, target, NULL) == 0);
        for (int k = 0; k < 3; k++) to[k] = at(target, (size_t)(3072 + 64 * k));
        CHECK(ARMCI_AccV(ARMCI_ACC_DBL, &one, &vector, 1, target) == 0);
        for (int k = 0; k < 3; k++) to[k] = at(target, (size_t)(3584 + 40 * k));
        CHECK(ARMCI_NbAccV(ARMCI_ACC_DBL, &one, &vector, 1, target, &handle) == 0);
        ARMCI_Wait(&handle);
    }
    ARMCI_WaitAll();
    ARMCI_Barrier();
    for (int k = 0; k < 12; k++) {
        double expected = sum + n * k * 0.5;
        int in_box = k / 6 * 160 + k / 2 % 3 * 40 + k % 2 * 8;
        CHECK(*(double *)(mine + 1024 + in_box) == expected);
        CHECK(*(double *)(mine + 2048 + in_box) == expected);
        CHECK(*(double *)(mine + 3072 + k / 4 * 64 + k % 4 * 8) == expected);
        CHECK(*(double *)(mine + 3584 + k / 4 * 40 + k % 4 * 8) == expected);
    }
    end("accumulate");
}

static void handles(void) {
    begin(0);
    armci_hdl_t many[8], aggregate;
    fill(local, 2048, 3);
    for (int k = 0; k < 8; k++) {
        ARMCI_INIT_HANDLE(&many[k]);
        CHECK(ARMCI_NbPut(local + 64 * k, at(right, (size_t)(64 * k)), 60, right, &many[k]) == 0);
    }
    for (int k = 7; k >= 0; k--) {
        while (ARMCI_Test(&many[k]) != 0) ARMCIX_Progress();
        CHECK(ARMCI_Wait(&many[k]) == 0);
    }
    ARMCI_INIT_HANDLE(&aggregate);
    ARMCI_SET_AGGREGATE_HANDLE(&aggregate);
    for (int k = 0; k < 10; k++)
        CHECK(ARMCI_NbPut(local + k, at(right, (size_t)(1024 + 3 * k)), 1, right, &aggregate) == 0);
    CHECK(ARMCI_Wait(&aggregate) == 0);
    ARMCI_UNSET_AGGREGATE_HANDLE(&aggregate);
    for (int to = 0; to < processes; to++)
        ARMCI_NbPut(local + 512, at(to, (size_t)(2048 + 16 * me)), 16, to, NULL);
    CHECK(ARMCI_WaitProc(right) == 0);
    CHECK(ARMCI_WaitAll() == 0);
    ARMCI_Barrier();
    ARMCI_NbGet(at(before, 0), other, 60, before, &many[0]);
    ARMCI_NbGet(at(before, 64), other + 64, 60, before, NULL);
    ARMCI_Wait(&many[0]);
    ARMCI_WaitAll();
    int writer = (before + processes - 1) % processes, same = 1;
    for (int k = 0; k < 60; k++)
        same &= other[k] == value(writer, k, 3) && other[64 + k] == value(writer, 64 + k, 3);
    CHECK(same);
    end("handles");
}

static void rmw(void) {
    begin(0);
    int old, seen[4] = {0};
    long old_long;
    /* Everybody adds to counters of process 0: each old value is seen once. */
    unsigned char *had = calloc((size_t)processes * 20, 1);
    for (int k = 0; k < 20; k++) {
        CHECK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &old, at(0, 0), 3, 0) == 0);
        CHECK(old % 3 == 0 && old < 60 * processes);
        had[old / 3] = 1;
        CHECK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old_long, at(processes - 1, 8), -7, processes - 1) == 0);
        CHECK(old_long % 7 == 0 && old_long <= 0);
    }
    for (int k = 0; k < 20 * processes; k++) {
        int times = had[k];
        armci_msg_igop(&times, 1, "+");
        CHECK(times == 1);
    }
    free(had);
    ARMCI_Barrier();
    CHECK(ARMCI_GetValueInt(at(0, 0), 0) == 60 * processes);
    CHECK(ARMCI_GetValueLong(at(processes - 1, 8), processes - 1) == -140L * processes);
    /* Swaps hand one value on: the sum of what all have and of what is there stays. */
    ARMCI_Barrier();
    old = me + 1;
    for (int k = 0; k < 10; k++) CHECK(ARMCI_Rmw(ARMCI_SWAP, &old, at(0, 16), 0, 0) == 0);
    seen[0] = old;
    old_long = (long)(me + 1) << 40;
    for (int k = 0; k < 10; k++) CHECK(ARMCI_Rmw(ARMCI_SWAP_LONG, &old_long, at(0, 24), 0, 0) == 0);
    ARMCI_Barrier();
    armci_msg_igop(seen, 1, "+");
    armci_msg_lgop(&old_long, 1, "+");
    CHECK(seen[0] + ARMCI_GetValueInt(at(0, 16), 0) == processes * (processes + 1) / 2);
    CHECK(old_long + ARMCI_GetValueLong(at(0, 24), 0) == ((long)processes * (processes + 1) / 2) << 40);
    ARMCI_Barrier();
    /* Which value is there last depends on the order: it is no part of the digest. */
    if (me == 0) {
        ARMCI_Access_begin(mine);
        memset(mine + 16, 0, 16);
        ARMCI_Access_end(mine);
    }
    end("rmw");
}

/* A counter that is read, changed and written under a lock. */
static void add(int process, size_t offset) {
    long counter;
    ARMCI_Get(at(process, offset), &counter, sizeof counter, process);
    counter += me + 1;
    ARMCI_Put(&counter, at(process, offset), sizeof counter, process);
    ARMCI_Fence(process);
}

static void mutexes(void) {
    begin(0);
    long all = 5L * processes * (processes + 1) / 2;
    /* Process p has p % 3 + 1 mutexes. */
    CHECK(ARMCI_Create_mutexes(me % 3 + 1) == 0);
    for (int k = 0; k < 5; k++)
        for (int step = 0; step < processes; step++) {
            int home = (me + step) % processes;
            for (int mutex = 0; mutex <= home % 3; mutex++) {
                ARMCI_Lock(mutex, home);
                add(home, (size_t)(8 * mutex));
                ARMCI_Unlock(mutex, home);
            }
        }
    ARMCI_Barrier();
    for (int mutex = 0; mutex <= me % 3; mutex++) CHECK(((long *)mine)[mutex] == all);
    CHECK(ARMCI_Destroy_mutexes() == 0);
    /* A second set while the first is there, and try. */
    CHECK(ARMCI_Create_mutexes(me == 0 ? 1 : 0) == 0);
    ARMCI_Group world;
    ARMCI_Group_get_world(&world);
    armcix_mutex_hdl_t set = ARMCIX_Create_mutexes_hdl(2, &world);
    ARMCI_Lock(0, 0);
    ARMCIX_Lock_hdl(set, 1, processes - 1);
    add(0, 64);
    ARMCIX_Unlock_hdl(set, 1, processes - 1);
    ARMCI_Unlock(0, 0);
    for (int k = 0; k < 5; k++) {
        while (ARMCIX_Trylock_hdl(set, 0, right) != 0) ARMCIX_Progress();
        add(right, 72);
        ARMCIX_Unlock_hdl(set, 0, right);
        ARMCIX_Lock_hdl(set, 0, before);
        add(before, 72);
        ARMCIX_Unlock_hdl(set, 0, before);
    }
    ARMCI_Barrier();
    CHECK(ARMCI_GetValueLong(at(0, 64), 0) == all / 5);
    CHECK(*(long *)(mine + 72) == 5L * (before + 1 + right + 1));
    CHECK(ARMCIX_Destroy_mutexes_hdl(set) == 0);
    CHECK(ARMCI_Destroy_mutexes() == 0);
    end("mutexes");
}

static void groups(void) {
    begin(0);
    ARMCI_Group world, parity, half, dup, back;
    int rank, size, list[64];
    ARMCI_Group_get_world(&world);
    CHECK(ARMCI_Group_rank(&world, &rank) == 0 && rank == me);
    ARMCI_Group_size(&world, &size);
    CHECK(size == processes);
    /* Those of the same parity, the last one first. */
    CHECK(ARMCIX_Group_split(&world, me % 2, -me, &parity) == 0);
    ARMCI_Group_size(&parity, &size);
    CHECK(size == (processes + 1 - me % 2) / 2);
    CHECK(ARMCI_Group_rank(&parity, &rank) == 0 && rank == size - 1 - me / 2);
    for (int k = 0; k < size; k++) CHECK(ARMCI_Absolute_id(&parity, k) == 2 * (size - 1 - k) + me % 2);
    CHECK(ARMCIX_Group_dup(&parity, &dup) == 0);
    long sum = me;
    armci_msg_group_lgop(&sum, 1, "+", &dup);
    long expected = 0;
    for (int k = me % 2; k < processes; k += 2) expected += k;
    CHECK(sum == expected);
    /* Memory of a group, of different sizes; pointers by rank in the group, processes by their number in all. */
    void **base = malloc((size_t)processes * sizeof *base);
    CHECK(ARMCI_Malloc_group(base, 64 + 8 * me, &parity) == 0);
    int next = ARMCI_Absolute_id(&parity, (rank + 1) % size);
    fill(local, 64 + 8 * next, 9);
    CHECK(ARMCI_Put(local, base[(rank + 1) % size], 64 + 8 * next, next) == 0);
    ARMCI_Fence(next);
    armci_msg_group_barrier(&parity);
    int writer = ARMCI_Absolute_id(&parity, (rank + size - 1) % size), same = 1;
    ARMCI_Access_begin(base[rank]);
    for (int k = 0; k < 64 + 8 * me; k++) same &= ((unsigned char *)base[rank])[k] == value(writer, k, 9);
    memcpy(mine, base[rank], 64);
    ARMCI_Access_end(base[rank]);
    CHECK(same);
    armci_msg_group_barrier(&parity);
    CHECK(ARMCI_Free_group(base[rank], &parity) == 0);
    /* A list of members, of the default group and of a parent. */
    for (int k = 0; k < (processes + 1) / 2; k++) list[k] = k;
    ARMCI_Group_create((processes + 1) / 2, list, &half);
    int member = me < (processes + 1) / 2;
    CHECK((ARMCI_Group_rank(&half, &rank) == 0) == member);
    CHECK(rank == (member ? me : -1));
    if (member) {
        double x = me + 0.5;
        armci_msg_group_dgop(&x, 1, "max", &half);
        CHECK(x == (processes + 1) / 2 - 0.5);
        int root = (processes + 1) / 2 - 1, word = me == root ? 4711 : 0;
        armci_msg_group_bcast_scope(SCOPE_ALL, &word, sizeof word, root, &half);
        CHECK(word == 4711);
        memcpy(mine + 128, &word, sizeof word);
        armcix_mutex_hdl_t set = ARMCIX_Create_mutexes_hdl(1, &half);
        ARMCIX_Lock_hdl(set, 0, root);
        ARMCIX_Unlock_hdl(set, 0, root);
        ARMCIX_Destroy_mutexes_hdl(set);
        ARMCI_Group first, inner;
        ARMCI_Group_set_default(&half);
        ARMCI_Group_get_default(&back);
        ARMCI_Group_size(&back, &size);
        CHECK(size == (processes + 1) / 2);
        list[0] = size - 1;
        ARMCI_Group_create(1, list, &first);
        CHECK((ARMCI_Group_rank(&first, &rank) == 0) == (me == size - 1));
        if (rank >= 0) ARMCI_Group_free(&first);
        ARMCI_Group_set_default(&world);
        list[0] = 0;
        ARMCI_Group_create_child(1, list, &inner, &half);
        CHECK((ARMCI_Group_rank(&inner, &rank) == 0) == (me == 0));
        if (rank >= 0) ARMCI_Group_free(&inner);
        ARMCI_Group_free(&half);
    }
    ARMCI_Group_free(&dup);
    ARMCI_Group_free(&parity);
    free(base);
    end("groups");
}

static void messages(void) {
    begin(0);
    CHECK(armci_msg_me() == me && armci_msg_nproc() == processes);
    /* Around, of several lengths; two tags in the other order. */
    static const int sizes[] = {0, 1, 8, 100, 1500, 8000};
    for (size_t s = 0; processes > 1 && s < sizeof sizes / sizeof *sizes; s++) {
        int bytes = -1;
        fill(local, sizes[s], (int)s);
        if (me == 0) armci_msg_snd(3, local, sizes[s], right);
        armci_msg_rcv(3, other, sizeof other, &bytes, before);
        if (me != 0) armci_msg_snd(3, local, sizes[s], right);
        int same = 1;
        for (int i = 0; i < sizes[s]; i++) same &= other[i] == value(before, i, (int)s);
        CHECK(same && bytes == sizes[s]);
    }
    if (me != 0) {
        int one = me, two = 100 + me;
        armci_msg_snd(1, &one, sizeof one, 0);
        armci_msg_snd(2, &two, sizeof two, 0);
    } else {
        for (int from = processes - 1; from > 0; from--) {
            int one, two, bytes;
            armci_msg_rcv(2, &two, sizeof two, NULL, from);
            armci_msg_rcv(1, &one, sizeof one, &bytes, from);
            CHECK(one == from && two == 100 + from && bytes == sizeof one);
        }
    }
    armci_msg_barrier();
    /* From anybody. */
    if (me != 0) {
        armci_msg_snd(9, &me, sizeof me, 0);
    } else {
        char came[64] = {0};
        for (int k = 1; k < processes; k++) {
            int word = -1, bytes = 0, from = armci_msg_rcvany(9, &word, sizeof word, &bytes);
            CHECK(from == word && bytes == sizeof word && came[from] == 0);
            came[from] = 1;
        }
    }
    for (int root = 0; root < processes; root++) {
        int word = me == root ? 5000 + root : 0, again = word, third = word;
        armci_msg_bcast(&word, sizeof word, root);
        armci_msg_brdcst(&again, sizeof again, root);
        armci_msg_bcast_scope(SCOPE_ALL, &third, sizeof third, root);
        CHECK(word == 5000 + root && again == word && third == word);
        if (root == 0) fill(other, 3000, 5);
        else memset(other, me == root ? 77 : 0, 3000);
        armci_msg_bcast(other, 3000, root);
        CHECK(root == 0 ? other[2999] == value(0, 2999, 5) : other[2999] == 77);
    }
    /* Reductions: types and operations. */
    int n = processes, sum = n * (n - 1) / 2;
    int i[3] = {me, -me, 1};
    armci_msg_igop(i, 3, "+");
    CHECK(i[0] == sum && i[1] == -sum && i[2] == n);
    long l[2] = {me - 3, 1L << (me % 40)};
    armci_msg_lgop(l, 1, "min");
    CHECK(l[0] == -3 && l[1] == 1L << (me % 40));
    long long ll = 10 + me;
    armci_msg_llgop(&ll, 1, "max");
    CHECK(ll == 9 + n);
    float f[2] = {0.5f, (float)me};
    armci_msg_fgop(f, 2, "+");
    CHECK(f[0] == 0.5f * (float)n && f[1] == (float)sum);
    double d[300];
    for (int k = 0; k < 300; k++) d[k] = k == 7 ? 2 : me * 0.25;
    armci_msg_dgop(d, 7, "+");
    armci_msg_dgop(d + 7, 1, "*");
    CHECK(d[6] == sum * 0.25 && d[7] == (double)(1L << n) && d[8] == me * 0.25);
    armci_msg_gop_scope(SCOPE_ALL, d + 8, 292, "max", ARMCI_DOUBLE);
    CHECK(d[8] == (n - 1) * 0.25 && d[299] == d[8]);
    /* The greatest with what belongs to it. */
    struct { double value; int of; int more; } best = {(me * 5) % n + 0.5, me, 10 * me};
    int contribute = me % 2 == 0;
    double greatest = -1;
    int whose = -1;
    for (int k = 0; k < n; k += 2)
        if ((k * 5) % n + 0.5 > greatest) greatest = (k * 5) % n + 0.5, whose = k;
    armci_msg_sel_scope(SCOPE_ALL, &best, sizeof best, "max", ARMCI_DOUBLE, contribute);
    CHECK(best.value == greatest);
    if (n % 5) CHECK(best.of == whose && best.more == 10 * whose);
    int low[2] = {me == n - 1 ? -4 : me, me};
    armci_msg_sel(low, sizeof low, "min", ARMCI_INT, 1);
    CHECK(low[0] == -4 && low[1] == n - 1);
    int root, up, left_child, right_child;
    armci_msg_bintree(SCOPE_ALL, &root, &up, &left_child, &right_child);
    CHECK(root == 0 && up == (me == 0 ? -1 : (me - 1) / 2));
    CHECK(left_child == (2 * me + 1 < n ? 2 * me + 1 : -1) && right_child == (2 * me + 2 < n ? 2 * me + 2 : -1));
    ARMCI_Access_begin(mine);
    memcpy(mine, i, sizeof i);
    memcpy(mine + 16, d, sizeof d);
    memcpy(mine + 4096, &best, n % 5 ? sizeof best : sizeof best.value);
    ARMCI_Access_end(mine);
    end("messages");
}

static void flags(void) {
    begin(0);
    /* The flag is seen after the data. */
    for (int turn = 1; turn <= 3; turn++) {
        int bytes = turn == 2 ? box(2) : 700;
        fill(local, bytes, turn);
        int *flag = (int *)at(right, 4 * (size_t)turn);
        if (turn == 2) /* Debian's library returns a number by chance. */
            ARMCI_PutS_flag(local, near, at(right, 1024), far, count, 2, flag, turn + me, right);
        else
            CHECK(ARMCI_Put_flag(local, at(right, 2048 * (size_t)turn), 700, flag, turn + me, right) == 0);
        while (ARMCI_GetValueInt(mine + 4 * turn, me) != turn + before) ARMCIX_Progress();
        if (turn == 2) {
            ARMCI_GetS(mine + 1024, far, other, near, count, 2, me);
        } else {
            ARMCI_Get(mine + 2048 * turn, other, 700, me);
        }
        int same = 1;
        for (int i = 0; i < bytes; i++) same &= other[i] == value(before, i, turn);
        CHECK(same);
    }
    end("flags");
}

/* A put is in place after a fence: a third process, which gets a message after it, sees it. */
static void fences(void) {
    begin(0);
    for (int turn = 0; turn < 4; turn++) {
        int third = (me + 2) % processes, from = (me + processes - 2) % processes, word = 0;
        for (int k = 0; k < 40; k++) {
            word = 1000 * turn + 10 * me + k % 10;
            ARMCI_Put(&word, at(right, (size_t)(64 * turn + 4 * (k % 10))), sizeof word, right);
        }
        if (turn % 2) ARMCI_Fence(right);
        else ARMCI_AllFence();
        word = turn;
        armci_msg_snd(11, &word, sizeof word, third);
        armci_msg_rcv(11, &word, sizeof word, NULL, from);
        CHECK(word == turn);
        int of = (from + 1) % processes;
        for (int k = 0; k < 10; k++)
            CHECK(ARMCI_GetValueInt(at(of, (size_t)(64 * turn + 4 * k)), of) == 1000 * turn + 10 * from + k);
        ARMCI_Barrier();
    }
    end("fences");
}

/* Stores of the owner are seen by all after the end of the access and a barrier; what others have put is not
 * overwritten with what was there before. */
static void access(void) {
    begin(0);
    for (int turn = 1; turn <= 3; turn++) {
        ARMCI_Access_begin(mine);
        for (int k = 0; k < 2048; k += 8) mine[k] = value(me, k, turn);
        ARMCI_Access_end(mine);
        for (int k = 4; k < 2048; k += 512) {
            int word = 100 * turn + me;
            ARMCI_Put(&word, at(right, (size_t)k), sizeof word, right);
        }
        ARMCI_Barrier();
        int from = (me + turn) % processes;
        ARMCI_Get(at(from, 0), other, 2048, from);
        int same = 1;
        for (int k = 0; k < 2048; k += 8) same &= other[k] == value(from, k, turn);
        CHECK(same);
        for (int k = 4; k < 2048; k += 512) {
            int word;
            memcpy(&word, other + k, sizeof word);
            CHECK(word == 100 * turn + (from + processes - 1) % processes);
        }
        ARMCI_Barrier();
    }
    end("access");
}

/* Allocations of different sizes, none of some processes, freed in another order. */
static void allocation(void) {
    begin(0);
    enum { MANY = 12 };
    void **base[MANY];
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < MANY; k++) {
            base[k] = malloc((size_t)processes * sizeof(void *));
            long bytes = (k + me) % 3 == 0 ? 0 : 8 * (k + 1) + 100 * me + 1;
            CHECK(ARMCI_Malloc(base[k], bytes) == 0);
            for (int p = 0; p < processes; p++) CHECK((base[k][p] == NULL) == ((k + p) % 3 == 0));
            if (bytes) {
                CHECK((uintptr_t)base[k][me] % 8 == 0);
                ARMCI_Access_begin(base[k][me]);
                memset(base[k][me], k + 1, (size_t)bytes);
                ARMCI_Access_end(base[k][me]);
            }
        }
        ARMCI_Barrier();
        for (int k = 0; k < MANY; k++) {
            int of = (me + k) % processes;
            long bytes = (k + of) % 3 == 0 ? 0 : 8 * (k + 1) + 100 * of + 1;
            if (bytes == 0) continue;
            unsigned char ends[2];
            ARMCI_Get(base[k][of], ends, 1, of);
            ARMCI_Get((char *)base[k][of] + bytes - 1, ends + 1, 1, of);
            CHECK(ends[0] == k + 1 && ends[1] == k + 1);
        }
        ARMCI_Barrier();
        for (int k = 0; k < MANY; k++) {
            int which = (5 * k + round) % MANY;
            CHECK(ARMCI_Free(base[which][me]) == 0);
            free(base[which]);
        }
    }
    char *own = ARMCI_Malloc_local(1000);
    memset(own, 5, 1000);
    ARMCI_Put(own, at(right, 0), 1000, right);
    ARMCI_Barrier();
    CHECK(ARMCI_Free_local(own) == 0);
    end("allocation");
}

static void topology(void) {
    begin(0);
    CHECK(armci_domain_nprocs(ARMCI_DOMAIN_SMP, me) == 1);
    CHECK(armci_domain_count(ARMCI_DOMAIN_SMP) == processes);
    CHECK(armci_domain_id(ARMCI_DOMAIN_SMP, right) == right);
    CHECK(armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, right, 0) == right);
    CHECK(armci_domain_same_id(ARMCI_DOMAIN_SMP, me));
    CHECK(processes == 1 || !armci_domain_same_id(ARMCI_DOMAIN_SMP, right));
    CHECK(ARMCI_Same_node(me));
    double from = armci_timer();
    ARMCI_Barrier();
    CHECK(armci_timer() >= from);
    ARMCI_Set_shm_limit(1000000);
    CHECK(ARMCI_Initialized());
    /* The names for profiling. */
    int word = 42;
    PARMCI_Put(&word, at(right, 0), sizeof word, right);
    PARMCI_Fence(right);
    PARMCI_Barrier();
    parmci_msg_barrier();
    CHECK(PARMCI_GetValueInt(mine, me) == 42);
    end("topology");
}

static void mpi(void) {
    begin(0);
    int yes = 0, rank, size;
    CHECK(MPI_Initialized(&yes) == MPI_SUCCESS && yes);
    CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS && rank == me);
    CHECK(MPI_Comm_size(MPI_COMM_WORLD, &size) == MPI_SUCCESS && size == processes);
    double from = MPI_Wtime();
    CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS && MPI_Wtime() >= from);
    int n = processes, sum = n * (n - 1) / 2;
    for (int root = 0; root < n; root++) {
        double x[40];
        for (int k = 0; k < 40; k++) x[k] = me == root ? root + k : -1;
        CHECK(MPI_Bcast(x, 40, MPI_DOUBLE, root, MPI_COMM_WORLD) == MPI_SUCCESS);
        CHECK(x[0] == root && x[39] == root + 39);
    }
    long l[3] = {me, 1, me == 0 ? 5 : -5}, l_out[3];
    MPI_Allreduce(l, l_out, 3, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(l_out[0] == sum && l_out[1] == n && l_out[2] == 5 - 5 * (n - 1));
    MPI_Allreduce(MPI_IN_PLACE, l, 3, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    CHECK(l[0] == n - 1 && l[1] == 1 && l[2] == 5);
    int i = me + 1, i_out;
    MPI_Allreduce(&i, &i_out, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    CHECK(i_out == 1);
    MPI_Allreduce(&i, &i_out, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    int bits = 0;
    for (int k = 1; k <= n; k++) bits |= k;
    CHECK(i_out == bits);
    i = me == 0;
    MPI_Allreduce(&i, &i_out, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    CHECK(i_out == 1);
    MPI_Allreduce(&i, &i_out, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    CHECK(i_out == (n == 1));
    float f = 2, f_out;
    MPI_Allreduce(&f, &f_out, 1, MPI_FLOAT, MPI_PROD, MPI_COMM_WORLD);
    CHECK(f_out == (float)(1L << n));
    MPI_Status status;
    int words[2] = {me, 3 * me}, came[4] = {-1, -1, -1, -1}, got;
    CHECK(MPI_Sendrecv(words, 2, MPI_INT, right, 5, came, 4, MPI_INT, before, 5, MPI_COMM_WORLD, &status)
          == MPI_SUCCESS);
    MPI_Get_count(&status, MPI_INT, &got);
    CHECK(came[0] == before && came[1] == 3 * before && came[2] == -1 && got == 2);
    CHECK(status.MPI_SOURCE == before && status.MPI_TAG == 5);
    MPI_Sendrecv(words, 1, MPI_INT, before, 6, came, 1, MPI_INT, right, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(came[0] == right);
    void *memory;
    CHECK(MPI_Alloc_mem(512, MPI_INFO_NULL, &memory) == MPI_SUCCESS);
    memset(memory, 9, 512);
    ARMCI_Put(memory, at(right, 0), 512, right);
    ARMCI_Barrier();
    CHECK(MPI_Free_mem(memory) == MPI_SUCCESS);
    end("mpi");
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } families[] = {
        {"contiguous", contiguous}, {"strided", strided}, {"vectors", vectors}, {"values", values},
        {"accumulate", accumulate}, {"handles", handles}, {"rmw", rmw}, {"mutexes", mutexes}, {"groups", groups},
        {"messages", messages}, {"flags", flags}, {"fences", fences}, {"access", access},
        {"allocation", allocation}, {"topology", topology}, {"mpi", mpi},
    };
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    ARMCI_Init();
    me = armci_msg_me();
    processes = armci_msg_nproc();
    right = (me + 1) % processes;
    before = (me + processes - 1) % processes;
    part = malloc((size_t)processes * sizeof *part);
    ARMCI_Malloc(part, BYTES);
    mine = part[me];
    for (size_t k = 0; k < sizeof families / sizeof *families; k++) {
        int wanted = argc == 1;
        for (int a = 1; a < argc; a++) wanted |= strcmp(argv[a], families[k].name) == 0;
        if (wanted) families[k].run();
    }
    armci_msg_lgop(&failures, 1, "+");
    if (me == 0) printf("%ld failures\n", failures);
    ARMCI_Free(mine);
    free(part);
    ARMCI_Finalize();
    MPI_Finalize();
    return failures ? 1 : 0;
}
