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
 * Every function that returns int returns 0 or an error code, unless it says otherwise. Calls of several
 * threads of a process are made one after another. The test model/capi/tests/header.rs writes this file. */
#ifndef AWGSTAR_H
#define AWGSTAR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    AWG_OK = 0,
    AWG_NOT_STARTED = 1,     /* awg_init was not called, or not under awgstar run. */
    AWG_VERSION = 2,         /* Library and command are of different versions. */
    AWG_OVER = 3,            /* Another process failed, or the command ended the run. */
    AWG_REFUSED = 4,         /* The board's store is full and the ring is cut: an earlier write was lost, and this call was not made. */
    AWG_UNALIGNED = 5,       /* The address of an atomic operation is no multiple of 4. */
    AWG_RANGE = 6,           /* Beyond the shared memory. */
    AWG_NO_LOCK = 7,         /* Locks are 0 to 65534. */
    AWG_HELD = 8,            /* This node holds the lock already. */
    AWG_NOT_HELD = 9,        /* This node does not hold the lock. */
    AWG_STILL_HELD = 10,     /* awg_finalize with a lock. */
    AWG_NO_ROOM = 11,        /* The shared memory is full. */
    AWG_NOT_ALLOCATED = 12,  /* No allocation begins at this address. */
    AWG_NULL = 13,           /* A pointer is null. */
    AWG_TWICE = 14,          /* awg_init was called twice. */
    AWG_FORKED = 15,         /* Made by a child of the process that joined; only that process may call. */
    AWG_TOO_LONG = 16,       /* A computation is an hour at most. */
    AWG_NO_NODE = 17,        /* A signal goes to another node of the ring. */
    AWG_NO_SIGNALS = 18,     /* The machine has no signals between programs: only rings have. */
    AWG_LOST = 19,           /* The mailbox of this node was full. Later signals arrive. */
    AWG_TIMED_OUT = 20,      /* No signal came in the time given. */
    AWG_NO_REPLICA = 21,     /* The system cannot map the replica. */
    AWG_NO_SIGNAL = 22,      /* Signals are 0 to 65535. */
    AWG_NO_RING = 23,        /* The machine has no ring with this number. */
    AWG_FAR_UNALIGNED = 24   /* A far access is of words. */
};

/* Joins the ring. Call it first, once. */
int awg_init(void);

/* Leaves the ring. Writes made before still reach the other nodes. A program that has joined must call
 * it before it exits, and must not hold a lock. */
int awg_finalize(void);

/* Number of this node, from 0; -1 before awg_init. */
int awg_node(void);

/* Number of nodes; -1 before awg_init. */
int awg_nodes(void);

/* Number of the ring of this node, from 0; -1 before awg_init. A machine that is no machine of rings has ring 0
 * alone. Nodes, memory, locks and signals are those of the own ring; a barrier is that of all rings. */
int awg_ring(void);

/* Number of rings, which have as many nodes each; -1 before awg_init. */
int awg_rings(void);

/* Bytes of the shared memory; 0 before awg_init. Addresses are byte addresses from 0. */
uint32_t awg_memory(void);

/* Time on the ring in ns; 0 before awg_init and after the end of the run. It does not pass between
 * calls. */
uint64_t awg_now(void);

/* Reads bytes bytes of the local replica at addr: what had arrived there when each word was read. Each
 * word that the bytes touch is one access of the board. */
int awg_read(uint32_t addr, void *to, size_t bytes);

/* Writes bytes bytes at addr: to the local replica at once, to those of the others when their frame
 * arrives there. Writes of one node arrive everywhere in the order of the calls. Writes are posted: if
 * the board refuses one, a later call returns AWG_REFUSED. Of a word that is not written whole only these
 * bytes change, everywhere. */
int awg_write(uint32_t addr, const void *from, size_t bytes);

/* Reads bytes bytes at addr of a ring, both multiples of 4: what is there when the gateway of that ring reads
 * them. Of the own ring as awg_read. */
int awg_far_read(int ring, uint32_t addr, void *to, size_t bytes);

/* Writes bytes bytes at addr of a ring, both multiples of 4. When it returns, they are in the replicas of all
 * nodes there, after all that this node wrote there before. Many bytes arrive part by part. */
int awg_far_write(int ring, uint32_t addr, const void *from, size_t bytes);

/* Maps the replica of this node as memory of the program, to be read only: byte a is what awg_read gives at
 * address a. Loads take no time on the ring. They give what had arrived at the end of the last call of this
 * process that waits: awg_write and awg_compute are posted and change nothing, awg_flush waits for them. A
 * store is a segmentation fault. Each call gives the same pointer, which is valid until the program ends; the first
 * call takes a cycle of the ring. Pointer and number of bytes are put where the arguments say, unless they are null. */
int awg_replica(const void **to, size_t *bytes);

/* Waits until all that was posted is done: writes are in the local replica then. */
int awg_flush(void);

/* Takes a lock. When it returns, no other node holds the lock, and all that earlier holders wrote before
 * they released it is in the local replica. */
int awg_lock(uint32_t number);

/* Releases a lock, after all writes made before. */
int awg_unlock(uint32_t number);

/* Waits for all nodes. When it returns, all that any node wrote before its own call is in the local
 * replica. */
int awg_barrier(void);

/* Sends a signal with a number from 0 to 65535 and a word to a node, or with -1 to all others. It leaves
 * after all that this node wrote before: who has received it reads what was written. When it returns, the
 * signal is in the mailbox of each receiver. */
int awg_signal(int node, uint32_t number, uint32_t value);

/* Waits for the oldest signal that has arrived with this number, or with -1 for the oldest of all, but no
 * longer than limit_ns ns; UINT64_MAX waits for ever. Node and value of the signal are put where the
 * pointers say, unless they are null. */
int awg_wait(int number, uint64_t limit_ns, uint32_t *node, uint32_t *value);

/* Lets time pass on this node: the duration of a computation in ns, an hour at most. Posted, as
 * awg_write is. */
int awg_compute(uint64_t ns);

/* Takes bytes bytes, rounded up to words, from the stack of shared memory, and gives their address.
 * Nothing is sent: every process must make the same allocations in the same order. */
int awg_alloc(size_t bytes, uint32_t *addr);

/* Gives back the allocation at addr and all made after it. */
int awg_release(uint32_t addr);

/* Adds to the word at addr in one step. old receives what was there, unless it is null. Atomic
 * functions exclude each other, not awg_write. They order other data as a lock does. */
int awg_fetch_add(uint32_t addr, uint32_t value, uint32_t *old);

/* Replaces the word at addr in one step, as awg_fetch_add. */
int awg_swap(uint32_t addr, uint32_t value, uint32_t *old);

/* Replaces the word at addr in one step if it is expected, as awg_fetch_add. */
int awg_compare_swap(uint32_t addr, uint32_t expected, uint32_t value, uint32_t *old);

/* Text of an error code. */
const char *awg_error(int error);

#ifdef __cplusplus
}
#endif

#endif
