/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_armci: the few functions of MPI that ARMCI programs call, on MPI_COMM_WORLD.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/armci/tests/header.rs writes this file. */
#ifndef AWGSTAR_MPI_H
#define AWGSTAR_MPI_H

#include <stddef.h>

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef int MPI_Info;
typedef long MPI_Aint;

typedef struct {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int bytes;
} MPI_Status;

#define MPI_SUCCESS 0
#define MPI_UNDEFINED (-32766)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_STATUS_IGNORE ((MPI_Status *)NULL)
#define MPI_INFO_NULL ((MPI_Info)0)
#define MPI_MAX_PROCESSOR_NAME 256

#define MPI_COMM_NULL ((MPI_Comm)0)
#define MPI_COMM_WORLD ((MPI_Comm)1)

#define MPI_BYTE ((MPI_Datatype)1)
#define MPI_CHAR MPI_BYTE
#define MPI_INT ((MPI_Datatype)2)
#define MPI_UNSIGNED ((MPI_Datatype)3)
#define MPI_LONG ((MPI_Datatype)4)
#define MPI_LONG_LONG MPI_LONG
#define MPI_UNSIGNED_LONG ((MPI_Datatype)5)
#define MPI_FLOAT ((MPI_Datatype)6)
#define MPI_DOUBLE ((MPI_Datatype)7)

#define MPI_SUM ((MPI_Op)1)
#define MPI_PROD ((MPI_Op)2)
#define MPI_MIN ((MPI_Op)3)
#define MPI_MAX ((MPI_Op)4)
#define MPI_BAND ((MPI_Op)5)
#define MPI_BOR ((MPI_Op)6)
#define MPI_BXOR ((MPI_Op)7)
#define MPI_LAND ((MPI_Op)8)
#define MPI_LOR ((MPI_Op)9)
#define MPI_LXOR ((MPI_Op)10)

enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };

#ifdef __cplusplus
extern "C" {
#endif

/* Starts MPI: the process joins the run unless ARMCI has done so. */
int MPI_Init(int *argc, char ***argv);

/* As MPI_Init. The level that is provided is MPI_THREAD_SERIALIZED at most. */
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);

/* Gives 1 if MPI_Init was called. */
int MPI_Initialized(int *flag);

/* Gives 1 if MPI_Finalize was called. */
int MPI_Finalized(int *flag);

/* Ends MPI with all processes. */
int MPI_Finalize(void);

/* Ends the run with an exit code; 0 becomes 1. */
int MPI_Abort(MPI_Comm comm, int errorcode);

/* Gives the number of this process. */
int MPI_Comm_rank(MPI_Comm comm, int *rank);

/* Gives the number of processes. */
int MPI_Comm_size(MPI_Comm comm, int *size);

/* Waits for all processes, by messages: what was put need not be in place. */
int MPI_Barrier(MPI_Comm comm);

/* Gives all processes the values of one of them. */
int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);

/* Reduces the values of all processes, in their order: all get the result. sendbuf may be MPI_IN_PLACE. */
int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/* Sends values to a process, and receives others from a process. Tags are 0 to 2^30 - 1. */
int MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
    int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status);

/* Gives the number of values that were received; MPI_UNDEFINED if they are no whole number. */
int MPI_Get_count(MPI_Status *status, MPI_Datatype datatype, int *count);

/* Allocates local memory. info is MPI_INFO_NULL or any other. */
int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr);

/* Frees memory of MPI_Alloc_mem. */
int MPI_Free_mem(void *base);

/* Returns the time on the machine in seconds. */
double MPI_Wtime(void);

/* Gives the name of the node, node N, and its length. */
int MPI_Get_processor_name(char *name, int *resultlen);

#ifdef __cplusplus
}
#endif

#endif
