/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Driver of the Shared Memory Board (SMB) for firmware without an operating system: docs/c-driver.md.
 *
 * C99, freestanding: no allocation, no C library. The caller owns all memory. A function that can wait has a
 * timeout in ticks: those of smb_bus.clock, or calls of smb_poll if there is no clock. A result below 0 is one
 * of enum smb_error. Functions of one board must not interrupt each other. */
#ifndef SMB_H
#define SMB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "smb_registers.h"

/* Nodes that take part in locks: Node_IDs below it. A lock takes about 3 bytes of memory for each. */
#ifndef SMB_NODES
#define SMB_NODES 256
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum smb_error {
    SMB_OK = 0,
    SMB_E_ARGUMENT = -1,   /* an argument is out of range */
    SMB_E_BUS = -2,        /* the board refused an access (SLVERR) */
    SMB_E_NO_BOARD = -3,   /* ID or VERSION is not that of a board that this driver knows */
    SMB_E_ENABLED = -4,    /* the board is enabled already: reset it first */
    SMB_E_TIMEOUT = -5,    /* not done in time */
    SMB_E_STALLED = -6,    /* not done in time, and nothing that the board sends returns */
    SMB_E_BUSY = -7,       /* a signal of the caller has not returned yet */
    SMB_E_STATE = -8,      /* the lock is held already, or is not held */
    SMB_E_RANGE = -9,      /* beyond the shared memory */
    SMB_E_EMPTY = -10,     /* no message */
    SMB_E_LOST = -11,      /* mailbox or inbox was full: a message may be lost */
    SMB_E_NO_ENGINE = -12  /* the engine is not ready, or does not know the Node_IDs */
};

/* Name of a result, for a report. */
const char *smb_error_name(int error);

/* How to reach a board. Either both addresses or both functions are given. */
struct smb_bus {
    volatile void *registers; /* address of register 0 in the processor's memory */
    volatile void *window;    /* address of byte 0 of the shared memory */
    /* Accesses for a board that is not in the processor's memory; not 0 means that the board refused it.
     * `address` is that of the host port (the shared memory begins at SMB_WINDOW). Bit i of `strobe` is the
     * byte at address + i, in bits 8 i to 8 i + 7 of `value`. */
    int (*read)(void *context, uint32_t address, uint32_t *value);
    int (*write)(void *context, uint32_t address, uint32_t value, unsigned strobe);
    /* May be NULL. Orders accesses before it against those after it: called before a write to a register and
     * after a read of one. */
    void (*fence)(void *context);
    /* May be NULL. Time in ticks, modulo 2^32. */
    uint32_t (*clock)(void *context);
    /* May be NULL. Called while a function waits and has nothing to do: may return at the interrupt of the
     * board, or after some ticks, `most` at most. */
    void (*idle)(void *context, uint32_t most);
    void *context;
};

/* A signal. */
struct smb_message {
    uint8_t token;   /* enum smb_token: P2P, MULTICAST or BROADCAST */
    uint8_t c_st;
    uint8_t node_id; /* the receiver (P2P), or as C.ST says */
    uint8_t multi_g; /* the group (MULTICAST) */
    uint8_t source;  /* received only: the sender */
    uint8_t order;   /* sent only: enum smb_order */
    uint8_t length;  /* bytes of Data; of a received message those that were read */
    uint8_t data[SMB_SIGNAL_BYTES_MAX];
};

/* Lock and barrier engine of a board: which locks and barriers it serves. */
struct smb_engine {
    uint16_t locks;               /* bit l: lock l */
    uint16_t first;               /* bit l: this board owns lock l at the start; one board of the ring does */
    uint8_t barriers;             /* bit b: barrier b */
    const uint8_t (*members)[32]; /* of barrier 0, 1 to 7: bit i of byte j is Node_ID 8 j + i */
    uint32_t retry;               /* cycles of the retry timer, 1 to 2^24 */
};

/* Settings; must stay valid as long as the driver is used. */
struct smb_config {
    uint8_t node_id;
    uint8_t tokens;       /* tokens that the monitor keeps on the ring: 1 to 255 */
    uint16_t groups;      /* bit g: this node is in multicast group g */
    uint32_t timeout;     /* cycles until a frame that has not returned is sent again */
    uint32_t period;      /* cycles between heartbeats of the monitor, less 1 */
    uint32_t combine;     /* cycles without a write until a data frame is closed */
    uint64_t mac_prefix;  /* upper 40 bits of MAC; 0 keeps that of the reset */
    uint32_t interrupts;  /* SMB_IRQ_...: raise the interrupt beside those that the driver needs */
    uint8_t order;        /* enum smb_order of unlocks and arrivals: SMB_ORDER_CONFIRMED */
    uint32_t retry;       /* ticks after which a request of a lock or barrier is repeated */
    uint8_t message_bytes; /* bytes of Data that are read of a message of the caller; 0 means all */
    struct smb_message *inbox; /* room for messages of the caller; may be NULL */
    uint16_t inbox_size;
    const struct smb_engine *engine; /* NULL: without */
};

/* What follows is private to the driver. */

struct smb_outgoing {
    struct smb_outgoing *next;
    const uint8_t *more; /* Data, if it is not `data` */
    uint8_t queued, code, node_id, multi_g, order, length;
    uint8_t data[SMB_MESSAGE_BYTES];
};

struct smb_timer {
    uint32_t end;
    uint8_t runs;
};

struct smb_lock {
    struct smb_lock *next;
    uint32_t number;
    uint8_t caller, here, given, given_node;
    uint16_t given_tag, tag, epoch, waiting_count;
    struct smb_timer request_timer, pass_timer;
    struct smb_outgoing request, pass;
    uint8_t known[(SMB_NODES + 7) / 8];
    uint8_t waiting[SMB_NODES];
    uint16_t latest[SMB_NODES];
};

struct smb_barrier {
    struct smb_barrier *next;
    uint8_t number, waiting;
    uint16_t episode;
    struct smb_timer timer;
    struct smb_outgoing arrival, question;
    uint8_t members[32], heard[32];
};

struct smb {
    struct smb_bus bus;
    const struct smb_config *config;
    struct smb_lock *locks;
    struct smb_barrier *barriers;
    struct smb_outgoing *first, *last;
    struct smb_outgoing flying, user;
    uint8_t is_flying, user_pending, drain, lost;
    uint8_t user_data[SMB_SIGNAL_BYTES_MAX];
    uint32_t memory, polls, events, strange;
    uint32_t engine_held, engine_waiting;
    uint16_t inbox_first, inbox_count;
};

/* Set up. */

/* Connects the driver to a board after reset and writes its settings. */
int smb_init(struct smb *smb, const struct smb_bus *bus, const struct smb_config *config);
/* Prepares a lock, before smb_start on every node that uses it. `first` is the Node_ID that owns the lock at
 * the start, the same on all nodes. The board's engine serves the lock if smb_engine.locks says so. */
int smb_lock_init(struct smb *smb, struct smb_lock *lock, uint32_t number, uint8_t first);
/* Prepares a barrier, before smb_start on every node that uses it. Bit i of byte j of `members` is Node_ID
 * 8 j + i; the same on all nodes. */
int smb_barrier_init(struct smb *smb, struct smb_barrier *barrier, uint8_t number, const uint8_t members[32]);
/* Enables the board and waits until every board of the ring knows it. */
int smb_start(struct smb *smb, uint32_t timeout);
/* After a reset of the board: writes the settings again, enables it, waits, and goes on. A signal that the board
 * had is sent again; data that had not returned is lost. Not for a board whose engine is used. */
int smb_restart(struct smb *smb, uint32_t timeout);

/* Work. */

/* Handles what the board reports: call it at the interrupt, or often. Functions that wait call it themselves.
 * 1: there was something to do; 0: nothing. */
int smb_poll(struct smb *smb);
/* Bits SMB_IRQ_... of the events since the last call. */
uint32_t smb_events(struct smb *smb);
/* Sets which events raise the interrupt, SMB_IRQ_..., beside those that the driver needs. */
int smb_interrupts(struct smb *smb, uint32_t events);
/* Value of a counter: SMB_COUNTER_... */
int smb_counter(struct smb *smb, unsigned counter, uint32_t *value);

/* Shared memory. `offset` is a byte of the shared memory; any length and alignment. */

/* Bytes of the shared memory. */
uint32_t smb_memory(const struct smb *smb);
int smb_read(struct smb *smb, uint32_t offset, void *to, uint32_t length);
/* The bytes are in the local replica when it returns; on the other boards after smb_flush. */
int smb_write(struct smb *smb, uint32_t offset, const void *from, uint32_t length, uint32_t timeout);
int smb_read_word(struct smb *smb, uint32_t offset, uint32_t *value);
int smb_write_word(struct smb *smb, uint32_t offset, uint32_t value, uint32_t timeout);
/* Waits until everything written before is in the replica of every board. */
int smb_flush(struct smb *smb, uint32_t timeout);

/* Signals. */

/* Sends a signal and waits until it has returned: it has passed every board then. */
int smb_signal(struct smb *smb, const struct smb_message *message, uint32_t timeout);
/* The same without waiting: smb_signal_pending is true until it has returned. */
int smb_signal_begin(struct smb *smb, const struct smb_message *message);
bool smb_signal_pending(const struct smb *smb);
/* A signal between processes: a number and a word, to node `to` or, if `to` is below 0, to all others. */
int smb_process_signal(struct smb_message *message, int to, uint16_t number, uint32_t value, uint8_t order);
/* Number and word of such a signal; SMB_E_ARGUMENT if it is another one. */
int smb_process_value(const struct smb_message *message, uint16_t *number, uint32_t *value);
/* Takes the oldest message that is not of a lock or barrier; SMB_E_EMPTY if there is none, SMB_E_LOST once if
 * one may be lost. */
int smb_receive(struct smb *smb, struct smb_message *message);
/* The same, and waits for one. */
int smb_receive_wait(struct smb *smb, struct smb_message *message, uint32_t timeout);

/* Locks. */

/* Takes the lock. After SMB_E_TIMEOUT the request stays: call again to wait on, or smb_lock_cancel. */
int smb_lock_acquire(struct smb *smb, struct smb_lock *lock, uint32_t timeout);
/* Gives the lock back, after all writes that were made before. */
int smb_lock_release(struct smb *smb, struct smb_lock *lock);
/* Takes the request back. If the lock is granted meanwhile it goes to the next node. Not with the engine. */
int smb_lock_cancel(struct smb *smb, struct smb_lock *lock);
bool smb_lock_held(const struct smb *smb, const struct smb_lock *lock);

/* Barriers. */

/* Arrives, and waits until all members have. After SMB_E_TIMEOUT the arrival stays: call again to wait on. */
int smb_barrier_wait(struct smb *smb, struct smb_barrier *barrier, uint32_t timeout);

#ifdef __cplusplus
}
#endif

#endif
