/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_shmem: put and get of OpenSHMEM, and puts with signals.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/shmem/tests/header.rs writes this file. */
#ifndef AWGSTAR_SHMEM_RMA_H
#define AWGSTAR_SHMEM_RMA_H

#include <shmem.h>
#include <shmem_types.h>


#ifdef __cplusplus
extern "C" {
#endif

/* Copies elements to a PE. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_put(TYPE *dest, const TYPE *source, size_t nelems, int pe); \
    void shmem_ctx_##NAME##_put(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_put##NAME(TYPE *dest, const TYPE *source, size_t nelems, int pe); \
    void shmem_ctx_put##NAME(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe);
AWGSTAR_SHMEM_SIZES(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_put##NAME(TYPE *dest, const TYPE *source, size_t nelems, int pe); \
    void shmem_ctx_put##NAME(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe);
AWGSTAR_SHMEM_MEM(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Copies elements from a PE. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_get(TYPE *dest, const TYPE *source, size_t nelems, int pe); \
    void shmem_ctx_##NAME##_get(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_get##NAME(TYPE *dest, const TYPE *source, size_t nelems, int pe); \
    void shmem_ctx_get##NAME(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe);
AWGSTAR_SHMEM_SIZES(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_get##NAME(TYPE *dest, const TYPE *source, size_t nelems, int pe); \
    void shmem_ctx_get##NAME(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe);
AWGSTAR_SHMEM_MEM(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Begins to copy elements to a PE: they are taken in the call, and shmem_quiet waits until they are in place. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_put_nbi(TYPE *dest, const TYPE *source, size_t nelems, int pe); \
    void shmem_ctx_##NAME##_put_nbi(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_put##NAME##_nbi(TYPE *dest, const TYPE *source, size_t nelems, int pe); \
    void shmem_ctx_put##NAME##_nbi(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe);
AWGSTAR_SHMEM_SIZES(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_put##NAME##_nbi(TYPE *dest, const TYPE *source, size_t nelems, int pe); \
    void shmem_ctx_put##NAME##_nbi(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe);
AWGSTAR_SHMEM_MEM(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Begins to copy elements from a PE, which ends in the call. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_get_nbi(TYPE *dest, const TYPE *source, size_t nelems, int pe); \
    void shmem_ctx_##NAME##_get_nbi(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_get##NAME##_nbi(TYPE *dest, const TYPE *source, size_t nelems, int pe); \
    void shmem_ctx_get##NAME##_nbi(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe);
AWGSTAR_SHMEM_SIZES(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_get##NAME##_nbi(TYPE *dest, const TYPE *source, size_t nelems, int pe); \
    void shmem_ctx_get##NAME##_nbi(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe);
AWGSTAR_SHMEM_MEM(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Copies an element to a PE. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_p(TYPE *dest, TYPE value, int pe); \
    void shmem_ctx_##NAME##_p(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_VALUES(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Returns an element of a PE. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    TYPE shmem_##NAME##_g(const TYPE *source, int pe); \
    TYPE shmem_ctx_##NAME##_g(shmem_ctx_t ctx, const TYPE *source, int pe);
AWGSTAR_SHMEM_VALUES(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Copies elements to a PE, every sstth here to every dstth there. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_iput(TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe); \
    void shmem_ctx_##NAME##_iput(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, \
    size_t nelems, int pe);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_iput##NAME(TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe); \
    void shmem_ctx_iput##NAME(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
    int pe);
AWGSTAR_SHMEM_SIZES(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Copies elements from a PE, every sstth there to every dstth here. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_iget(TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe); \
    void shmem_ctx_##NAME##_iget(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, \
    size_t nelems, int pe);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_iget##NAME(TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe); \
    void shmem_ctx_iget##NAME(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
    int pe);
AWGSTAR_SHMEM_SIZES(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Copies elements to a PE, and then sets or adds to a word there (SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD). Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_put_signal(TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, \
    int sig_op, int pe); \
    void shmem_ctx_##NAME##_put_signal(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, \
    uint64_t signal, int sig_op, int pe);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_put##NAME##_signal(TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, \
    int sig_op, int pe); \
    void shmem_ctx_put##NAME##_signal(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, \
    uint64_t signal, int sig_op, int pe);
AWGSTAR_SHMEM_SIZES(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_put##NAME##_signal(TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, \
    int sig_op, int pe); \
    void shmem_ctx_put##NAME##_signal(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, \
    uint64_t signal, int sig_op, int pe);
AWGSTAR_SHMEM_MEM(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Begins to do so. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_put_signal_nbi(TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, \
    int sig_op, int pe); \
    void shmem_ctx_##NAME##_put_signal_nbi(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, \
    uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_put##NAME##_signal_nbi(TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, \
    int sig_op, int pe); \
    void shmem_ctx_put##NAME##_signal_nbi(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, \
    uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
AWGSTAR_SHMEM_SIZES(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_put##NAME##_signal_nbi(TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, \
    int sig_op, int pe); \
    void shmem_ctx_put##NAME##_signal_nbi(shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, \
    uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
AWGSTAR_SHMEM_MEM(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Returns a signal of this PE. */
uint64_t shmem_signal_fetch(const uint64_t *sig_addr);

/* Waits until a signal of this PE compares with a value, and returns it. */
uint64_t shmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value);

#ifdef __cplusplus
}
#endif

#endif
