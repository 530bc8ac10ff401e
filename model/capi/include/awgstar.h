/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar: programs on a modelled AWG-STAR ring, one process on each node.
 *
 *     cc program.c -I model/capi/include target/debug/libawgstar.a -o program
 *     awgstar run -n 4 -- ./program
 *
 * The shared memory is replicated: each node has its own copy (replica). A write changes the local replica
 * at once and those of the other nodes when its frame arrives there. Writes of one node arrive everywhere
 * in the order of the calls; writes of two nodes are ordered by locks and barriers only.
 *
 * Time is the time of the modelled ring. It passes in calls only, and does not depend on how fast this
 * computer is: the same program with the same input takes the same time in every run.
 *
 * Every function that returns int returns 0 or an error code. Calls of several threads of a process are
 * made one after another.
 */
#ifndef AWGSTAR_H
#define AWGSTAR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    AWG_OK = 0,
    AWG_NOT_STARTED = 1,   /* awg_init was not called, or not under `awgstar run` */
    AWG_VERSION = 2,       /* library and command are of different versions */
    AWG_OVER = 3,          /* another process failed, or the command ended the run */
    AWG_REFUSED = 4,       /* the board's store is full and the ring is cut */
    AWG_UNALIGNED = 5,     /* address or length is no multiple of 4 */
    AWG_RANGE = 6,         /* beyond the shared memory */
    AWG_NO_LOCK = 7,       /* locks are 0 to 65534 */
    AWG_HELD = 8,          /* this node holds the lock already */
    AWG_NOT_HELD = 9,      /* this node does not hold the lock */
    AWG_STILL_HELD = 10,   /* awg_finalize with a lock */
    AWG_NO_ROOM = 11,      /* the shared memory is full */
    AWG_NOT_ALLOCATED = 12,/* no allocation begins at this address */
    AWG_NULL = 13,         /* a pointer is null */
    AWG_TWICE = 14         /* awg_init was called twice */
};

/* Joins the ring. Call it first. */
int awg_init(void);

/* Leaves the ring. Writes made before still reach the other nodes. */
int awg_finalize(void);

/* Number of this node, from 0; number of nodes. -1 before awg_init. */
int awg_node(void);
int awg_nodes(void);

/* Bytes of the shared memory; addresses are byte addresses from 0. */
uint32_t awg_memory(void);

/* Time on the ring in ns at which the last call returned. */
uint64_t awg_now(void);

/* Reads bytes of the local replica: what had arrived when each word was read. */
int awg_read(uint32_t addr, void *to, size_t bytes);

/* Writes bytes. Addresses and lengths are multiples of 4. */
int awg_write(uint32_t addr, const void *from, size_t bytes);

/* Takes a lock. When it returns, no other node holds the lock, and all that earlier holders wrote before
 * they released it is in the local replica. */
int awg_lock(uint32_t number);

/* Releases a lock, behind all writes made before. */
int awg_unlock(uint32_t number);

/* Waits for all nodes. When it returns, all that any node wrote before its own call is in the local
 * replica. */
int awg_barrier(void);

/* Lets time pass on this node: what a computation takes. */
int awg_compute(uint64_t ns);

/* Takes bytes, rounded up to words, from the stack of shared memory. Every process must make the same
 * allocations in the same order. awg_release gives back an allocation and all made after it. */
int awg_alloc(size_t bytes, uint32_t *addr);
int awg_release(uint32_t addr);

/* Change a word in one step, and give what was there (old may be null). They exclude each other, not
 * awg_write. They guarantee for other data what a lock does. */
int awg_fetch_add(uint32_t addr, uint32_t value, uint32_t *old);
int awg_swap(uint32_t addr, uint32_t value, uint32_t *old);
int awg_compare_swap(uint32_t addr, uint32_t expected, uint32_t value, uint32_t *old);

/* Text of an error code. */
const char *awg_error(int error);

#ifdef __cplusplus
}
#endif

#endif
