/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_shmem: waits and tests of OpenSHMEM.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/shmem/tests/header.rs writes this file. */
#ifndef AWGSTAR_SHMEM_WAIT_H
#define AWGSTAR_SHMEM_WAIT_H

#include <shmem.h>
#include <shmem_types.h>


#ifdef __cplusplus
extern "C" {
#endif

/* Waits until a variable of this PE compares with a value. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_wait_until(TYPE *ivar, int cmp, TYPE cmp_value);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Waits for all variables whose status is 0; status may be null. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_wait_until_all(TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE cmp_value);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Waits for one of the variables, and returns its index: SIZE_MAX if all are left out. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    size_t shmem_##NAME##_wait_until_any(TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE cmp_value);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Waits for some of the variables, gives their indices, and returns how many. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    size_t shmem_##NAME##_wait_until_some(TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, \
    TYPE cmp_value);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As wait_until_all, with a value for each variable. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    void shmem_##NAME##_wait_until_all_vector(TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE *cmp_values);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As wait_until_any, with a value for each variable. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    size_t shmem_##NAME##_wait_until_any_vector(TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE *cmp_values);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As wait_until_some, with a value for each variable. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    size_t shmem_##NAME##_wait_until_some_vector(TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, \
    TYPE *cmp_values);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Lets time pass, and returns 1 if a variable of this PE compares with a value. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_test(TYPE *ivar, int cmp, TYPE cmp_value);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Lets time pass, and returns 1 if all variables whose status is 0 compare. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_test_all(TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE cmp_value);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Lets time pass, and returns the index of a variable that compares, or SIZE_MAX. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    size_t shmem_##NAME##_test_any(TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE cmp_value);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* Lets time pass, gives the indices of the variables that compare, and returns how many. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    size_t shmem_##NAME##_test_some(TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, \
    TYPE cmp_value);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As test_all, with a value for each variable. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    int shmem_##NAME##_test_all_vector(TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE *cmp_values);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As test_any, with a value for each variable. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    size_t shmem_##NAME##_test_any_vector(TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE *cmp_values);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

/* As test_some, with a value for each variable. */
#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \
    size_t shmem_##NAME##_test_some_vector(TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, \
    TYPE *cmp_values);
AWGSTAR_SHMEM_ATOMICS(AWGSTAR_SHMEM_ONE)
#undef AWGSTAR_SHMEM_ONE

#ifdef __cplusplus
}
#endif

#endif
