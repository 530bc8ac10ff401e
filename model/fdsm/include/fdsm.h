/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_fdsm: shared memory of programs with loops (paper 003, table 1) on a modelled cluster.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/fdsm/tests/header.rs writes this file. */
#ifndef AWGSTAR_FDSM_H
#define AWGSTAR_FDSM_H

#include <stddef.h>

/* Numbers of fdsm_reduce. */
typedef enum { FDSM_INT, FDSM_LONG, FDSM_DOUBLE } fdsm_type_t;

/* What it makes of them. */
typedef enum { FDSM_SUM, FDSM_MIN, FDSM_MAX } fdsm_op_t;

#ifdef __cplusplus
extern "C" {
#endif

/* Starts FDSM: the process joins the run. */
void fdsm_init(void);

/* Ends FDSM with all processes. The shared memory cannot be accessed afterwards. */
void fdsm_finalize(void);

/* Allocates shared memory together with all processes, which give the same number of bytes, and returns its
 * address, the same in all. The memory is zeros and begins at a page; memory and locks agree as after
 * fdsm_after_loop. If there is no room, the run ends. */
void *fdsm_alloc(size_t bytes);

/* Frees memory of fdsm_alloc together with all processes. Null is no memory: nothing happens. */
void fdsm_free(void *memory);

/* Says that a loop begins whose work the processes share. It ends with fdsm_after_loop. */
void fdsm_before_loop(void);

/* Waits for all processes. Each reads from then on what all have written before. It may also be called without
 * fdsm_before_loop, where a barrier is needed. */
void fdsm_after_loop(void);

/* Replaces count numbers of each process by their sum, least or greatest over all processes, taken in the order
 * of the processes. The numbers are not in shared memory. All processes call it; memory agrees as after
 * fdsm_after_loop. */
void fdsm_reduce(void *numbers, size_t count, fdsm_type_t type, fdsm_op_t op);

/* Waits for a lock, 0 to 65534. The process reads from then on what earlier holders had written when they unlocked. */
void fdsm_lock(int lock);

/* Gives up a lock. */
void fdsm_unlock(int lock);

#ifdef __cplusplus
}
#endif

#endif
