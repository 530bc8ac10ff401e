/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_armci: remote memory copy, accumulate and synchronization (ARMCI) on a modelled machine.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/armci/tests/header.rs writes this file. */
#ifndef AWGSTAR_ARMCI_H
#define AWGSTAR_ARMCI_H

#include <mpi.h>

typedef long armci_size_t;
#define ARMCII_MPI_SIZE_T MPI_LONG

/* Numbers of an accumulate. */
enum ARMCI_Acc_e { ARMCI_ACC_INT, ARMCI_ACC_LNG, ARMCI_ACC_FLT, ARMCI_ACC_DBL, ARMCI_ACC_CPL, ARMCI_ACC_DCP };

/* Operations of ARMCI_Rmw. */
enum ARMCI_Rmw_e { ARMCI_FETCH_AND_ADD, ARMCI_FETCH_AND_ADD_LONG, ARMCI_SWAP, ARMCI_SWAP_LONG };

/* An operation that does not wait. */
typedef struct armci_hdl_s {
    int target;
    int aggregate;
} armci_hdl_t;

/* Segments of the same length. */
typedef struct {
    void **src_ptr_array;
    void **dst_ptr_array;
    int bytes;         /* of a segment */
    int ptr_array_len; /* segments */
} armci_giov_t;

/* A group of processes. A process that is no member has rank -1. */
typedef struct {
    MPI_Comm comm; /* no communicator of MPI */
    MPI_Comm noncoll_pgroup_comm;
    int *grp_to_abs;
    int *abs_to_grp;
    int rank;
    int size;
} ARMCI_Group;

/* Processes that share a node: each has its own. */
enum armci_domain_e { ARMCI_DOMAIN_SMP };
typedef int armci_domain_t;

#include <message.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts ARMCI: the process joins the run unless MPI has done so. Each further start needs its end. */
int ARMCI_Init(void);

/* As ARMCI_Init. The arguments stay as they are. */
int ARMCI_Init_args(int *argc, char ***argv);

/* As ARMCI_Init. The highest level is MPI_THREAD_SERIALIZED: calls of several threads are made one after another. */
int ARMCI_Init_thread(int armci_requested);

/* As ARMCI_Init_thread. comm is MPI_COMM_WORLD. */
int ARMCI_Init_thread_comm(int armci_requested, MPI_Comm comm);

/* Returns 1 while ARMCI runs. */
int ARMCI_Initialized(void);

/* Ends ARMCI with all processes. No mutex may be locked. What was put is in place. */
int ARMCI_Finalize(void);

/* Does nothing: what a process has is freed when it ends. */
void ARMCI_Cleanup(void);

/* Ends the run with a message and an exit code; 0 becomes 1. */
void ARMCI_Error(const char *msg, int code);

/* Allocates memory with all processes, bytes on this one. The addresses of all are put into ptr_arr; null
 * for a process that allocates nothing. */
int ARMCI_Malloc(void **ptr_arr, armci_size_t bytes);

/* Frees an allocation with all processes: each gives its own address. */
int ARMCI_Free(void *ptr);

/* Allocates memory with the members of a group. ptr_arr is in the order of the group. */
int ARMCI_Malloc_group(void **ptr_arr, armci_size_t bytes, ARMCI_Group *group);

/* Frees an allocation with the members of the group that has allocated it. */
int ARMCI_Free_group(void *ptr, ARMCI_Group *group);

/* Allocates memory that only this process reaches. */
void *ARMCI_Malloc_local(armci_size_t bytes);

/* Frees memory of ARMCI_Malloc_local. */
int ARMCI_Free_local(void *ptr);

/* Waits until all that this process has put or accumulated to any process is in place, and for all processes
 * (paper 001, 3.1). The command chooses the protocol. */
void ARMCI_Barrier(void);

/* Waits until all that this process has put or accumulated to a process is in place. */
void ARMCI_Fence(int proc);

/* Waits until all that this process has put or accumulated to any process is in place. */
void ARMCI_AllFence(void);

/* Begins the access of the process to its own memory by loads and stores: what has arrived is there. */
void ARMCI_Access_begin(void *ptr);

/* Ends the access: what was stored goes out to the others. */
void ARMCI_Access_end(void *ptr);

/* Copies local memory. */
void ARMCI_Copy(void *src, void *dst, int size);

/* Copies bytes bytes at src of a process to local memory. */
int ARMCI_Get(void *src, void *dst, int bytes, int proc);

/* Copies bytes bytes of local memory to dst of a process. The local memory may be changed afterwards; a fence
 * waits until the bytes are in place. What a process puts to another one arrives in the order of the calls. */
int ARMCI_Put(void *src, void *dst, int bytes, int proc);

/* Adds scale times the numbers of local memory to those of a process, 32 KiB in one step. datatype is one
 * of ARMCI_ACC_INT to ARMCI_ACC_DCP. */
int ARMCI_Acc(int datatype, void *scale, void *src, void *dst, int bytes, int proc);

/* Copies a box of local memory to a process. count[0] are bytes that follow one another, count[i] the
 * repetitions at the distance of stride i - 1; there are 0 to 8 levels of strides. */
int ARMCI_PutS(void *src_ptr, int *src_stride_ar, void *dst_ptr, int *dst_stride_ar, int *count, int stride_levels,
    int proc);

/* Copies a box of a process to local memory, as ARMCI_PutS. */
int ARMCI_GetS(void *src_ptr, int *src_stride_ar, void *dst_ptr, int *dst_stride_ar, int *count, int stride_levels,
    int proc);

/* Accumulates a box, as ARMCI_Acc and ARMCI_PutS. Each row is one step. */
int ARMCI_AccS(int datatype, void *scale, void *src_ptr, int *src_stride_ar, void *dst_ptr, int *dst_stride_ar,
    int *count, int stride_levels, int proc);

/* Puts, and then sets an int of the process to a value, after the bytes are in place. */
int ARMCI_Put_flag(void *src, void *dst, int bytes, int *flag, int value, int proc);

/* Puts a box, and then sets an int of the process to a value, after the box is in place. */
int ARMCI_PutS_flag(void *src_ptr, int *src_stride_ar, void *dst_ptr, int *dst_stride_ar, int *count,
    int stride_levels, int *flag, int value, int proc);

/* Makes a handle ready for an operation that does not wait. */
void ARMCI_INIT_HANDLE(armci_hdl_t *hdl);

/* Allows several operations with one handle. */
void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t *hdl);

/* Ends that. */
void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t *hdl);

/* Begins a put. A null handle is the implicit one. Local memory may be used again at once: the bytes are
 * copied by the call. */
int ARMCI_NbPut(void *src, void *dst, int bytes, int proc, armci_hdl_t *hdl);

/* Begins a get, which ends in the call. */
int ARMCI_NbGet(void *src, void *dst, int bytes, int proc, armci_hdl_t *hdl);

/* Begins an accumulate, as ARMCI_NbPut. */
int ARMCI_NbAcc(int datatype, void *scale, void *src, void *dst, int bytes, int proc, armci_hdl_t *hdl);

/* Waits until the operations of a handle have ended here: local memory may be used again. A fence waits until
 * they are in place. */
int ARMCI_Wait(armci_hdl_t *hdl);

/* Returns 0 if the operations of a handle have ended here. Lets some time pass. */
int ARMCI_Test(armci_hdl_t *hdl);

/* Waits until the operations of the implicit handle to a process have ended here. */
int ARMCI_WaitProc(int proc);

/* Waits until all operations of the implicit handle have ended here. */
int ARMCI_WaitAll(void);

/* Begins a put of a box, as ARMCI_NbPut. */
int ARMCI_NbPutS(void *src_ptr, int *src_stride_ar, void *dst_ptr, int *dst_stride_ar, int *count, int stride_levels,
    int proc, armci_hdl_t *hdl);

/* Begins a get of a box, as ARMCI_NbGet. */
int ARMCI_NbGetS(void *src_ptr, int *src_stride_ar, void *dst_ptr, int *dst_stride_ar, int *count, int stride_levels,
    int proc, armci_hdl_t *hdl);

/* Begins an accumulate of a box, as ARMCI_NbPut. */
int ARMCI_NbAccS(int datatype, void *scale, void *src_ptr, int *src_stride_ar, void *dst_ptr, int *dst_stride_ar,
    int *count, int stride_levels, int proc, armci_hdl_t *hdl);

/* Copies a box to a buffer, row after row. */
void armci_write_strided(void *ptr, int stride_levels, int *stride_arr, int *count, char *buf);

/* Copies a buffer to a box, row after row. */
void armci_read_strided(void *ptr, int stride_levels, int *stride_arr, int *count, char *buf);

/* Puts segments, each list with segments of one length. */
int ARMCI_PutV(armci_giov_t *iov, int iov_len, int proc);

/* Gets segments, as ARMCI_PutV. */
int ARMCI_GetV(armci_giov_t *iov, int iov_len, int proc);

/* Accumulates segments, as ARMCI_Acc and ARMCI_PutV. Each segment is one step. */
int ARMCI_AccV(int datatype, void *scale, armci_giov_t *iov, int iov_len, int proc);

/* Begins a put of segments, as ARMCI_NbPut. */
int ARMCI_NbPutV(armci_giov_t *iov, int iov_len, int proc, armci_hdl_t *hdl);

/* Begins a get of segments, as ARMCI_NbGet. */
int ARMCI_NbGetV(armci_giov_t *iov, int iov_len, int proc, armci_hdl_t *hdl);

/* Begins an accumulate of segments, as ARMCI_NbPut. */
int ARMCI_NbAccV(int datatype, void *scale, armci_giov_t *iov, int iov_len, int proc, armci_hdl_t *hdl);

/* Puts a value. */
int ARMCI_PutValueInt(int src, void *dst, int proc);

/* Puts a value. */
int ARMCI_PutValueLong(long src, void *dst, int proc);

/* Puts a value. */
int ARMCI_PutValueFloat(float src, void *dst, int proc);

/* Puts a value. */
int ARMCI_PutValueDouble(double src, void *dst, int proc);

/* Begins a put of a value, as ARMCI_NbPut. */
int ARMCI_NbPutValueInt(int src, void *dst, int proc, armci_hdl_t *hdl);

/* Begins a put of a value, as ARMCI_NbPut. */
int ARMCI_NbPutValueLong(long src, void *dst, int proc, armci_hdl_t *hdl);

/* Begins a put of a value, as ARMCI_NbPut. */
int ARMCI_NbPutValueFloat(float src, void *dst, int proc, armci_hdl_t *hdl);

/* Begins a put of a value, as ARMCI_NbPut. */
int ARMCI_NbPutValueDouble(double src, void *dst, int proc, armci_hdl_t *hdl);

/* Gets a value. */
int ARMCI_GetValueInt(void *src, int proc);

/* Gets a value. */
long ARMCI_GetValueLong(void *src, int proc);

/* Gets a value. */
float ARMCI_GetValueFloat(void *src, int proc);

/* Gets a value. */
double ARMCI_GetValueDouble(void *src, int proc);

/* Creates mutexes with all processes, count at this one. There is one such set at a time. */
int ARMCI_Create_mutexes(int count);

/* Destroys the mutexes with all processes. None may be locked. */
int ARMCI_Destroy_mutexes(void);

/* Locks a mutex of a process, which may be this one. What earlier holders have put before they unlocked it is in
 * place. */
void ARMCI_Lock(int mutex, int proc);

/* Unlocks a mutex that this process has locked. */
void ARMCI_Unlock(int mutex, int proc);

/* Reads, changes and writes a value of a process in one step. The old value is put into ploc. ARMCI_FETCH_AND_ADD
 * adds value to an int, ARMCI_FETCH_AND_ADD_LONG to a long; ARMCI_SWAP and ARMCI_SWAP_LONG write what was in
 * ploc. The value is at a multiple of its size. */
int ARMCI_Rmw(int op, void *ploc, void *prem, int value, int proc);

/* Makes a group of members of the default group, by their numbers there. Others get a group with rank -1. */
void ARMCI_Group_create(int grp_size, int *pid_list, ARMCI_Group *group_out);

/* Makes a group of members of a parent, by their numbers there. Others get a group with rank -1. */
void ARMCI_Group_create_child(int grp_size, int *pid_list, ARMCI_Group *group_out, ARMCI_Group *group_parent);

/* Frees a group. */
void ARMCI_Group_free(ARMCI_Group *group);

/* Gives the rank of the process in a group. Returns 1 if it is no member; the rank is -1 then. */
int ARMCI_Group_rank(ARMCI_Group *group, int *rank);

/* Gives the number of members. */
void ARMCI_Group_size(ARMCI_Group *group, int *size);

/* Makes a group the default: the parent of ARMCI_Group_create. */
void ARMCI_Group_set_default(ARMCI_Group *group);

/* Gives the default group: all processes at first. */
void ARMCI_Group_get_default(ARMCI_Group *group_out);

/* Gives the group of all processes. */
void ARMCI_Group_get_world(ARMCI_Group *group_out);

/* Returns the number among all processes of a member of a group. */
int ARMCI_Absolute_id(ARMCI_Group *group, int group_rank);

/* Returns the processes of a domain: 1, as each process has its own node. */
int armci_domain_nprocs(armci_domain_t domain, int id);

/* Returns the domain of a process. */
int armci_domain_id(armci_domain_t domain, int glob_proc_id);

/* Returns the process of a domain; loc_proc_id is 0. */
int armci_domain_glob_proc_id(armci_domain_t domain, int id, int loc_proc_id);

/* Returns the domain of this process. */
int armci_domain_my_id(armci_domain_t domain);

/* Returns the number of domains. */
int armci_domain_count(armci_domain_t domain);

/* Returns 1 if a process is in the domain of this one. */
int armci_domain_same_id(armci_domain_t domain, int proc);

/* Returns 1 if a process is on the node of this one: it is this one. */
int ARMCI_Same_node(int proc);

/* Returns 0: processes share no memory of a computer. */
int ARMCI_Uses_shm(void);

/* Does nothing. */
void ARMCI_Set_shm_limit(unsigned long shmemlimit);

/* Returns 0, as ARMCI_Uses_shm. */
int ARMCI_Uses_shm_grp(ARMCI_Group *group);

/* Each does the same as the function without the first letter, which calls it. */
int PARMCI_Init(void);
int PARMCI_Init_args(int *argc, char ***argv);
int PARMCI_Init_thread(int armci_requested);
int PARMCI_Init_thread_comm(int armci_requested, MPI_Comm comm);
int PARMCI_Initialized(void);
int PARMCI_Finalize(void);
int PARMCI_Malloc(void **ptr_arr, armci_size_t bytes);
int PARMCI_Free(void *ptr);
void *PARMCI_Malloc_local(armci_size_t bytes);
int PARMCI_Free_local(void *ptr);
void PARMCI_Barrier(void);
void PARMCI_Fence(int proc);
void PARMCI_AllFence(void);
void PARMCI_Access_begin(void *ptr);
void PARMCI_Access_end(void *ptr);
int PARMCI_Get(void *src, void *dst, int bytes, int proc);
int PARMCI_Put(void *src, void *dst, int bytes, int proc);
int PARMCI_Acc(int datatype, void *scale, void *src, void *dst, int bytes, int proc);
int PARMCI_PutS(void *src_ptr, int *src_stride_ar, void *dst_ptr, int *dst_stride_ar, int *count, int stride_levels,
    int proc);
int PARMCI_GetS(void *src_ptr, int *src_stride_ar, void *dst_ptr, int *dst_stride_ar, int *count, int stride_levels,
    int proc);
int PARMCI_AccS(int datatype, void *scale, void *src_ptr, int *src_stride_ar, void *dst_ptr, int *dst_stride_ar,
    int *count, int stride_levels, int proc);
int PARMCI_Put_flag(void *src, void *dst, int bytes, int *flag, int value, int proc);
int PARMCI_PutS_flag(void *src_ptr, int *src_stride_ar, void *dst_ptr, int *dst_stride_ar, int *count,
    int stride_levels, int *flag, int value, int proc);
int PARMCI_NbPut(void *src, void *dst, int bytes, int proc, armci_hdl_t *hdl);
int PARMCI_NbGet(void *src, void *dst, int bytes, int proc, armci_hdl_t *hdl);
int PARMCI_NbAcc(int datatype, void *scale, void *src, void *dst, int bytes, int proc, armci_hdl_t *hdl);
int PARMCI_Wait(armci_hdl_t *hdl);
int PARMCI_Test(armci_hdl_t *hdl);
int PARMCI_WaitProc(int proc);
int PARMCI_WaitAll(void);
int PARMCI_NbPutS(void *src_ptr, int *src_stride_ar, void *dst_ptr, int *dst_stride_ar, int *count, int stride_levels,
    int proc, armci_hdl_t *hdl);
int PARMCI_NbGetS(void *src_ptr, int *src_stride_ar, void *dst_ptr, int *dst_stride_ar, int *count, int stride_levels,
    int proc, armci_hdl_t *hdl);
int PARMCI_NbAccS(int datatype, void *scale, void *src_ptr, int *src_stride_ar, void *dst_ptr, int *dst_stride_ar,
    int *count, int stride_levels, int proc, armci_hdl_t *hdl);
int PARMCI_PutV(armci_giov_t *iov, int iov_len, int proc);
int PARMCI_GetV(armci_giov_t *iov, int iov_len, int proc);
int PARMCI_AccV(int datatype, void *scale, armci_giov_t *iov, int iov_len, int proc);
int PARMCI_NbPutV(armci_giov_t *iov, int iov_len, int proc, armci_hdl_t *hdl);
int PARMCI_NbGetV(armci_giov_t *iov, int iov_len, int proc, armci_hdl_t *hdl);
int PARMCI_NbAccV(int datatype, void *scale, armci_giov_t *iov, int iov_len, int proc, armci_hdl_t *hdl);
int PARMCI_PutValueInt(int src, void *dst, int proc);
int PARMCI_PutValueLong(long src, void *dst, int proc);
int PARMCI_PutValueFloat(float src, void *dst, int proc);
int PARMCI_PutValueDouble(double src, void *dst, int proc);
int PARMCI_NbPutValueInt(int src, void *dst, int proc, armci_hdl_t *hdl);
int PARMCI_NbPutValueLong(long src, void *dst, int proc, armci_hdl_t *hdl);
int PARMCI_NbPutValueFloat(float src, void *dst, int proc, armci_hdl_t *hdl);
int PARMCI_NbPutValueDouble(double src, void *dst, int proc, armci_hdl_t *hdl);
int PARMCI_GetValueInt(void *src, int proc);
long PARMCI_GetValueLong(void *src, int proc);
float PARMCI_GetValueFloat(void *src, int proc);
double PARMCI_GetValueDouble(void *src, int proc);
int PARMCI_Create_mutexes(int count);
int PARMCI_Destroy_mutexes(void);
void PARMCI_Lock(int mutex, int proc);
void PARMCI_Unlock(int mutex, int proc);
int PARMCI_Rmw(int op, void *ploc, void *prem, int value, int proc);

#ifdef __cplusplus
}
#endif

#endif
