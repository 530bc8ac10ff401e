/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_shmem: what OpenSHMEM does not have.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/shmem/tests/header.rs writes this file. */
#ifndef AWGSTAR_SHMEMX_H
#define AWGSTAR_SHMEMX_H

#include <shmem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the time on the machine in seconds. */
double shmemx_wtime(void);

#ifdef __cplusplus
}
#endif

#endif
