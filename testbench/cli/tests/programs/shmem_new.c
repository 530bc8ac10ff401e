/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What OpenSHMEM 1.5 has and 1.4 has not, and the macros of C11: expected values are from arithmetic. */
#include <complex.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <string.h>

#define RMA(X) \
    X(float, float) X(double, double) X(longdouble, long double) X(char, char) X(schar, signed char) X(short, short) \
    X(int, int) X(long, long) X(longlong, long long) X(uchar, unsigned char) X(ushort, unsigned short) \
    X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long) X(int8, int8_t) X(int16, int16_t) \
    X(int32, int32_t) X(int64, int64_t) X(uint8, uint8_t) X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t) \
    X(size, size_t) X(ptrdiff, ptrdiff_t)
#define ATOMIC(X) \
    X(int, int) X(long, long) X(longlong, long long) X(uint, unsigned int) X(ulong, unsigned long) \
    X(ulonglong, unsigned long long) X(int32, int32_t) X(int64, int64_t) X(uint32, uint32_t) X(uint64, uint64_t) \
    X(size, size_t) X(ptrdiff, ptrdiff_t)
#define BITWISE(X) \
    X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long) X(int32, int32_t) \
    X(int64, int64_t) X(uint32, uint32_t) X(uint64, uint64_t)
#define BITS(X) \
    X(uchar, unsigned char) X(ushort, unsigned short) X(uint, unsigned int) X(ulong, unsigned long) \
    X(ulonglong, unsigned long long) X(int8, int8_t) X(int16, int16_t) X(int32, int32_t) X(int64, int64_t) \
    X(uint8, uint8_t) X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t)

static int me, pes, next, previous, failures;

#define IS(found, expected) is(__LINE__, (long long)(found), (long long)(expected))
static void is(int line, long long found, long long expected) {
    if (found != expected) {
        failures++;
        printf("PE %d: line %d: %lld, expected %lld\n", me, line, found, expected);
    }
}

/* A put with a signal arrives before its signal; adds of all are counted. */
#define ONE(NAME, TYPE) \
    static void signals_##NAME(void) { \
        static TYPE to[4]; \
        static uint64_t set, sum; \
        TYPE from[4]; \
        for (int i = 0; i < 4; i++) \
            from[i] = (TYPE)(me + i + 1); \
        shmem_##NAME##_put_signal(to, from, 3, &set, 7, SHMEM_SIGNAL_SET, next); \
        IS(shmem_signal_wait_until(&set, SHMEM_CMP_EQ, 7), 7); \
        for (int i = 0; i < 3; i++) \
            IS(to[i], previous + i + 1); \
        shmem_barrier_all(); \
        shmem_ctx_##NAME##_put_signal_nbi(SHMEM_CTX_DEFAULT, to + 3, from, me == 0, &sum, me + 1, SHMEM_SIGNAL_ADD, 0); \
        shmem_barrier_all(); \
        if (me == 0) { \
            IS(shmem_signal_fetch(&sum), pes * (pes + 1) / 2); \
            IS(to[3], 1); \
        } \
    }
RMA(ONE)
#undef ONE

/* All variables of a type in every form of a wait and of a test. */
#define ONE(NAME, TYPE) \
    static void waits_##NAME(void) { \
        static TYPE flags[40], each[40]; \
        int status[40] = {0}; \
        size_t indices[40], seen = 0; \
        for (int i = 0; i < 40; i++) \
            each[i] = (TYPE)(i + 1); \
        status[7] = 1; \
        IS(shmem_##NAME##_test_any(flags, 40, status, SHMEM_CMP_NE, 0), -1); \
        IS(shmem_##NAME##_test_some(flags, 40, indices, status, SHMEM_CMP_NE, 0), 0); \
        IS(shmem_##NAME##_test_all(flags, 40, NULL, SHMEM_CMP_EQ, 0), 1); \
        shmem_barrier_all(); \
        shmem_##NAME##_atomic_set(&flags[11], 12, next); \
        size_t one = shmem_##NAME##_wait_until_any(flags, 40, status, SHMEM_CMP_GT, 0); \
        IS(one, 11); \
        shmem_barrier_all(); \
        for (int i = 0; i < 40; i++) \
            if (i != 7) \
                shmem_##NAME##_atomic_set(&flags[i], (TYPE)(i + 1), next); \
        while (seen < 39) { \
            size_t count = shmem_##NAME##_wait_until_some(flags, 40, indices, status, SHMEM_CMP_GE, 1); \
            for (size_t i = 0; i < count; i++) { \
                IS(status[indices[i]], 0); \
                status[indices[i]] = 1; \
            } \
            seen += count; \
        } \
        IS(seen, 39); \
        memset(status, 0, sizeof status); \
        status[7] = 1; \
        shmem_##NAME##_wait_until_all(flags, 40, status, SHMEM_CMP_NE, 0); \
        shmem_##NAME##_wait_until_all_vector(flags, 40, status, SHMEM_CMP_EQ, each); \
        IS(shmem_##NAME##_wait_until_any_vector(flags + 5, 1, NULL, SHMEM_CMP_LE, each + 5), 0); \
        IS(shmem_##NAME##_wait_until_some_vector(flags, 40, indices, status, SHMEM_CMP_EQ, each), 39); \
        IS(shmem_##NAME##_test_all(flags, 40, status, SHMEM_CMP_LT, 41), 1); \
        IS(shmem_##NAME##_test_all_vector(flags, 40, NULL, SHMEM_CMP_EQ, each), 0); \
        IS(shmem_##NAME##_test_any_vector(flags, 40, status, SHMEM_CMP_NE, each), -1); \
        IS(shmem_##NAME##_test_some_vector(flags, 40, indices, NULL, SHMEM_CMP_NE, each), 1); \
        IS(indices[0], 7); \
        IS(shmem_##NAME##_wait_until_any(flags, 0, NULL, SHMEM_CMP_EQ, 1), -1); \
        /* Each is found in a series. */ \
        int found[3] = {0}; \
        for (int i = 0; i < 3; i++) \
            found[shmem_##NAME##_wait_until_any(flags, 3, NULL, SHMEM_CMP_NE, 0)]++; \
        IS(found[0] == 1 && found[1] == 1, found[2] == 1); \
        shmem_barrier_all(); \
    }
ATOMIC(ONE)
#undef ONE

/* Updates that do not wait, and compare and swap of every width. */
#define ONE(NAME, TYPE) \
    static void atomics_##NAME(void) { \
        static TYPE word; \
        TYPE old = 1; \
        word = (TYPE)(10 * me); \
        shmem_barrier_all(); \
        shmem_##NAME##_atomic_fetch_nbi(&old, &word, next); \
        shmem_quiet(); \
        IS(old, 10 * next); \
        shmem_##NAME##_atomic_swap_nbi(&old, &word, 5, next); \
        IS((shmem_quiet(), old), 10 * next); \
        shmem_ctx_##NAME##_atomic_fetch_inc_nbi(SHMEM_CTX_DEFAULT, &old, &word, next); \
        IS((shmem_quiet(), old), 5); \
        shmem_##NAME##_atomic_fetch_add_nbi(&old, &word, (TYPE)-2, next); \
        IS((shmem_quiet(), old), 6); \
        shmem_##NAME##_atomic_compare_swap_nbi(&old, &word, 4, 9, next); \
        IS((shmem_quiet(), old), 4); \
        IS(shmem_##NAME##_atomic_compare_swap(&word, 8, 1, next), 9); \
        IS(shmem_##NAME##_atomic_fetch(&word, next), 9); \
        shmem_barrier_all(); \
        IS(word, 9); \
        shmem_barrier_all(); \
    }
ATOMIC(ONE)
#undef ONE
#define ONE(NAME, TYPE) \
    static void bits_##NAME(void) { \
        static TYPE word = 0xf0; \
        TYPE old; \
        shmem_##NAME##_atomic_fetch_or_nbi(&old, &word, 0xf, next); \
        IS((shmem_quiet(), old), 0xf0); \
        shmem_##NAME##_atomic_fetch_and_nbi(&old, &word, 0x3c, next); \
        IS((shmem_quiet(), old), 0xff); \
        shmem_##NAME##_atomic_fetch_xor_nbi(&old, &word, 0x1, next); \
        IS((shmem_quiet(), old), 0x3c); \
        shmem_barrier_all(); \
        IS(word, 0x3d); \
        shmem_barrier_all(); \
    }
BITWISE(ONE)
#undef ONE

/* Collectives of a team whose members are counted from its begin. */
#define ONE(NAME, TYPE) \
    static void team_##NAME(shmem_team_t team) { \
        static TYPE from[64], to[128], sum[2]; \
        int mine = shmem_team_my_pe(team), size = shmem_team_n_pes(team), at = 0; \
        for (int i = 0; i < 64; i++) \
            from[i] = (TYPE)(mine * 8 + i % 8); \
        IS(shmem_##NAME##_broadcast(team, to, from, 2, size - 1), 0); \
        IS(to[0] + to[1], (size - 1) * 16 + 1); \
        IS(shmem_##NAME##_fcollect(team, to, from, 2), 0); \
        for (int pe = 0; pe < size; pe++) \
            IS(to[2 * pe + 1], pe * 8 + 1); \
        IS(shmem_##NAME##_collect(team, to, from, (size_t)mine), 0); \
        for (int pe = 0; pe < size; pe++) \
            for (int i = 0; i < pe; i++) \
                IS(to[at++], pe * 8 + i); \
        IS(shmem_##NAME##_alltoall(team, to, from, 1), 0); \
        for (int pe = 0; pe < size; pe++) \
            IS(to[pe], pe * 8 + mine); \
        memset(to, 0, sizeof to); \
        IS(shmem_##NAME##_alltoalls(team, to, from, 3, 2, 1), 0); \
        for (int pe = 0; pe < size; pe++) { \
            IS(to[3 * pe], pe * 8 + 2 * mine % 8); \
            IS(to[3 * pe + 1], 0); \
        } \
        IS(shmem_##NAME##_max_reduce(team, sum, from + 1, 1), 0); \
        IS(sum[0], (size - 1) * 8 + 1); \
        IS(shmem_##NAME##_min_reduce(team, sum, from + 1, 1), 0); \
        IS(sum[0], 1); \
        IS(shmem_##NAME##_sum_reduce(team, sum, from + 2, 2), 0); \
        IS(sum[0], (TYPE)(size * (size - 1) * 4 + 2 * size)); \
        from[0] = (TYPE)(mine % 2 + 1); \
        IS(shmem_##NAME##_prod_reduce(team, from, from, 1), 0); \
        IS(from[0], (TYPE)(1 << size / 2)); \
    }
RMA(ONE)
#undef ONE
#define ONE(NAME, TYPE) \
    static void logic_##NAME(shmem_team_t team) { \
        static TYPE from, to; \
        int size = shmem_team_n_pes(team); \
        from = (TYPE)(1 << shmem_team_my_pe(team) % 4 | 0x20); \
        IS(shmem_##NAME##_or_reduce(team, &to, &from, 1), 0); \
        IS(to, 0x20 | ((1 << (size < 4 ? size : 4)) - 1)); \
        IS(shmem_##NAME##_and_reduce(team, &to, &from, 1), 0); \
        IS(to, size == 1 ? 0x21 : 0x20); \
        from = 5; \
        IS(shmem_##NAME##_xor_reduce(team, &to, &from, 1), 0); \
        IS(to, size % 2 ? 5 : 0); \
    }
BITS(ONE)
#undef ONE

static void complex_numbers(shmem_team_t team) {
    static double complex d[2];
    static float complex f[2];
    int size = shmem_team_n_pes(team);
    d[0] = 1 + 2 * I;
    f[0] = I;
    shmem_complexd_sum_reduce(team, d + 1, d, 1);
    IS(creal(d[1]), size);
    IS(cimag(d[1]), 2 * size);
    shmem_prod_reduce(team, f + 1, f, 1);
    static const int re[4] = {1, 0, -1, 0};
    IS(crealf(f[1]), re[size % 4]);
    IS(cimagf(f[1]), re[(size + 3) % 4]);
}

static void teams(void) {
    static long word;
    shmem_team_t odd, row, column, back, none = SHMEM_TEAM_WORLD;
    shmem_team_config_t config = {3}, found = {0};
    IS(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, &config, SHMEM_TEAM_NUM_CONTEXTS, &back), 0);
    IS(shmem_team_my_pe(back), pes - 1 - me);
    IS(shmem_team_get_config(back, SHMEM_TEAM_NUM_CONTEXTS, &found), 0);
    IS(found.num_contexts, 3);
    IS(shmem_team_translate_pe(back, 0, SHMEM_TEAM_WORLD), pes - 1);
    IS(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, pes, 2, NULL, 0, &none) != 0, 1);
    IS(none == SHMEM_TEAM_INVALID, 1);
    IS(shmem_team_my_pe(none), -1);
    IS(shmem_team_n_pes(SHMEM_TEAM_SHARED), 1);
    /* Rows of two: the last one is short if the number is odd. */
    IS(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column), 0);
    IS(shmem_team_my_pe(row), me % 2);
    IS(shmem_team_n_pes(row), me / 2 * 2 + 1 < pes ? 2 : 1);
    IS(shmem_team_my_pe(column), me / 2);
    IS(shmem_team_n_pes(column), (pes + 1 - me % 2) / 2);
    IS(shmem_team_sync(row), 0);
    IS(shmem_team_split_strided(SHMEM_TEAM_WORLD, 1 % pes, 2, pes == 1 ? 1 : pes / 2, NULL, 0, &odd), 0);
    IS(odd != SHMEM_TEAM_INVALID, pes == 1 || me % 2);
    /* A context of a team has its numbers. */
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    shmem_team_t of;
    IS(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0 && ctx == SHMEM_CTX_INVALID, 1);
    IS(shmem_team_create_ctx(back, SHMEM_CTX_SERIALIZED, &ctx), 0);
    IS(shmem_ctx_get_team(ctx, &of) == 0 && of == back, 1);
    shmem_p(ctx, &word, me + 100L, pes - 1 - next);
    shmem_ctx_quiet(ctx);
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    shmem_barrier_all();
    IS(word, previous + 100);
    shmem_ctx_destroy(ctx);
    shmem_sync(column);
#define ONE(NAME, TYPE) team_##NAME(back);
    RMA(ONE)
#undef ONE
    team_int(row);
    team_long(column);
    if (odd != SHMEM_TEAM_INVALID)
        team_double(odd);
    team_char(SHMEM_TEAM_SHARED);
#define ONE(NAME, TYPE) logic_##NAME(SHMEM_TEAM_WORLD);
    BITS(ONE)
#undef ONE
    complex_numbers(SHMEM_TEAM_WORLD);
    static char bytes[16], all[64 * 16];
    bytes[0] = (char)me;
    IS(shmem_fcollectmem(SHMEM_TEAM_WORLD, all, bytes, 3), 0);
    IS(all[3 * (pes - 1)], pes - 1);
    IS(shmem_alltoallsmem(SHMEM_TEAM_WORLD, all, bytes, 1, 1, 0), 0);
    shmem_team_destroy(odd);
    shmem_team_destroy(row);
    shmem_team_destroy(column);
    shmem_team_destroy(back);
    shmem_barrier_all();
}

/* The macros choose by type, and by the number of arguments. */
static void generic(void) {
    static long double l[2];
    static unsigned char c;
    static int i;
    static short s;
    static double d;
    static long variable = 44;
    const long *constant = &variable;
    shmem_p(&l[1], 2.5L + me, next);
    shmem_put(SHMEM_CTX_DEFAULT, &c, (unsigned char[]){9}, 1, next);
    shmem_atomic_inc(&i, 0);
    IS(shmem_atomic_fetch_add(SHMEM_CTX_DEFAULT, &i, 0, 0) >= 1, 1);
    shmem_atomic_set(&d, me / 2.0, next);
    shmem_barrier_all();
    IS(2 * l[1], 2 * previous + 5);
    IS(2 * shmem_g(SHMEM_CTX_DEFAULT, &l[1], next), 2 * me + 5);
    IS(c, 9);
    IS(shmem_g(&i, 0), pes);
    IS(2 * d, previous);
    IS(shmem_g(constant, next), 44);
    shmem_barrier_all();
    IS(shmem_swap(&d, 1.5, next) * 2, me);
    shmem_p(&s, (short)-3, next);
    shmem_wait_until(&s, SHMEM_CMP_LT, 0);
    IS(shmem_test(&s, SHMEM_CMP_EQ, -3), 1);
    /* 64 bits arrive whole: no half is seen. */
    static uint64_t whole;
    uint64_t before = 0;
    shmem_barrier_all();
    for (uint64_t round = 1; round <= 8; round++) {
        shmem_p(&whole, round << 32 | round, next);
        while (before != (round << 32 | round)) {
            shmem_wait_until(&whole, SHMEM_CMP_NE, before);
            before = whole;
            IS(before >> 32, before & 0xffffffff);
        }
        shmem_barrier_all();
    }
}

int main(void) {
    int provided = -1;
    IS(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
    IS(provided, SHMEM_THREAD_SERIALIZED);
    me = shmem_my_pe();
    pes = shmem_n_pes();
    next = (me + 1) % pes;
    previous = (me + pes - 1) % pes;
    double begin = shmemx_wtime();
    IS(shmem_malloc(0) == NULL && shmem_ptr(&provided, me) == NULL, 1);
    IS(shmem_ptr(&me, me) == &me, shmem_ptr(&me, next) == NULL || pes == 1);
    long *hinted = shmem_malloc_with_hints(64, SHMEM_MALLOC_ATOMICS_REMOTE);
    IS(hinted != NULL && shmem_malloc(1UL << 40) == NULL, 1);
    shmem_free(hinted);
    shmem_pcontrol(1, "more");
#define ONE(NAME, TYPE) signals_##NAME();
    RMA(ONE)
#undef ONE
#define ONE(NAME, TYPE) waits_##NAME(); atomics_##NAME();
    ATOMIC(ONE)
#undef ONE
#define ONE(NAME, TYPE) bits_##NAME();
    BITWISE(ONE)
#undef ONE
    teams();
    generic();
    IS(shmemx_wtime() > begin, 1);
    static int all;
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &all, &failures, 1);
    if (me == 0)
        printf("%d failures\n", all);
    shmem_finalize();
    return 0;
}
