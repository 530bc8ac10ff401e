/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_shmem: OpenSHMEM: start and end, symmetric memory, order, locks, teams and contexts.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/shmem/tests/header.rs writes this file. */
#ifndef AWGSTAR_SHMEM_H
#define AWGSTAR_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_VENDOR_STRING "awgstar"
#define SHMEM_MAX_NAME_LEN 8

enum { SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE };
enum { SHMEM_MALLOC_ATOMICS_REMOTE = 1, SHMEM_MALLOC_SIGNAL_REMOTE = 2 };
enum { SHMEM_CTX_SERIALIZED = 1, SHMEM_CTX_PRIVATE = 2, SHMEM_CTX_NOSTORE = 4 };
enum { SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_LE, SHMEM_CMP_LT, SHMEM_CMP_GE };
enum { SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD };
enum { SHMEM_TEAM_NUM_CONTEXTS = 1 };

/* A context: a number. */
typedef struct awgstar_shmem_ctx *shmem_ctx_t;
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)1)

/* A team: a number. SHMEM_TEAM_SHARED is the PE alone. */
typedef struct awgstar_shmem_team *shmem_team_t;
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_TEAM_WORLD ((shmem_team_t)1)
#define SHMEM_TEAM_SHARED ((shmem_team_t)2)

typedef struct {
    int num_contexts;
} shmem_team_config_t;

#ifdef __cplusplus
extern "C" {
#endif

/* Starts OpenSHMEM: the process joins the run. Static data is symmetric from then on. */
void shmem_init(void);

/* As shmem_init. The level that is provided is SHMEM_THREAD_SERIALIZED at most. */
int shmem_init_thread(int requested, int *provided);

/* Gives the highest level of threads, SHMEM_THREAD_SERIALIZED. */
void shmem_query_thread(int *provided);

/* Ends OpenSHMEM with all PEs. */
void shmem_finalize(void);

/* Ends the run at once, with an exit code. */
void shmem_global_exit(int status);

/* Returns the number of this PE. */
int shmem_my_pe(void);

/* Returns the number of PEs. */
int shmem_n_pes(void);

/* Returns 1 if there is a PE with this number. */
int shmem_pe_accessible(int pe);

/* Returns 1 if memory is symmetric, and there is such a PE. */
int shmem_addr_accessible(const void *addr, int pe);

/* Returns an address at which this PE can load and store the memory of another: null, but for its own. */
void *shmem_ptr(const void *dest, int pe);

/* Gives the version of the specification: 1 and 5. */
void shmem_info_get_version(int *major, int *minor);

/* Gives the name of the library, awgstar. */
void shmem_info_get_name(char *name);

/* Does nothing: a library for measuring has its own. */
void shmem_pcontrol(int level, ...);

/* Allocates symmetric memory with all PEs: the same size in each. Null if there is no room, or for 0 bytes. */
void *shmem_malloc(size_t size);

/* As shmem_malloc. Hints change nothing. */
void *shmem_malloc_with_hints(size_t size, long hints);

/* Allocates symmetric memory for so many elements with all PEs, as zeros. */
void *shmem_calloc(size_t count, size_t size);

/* Allocates symmetric memory at a multiple of a power of two with all PEs. */
void *shmem_align(size_t alignment, size_t size);

/* Changes the size of an allocation with all PEs. The memory may move. */
void *shmem_realloc(void *ptr, size_t size);

/* Frees an allocation with all PEs. */
void shmem_free(void *ptr);

/* Orders what was put and stored before what is put later, to each PE. */
void shmem_fence(void);

/* As shmem_fence, of a context. */
void shmem_ctx_fence(shmem_ctx_t ctx);

/* Waits until what this PE has put and stored is in place. */
void shmem_quiet(void);

/* As shmem_quiet, of a context: here of all. */
void shmem_ctx_quiet(shmem_ctx_t ctx);

/* Locks: the PE that has waited longest is next. The variable is 0 at first. */
void shmem_set_lock(long *lock);

/* Locks if no PE holds the lock or waits for it: returns 0 then, and 1 otherwise. */
int shmem_test_lock(long *lock);

/* Unlocks, after what this PE has put and stored is in place. */
void shmem_clear_lock(long *lock);

/* Returns the number of this PE in a team; -1 for SHMEM_TEAM_INVALID. */
int shmem_team_my_pe(shmem_team_t team);

/* Returns the number of members; -1 for SHMEM_TEAM_INVALID. */
int shmem_team_n_pes(shmem_team_t team);

/* Gives the configuration of a team. Returns 1 for SHMEM_TEAM_INVALID. */
int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config);

/* Returns the number in a team of a member of another; -1 if it has none. */
int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team);

/* Makes a team of every strideth member of a team, with all of them. Returns 1 if there are none such. */
int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size,
    const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team);

/* Makes teams of the rows and columns of a team in rows of xrange, with all members. The last row may be short. */
int shmem_team_split_2d(shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask,
    shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask, shmem_team_t *yaxis_team);

/* Destroys a team and its contexts, with all members. */
void shmem_team_destroy(shmem_team_t team);

/* Makes a context of all PEs. */
int shmem_ctx_create(long options, shmem_ctx_t *ctx);

/* Makes a context of a team: PEs are its members. Returns 1 for SHMEM_TEAM_INVALID. */
int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx);

/* Destroys a context after shmem_ctx_quiet. */
void shmem_ctx_destroy(shmem_ctx_t ctx);

/* Gives the team of a context. Returns 1 for SHMEM_CTX_INVALID. */
int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team);

#ifdef __cplusplus
}
#endif

#include <shmem_rma.h>
#include <shmem_atomic.h>
#include <shmem_wait.h>
#include <shmem_collective.h>
#include <shmem_deprecated.h>
#include <shmem_generic.h>

#endif
