/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The programs of model/host/src/work.rs in C, for nodes with the driver in C:
 *   work NAME NODE NODES TIMEOUT PERIOD RETRY ENGINE ARGUMENTS */
#include "model_bus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOCK 7
#define HEAD 0u
#define FREE 4u
#define FIRST 64u
#define LIMIT 40000000u
#define BARRIERS 8

static struct smb smb;
static struct smb_lock lock, more_locks[18];
static struct smb_barrier barriers[BARRIERS];
static struct smb_message inbox[20];
static uint8_t members[32], engine_members[BARRIERS][32];
static unsigned node, nodes;
static uint32_t argument[4];

/* Ends the program if something has failed. */
static void must(int result, const char *what)
{
    if (result < 0) {
        fprintf(stderr, "node %u, %s: %s\n", node, what, smb_error_name(result));
        model_done(result);
        exit(1);
    }
}

static void expect(uint32_t found, uint32_t expected, const char *what)
{
    if (found != expected) {
        fprintf(stderr, "node %u, %s: expected %u, found %u\n", node, what, expected, found);
        model_done(-100);
        exit(1);
    }
}

static uint32_t load(uint32_t offset)
{
    uint32_t value = 0;
    must(smb_read_word(&smb, offset, &value), "read");
    return value;
}

static void store(uint32_t offset, uint32_t value)
{
    must(smb_write_word(&smb, offset, value, LIMIT), "write");
}

static void counter(uint32_t rounds, uint32_t inside, uint32_t outside)
{
    for (uint32_t i = 0; i < rounds; i++) {
        must(smb_lock_acquire(&smb, &lock, LIMIT), "lock");
        uint32_t value = load(HEAD);
        if (inside > 0) {
            model_wait(inside);
        }
        store(HEAD, value + 1);
        must(smb_lock_release(&smb, &lock), "unlock");
        if (outside > 0) {
            model_wait(outside);
        }
    }
}

static void list(uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; i++) {
        must(smb_lock_acquire(&smb, &lock, LIMIT), "lock");
        uint32_t place = load(FREE);
        place = place < FIRST ? FIRST : place;
        /* Both words of the element in one call. */
        uint32_t element[2] = {load(HEAD), node << 16 | i};
        must(smb_write(&smb, place, element, sizeof element, LIMIT), "write");
        store(HEAD, place);
        store(FREE, place + 8);
        must(smb_lock_release(&smb, &lock), "unlock");
    }
}

static void stencil(uint32_t cells, uint32_t steps)
{
    uint32_t all = nodes * cells;
    uint32_t mine = node * cells;
    for (uint32_t i = mine; i < mine + cells; i++) {
        store(FIRST + 4 * i, i * i + 1);
    }
    must(smb_barrier_wait(&smb, &barriers[0], LIMIT), "barrier");
    for (uint32_t step = 0; step < steps; step++) {
        uint32_t old = FIRST + step % 2 * 4 * all;
        uint32_t new = FIRST + (step + 1) % 2 * 4 * all;
        uint32_t line[66];
        for (uint32_t i = 0; i < cells + 2; i++) {
            uint32_t at = mine + i;
            line[i] = at >= 1 && at <= all ? load(old + 4 * (at - 1)) : 0;
        }
        for (uint32_t i = 0; i < cells; i++) {
            store(new + 4 * (mine + i), line[i] + line[i + 1] + line[i + 2]);
        }
        must(smb_barrier_wait(&smb, &barriers[0], LIMIT), "barrier");
    }
}

/* Locks and barriers of all numbers: each lock guards a word. */
static void numbers(void)
{
    for (uint32_t i = 0; i < 18; i++) {
        uint32_t number = i < 17 ? i : 70;
        struct smb_lock *one = number == LOCK ? &lock : &more_locks[i];
        must(smb_lock_acquire(&smb, one, LIMIT), "lock");
        expect(smb_lock_acquire(&smb, one, LIMIT) == SMB_E_STATE, 1, "a held lock is asked for");
        store(4 * number, load(4 * number) + 1);
        must(smb_lock_release(&smb, one), "unlock");
        expect(smb_lock_release(&smb, one) == SMB_E_STATE, 1, "a lock is given back twice");
        must(smb_barrier_wait(&smb, &barriers[number % BARRIERS], LIMIT), "barrier");
        expect(load(4 * number), nodes, "word of a lock");
    }
    if (smb.config->engine != NULL) {
        uint32_t events = 1;
        must(smb_poll(&smb), "poll");
        must(smb.bus.read(NULL, SMB_ENGINE_IRQ_STATUS_OFFSET, &events), "read");
        expect(events, 0, "events of the engine that were handled");
    }
}

/* Who comes first is served first: everybody asks in turn, while the owner holds the lock. */
static void turns(uint32_t apart)
{
    /* Arrivals that a board missed because it was set up late are repeated; the second barrier loses none. */
    must(smb_barrier_wait(&smb, &barriers[1], LIMIT), "barrier");
    if (node == 0) {
        must(smb_lock_acquire(&smb, &lock, LIMIT), "lock");
    }
    must(smb_barrier_wait(&smb, &barriers[0], LIMIT), "barrier");
    /* In the order 0, nodes - 1, ..., 1: against the direction of the ring. */
    uint32_t end = model_cycle() + apart * (node == 0 ? nodes : nodes - node);
    while ((int32_t)(model_cycle() - end) < 0) {
        must(smb_poll(&smb), "poll");
        model_wait(4);
    }
    if (node != 0) {
        must(smb_lock_acquire(&smb, &lock, LIMIT), "lock");
    }
    uint32_t at = load(HEAD);
    store(FIRST + 4 * at, node);
    store(HEAD, at + 1);
    must(smb_lock_release(&smb, &lock), "unlock");
}

/* A write of each length at each alignment, flushed, then a signal, in both directions. */
static void blocks(uint32_t rounds)
{
    unsigned char bytes[1200], found[1200];
    struct smb_message message;
    uint32_t size = sizeof bytes;
    uint32_t base = 4096 * node;
    uint32_t other = 4096 * (1 - node);
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t offset = round * 5 % 7;
        uint32_t length = (round * 131 + 1) % (size - 8);
        for (uint32_t i = 0; i < length; i++) {
            bytes[i] = (unsigned char)(i * 7 + round * 13 + node);
        }
        must(smb_write(&smb, base + offset, bytes, length, LIMIT), "write");
        if (round % 2 == 0) {
            must(smb_flush(&smb, LIMIT), "flush");
        }
        uint8_t order = round % 2 == 0 ? SMB_ORDER_NONE : round % 4 == 1 ? SMB_ORDER_SENT : SMB_ORDER_CONFIRMED;
        must(smb_process_signal(&message, round % 3 == 0 ? -1 : (int)(1 - node), (uint16_t)round, ~round, order),
            "signal");
        must(smb_signal(&smb, &message, LIMIT), "signal");
        must(smb_receive_wait(&smb, &message, LIMIT), "receive");
        uint16_t number = 0;
        uint32_t value = 0;
        must(smb_process_value(&message, &number, &value), "a signal between processes");
        expect(number, round & 0xFFFF, "number of the signal");
        expect(value, ~round, "value of the signal");
        expect(message.source, 1 - node, "source of the signal");
        expect(message.token, round % 3 == 0 ? SMB_TOKEN_BROADCAST : SMB_TOKEN_P2P, "TOKEN of the signal");
        must(smb_read(&smb, other + offset, found, length), "read");
        for (uint32_t i = 0; i < length; i++) {
            expect(found[i], (i * 7 + round * 13 + 1 - node) & 0xFF, "byte of the other node");
        }
        /* The bytes beside were not touched. */
        must(smb_read(&smb, other + offset + length, found, 4), "read");
        expect(found[0], round < 2 ? 0 : found[0], "byte beyond");
        must(smb_barrier_wait(&smb, &barriers[0], LIMIT), "barrier");
    }
}

static void arrive(unsigned barrier)
{
    must(smb_barrier_wait(&smb, &barriers[barrier], LIMIT), "barrier");
}

/* Calls that do not wait long enough, a request that is taken back, and a lock that comes all the same. */
static void patience(uint32_t held)
{
    /* As in turns: the barriers after the first lose no arrival. */
    arrive(4);
    if (node == 0) {
        must(smb_lock_acquire(&smb, &lock, LIMIT), "lock");
        arrive(0);
        uint32_t end = model_cycle() + held;
        while (model_cycle() < end) {
            must(smb_poll(&smb), "poll");
            model_wait(8);
        }
        must(smb_lock_release(&smb, &lock), "unlock");
        arrive(1);
        arrive(2);
        must(smb_lock_acquire(&smb, &lock, LIMIT), "lock");
        store(HEAD, load(HEAD) + 1);
        must(smb_lock_release(&smb, &lock), "unlock");
    } else {
        arrive(0);
        uint32_t begin = model_cycle();
        expect((uint32_t)smb_lock_acquire(&smb, &lock, 700), (uint32_t)SMB_E_TIMEOUT, "a lock that is held");
        uint32_t took = model_cycle() - begin;
        expect(took >= 700 && took < 900, 1, "time of a call that is not answered");
        expect(smb_lock_held(&smb, &lock), 0, "held");
        if (node % 2 == 1 && smb.config->engine == NULL) {
            must(smb_lock_cancel(&smb, &lock), "cancel");
            expect(lock.request_timer.runs, 0, "timer of a request that was taken back");
            expect((uint32_t)smb_lock_cancel(&smb, &lock), (uint32_t)SMB_E_STATE, "cancel twice");
            arrive(1);
        } else {
            must(smb_lock_acquire(&smb, &lock, LIMIT), "lock, the second call");
            expect(load(HEAD), 0, "counter");
            must(smb_lock_release(&smb, &lock), "unlock");
            arrive(1);
        }
        expect((uint32_t)smb_barrier_wait(&smb, &barriers[2], 0), (uint32_t)SMB_E_TIMEOUT, "a barrier, no time");
        arrive(2);
        must(smb_lock_acquire(&smb, &lock, LIMIT), "lock after all");
        store(HEAD, load(HEAD) + 1);
        must(smb_lock_release(&smb, &lock), "unlock");
    }
    arrive(3);
    expect(load(HEAD), nodes, "counter");
}

/* The ring is cut while data and signals are under way. */
static void cut(uint32_t from)
{
    static unsigned char bytes[8192];
    struct smb_message message;
    while (model_cycle() < from) {
        must(smb_poll(&smb), "poll");
        model_wait(100);
    }
    if (node == 0) {
        uint32_t timeout = 20 * smb.config->timeout;
        store(0, 1);
        expect((uint32_t)smb_flush(&smb, timeout), (uint32_t)SMB_E_STALLED, "flush");
        expect((uint32_t)smb_write(&smb, 0, bytes, sizeof bytes, timeout), (uint32_t)SMB_E_STALLED, "write");
        must(smb_process_signal(&message, 1, 1, 1, SMB_ORDER_NONE), "signal");
        expect((uint32_t)smb_signal(&smb, &message, timeout), (uint32_t)SMB_E_STALLED, "signal");
        expect((uint32_t)smb_signal_begin(&smb, &message), (uint32_t)SMB_E_BUSY, "a second signal");
        expect((uint32_t)smb_receive_wait(&smb, &message, 1000), (uint32_t)SMB_E_STALLED, "receive");
        expect((smb_events(&smb) & SMB_IRQ_STALLED) != 0, 1, "event");
    }
}

/* Events, counters, lost messages, other signals than those of this project. */
static void reports(void)
{
    struct smb_message message = {.token = SMB_TOKEN_MULTICAST, .c_st = 30, .multi_g = 5, .length = 46};
    uint32_t events = 0;
    uint32_t value = 0;
    for (uint32_t i = 0; i < 46; i++) {
        message.data[i] = (uint8_t)(3 * i + 1);
    }
    if (node == 0) {
        /* More messages follow each other than the mailbox holds, if their receiver does not poll. */
        while ((events & SMB_IRQ_ROLE) == 0) {
            must(smb_poll(&smb), "poll");
            events |= smb_events(&smb);
        }
        while (value == 0) {
            must(smb_counter(&smb, SMB_COUNTER_BOARD_TOKEN_ADDED, &value), "counter");
        }
        expect((uint32_t)smb_counter(&smb, 32, &value), (uint32_t)SMB_E_ARGUMENT, "counter");
        arrive(0);
        must(smb_signal(&smb, &message, LIMIT), "multicast");
        message.multi_g = 6;
        must(smb_signal(&smb, &message, LIMIT), "multicast to nobody");
        message.token = SMB_TOKEN_P2P;
        message.node_id = 1;
        message.multi_g = 0;
        message.length = 5;
        must(smb_signal(&smb, &message, LIMIT), "to a node");
        arrive(1);
        for (uint32_t i = 0; i < 24; i++) {
            must(smb_process_signal(&message, 1, (uint16_t)i, i, SMB_ORDER_NONE), "signal");
            must(smb_signal(&smb, &message, LIMIT), "signal");
        }
        arrive(2);
        for (uint32_t i = 0; i < 20; i++) {
            must(smb_process_signal(&message, 1, (uint16_t)i, i, SMB_ORDER_NONE), "signal");
            must(smb_signal(&smb, &message, LIMIT), "signal");
        }
    } else {
        arrive(0);
        arrive(1);
        must(smb_receive(&smb, &message), "receive");
        expect(message.token, SMB_TOKEN_MULTICAST, "TOKEN");
        expect(message.c_st, 30, "C.ST");
        expect(message.multi_g, 5, "Multi_G");
        expect(message.source, 0, "source");
        expect(message.length, 46, "length");
        for (uint32_t i = 0; i < 46; i++) {
            expect(message.data[i], (3 * i + 1) & 0xFF, "Data");
        }
        must(smb_receive(&smb, &message), "receive");
        expect(message.token, SMB_TOKEN_P2P, "TOKEN");
        expect(message.node_id, 1, "Node_ID");
        expect(message.data[4], 13, "Data");
        expect(message.data[5], 0, "Data beyond the length");
        expect((uint32_t)smb_receive(&smb, &message), (uint32_t)SMB_E_EMPTY, "receive");
        arrive(2);
        /* The inbox has room for 20 of 24. */
        expect((uint32_t)smb_receive(&smb, &message), (uint32_t)SMB_E_LOST, "receive");
        for (uint32_t i = 0; i < 20; i++) {
            uint16_t number = 0;
            must(smb_receive(&smb, &message), "receive");
            must(smb_process_value(&message, &number, &value), "signal");
            expect(number, i, "number of a signal");
        }
        expect((uint32_t)smb_receive(&smb, &message), (uint32_t)SMB_E_EMPTY, "receive");
        /* The mailbox has room for 16 of 20. */
        model_wait(20000);
        must(smb_poll(&smb), "poll");
        expect((smb_events(&smb) & SMB_IRQ_MAIL_FULL) != 0, 1, "event");
        expect((uint32_t)smb_receive(&smb, &message), (uint32_t)SMB_E_LOST, "receive");
    }
}

/* Board 1 is reset with a signal under way. */
static void restart(void)
{
    struct smb_message message;
    arrive(0);
    if (node == 1) {
        must(smb_process_signal(&message, 0, 77, 78, SMB_ORDER_NONE), "signal");
        must(smb_signal_begin(&smb, &message), "signal");
        must(smb_poll(&smb), "poll");
        model_reset();
        expect((uint32_t)smb_lock_acquire(&smb, &more_locks[0], 5000), (uint32_t)SMB_E_TIMEOUT,
            "a board that is not enabled");
        must(smb_lock_cancel(&smb, &more_locks[0]), "cancel");
        must(smb_restart(&smb, LIMIT), "restart");
        expect((uint32_t)smb_restart(&smb, LIMIT), (uint32_t)SMB_E_ENABLED, "restart of a board that runs");
        while (smb_signal_pending(&smb)) {
            must(smb_poll(&smb), "poll");
        }
    } else if (node == 0) {
        uint16_t number = 0;
        uint32_t value = 0;
        must(smb_receive_wait(&smb, &message, LIMIT), "receive");
        must(smb_process_value(&message, &number, &value), "signal");
        expect(number, 77, "number");
        expect(value, 78, "value");
    }
    arrive(1);
    for (uint32_t i = 0; i < 3; i++) {
        must(smb_lock_acquire(&smb, &lock, LIMIT), "lock");
        store(HEAD, load(HEAD) + 1);
        must(smb_lock_release(&smb, &lock), "unlock");
    }
    arrive(2);
    expect(load(HEAD), 3 * nodes, "counter");
}

int main(int count, char **words)
{
    if (count < 8) {
        return 2;
    }
    node = (unsigned)atoi(words[2]);
    nodes = (unsigned)atoi(words[3]);
    struct smb_engine engine = {.locks = 0xFFFF, .barriers = 0xFF, .retry = 60000};
    struct smb_config config = {
        .node_id = (uint8_t)node,
        .tokens = 1,
        .timeout = (uint32_t)atoi(words[4]),
        .period = (uint32_t)atoi(words[5]),
        .combine = 64,
        .groups = 1 << 5,
        .order = SMB_ORDER_CONFIRMED,
        .retry = (uint32_t)atoi(words[6]),
        .inbox = inbox,
        .inbox_size = 20,
        .engine = atoi(words[7]) != 0 ? &engine : NULL,
    };
    for (int i = 8; i < count && i < 12; i++) {
        argument[i - 8] = (uint32_t)atoi(words[i]);
    }
    for (unsigned i = 0; i < nodes; i++) {
        members[i / 8] = (uint8_t)(members[i / 8] | 1u << i % 8);
    }
    for (unsigned i = 0; i < BARRIERS; i++) {
        memcpy(engine_members[i], members, sizeof members);
    }
    for (unsigned i = 0; i < SMB_ENGINE_LOCKS; i++) {
        engine.first = (uint16_t)(engine.first | (i % nodes == node) << i);
    }
    engine.members = (const uint8_t(*)[32])engine_members;
    struct smb_bus bus = model_bus();
    must(smb_init(&smb, &bus, &config), "init");
    for (unsigned i = 0; i < 18; i++) {
        unsigned number = i < 17 ? i : 70;
        struct smb_lock *one = number == LOCK ? &lock : &more_locks[i];
        must(smb_lock_init(&smb, one, number, (uint8_t)(number % nodes)), "lock");
    }
    for (unsigned i = 0; i < BARRIERS; i++) {
        must(smb_barrier_init(&smb, &barriers[i], (uint8_t)i, members), "barrier");
    }
    must(smb_start(&smb, LIMIT), "start");
    const char *name = words[1];
    if (strcmp(name, "counter") == 0) {
        counter(argument[0], argument[1], argument[2]);
    } else if (strcmp(name, "list") == 0) {
        list(argument[0]);
    } else if (strcmp(name, "stencil") == 0) {
        stencil(argument[0], argument[1]);
    } else if (strcmp(name, "numbers") == 0) {
        numbers();
    } else if (strcmp(name, "turns") == 0) {
        turns(argument[0]);
    } else if (strcmp(name, "blocks") == 0) {
        blocks(argument[0]);
    } else if (strcmp(name, "patience") == 0) {
        patience(argument[0]);
    } else if (strcmp(name, "cut") == 0) {
        cut(argument[0]);
    } else if (strcmp(name, "reports") == 0) {
        reports();
    } else if (strcmp(name, "restart") == 0) {
        restart();
    } else {
        must(SMB_E_ARGUMENT, name);
    }
    expect(smb.strange, 0, "strange messages");
    model_done(0);
    /* Others may still ask this node. */
    for (;;) {
        must(smb_poll(&smb), "poll");
        bus.idle(NULL, 1024);
    }
}
