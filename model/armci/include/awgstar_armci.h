/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_armci: compare and swap, and pairs of long, which paper 001 adds to ARMCI for its queue lock.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/armci/tests/header.rs writes this file. */
#ifndef AWGSTAR_AWGSTAR_ARMCI_H
#define AWGSTAR_AWGSTAR_ARMCI_H

#include <armci.h>

typedef struct {
    long first;
    long second;
} awgstar_armci_pair_t;

#ifdef __cplusplus
extern "C" {
#endif

/* Writes value to an int of a process in one step if it is expected. The old value is put into old. */
int AWGSTAR_ARMCI_Compare_swap_int(int *old, int expected, int value, void *prem, int proc);

/* Writes value to a long of a process in one step if it is expected. The old value is put into old. */
int AWGSTAR_ARMCI_Compare_swap_long(long *old, long expected, long value, void *prem, int proc);

/* Writes a pair of longs of a process in one step. The old pair is put into old. Pairs are at a multiple of 8. */
int AWGSTAR_ARMCI_Swap_pair(awgstar_armci_pair_t *old, const awgstar_armci_pair_t *value, void *prem, int proc);

/* Writes a pair of longs of a process in one step if it is expected. The old pair is put into old. */
int AWGSTAR_ARMCI_Compare_swap_pair(awgstar_armci_pair_t *old, const awgstar_armci_pair_t *expected,
    const awgstar_armci_pair_t *value, void *prem, int proc);

/* Reads a pair of longs of a process in one step. */
int AWGSTAR_ARMCI_Fetch_pair(awgstar_armci_pair_t *old, void *prem, int proc);

#ifdef __cplusplus
}
#endif

#endif
