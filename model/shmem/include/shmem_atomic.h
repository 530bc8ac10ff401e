/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_shmem: atomic updates of OpenSHMEM.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/shmem/tests/header.rs writes this file. */
#ifndef AWGSTAR_SHMEM_ATOMIC_H
#define AWGSTAR_SHMEM_ATOMIC_H

#include <shmem.h>
#include <shmem_types.h>


#ifdef __cplusplus
extern "C" {
#endif

/* Returns a value of a PE. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    TYPE shmem_##NAME##_atomic_fetch(const TYPE *source, int pe); \
    TYPE shmem_ctx_##NAME##_atomic_fetch(shmem_ctx_t ctx, const TYPE *source, int pe);
AWGSTAR_SHMEM_EXTENDED(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Sets a value of a PE. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_atomic_set(TYPE *dest, TYPE value, int pe); \
    void shmem_ctx_##NAME##_atomic_set(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_EXTENDED(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Sets a value of a PE, and returns the one from before. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    TYPE shmem_##NAME##_atomic_swap(TYPE *dest, TYPE value, int pe); \
    TYPE shmem_ctx_##NAME##_atomic_swap(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_EXTENDED(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Sets a value of a PE if it is cond, and returns the one from before. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    TYPE shmem_##NAME##_atomic_compare_swap(TYPE *dest, TYPE cond, TYPE value, int pe); \
    TYPE shmem_ctx_##NAME##_atomic_compare_swap(shmem_ctx_t ctx, TYPE *dest, TYPE cond, TYPE value, int pe);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Adds 1 to a value of a PE, and returns the one from before. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    TYPE shmem_##NAME##_atomic_fetch_inc(TYPE *dest, int pe); \
    TYPE shmem_ctx_##NAME##_atomic_fetch_inc(shmem_ctx_t ctx, TYPE *dest, int pe);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Adds 1 to a value of a PE. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_atomic_inc(TYPE *dest, int pe); \
    void shmem_ctx_##NAME##_atomic_inc(shmem_ctx_t ctx, TYPE *dest, int pe);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Adds to a value of a PE, and returns the one from before. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    TYPE shmem_##NAME##_atomic_fetch_add(TYPE *dest, TYPE value, int pe); \
    TYPE shmem_ctx_##NAME##_atomic_fetch_add(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Adds to a value of a PE. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_atomic_add(TYPE *dest, TYPE value, int pe); \
    void shmem_ctx_##NAME##_atomic_add(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Ands a value of a PE, and returns the one from before. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    TYPE shmem_##NAME##_atomic_fetch_and(TYPE *dest, TYPE value, int pe); \
    TYPE shmem_ctx_##NAME##_atomic_fetch_and(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_BITWISE(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Ands a value of a PE. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_atomic_and(TYPE *dest, TYPE value, int pe); \
    void shmem_ctx_##NAME##_atomic_and(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_BITWISE(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Ors a value of a PE, and returns the one from before. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    TYPE shmem_##NAME##_atomic_fetch_or(TYPE *dest, TYPE value, int pe); \
    TYPE shmem_ctx_##NAME##_atomic_fetch_or(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_BITWISE(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Ors a value of a PE. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_atomic_or(TYPE *dest, TYPE value, int pe); \
    void shmem_ctx_##NAME##_atomic_or(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_BITWISE(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Exclusively ors a value of a PE, and returns the one from before. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    TYPE shmem_##NAME##_atomic_fetch_xor(TYPE *dest, TYPE value, int pe); \
    TYPE shmem_ctx_##NAME##_atomic_fetch_xor(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_BITWISE(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Exclusively ors a value of a PE. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_atomic_xor(TYPE *dest, TYPE value, int pe); \
    void shmem_ctx_##NAME##_atomic_xor(shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_BITWISE(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives a value of a PE; shmem_quiet waits for it, as for the following. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_atomic_fetch_nbi(TYPE *fetch, const TYPE *source, int pe); \
    void shmem_ctx_##NAME##_atomic_fetch_nbi(shmem_ctx_t ctx, TYPE *fetch, const TYPE *source, int pe);
AWGSTAR_SHMEM_EXTENDED(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Sets a value of a PE, and gives the one from before. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_atomic_swap_nbi(TYPE *fetch, TYPE *dest, TYPE value, int pe); \
    void shmem_ctx_##NAME##_atomic_swap_nbi(shmem_ctx_t ctx, TYPE *fetch, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_EXTENDED(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Sets a value of a PE if it is cond, and gives the one from before. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_atomic_compare_swap_nbi(TYPE *fetch, TYPE *dest, TYPE cond, TYPE value, int pe); \
    void shmem_ctx_##NAME##_atomic_compare_swap_nbi(shmem_ctx_t ctx, TYPE *fetch, TYPE *dest, TYPE cond, TYPE value, \
    int pe);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Adds 1 to a value of a PE, and gives the one from before. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_atomic_fetch_inc_nbi(TYPE *fetch, TYPE *dest, int pe); \
    void shmem_ctx_##NAME##_atomic_fetch_inc_nbi(shmem_ctx_t ctx, TYPE *fetch, TYPE *dest, int pe);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Adds to a value of a PE, and gives the one from before. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_atomic_fetch_add_nbi(TYPE *fetch, TYPE *dest, TYPE value, int pe); \
    void shmem_ctx_##NAME##_atomic_fetch_add_nbi(shmem_ctx_t ctx, TYPE *fetch, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Ands a value of a PE, and gives the one from before. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_atomic_fetch_and_nbi(TYPE *fetch, TYPE *dest, TYPE value, int pe); \
    void shmem_ctx_##NAME##_atomic_fetch_and_nbi(shmem_ctx_t ctx, TYPE *fetch, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_BITWISE(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Ors a value of a PE, and gives the one from before. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_atomic_fetch_or_nbi(TYPE *fetch, TYPE *dest, TYPE value, int pe); \
    void shmem_ctx_##NAME##_atomic_fetch_or_nbi(shmem_ctx_t ctx, TYPE *fetch, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_BITWISE(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Exclusively ors a value of a PE, and gives the one from before. Also with a context before the other arguments: shmem_ctx_. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_atomic_fetch_xor_nbi(TYPE *fetch, TYPE *dest, TYPE value, int pe); \
    void shmem_ctx_##NAME##_atomic_fetch_xor_nbi(shmem_ctx_t ctx, TYPE *fetch, TYPE *dest, TYPE value, int pe);
AWGSTAR_SHMEM_BITWISE(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

#ifdef __cplusplus
}
#endif

#endif
