/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_armci: ARMCI: sets of mutexes, groups by color, progress.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/armci/tests/header.rs writes this file. */
#ifndef AWGSTAR_ARMCIX_H
#define AWGSTAR_ARMCIX_H

#include <armci.h>
#include <stdint.h>

typedef struct armcix_mutex_hdl_s *armcix_mutex_hdl_t;

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a group of the members of a parent with the same color, in the order of their keys; MPI_UNDEFINED is no
 * group. All members of the parent call it. */
int ARMCIX_Group_split(ARMCI_Group *parent, int color, int key, ARMCI_Group *new_group);

/* Makes a group with the same members. */
int ARMCIX_Group_dup(ARMCI_Group *parent, ARMCI_Group *new_group);

/* Creates a set of mutexes with the members of a group, count at this process. */
armcix_mutex_hdl_t ARMCIX_Create_mutexes_hdl(int count, ARMCI_Group *pgroup);

/* Destroys a set of mutexes with the members of its group. None may be locked. */
int ARMCIX_Destroy_mutexes_hdl(armcix_mutex_hdl_t hdl);

/* Locks a mutex of a set, as ARMCI_Lock. proc is a number among all processes. */
void ARMCIX_Lock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc);

/* Locks a mutex of a set if no process holds it: returns 0 then, and 1 otherwise. */
int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc);

/* Unlocks a mutex of a set. */
void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc);

/* Lets some time pass: what has arrived is there, what was stored goes out. */
void ARMCIX_Progress(void);

#ifdef __cplusplus
}
#endif

#endif
