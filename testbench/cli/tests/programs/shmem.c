/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Functions of OpenSHMEM 1.4, family by family: after each a digest of what all PEs have then. The program is
 * compiled with this library and with another one; both print the same. */
#include <complex.h>
#include <inttypes.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTEGERS(X) \
    X(char, char) X(schar, signed char) X(short, short) X(int, int) X(long, long) X(longlong, long long) \
    X(uchar, unsigned char) X(ushort, unsigned short) X(uint, unsigned int) X(ulong, unsigned long) \
    X(ulonglong, unsigned long long) X(int8, int8_t) X(int16, int16_t) X(int32, int32_t) X(int64, int64_t) \
    X(uint8, uint8_t) X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t) X(ptrdiff, ptrdiff_t)
#define REALS(X) X(float, float) X(double, double) X(longdouble, long double)
/* Debian's library lacks functions of int32, size and the like; its compare_swap of 32 bits writes 64. */
#define ATOMIC(X) \
    X(int, int) X(long, long) X(longlong, long long) X(uint, unsigned int) X(ulong, unsigned long) \
    X(ulonglong, unsigned long long)
#define BITWISE(X) \
    X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long) X(int32, int32_t) \
    X(int64, int64_t) X(uint32, uint32_t) X(uint64, uint64_t)
#define ACTIVE 0, 0, pes, sync_words

enum { WORDS = 64 };
static int me, pes, next, failures;
static unsigned long long digest = 14695981039346656037ULL, given;
/* Work arrays: collectives that follow one another use different ones. */
static long syncs[4][WORDS * 4];
static long *sync_words = syncs[0];

static void mix(long long value) {
    digest = (digest ^ (unsigned long long)value) * 1099511628211ULL;
}

static void check(int holds, const char *what) {
    if (!holds) {
        failures++;
        printf("PE %d: %s\n", me, what);
    }
}

static void turn(void) {
    static int at;
    shmem_barrier_all();
    sync_words = syncs[++at % 4];
}

/* One line for all PEs. */
static void report(const char *family) {
    given = digest;
    shmem_barrier_all();
    if (me == 0) {
        unsigned long long all = 0;
        for (int pe = 0; pe < pes; pe++)
            all = all * 31 + shmem_ulonglong_g(&given, pe);
        printf("%s: %016llx\n", family, all);
    }
    shmem_barrier_all();
}

#define ONE(NAME, TYPE) \
    static void rma_##NAME(void) { \
        static TYPE to[12], from[12]; \
        TYPE got[12] = {0}; \
        for (int i = 0; i < 12; i++) \
            from[i] = (TYPE)(me * 10 + i + 1); \
        shmem_barrier_all(); \
        shmem_##NAME##_put(to, from, 2, next); \
        shmem_ctx_##NAME##_put(SHMEM_CTX_DEFAULT, to + 2, from + 5, 1, next); \
        shmem_##NAME##_p(&to[3], (TYPE)(me + 70), next); \
        shmem_##NAME##_iput(&to[4], from + 1, 2, 3, 2, next); \
        shmem_##NAME##_put_nbi(to + 8, from + 8, 2, next); \
        shmem_ctx_##NAME##_p(SHMEM_CTX_DEFAULT, &to[10], (TYPE)(me + 80), next); \
        shmem_barrier_all(); \
        shmem_##NAME##_get(got, from, 3, next); \
        shmem_##NAME##_iget(got + 3, from + 1, 2, 4, 3, next); \
        shmem_##NAME##_get_nbi(got + 8, from + 8, 2, next); \
        shmem_quiet(); \
        got[10] = shmem_##NAME##_g(&from[11], next); \
        got[11] = shmem_ctx_##NAME##_g(SHMEM_CTX_DEFAULT, &to[3], next); \
        for (int i = 0; i < 12; i++) { \
            mix((long long)to[i]); \
            mix((long long)got[i]); \
        } \
        shmem_barrier_all(); \
    }
INTEGERS(ONE)
REALS(ONE)
#undef ONE

static void sized(void) {
    static unsigned char to[512], from[512];
    unsigned char got[512] = {0};
    for (int i = 0; i < 512; i++)
        from[i] = (unsigned char)(me * 7 + i);
    shmem_barrier_all();
    shmem_put8(to, from, 5, next);
    shmem_put16(to + 8, from + 8, 3, next);
    shmem_put32(to + 16, from + 16, 3, next);
    shmem_put64(to + 32, from + 32, 3, next);
    shmem_put128(to + 64, from + 64, 2, next);
    shmem_putmem(to + 101, from + 1, 27, next);
    shmem_iput8(to + 128, from, 2, 3, 5, next);
    shmem_iput16(to + 144, from, 2, 1, 3, next);
    shmem_iput32(to + 160, from, 1, 2, 3, next);
    shmem_iput64(to + 192, from, 2, 1, 3, next);
    shmem_iput128(to + 256, from, 1, 2, 3, next);
    shmem_putmem_nbi(to + 305, from + 3, 90, next);
    shmem_put64_nbi(to + 400, from + 8, 4, next);
    shmem_barrier_all();
    shmem_get8(got, from, 3, next);
    shmem_get16(got + 4, from, 3, next);
    shmem_get32(got + 16, from + 4, 3, next);
    shmem_get64(got + 32, from + 8, 3, next);
    shmem_get128(got + 64, from + 16, 2, next);
    shmem_getmem(got + 99, from + 1, 27, next);
    shmem_iget8(got + 128, from, 2, 3, 5, next);
    shmem_iget32(got + 160, from, 1, 2, 3, next);
    shmem_iget64(got + 192, from, 2, 1, 3, next);
    shmem_getmem_nbi(got + 305, from + 3, 90, next);
    shmem_quiet();
    for (int i = 0; i < 512; i++) {
        mix(to[i]);
        mix(got[i]);
    }
    shmem_barrier_all();
}

/* All PEs change the values of PE 0; what each finds differs from run to run, but not the sum. */
#define ONE(NAME, TYPE) \
    static void atomic_##NAME(void) { \
        static TYPE sum, count, own, flag; \
        shmem_barrier_all(); \
        TYPE before = shmem_##NAME##_atomic_fetch_add(&sum, (TYPE)(me + 1), 0); \
        check(before <= (TYPE)(pes * (pes + 101)), "fetch_add"); \
        shmem_##NAME##_atomic_add(&sum, (TYPE)100, 0); \
        shmem_##NAME##_atomic_inc(&count, 0); \
        before = shmem_##NAME##_atomic_fetch_inc(&count, 0); \
        check(before < (TYPE)(2 * pes), "fetch_inc"); \
        shmem_##NAME##_atomic_set(&own, (TYPE)(me + 5), next); \
        shmem_barrier_all(); \
        mix((long long)shmem_##NAME##_atomic_fetch(&sum, 0)); \
        mix((long long)shmem_##NAME##_atomic_swap(&own, (TYPE)(me + 9), next)); \
        if (sizeof(TYPE) == 8) { \
            mix((long long)shmem_##NAME##_atomic_compare_swap(&own, (TYPE)(me + 9), (TYPE)3, next)); \
            mix((long long)shmem_ctx_##NAME##_atomic_compare_swap(SHMEM_CTX_DEFAULT, &own, (TYPE)77, (TYPE)4, next)); \
        } \
        shmem_barrier_all(); \
        mix((long long)own); \
        mix((long long)count); \
        if (me == 0) \
            shmem_##NAME##_p(&flag, (TYPE)8, next); \
        else \
            shmem_##NAME##_wait_until(&flag, SHMEM_CMP_GE, (TYPE)8); \
        if (me != 0 && next != 0) \
            shmem_##NAME##_p(&flag, (TYPE)8, next); \
        shmem_barrier_all(); \
        check(shmem_##NAME##_test(&flag, SHMEM_CMP_NE, (TYPE)0) == (pes == 1 || me != 0), "test"); \
        shmem_barrier_all(); \
    }
ATOMIC(ONE)
#undef ONE
#define ONE(NAME, TYPE) \
    static void bits_##NAME(void) { \
        static TYPE word; \
        word = (TYPE)0xf0f0; \
        shmem_barrier_all(); \
        shmem_##NAME##_atomic_or(&word, (TYPE)(1 << me), 0); \
        shmem_##NAME##_atomic_xor(&word, (TYPE)(0x100000 << me), 0); \
        shmem_barrier_all(); \
        shmem_##NAME##_atomic_and(&word, (TYPE)~(0x10 << me), 0); \
        shmem_barrier_all(); \
        mix((long long)shmem_##NAME##_atomic_fetch_or(&word, (TYPE)0x8, next)); \
        shmem_barrier_all(); \
        mix((long long)shmem_##NAME##_atomic_fetch_and(&word, (TYPE)0xfffffff7, next)); \
        shmem_barrier_all(); \
        mix((long long)shmem_##NAME##_atomic_fetch_xor(&word, (TYPE)0xffff, next)); \
        shmem_barrier_all(); \
        mix((long long)word); \
    }
BITWISE(ONE)
#undef ONE

static void old_atomics(void) {
    static int i;
    static long l;
    static double d;
    i = 5 + me;
    l = 21 + me;
    d = me / 4.0;
    shmem_barrier_all();
    mix(shmem_int_fetch(&i, next));
    mix((long long)(8 * shmem_double_swap(&d, me + 0.5, next)));
    shmem_barrier_all();
    shmem_int_inc(&i, next);
    shmem_int_add(&i, 10, next);
    mix(shmem_int_finc(&i, next));
    mix(shmem_int_fadd(&i, 4, next));
    mix(shmem_long_cswap(&l, 21 + next, 1, next));
    shmem_barrier_all();
    mix(i);
    mix(l);
    mix((long long)(8 * shmem_double_fetch(&d, next)));
    shmem_barrier_all();
    shmem_int_set(&i, me, next);
    shmem_barrier_all();
    mix(i);
    shmem_barrier_all();
}

static void collectives(void) {
    static int32_t narrow_[WORDS], narrow_to[WORDS * 16];
    static int64_t wide[WORDS], wide_to[WORDS * 16];
    for (int i = 0; i < WORDS; i++) {
        narrow_[i] = me * 1000 + i;
        wide[i] = (int64_t)me * 5000000000 + i;
    }
    memset(narrow_to, 0, sizeof narrow_to);
    memset(wide_to, 0, sizeof wide_to);
    turn();
    shmem_broadcast32(narrow_to, narrow_, 5, pes - 1, ACTIVE);
    turn();
    shmem_broadcast64(wide_to, wide, 5, 0, ACTIVE);
    turn();
    shmem_fcollect32(narrow_to + 8, narrow_, 3, ACTIVE);
    turn();
    shmem_fcollect64(wide_to + 8, wide, 3, ACTIVE);
    turn();
    shmem_collect32(narrow_to + 80, narrow_, (size_t)me + 1, ACTIVE);
    turn();
    shmem_collect64(wide_to + 80, wide, (size_t)(pes - me), ACTIVE);
    turn();
    shmem_alltoall32(narrow_to + 256, narrow_, 2, ACTIVE);
    turn();
    shmem_alltoall64(wide_to + 256, wide, 2, ACTIVE);
    turn();
    shmem_alltoalls32(narrow_to + 400, narrow_, 2, 1, 2, ACTIVE);
    turn();
    shmem_alltoalls64(wide_to + 400, wide, 1, 2, 2, ACTIVE);
    turn();
    shmem_barrier(ACTIVE);
    for (int i = 0; i < WORDS * 16; i++) {
        mix(narrow_to[i]);
        mix(wide_to[i]);
    }
    turn();
}

#define TO_ALL(NAME, TYPE, OP) \
    { \
        static TYPE from[3], to[3], work[WORDS]; \
        for (int i = 0; i < 3; i++) \
            from[i] = (TYPE)((me * 3 + i) % 5 + 1); \
        turn(); \
        shmem_##NAME##_##OP##_to_all(to, from, 3, 0, 0, pes, work, sync_words); \
        turn(); \
        for (int i = 0; i < 3; i++) { \
            mix((long long)to[i]); \
        } \
    }
#define NUMBERS(NAME, TYPE) \
    TO_ALL(NAME, TYPE, max) TO_ALL(NAME, TYPE, min) TO_ALL(NAME, TYPE, sum) TO_ALL(NAME, TYPE, prod)
#define WHOLE(NAME, TYPE) NUMBERS(NAME, TYPE) TO_ALL(NAME, TYPE, and) TO_ALL(NAME, TYPE, or) TO_ALL(NAME, TYPE, xor)
#define COMPLEX(NAME, TYPE, RE, IM) \
    { \
        static TYPE from[2], to[2], work[WORDS]; \
        from[0] = me + 1 + 2 * I; \
        from[1] = 2 - me * I; \
        turn(); \
        shmem_##NAME##_sum_to_all(to, from, 2, 0, 0, pes, work, sync_words); \
        turn(); \
        mix((long long)RE(to[0]) * 100 + (long long)IM(to[1])); \
        shmem_##NAME##_prod_to_all(to, from, 2, 0, 0, pes, work, sync_words); \
        turn(); \
        mix((long long)RE(to[0]) * 100 + (long long)IM(to[1])); \
    }

static void reductions(void) {
    WHOLE(short, short)
    WHOLE(int, int)
    WHOLE(long, long)
    WHOLE(longlong, long long)
    NUMBERS(float, float)
    NUMBERS(double, double)
    NUMBERS(longdouble, long double)
    COMPLEX(complexf, float complex, crealf, cimagf)
    COMPLEX(complexd, double complex, creal, cimag)
}

static void heap(void) {
    long *words = shmem_malloc(40 * sizeof *words);
    char *aligned = shmem_align(256, 300);
    int *zeros = shmem_calloc(30, sizeof *zeros);
    check(words && aligned && zeros && (uintptr_t)aligned % 256 == 0, "allocation");
    for (int i = 0; i < 30; i++)
        check(zeros[i] == 0, "calloc");
    for (int i = 0; i < 40; i++)
        words[i] = me + i;
    shmem_barrier_all();
    shmem_long_put(words + 5, words, 3, next);
    shmem_barrier_all();
    words = shmem_realloc(words, 400 * sizeof *words);
    for (int i = 0; i < 40; i++)
        mix(words[i]);
    shmem_free(aligned);
    shmem_free(zeros);
    shmem_barrier_all();
    shmem_long_p(&words[399], me, next);
    shmem_barrier_all();
    mix(words[399]);
    check(shmem_addr_accessible(words, next) && !shmem_addr_accessible(&next + 100000000, next), "accessible");
    check(shmem_pe_accessible(pes - 1) && !shmem_pe_accessible(pes), "pe_accessible");
    check(shmem_ptr(words, me) == words, "ptr");
    shmem_free(words);
}

static void locks(void) {
    static long lock, counter, tried;
    for (int i = 0; i < 4; i++) {
        shmem_set_lock(&lock);
        shmem_long_p(&counter, shmem_long_g(&counter, 0) + 1, 0);
        shmem_quiet();
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    // Debian's library serves others only within some of its calls, and a try of a lock of the own PE is none of them.
    while (shmem_test_lock(&tried))
        (void)shmem_long_g(&counter, next);
    shmem_long_p(&counter, shmem_long_g(&counter, 0) + 100, 0);
    shmem_clear_lock(&tried);
    shmem_barrier_all();
    mix(shmem_long_g(&counter, 0));
    shmem_barrier_all();
}

static void contexts(void) {
    static long to[4];
    shmem_ctx_t ctx;
    check(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx) == 0, "ctx_create");
    shmem_ctx_long_p(ctx, &to[0], me + 1, next);
    shmem_ctx_fence(ctx);
    shmem_ctx_long_p(ctx, &to[1], me + 2, next);
    shmem_ctx_quiet(ctx);
    shmem_ctx_long_atomic_add(ctx, &to[2], 5, 0);
    shmem_ctx_quiet(ctx);
    shmem_ctx_destroy(ctx);
    shmem_sync_all();
    shmem_barrier_all();
    for (int i = 0; i < 4; i++)
        mix(to[i]);
    shmem_barrier_all();
}

int main(void) {
    int provided, major, minor;
    shmem_init_thread(SHMEM_THREAD_SINGLE, &provided);
    me = shmem_my_pe();
    pes = shmem_n_pes();
    next = (me + 1) % pes;
    shmem_info_get_version(&major, &minor);
    check(major == 1 && minor >= 4, "version");
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < WORDS * 4; j++)
            syncs[i][j] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
#define ONE(NAME, TYPE) rma_##NAME();
    INTEGERS(ONE)
    report("integers");
    REALS(ONE)
    report("reals");
#undef ONE
    sized();
    report("sizes");
#define ONE(NAME, TYPE) atomic_##NAME();
    ATOMIC(ONE)
    report("atomics");
#undef ONE
#define ONE(NAME, TYPE) bits_##NAME();
    BITWISE(ONE)
    report("bitwise");
#undef ONE
    old_atomics();
    report("old atomics");
    collectives();
    report("collectives");
    reductions();
    report("reductions");
    heap();
    report("heap");
    locks();
    report("locks");
    contexts();
    report("contexts");
    static int all;
    shmem_int_atomic_add(&all, failures, 0);
    shmem_barrier_all();
    if (me == 0)
        printf("%d failures\n", all);
    shmem_finalize();
    return 0;
}
