/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_armci: messages and collectives of ARMCI.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/armci/tests/header.rs writes this file. */
#ifndef AWGSTAR_MESSAGE_H
#define AWGSTAR_MESSAGE_H

#include <armci.h>

/* A node has one process. */
enum armci_scope_e { SCOPE_ALL, SCOPE_NODE, SCOPE_MASTERS };

enum armci_type_e { ARMCI_INT, ARMCI_LONG, ARMCI_LONG_LONG, ARMCI_FLOAT, ARMCI_DOUBLE };

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the number of this process. */
int armci_msg_me(void);

/* Returns the number of processes. */
int armci_msg_nproc(void);

/* Ends the run with an exit code; 0 becomes 1. */
void armci_msg_abort(int code);

/* Returns the time on the machine in seconds. */
double armci_timer(void);

/* Sends a message to a process. Tags are 0 to 2^30 - 1. */
void armci_msg_snd(int tag, void *buffer, int len, int to);

/* Waits for the oldest message of a process with this tag. Its bytes are put into msglen, unless that is null. */
void armci_msg_rcv(int tag, void *buffer, int buflen, int *msglen, int from);

/* Waits for a message of any process with this tag. Returns the process. */
int armci_msg_rcvany(int tag, void *buffer, int buflen, int *msglen);

/* Waits for all processes, without a fence: a barrier by messages. */
void armci_msg_barrier(void);

/* Waits for all members of a group, without a fence. */
void armci_msg_group_barrier(ARMCI_Group *group);

/* Gives the place of this process in a tree of the processes of a scope; -1 if there is no parent or child. */
void armci_msg_bintree(int scope, int *root, int *up, int *left, int *right);

/* Gives all processes the bytes of one of them. */
void armci_msg_bcast(void *buffer, int len, int root);

/* Gives the processes of a scope the bytes of one of them. */
void armci_msg_bcast_scope(int scope, void *buffer, int len, int root);

/* As armci_msg_bcast. */
void armci_msg_brdcst(void *buffer, int len, int root);

/* Gives the members of a group the bytes of one of them. root is a number among all processes. */
void armci_msg_group_bcast_scope(int scope, void *buf, int len, int root, ARMCI_Group *group);

/* Reduces numbers of all processes, in the order of the processes. Process 0 gets the result. */
void armci_msg_reduce(void *x, int n, char *op, int type);

/* As armci_msg_reduce, of the processes of a scope. */
void armci_msg_reduce_scope(int scope, void *x, int n, char *op, int type);

/* Gives all processes the n bytes of the process whose first number is the least (min) or the greatest
 * (max) of those that contribute; the first process of several. */
void armci_msg_sel(void *x, int n, char *op, int type, int contribute);

/* As armci_msg_sel, of the processes of a scope. */
void armci_msg_sel_scope(int scope, void *x, int n, char *op, int type, int contribute);

/* Reduces n numbers of the processes of a scope, in the order of the processes: all get the result. op is
 * +, *, min, max, absmin or absmax, or or for integers. */
void armci_msg_gop_scope(int scope, void *x, int n, char *op, int type);

/* As armci_msg_gop_scope, of all processes. */
void armci_msg_igop(int *x, int n, char *op);

/* As armci_msg_gop_scope, of all processes. */
void armci_msg_lgop(long *x, int n, char *op);

/* As armci_msg_gop_scope, of all processes. */
void armci_msg_llgop(long long *x, int n, char *op);

/* As armci_msg_gop_scope, of all processes. */
void armci_msg_fgop(float *x, int n, char *op);

/* As armci_msg_gop_scope, of all processes. */
void armci_msg_dgop(double *x, int n, char *op);

/* As armci_msg_gop_scope, of the members of a group, in the order of the group. */
void armci_msg_group_gop_scope(int scope, void *x, int n, char *op, int type, ARMCI_Group *group);

/* As armci_msg_group_gop_scope. */
void armci_msg_group_igop(int *x, int n, char *op, ARMCI_Group *group);

/* As armci_msg_group_gop_scope. */
void armci_msg_group_lgop(long *x, int n, char *op, ARMCI_Group *group);

/* As armci_msg_group_gop_scope. */
void armci_msg_group_llgop(long long *x, int n, char *op, ARMCI_Group *group);

/* As armci_msg_group_gop_scope. */
void armci_msg_group_fgop(float *x, int n, char *op, ARMCI_Group *group);

/* As armci_msg_group_gop_scope. */
void armci_msg_group_dgop(double *x, int n, char *op, ARMCI_Group *group);

/* Each does the same as the function without the first letter, which calls it. */
void parmci_msg_barrier(void);
void parmci_msg_group_barrier(ARMCI_Group *group);

#ifdef __cplusplus
}
#endif

#endif
