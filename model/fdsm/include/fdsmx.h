/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_fdsm: what paper 003 does not have: number of the process, time, system calls.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/fdsm/tests/header.rs writes this file. */
#ifndef AWGSTAR_FDSMX_H
#define AWGSTAR_FDSMX_H

#include <fdsm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the number of this process, from 0. */
int fdsmx_node(void);

/* Returns the number of processes. */
int fdsmx_nodes(void);

/* Returns the time on the machine in seconds. */
double fdsmx_wtime(void);

/* Makes shared memory ready for a function of the system, to read it, or to write to it if write is not 0: the
 * system has no faults, and fails with EFAULT. It lasts until the next call of this library that waits. */
void fdsmx_ready(const void *memory, size_t bytes, int write);

#ifdef __cplusplus
}
#endif

#endif
