/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_shmem: functions that OpenSHMEM keeps for old programs.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/shmem/tests/header.rs writes this file. */
#ifndef AWGSTAR_SHMEM_DEPRECATED_H
#define AWGSTAR_SHMEM_DEPRECATED_H

#include <shmem.h>
#include <shmem_types.h>

/* Work arrays of active sets, which are not used. */
#define SHMEM_SYNC_VALUE 0L
#define SHMEM_SYNC_SIZE 1
#define SHMEM_BARRIER_SYNC_SIZE 1
#define SHMEM_BCAST_SYNC_SIZE 1
#define SHMEM_COLLECT_SYNC_SIZE 1
#define SHMEM_REDUCE_SYNC_SIZE 1
#define SHMEM_ALLTOALL_SYNC_SIZE 1
#define SHMEM_ALLTOALLS_SYNC_SIZE 1
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1

#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE

#ifdef __cplusplus
extern "C" {
#endif

/* As shmem_init; again it does nothing. */
void start_pes(int npes);

/* As shmem_my_pe. */
int _my_pe(void);

/* As shmem_n_pes. */
int _num_pes(void);

/* As shmem_malloc. */
void *shmalloc(size_t size);

/* As shmem_free. */
void shfree(void *ptr);

/* As shmem_realloc. */
void *shrealloc(void *ptr, size_t size);

/* As shmem_align. */
void *shmemalign(size_t alignment, size_t size);

/* Publishes what was stored, and lets what has arrived be seen; the following four do as much. */
void shmem_clear_cache_inv(void);

/* As shmem_clear_cache_inv. */
void shmem_clear_cache_line_inv(void *dest);

/* As shmem_clear_cache_inv. */
void shmem_set_cache_inv(void);

/* As shmem_clear_cache_inv. */
void shmem_set_cache_line_inv(void *dest);

/* As shmem_clear_cache_inv. */
void shmem_udcflush(void);

/* As shmem_clear_cache_inv. */
void shmem_udcflush_line(void *dest);

/* Waits until a variable of this PE is not cmp_value. */
void shmem_wait(long *ivar, long cmp_value);

/* As shmem_long_wait_until. */
void shmem_wait_until(long *ivar, int cmp, long cmp_value);

/* Waits for an active set, after what this PE has put and stored is in place. */
void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long *pSync);

/* Waits for an active set. What its PEs have stored before is published. */
void shmem_sync(int PE_start, int logPE_stride, int PE_size, long *pSync);

/* Waits until a variable of this PE is not cmp_value. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_wait(TYPE *ivar, TYPE cmp_value);
AWGSTAR_SHMEM_OLD_INTEGERS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Waits until a variable of this PE compares with a value. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_wait_until(TYPE *ivar, int cmp, TYPE cmp_value);
AWGSTAR_SHMEM_SHORTS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Lets time pass, and returns 1 if a variable of this PE compares with a value. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_test(TYPE *ivar, int cmp, TYPE cmp_value);
AWGSTAR_SHMEM_SHORTS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As shmem_atomic_fetch. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    TYPE shmem_##NAME##_fetch(const TYPE *source, int pe);
AWGSTAR_SHMEM_OLD_EXTENDED(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As shmem_atomic_set. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_set(TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_OLD_EXTENDED(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As shmem_atomic_swap. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    TYPE shmem_##NAME##_swap(TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_OLD_EXTENDED(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As shmem_atomic_compare_swap. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    TYPE shmem_##NAME##_cswap(TYPE *dest, TYPE cond, TYPE value, int pe);
AWGSTAR_SHMEM_OLD(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As shmem_atomic_fetch_inc. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    TYPE shmem_##NAME##_finc(TYPE *dest, int pe);
AWGSTAR_SHMEM_OLD(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As shmem_atomic_inc. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_inc(TYPE *dest, int pe);
AWGSTAR_SHMEM_OLD(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As shmem_atomic_fetch_add. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    TYPE shmem_##NAME##_fadd(TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_OLD(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As shmem_atomic_add. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_add(TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_OLD(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives the others of an active set the elements of one. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_broadcast##NAME(TYPE *dest, const TYPE *source, size_t nelems, int PE_root, int PE_start, int logPE_stride, \
    int PE_size, long *pSync);
AWGSTAR_SHMEM_WIDTHS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives an active set the elements of all, one PE after the other. Numbers of elements may differ. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_collect##NAME(TYPE *dest, const TYPE *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, \
    long *pSync);
AWGSTAR_SHMEM_WIDTHS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As collect, with the same number of elements of each PE. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_fcollect##NAME(TYPE *dest, const TYPE *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, \
    long *pSync);
AWGSTAR_SHMEM_WIDTHS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives each PE of an active set a block of elements of each other. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_alltoall##NAME(TYPE *dest, const TYPE *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, \
    long *pSync);
AWGSTAR_SHMEM_WIDTHS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As alltoall, of every sstth element to every dstth place. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_alltoalls##NAME(TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start, \
    int logPE_stride, int PE_size, long *pSync);
AWGSTAR_SHMEM_WIDTHS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives an active set the bitwise and of the elements of all. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_and_to_all(TYPE *dest, const TYPE *source, int nreduce, int PE_start, int logPE_stride, \
    int PE_size, TYPE *pWrk, long *pSync);
AWGSTAR_SHMEM_OLD_INTEGERS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives an active set the bitwise or of the elements of all. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_or_to_all(TYPE *dest, const TYPE *source, int nreduce, int PE_start, int logPE_stride, int PE_size, \
    TYPE *pWrk, long *pSync);
AWGSTAR_SHMEM_OLD_INTEGERS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives an active set the bitwise exclusive or of the elements of all. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_xor_to_all(TYPE *dest, const TYPE *source, int nreduce, int PE_start, int logPE_stride, \
    int PE_size, TYPE *pWrk, long *pSync);
AWGSTAR_SHMEM_OLD_INTEGERS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives an active set the greatest of the elements of all. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_max_to_all(TYPE *dest, const TYPE *source, int nreduce, int PE_start, int logPE_stride, \
    int PE_size, TYPE *pWrk, long *pSync);
AWGSTAR_SHMEM_OLD_ORDERED(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives an active set the least of the elements of all. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_min_to_all(TYPE *dest, const TYPE *source, int nreduce, int PE_start, int logPE_stride, \
    int PE_size, TYPE *pWrk, long *pSync);
AWGSTAR_SHMEM_OLD_ORDERED(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives an active set the sum of the elements of all. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_sum_to_all(TYPE *dest, const TYPE *source, int nreduce, int PE_start, int logPE_stride, \
    int PE_size, TYPE *pWrk, long *pSync);
AWGSTAR_SHMEM_OLD_SUMS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives an active set the product of the elements of all. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_prod_to_all(TYPE *dest, const TYPE *source, int nreduce, int PE_start, int logPE_stride, \
    int PE_size, TYPE *pWrk, long *pSync);
AWGSTAR_SHMEM_OLD_SUMS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

#ifdef __cplusplus
}
#endif

#endif
