/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_shmem: barriers, collectives and reductions of OpenSHMEM.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/shmem/tests/header.rs writes this file. */
#ifndef AWGSTAR_SHMEM_COLLECTIVE_H
#define AWGSTAR_SHMEM_COLLECTIVE_H

#include <shmem.h>
#include <shmem_types.h>


#ifdef __cplusplus
extern "C" {
#endif

/* Waits for all PEs. What any of them has put or stored before is in place then. */
void shmem_barrier_all(void);

/* Waits for all PEs. What they have stored before is published. */
void shmem_sync_all(void);

/* Waits for the members of a team. What they have stored before is published. */
int shmem_team_sync(shmem_team_t team);

/* Gives all members the elements of one, itself too. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_broadcast(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, int PE_root);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_broadcast##NAME(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, int PE_root);
AWGSTAR_SHMEM_MEM(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives all members the elements of all, one member after the other. Numbers of elements may differ. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_collect(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_collect##NAME(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems);
AWGSTAR_SHMEM_MEM(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As collect, with the same number of elements of each member. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_fcollect(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_fcollect##NAME(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems);
AWGSTAR_SHMEM_MEM(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives each member a block of elements of each other. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_alltoall(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_alltoall##NAME(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems);
AWGSTAR_SHMEM_MEM(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As alltoall, of every sstth element to every dstth place. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_alltoalls(shmem_team_t team, TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, \
    size_t nelems);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_alltoalls##NAME(shmem_team_t team, TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, \
    size_t nelems);
AWGSTAR_SHMEM_MEM(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives all members the bitwise and of the elements of all. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_and_reduce(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce);
AWGSTAR_SHMEM_INTEGERS8(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives all members the bitwise or of the elements of all. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_or_reduce(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce);
AWGSTAR_SHMEM_INTEGERS8(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives all members the bitwise exclusive or of the elements of all. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_xor_reduce(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce);
AWGSTAR_SHMEM_INTEGERS8(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives all members the greatest of the elements of all. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_max_reduce(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives all members the least of the elements of all. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_min_reduce(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce);
AWGSTAR_SHMEM_RMA(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives all members the sum of the elements of all, added in their order. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_sum_reduce(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce);
AWGSTAR_SHMEM_SUMS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Gives all members the product of the elements of all, multiplied in their order. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_prod_reduce(shmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce);
AWGSTAR_SHMEM_SUMS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

#ifdef __cplusplus
}
#endif

#endif
