/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* See smb.h. The locks are the ring queue lock, the barriers the ring barrier (docs/protocols-lock.md,
 * docs/protocols-barrier.md), message for message as in model/sync/src/firmware. */
#include "smb.h"

/* Rounds in which a call of smb_poll empties the mailbox; what arrives later waits for the next call. */
#define ROUNDS 4
/* Messages of a round at most, whatever MAIL_COUNT says. */
#define ROUND_MAX 256
/* Words of shared memory that are written after one look at TX_FREE. */
#define CHUNK 64
/* Ticks after which a wait looks again: for what no interrupt reports, and for what one does. */
#define SOON 64
#define LATER 1024
/* Polls after which a clock that has not moved is taken for broken. */
#define STUCK 1000000
/* Events that the driver handles. */
#define EVENTS (SMB_IRQ_MAIL | SMB_IRQ_SIGNAL_DONE)

enum { IDLE, ASKING, INSIDE };

const char *smb_error_name(int error)
{
    switch (error) {
    case SMB_OK: return "ok";
    case SMB_E_ARGUMENT: return "argument out of range";
    case SMB_E_BUS: return "access refused by the board";
    case SMB_E_NO_BOARD: return "no board, or another version";
    case SMB_E_ENABLED: return "board already enabled";
    case SMB_E_TIMEOUT: return "timeout";
    case SMB_E_STALLED: return "timeout, nothing returns on the ring";
    case SMB_E_BUSY: return "a signal is under way";
    case SMB_E_STATE: return "lock held already, or not held";
    case SMB_E_RANGE: return "beyond the shared memory";
    case SMB_E_EMPTY: return "no message";
    case SMB_E_LOST: return "a message may be lost";
    case SMB_E_NO_ENGINE: return "engine not ready";
    default: return "unknown";
    }
}

/* Accesses. */

static void fence(struct smb *smb)
{
    if (smb->bus.fence != NULL) {
        smb->bus.fence(smb->bus.context);
    }
}

static volatile unsigned char *place(struct smb *smb, uint32_t address)
{
    if ((address & SMB_WINDOW) != 0) {
        return (volatile unsigned char *)smb->bus.window + (address & ~SMB_WINDOW);
    }
    return (volatile unsigned char *)smb->bus.registers + address;
}

static int bus_read(struct smb *smb, uint32_t address, uint32_t *value)
{
    if (smb->bus.read != NULL) {
        return smb->bus.read(smb->bus.context, address, value) == 0 ? SMB_OK : SMB_E_BUS;
    }
    *value = *(volatile uint32_t *)(volatile void *)place(smb, address);
    return SMB_OK;
}

static int bus_write(struct smb *smb, uint32_t address, uint32_t value, unsigned strobe)
{
    if (smb->bus.write != NULL) {
        return smb->bus.write(smb->bus.context, address, value, strobe) == 0 ? SMB_OK : SMB_E_BUS;
    }
    volatile unsigned char *at = place(smb, address);
    if (strobe == 0xFu) {
        *(volatile uint32_t *)(volatile void *)at = value;
        return SMB_OK;
    }
    for (unsigned i = 0; i < 4; i++) {
        if ((strobe >> i & 1u) != 0) {
            at[i] = (unsigned char)(value >> (8 * i) & 0xFFu);
        }
    }
    return SMB_OK;
}

static int get(struct smb *smb, uint32_t address, uint32_t *value)
{
    int result = bus_read(smb, address, value);
    fence(smb);
    return result;
}

static int put(struct smb *smb, uint32_t address, uint32_t value)
{
    fence(smb);
    return bus_write(smb, address, value, 0xFu);
}

/* Small help. */

static uint32_t now(struct smb *smb)
{
    return smb->bus.clock != NULL ? smb->bus.clock(smb->bus.context) : smb->polls;
}

static void start(struct smb *smb, struct smb_timer *timer)
{
    timer->end = now(smb) + smb->config->retry;
    timer->runs = 1;
}

/* The timer has run out; it is stopped now. */
static bool expired(struct smb *smb, struct smb_timer *timer)
{
    if (timer->runs != 0 && (now(smb) - timer->end) < UINT32_C(0x80000000)) {
        timer->runs = 0;
        return true;
    }
    return false;
}

/* Bytes through a volatile pointer: no compiler makes a call of memset of this. */
static void zero(void *memory, size_t length)
{
    volatile unsigned char *bytes = memory;
    for (size_t i = 0; i < length; i++) {
        bytes[i] = 0;
    }
}

static bool has(const uint8_t *set, unsigned node)
{
    return (set[node / 8] >> (node % 8) & 1u) != 0;
}

static void add(uint8_t *set, unsigned node)
{
    set[node / 8] = (uint8_t)(set[node / 8] | 1u << (node % 8));
}

/* The node can take part in locks. */
static bool in_locks(unsigned node)
{
    return node < SMB_NODES;
}

static void put_number(uint8_t *data, unsigned offset, unsigned bytes, uint32_t value)
{
    for (unsigned i = 0; i < bytes; i++) {
        data[offset + i] = (uint8_t)(value >> (8 * (bytes - 1 - i)) & 0xFFu);
    }
}

static uint32_t get_number(const uint8_t *data, unsigned offset, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        value = value << 8 | data[offset + i];
    }
    return value;
}

/* Number `a` was given after `b`, modulo 65,536. */
static bool newer(uint16_t a, uint16_t b)
{
    return a != b && (uint16_t)(a - b) < 0x8000u;
}

/* Signals to be sent: one after the other, each until it has returned. */

static bool same(const struct smb_outgoing *a, const struct smb_outgoing *b)
{
    if (a->code != b->code || a->node_id != b->node_id || a->more != NULL || b->more != NULL) {
        return false;
    }
    for (unsigned i = 0; i < SMB_MESSAGE_BYTES; i++) {
        if (a->data[i] != b->data[i]) {
            return false;
        }
    }
    return true;
}

/* A signal that the board is still sending is not sent twice. One that waits is there once, with its latest
 * values. */
static void send(struct smb *smb, struct smb_outgoing *one)
{
    if (one->queued != 0 || (smb->is_flying != 0 && same(&smb->flying, one))) {
        return;
    }
    one->queued = 1;
    one->next = NULL;
    if (smb->last != NULL) {
        smb->last->next = one;
    } else {
        smb->first = one;
    }
    smb->last = one;
}

static void unsend(struct smb *smb, struct smb_outgoing *one)
{
    struct smb_outgoing *before = NULL;
    for (struct smb_outgoing *at = smb->first; at != NULL; before = at, at = at->next) {
        if (at == one) {
            if (before != NULL) {
                before->next = one->next;
            } else {
                smb->first = one->next;
            }
            if (smb->last == one) {
                smb->last = before;
            }
            one->queued = 0;
            return;
        }
    }
}

static void copy(struct smb_outgoing *to, const struct smb_outgoing *from)
{
    to->more = from->more;
    to->code = from->code;
    to->node_id = from->node_id;
    to->multi_g = from->multi_g;
    to->order = from->order;
    to->length = from->length;
    for (unsigned i = 0; i < SMB_MESSAGE_BYTES; i++) {
        to->data[i] = from->data[i];
    }
}

/* Gives a signal to the board. */
static int hand_over(struct smb *smb, const struct smb_outgoing *one)
{
    const uint8_t *data = one->more != NULL ? one->more : one->data;
    for (unsigned i = 0; i < one->length; i += 4) {
        uint32_t word = 0;
        for (unsigned j = 0; j < 4 && i + j < one->length; j++) {
            word |= (uint32_t)data[i + j] << (8 * j);
        }
        int result = put(smb, SMB_SIGNAL_DATA_OFFSET + i, word);
        if (result < 0) {
            return result;
        }
    }
    uint32_t value = (uint32_t)(one->code >> 5) << SMB_SIGNAL_SEND_TOKEN_SHIFT
        | (uint32_t)(one->code & 0x1Fu) << SMB_SIGNAL_SEND_C_ST_SHIFT
        | (uint32_t)one->node_id << SMB_SIGNAL_SEND_NODE_ID_SHIFT
        | (uint32_t)one->multi_g << SMB_SIGNAL_SEND_MULTI_G_SHIFT
        | (uint32_t)one->length << SMB_SIGNAL_SEND_LEN_SHIFT
        | (uint32_t)one->order << SMB_SIGNAL_SEND_ORDER_SHIFT;
    return put(smb, SMB_SIGNAL_SEND_OFFSET, value);
}

/* Locks: the ring queue. */

static void fill(struct smb_outgoing *one, uint8_t code, uint8_t node_id, uint8_t order, uint16_t tag)
{
    one->code = code;
    one->node_id = node_id;
    one->order = order;
    one->length = SMB_MESSAGE_BYTES;
    put_number(one->data, SMB_DATA_TAG, SMB_DATA_TAG_BYTES, tag);
}

static void send_request(struct smb *smb, struct smb_lock *lock)
{
    fill(&lock->request, SMB_SIGNAL_LOCK_QUEUE_REQUEST, smb->config->node_id, SMB_ORDER_NONE, lock->tag);
    put_number(lock->request.data, SMB_DATA_LOCK_NUMBER, SMB_DATA_LOCK_NUMBER_BYTES, lock->number);
    send(smb, &lock->request);
    start(smb, &lock->request_timer);
}

/* Sends the ownership that was given away, also repeatedly. */
static void give(struct smb *smb, struct smb_lock *lock)
{
    if (lock->given == 0) {
        return;
    }
    fill(&lock->pass, SMB_SIGNAL_LOCK_QUEUE_PASS, lock->given_node, smb->config->order, lock->given_tag);
    put_number(lock->pass.data, SMB_DATA_LOCK_NUMBER, SMB_DATA_LOCK_NUMBER_BYTES, lock->number);
    put_number(lock->pass.data, SMB_DATA_EPOCH, SMB_DATA_EPOCH_BYTES, lock->epoch);
    send(smb, &lock->pass);
    start(smb, &lock->pass_timer);
}

/* Records the newest request of a node; true if it is new. */
static bool learn(struct smb_lock *lock, uint8_t node, uint16_t tag)
{
    if (has(lock->known, node) && !newer(tag, lock->latest[node])) {
        return false;
    }
    add(lock->known, node);
    lock->latest[node] = tag;
    return true;
}

static void forget(struct smb_lock *lock, uint8_t node)
{
    uint16_t kept = 0;
    for (uint16_t i = 0; i < lock->waiting_count; i++) {
        if (lock->waiting[i] != node) {
            lock->waiting[kept] = lock->waiting[i];
            kept++;
        }
    }
    lock->waiting_count = kept;
}

static bool enter(struct smb_lock *lock)
{
    if (lock->caller != ASKING) {
        return false;
    }
    lock->caller = INSIDE;
    lock->request_timer.runs = 0;
    return true;
}

/* Gives ownership to the first waiting process; without one it stays here. */
static void serve(struct smb *smb, struct smb_lock *lock)
{
    if (lock->waiting_count == 0) {
        (void)enter(lock);
        return;
    }
    uint8_t next = lock->waiting[0];
    forget(lock, next);
    lock->here = 0;
    lock->epoch = (uint16_t)(lock->epoch + 1u);
    lock->given = 1;
    lock->given_node = next;
    lock->given_tag = lock->latest[next];
    give(smb, lock);
}

static void requested(struct smb *smb, struct smb_lock *lock, uint8_t node, uint16_t tag)
{
    if (!learn(lock, node, tag)) {
        /* A process has waited long: ownership may not have reached the next holder. */
        give(smb, lock);
        return;
    }
    forget(lock, node);
    lock->waiting[lock->waiting_count] = node;
    lock->waiting_count++;
    if (lock->here != 0 && lock->caller == IDLE) {
        serve(smb, lock);
    }
}

static void passed(struct smb *smb, struct smb_lock *lock, uint8_t node, uint16_t tag, uint16_t epoch)
{
    /* A request that waits is the latest known of its node. */
    (void)learn(lock, node, tag);
    if (!newer(lock->latest[node], tag)) {
        forget(lock, node);
    }
    if (!newer(epoch, lock->epoch)) {
        return;
    }
    lock->epoch = epoch;
    if (lock->given != 0) {
        lock->given = 0;
        lock->pass_timer.runs = 0;
    }
    if (node == smb->config->node_id) {
        lock->here = 1;
        /* A node that missed an earlier pass has served an earlier request again. */
        if (tag != lock->tag || !enter(lock)) {
            serve(smb, lock);
        }
    }
}

/* Barriers: the ring barrier. */

/* Sends the latest arrival; `asked` shall send its own, this node itself means none. */
static void call(struct smb *smb, struct smb_barrier *barrier, struct smb_outgoing *one, uint8_t asked)
{
    uint16_t tag = barrier->waiting != 0 ? barrier->episode : (uint16_t)(barrier->episode - 1u);
    fill(one, SMB_SIGNAL_BARRIER_RING_ARRIVAL, asked, smb->config->order, tag);
    put_number(one->data, SMB_DATA_BARRIER_NUMBER, SMB_DATA_BARRIER_NUMBER_BYTES, barrier->number);
    send(smb, one);
}

static void pass(struct smb_barrier *barrier)
{
    if (barrier->waiting == 0) {
        return;
    }
    barrier->waiting = 0;
    barrier->timer.runs = 0;
    barrier->episode = (uint16_t)(barrier->episode + 1u);
    for (unsigned i = 0; i < sizeof barrier->heard; i++) {
        barrier->heard[i] = 0;
    }
}

/* The lowest member that has not arrived; -1 if all have. */
static int missing(const struct smb_barrier *barrier)
{
    for (unsigned node = 0; node < 256; node++) {
        if (has(barrier->members, node) && !has(barrier->heard, node)) {
            return (int)node;
        }
    }
    return -1;
}

static void count(struct smb_barrier *barrier, uint8_t node)
{
    add(barrier->heard, node);
    if (missing(barrier) < 0) {
        pass(barrier);
    }
}

static void arrived(struct smb *smb, struct smb_barrier *barrier, uint8_t source, uint8_t asked, uint16_t tag)
{
    uint8_t node = smb->config->node_id;
    if (tag == (uint16_t)(barrier->episode + 1u)) {
        pass(barrier);
    }
    bool now_here = tag == barrier->episode;
    if (asked == node && (barrier->waiting != 0 || !now_here)) {
        call(smb, barrier, &barrier->arrival, node);
    }
    if (now_here) {
        count(barrier, source);
    }
}

static void ask_missing(struct smb *smb, struct smb_barrier *barrier)
{
    int node = missing(barrier);
    call(smb, barrier, &barrier->question, node < 0 ? smb->config->node_id : (uint8_t)node);
    start(smb, &barrier->timer);
}

/* Messages. */

static struct smb_lock *find_lock(struct smb *smb, uint32_t number)
{
    struct smb_lock *lock = smb->locks;
    while (lock != NULL && lock->number != number) {
        lock = lock->next;
    }
    return lock;
}

static struct smb_barrier *find_barrier(struct smb *smb, uint32_t number)
{
    struct smb_barrier *barrier = smb->barriers;
    while (barrier != NULL && barrier->number != number) {
        barrier = barrier->next;
    }
    return barrier;
}

static bool engine_lock(const struct smb *smb, const struct smb_lock *lock)
{
    const struct smb_engine *engine = smb->config->engine;
    return engine != NULL && lock->number < SMB_ENGINE_LOCKS && (engine->locks >> lock->number & 1u) != 0;
}

static bool engine_barrier(const struct smb *smb, const struct smb_barrier *barrier)
{
    const struct smb_engine *engine = smb->config->engine;
    return engine != NULL && barrier->number < SMB_ENGINE_BARRIERS
        && (engine->barriers >> barrier->number & 1u) != 0;
}

/* Bytes of Data that are read of a message. */
static unsigned wanted(const struct smb *smb, uint8_t code)
{
    switch (code) {
    case SMB_SIGNAL_LOCK_QUEUE_REQUEST: return SMB_LOCK_QUEUE_REQUEST_BYTES;
    case SMB_SIGNAL_LOCK_QUEUE_PASS: return SMB_LOCK_QUEUE_PASS_BYTES;
    case SMB_SIGNAL_BARRIER_RING_ARRIVAL: return SMB_BARRIER_RING_ARRIVAL_BYTES;
    case SMB_SIGNAL_PROCESS_P2P:
    case SMB_SIGNAL_PROCESS_BROADCAST: return SMB_PROCESS_BYTES;
    default: break;
    }
    unsigned bytes = smb->config->message_bytes;
    return bytes == 0 || bytes > SMB_SIGNAL_BYTES_MAX ? SMB_SIGNAL_BYTES_MAX : bytes;
}

static void keep(struct smb *smb, uint32_t header, const struct smb_message *message)
{
    const struct smb_config *config = smb->config;
    if (config->inbox == NULL || smb->inbox_count >= config->inbox_size) {
        smb->lost = 1;
        return;
    }
    uint32_t at = (uint32_t)smb->inbox_first + smb->inbox_count;
    struct smb_message *to = &config->inbox[at < config->inbox_size ? at : at - config->inbox_size];
    to->token = (uint8_t)((header & SMB_MAIL_TOKEN_MASK) >> SMB_MAIL_TOKEN_SHIFT);
    to->c_st = (uint8_t)((header & SMB_MAIL_C_ST_MASK) >> SMB_MAIL_C_ST_SHIFT);
    to->multi_g = (uint8_t)((header & SMB_MAIL_MULTI_G_MASK) >> SMB_MAIL_MULTI_G_SHIFT);
    to->node_id = message->node_id;
    to->source = message->source;
    to->order = SMB_ORDER_NONE;
    to->length = message->length;
    for (unsigned i = 0; i < SMB_SIGNAL_BYTES_MAX; i++) {
        to->data[i] = i < message->length ? message->data[i] : 0;
    }
    smb->inbox_count = (uint16_t)(smb->inbox_count + 1u);
}

static void handle(struct smb *smb, uint32_t header, const struct smb_message *message)
{
    uint8_t code = (uint8_t)(header >> SMB_MAIL_C_ST_SHIFT);
    const uint8_t *data = message->data;
    uint16_t tag = (uint16_t)get_number(data, SMB_DATA_TAG, SMB_DATA_TAG_BYTES);
    uint32_t number = get_number(data, SMB_DATA_LOCK_NUMBER, SMB_DATA_LOCK_NUMBER_BYTES);
    if (code == SMB_SIGNAL_LOCK_QUEUE_REQUEST || code == SMB_SIGNAL_LOCK_QUEUE_PASS) {
        struct smb_lock *lock = find_lock(smb, number);
        if (lock == NULL || !in_locks(message->node_id) || data[0] != 0 || data[1] != 0) {
            smb->strange++;
        } else if (engine_lock(smb, lock)) {
            /* It arrived before the engine was set up: its sender repeats it. */
            return;
        } else if (code == SMB_SIGNAL_LOCK_QUEUE_REQUEST) {
            requested(smb, lock, message->node_id, tag);
        } else {
            uint16_t epoch = (uint16_t)get_number(data, SMB_DATA_EPOCH, SMB_DATA_EPOCH_BYTES);
            passed(smb, lock, message->node_id, tag, epoch);
        }
    } else if (code == SMB_SIGNAL_BARRIER_RING_ARRIVAL) {
        uint32_t which = get_number(data, SMB_DATA_BARRIER_NUMBER, SMB_DATA_BARRIER_NUMBER_BYTES);
        struct smb_barrier *barrier = find_barrier(smb, which);
        if (barrier == NULL || data[0] != 0) {
            smb->strange++;
        } else if (!engine_barrier(smb, barrier)) {
            arrived(smb, barrier, message->source, message->node_id, tag);
        }
    } else {
        keep(smb, header, message);
    }
}

/* Reads the oldest message: the words that its signal has, and no others. */
static int take(struct smb *smb)
{
    struct smb_message message;
    uint32_t header = 0;
    uint32_t mac = 0;
    int result = get(smb, SMB_MAIL_DATA_OFFSET + 4 * SMB_MAIL_WORD_HEADER, &header);
    if (result >= 0) {
        result = get(smb, SMB_MAIL_DATA_OFFSET + 4 * SMB_MAIL_WORD_MAC_LOW, &mac);
    }
    unsigned bytes = wanted(smb, (uint8_t)(header >> SMB_MAIL_C_ST_SHIFT));
    for (unsigned i = 0; i < SMB_MESSAGE_BYTES; i++) {
        message.data[i] = 0;
    }
    for (unsigned i = 0; result >= 0 && i < bytes; i += 4) {
        uint32_t word = 0;
        result = get(smb, SMB_MAIL_DATA_OFFSET + 4 * SMB_MAIL_WORD_DATA + i, &word);
        for (unsigned j = 0; j < 4 && i + j < bytes; j++) {
            message.data[i + j] = (uint8_t)(word >> (8 * j) & 0xFFu);
        }
    }
    if (result >= 0) {
        result = put(smb, SMB_MAIL_POP_OFFSET, 1);
    }
    if (result >= 0) {
        message.length = (uint8_t)bytes;
        message.node_id = (uint8_t)((header & SMB_MAIL_NODE_ID_MASK) >> SMB_MAIL_NODE_ID_SHIFT);
        message.source = (uint8_t)((mac & SMB_MAIL_SOURCE_MASK) >> SMB_MAIL_SOURCE_SHIFT);
        handle(smb, header, &message);
    }
    return result;
}

/* Handles the messages that wait: those that were there when it was called, and some that arrive meanwhile. */
static int drain(struct smb *smb)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t messages = 0;
        int result = get(smb, SMB_MAIL_COUNT_OFFSET, &messages);
        if (result >= 0 && messages == 0) {
            smb->drain = 0;
            return SMB_OK;
        }
        for (uint32_t i = 0; result >= 0 && i < messages && i < ROUND_MAX; i++) {
            result = take(smb);
        }
        if (result < 0) {
            return result;
        }
    }
    return SMB_OK;
}

/* The signal that the board had has returned. */
static void returned(struct smb *smb)
{
    const struct smb_outgoing *one = &smb->flying;
    smb->is_flying = 0;
    if (one->more != NULL) {
        smb->user_pending = 0;
    } else if (one->code == SMB_SIGNAL_LOCK_QUEUE_PASS) {
        struct smb_lock *lock =
            find_lock(smb, get_number(one->data, SMB_DATA_LOCK_NUMBER, SMB_DATA_LOCK_NUMBER_BYTES));
        if (lock != NULL && get_number(one->data, SMB_DATA_EPOCH, SMB_DATA_EPOCH_BYTES) == lock->epoch) {
            lock->pass_timer.runs = 0;
        }
    }
}

/* What the engine reports. Cleared before it is read: an event in between is reported again. */
static int poll_engine(struct smb *smb)
{
    uint32_t events = 0;
    int result = get(smb, SMB_ENGINE_IRQ_STATUS_OFFSET, &events);
    if (result < 0 || events == 0) {
        return result;
    }
    result = put(smb, SMB_ENGINE_IRQ_STATUS_OFFSET, events);
    if (result >= 0) {
        result = get(smb, SMB_LOCK_HELD_OFFSET, &smb->engine_held);
    }
    if (result >= 0) {
        result = get(smb, SMB_BARRIER_WAITING_OFFSET, &smb->engine_waiting);
    }
    return result < 0 ? result : 1;
}

static bool poll_timers(struct smb *smb)
{
    bool any = false;
    for (struct smb_lock *lock = smb->locks; lock != NULL; lock = lock->next) {
        if (expired(smb, &lock->request_timer)) {
            send_request(smb, lock);
            any = true;
        }
        if (expired(smb, &lock->pass_timer)) {
            give(smb, lock);
            any = true;
        }
    }
    for (struct smb_barrier *barrier = smb->barriers; barrier != NULL; barrier = barrier->next) {
        if (expired(smb, &barrier->timer)) {
            ask_missing(smb, barrier);
            any = true;
        }
    }
    return any;
}

/* Gives the first signal that waits to the board, if that has none. */
static int poll_outbox(struct smb *smb)
{
    struct smb_outgoing *one = smb->first;
    if (smb->is_flying != 0 || one == NULL) {
        return 0;
    }
    int result = hand_over(smb, one);
    if (result < 0) {
        return result;
    }
    copy(&smb->flying, one);
    smb->is_flying = 1;
    unsend(smb, one);
    return 1;
}

int smb_poll(struct smb *smb)
{
    uint32_t status = 0;
    int work = 0;
    smb->polls++;
    if (smb->config->engine != NULL) {
        work = poll_engine(smb);
        if (work < 0) {
            return work;
        }
    }
    int result = get(smb, SMB_IRQ_STATUS_OFFSET, &status);
    if (result >= 0 && status != 0) {
        work = 1;
        smb->events |= status;
        result = put(smb, SMB_IRQ_STATUS_OFFSET, status);
        smb->drain = (uint8_t)(smb->drain | ((status & SMB_IRQ_MAIL) != 0));
        smb->lost = (uint8_t)(smb->lost | ((status & SMB_IRQ_MAIL_FULL) != 0));
    }
    /* The mailbox first: what arrived before an own signal returned is handled before that. */
    if (result >= 0 && smb->drain != 0) {
        result = drain(smb);
    }
    if (result < 0) {
        return result;
    }
    if ((status & SMB_IRQ_SIGNAL_DONE) != 0 && smb->is_flying != 0) {
        returned(smb);
    }
    if (poll_timers(smb)) {
        work = 1;
    }
    result = poll_outbox(smb);
    return result != 0 ? result : work;
}

/* Waiting. */

struct wait {
    uint32_t begin, timeout, last, still, look_again;
};

static void begin_wait(struct smb *smb, struct wait *wait, uint32_t timeout, uint32_t look_again)
{
    wait->look_again = look_again;
    wait->begin = now(smb);
    wait->timeout = timeout;
    wait->last = wait->begin;
    wait->still = 0;
}

/* Polls once: 1 if the caller shall look again, else why not. */
static int poll_once(struct smb *smb, struct wait *wait)
{
    int result = smb_poll(smb);
    if (result < 0) {
        return result;
    }
    uint32_t tick = now(smb);
    wait->still = tick == wait->last ? wait->still + 1u : 0;
    wait->last = tick;
    if (tick - wait->begin >= wait->timeout || wait->still >= STUCK) {
        uint32_t status = 0;
        int read = get(smb, SMB_STATUS_OFFSET, &status);
        if (read < 0) {
            return read;
        }
        return (status & SMB_STATUS_STALLED_MASK) != 0 ? SMB_E_STALLED : SMB_E_TIMEOUT;
    }
    if (result == 0 && smb->bus.idle != NULL) {
        uint32_t rest = wait->timeout - (tick - wait->begin);
        smb->bus.idle(smb->bus.context, rest < wait->look_again ? rest : wait->look_again);
    }
    return 1;
}

/* Waits until a register has the bits `value` under `mask`. */
static int wait_register(struct smb *smb, uint32_t address, uint32_t mask, uint32_t value, uint32_t timeout)
{
    struct wait wait;
    begin_wait(smb, &wait, timeout, SOON);
    for (;;) {
        uint32_t found = 0;
        int result = get(smb, address, &found);
        if (result < 0 || (found & mask) == value) {
            return result;
        }
        result = poll_once(smb, &wait);
        if (result < 0) {
            return result;
        }
    }
}

/* Set up. */

static int configure_engine(struct smb *smb)
{
    const struct smb_engine *engine = smb->config->engine;
    uint32_t status = 0;
    /* The memories of the engine are being cleared for up to 2^12 cycles after reset: many reads. */
    for (unsigned i = 0; i < 20000 && (status & SMB_ENGINE_STATUS_READY_MASK) == 0; i++) {
        int result = get(smb, SMB_ENGINE_STATUS_OFFSET, &status);
        if (result < 0) {
            return SMB_E_NO_ENGINE;
        }
    }
    uint32_t width = (status & SMB_ENGINE_STATUS_NODE_W_MASK) >> SMB_ENGINE_STATUS_NODE_W_SHIFT;
    if ((status & SMB_ENGINE_STATUS_READY_MASK) == 0 || smb->config->node_id >> width != 0) {
        return SMB_E_NO_ENGINE;
    }
    uint32_t order = smb->config->order;
    struct {
        uint32_t address, value;
    } const writes[] = {
        {SMB_LOCK_ENABLE_OFFSET, engine->locks},
        {SMB_LOCK_FIRST_OFFSET, engine->first},
        {SMB_BARRIER_ENABLE_OFFSET, engine->barriers},
        {SMB_ENGINE_ORDER_OFFSET,
            order << SMB_ENGINE_ORDER_PASSES_SHIFT | order << SMB_ENGINE_ORDER_ARRIVALS_SHIFT},
        {SMB_ENGINE_RETRY_OFFSET, (engine->retry - 1u) & SMB_ENGINE_RETRY_CYCLES_MASK},
        {SMB_ENGINE_IRQ_ENABLE_OFFSET, SMB_ENGINE_IRQ_LOCK | SMB_ENGINE_IRQ_BARRIER},
    };
    for (unsigned i = 0; i < sizeof writes / sizeof writes[0]; i++) {
        int result = put(smb, writes[i].address, writes[i].value);
        if (result < 0) {
            return result;
        }
    }
    for (unsigned barrier = 0; barrier < SMB_ENGINE_BARRIERS; barrier++) {
        for (unsigned word = 0; word < 8 && (engine->barriers >> barrier & 1u) != 0; word++) {
            const uint8_t *members = &engine->members[barrier][4 * word];
            uint32_t value = (uint32_t)members[0] | (uint32_t)members[1] << 8
                | (uint32_t)members[2] << 16 | (uint32_t)members[3] << 24;
            int result = put(smb, SMB_BARRIER_MEMBERS_OFFSET + 32 * barrier + 4 * word, value);
            if (result < 0) {
                return result;
            }
        }
    }
    return SMB_OK;
}

/* Writes the settings to a board that is not enabled. */
static int configure(struct smb *smb)
{
    const struct smb_config *config = smb->config;
    uint32_t value = 0;
    int result = get(smb, SMB_ID_OFFSET, &value);
    if (result >= 0 && value != SMB_ID_RESET) {
        return SMB_E_NO_BOARD;
    }
    if (result >= 0) {
        result = get(smb, SMB_VERSION_OFFSET, &value);
    }
    if (result >= 0 && value != SMB_VERSION_RESET) {
        return SMB_E_NO_BOARD;
    }
    if (result >= 0) {
        result = get(smb, SMB_CONTROL_OFFSET, &value);
    }
    if (result >= 0 && (value & SMB_CONTROL_ENABLE_MASK) != 0) {
        return SMB_E_ENABLED;
    }
    if (result >= 0) {
        result = get(smb, SMB_MEM_SIZE_OFFSET, &smb->memory);
    }
    if (result >= 0 && config->mac_prefix != 0) {
        result = put(smb, SMB_PREFIX_LOW_OFFSET, (uint32_t)config->mac_prefix);
        if (result >= 0) {
            result = put(smb, SMB_PREFIX_HIGH_OFFSET, (uint32_t)(config->mac_prefix >> 32));
        }
    }
    struct {
        uint32_t address, value;
    } const writes[] = {
        {SMB_NODE_ID_OFFSET, config->node_id},
        {SMB_GROUPS_OFFSET, config->groups},
        {SMB_TOKENS_OFFSET, config->tokens},
        {SMB_TIMEOUT_OFFSET, config->timeout},
        {SMB_PERIOD_OFFSET, config->period},
        {SMB_COMBINE_OFFSET, config->combine},
        {SMB_IRQ_ENABLE_OFFSET, config->interrupts | EVENTS},
    };
    for (unsigned i = 0; result >= 0 && i < sizeof writes / sizeof writes[0]; i++) {
        result = put(smb, writes[i].address, writes[i].value);
    }
    if (result >= 0 && config->engine != NULL) {
        result = configure_engine(smb);
    }
    return result;
}

static bool good(const struct smb_bus *bus, const struct smb_config *config)
{
    const struct smb_engine *engine = config->engine;
    bool functions = bus->read != NULL && bus->write != NULL;
    bool addresses = bus->registers != NULL && bus->window != NULL;
    if (!functions && (!addresses || bus->read != NULL || bus->write != NULL)) {
        return false;
    }
    if (config->tokens == 0 || config->timeout > SMB_TIMEOUT_CYCLES_MASK
        || config->period > SMB_PERIOD_CYCLES_MASK || config->combine > SMB_COMBINE_CYCLES_MASK
        || config->mac_prefix >> 40 != 0 || config->order > SMB_ORDER_CONFIRMED || config->retry == 0
        || config->retry >= UINT32_C(0x80000000) || !in_locks(config->node_id)) {
        return false;
    }
    if (engine == NULL) {
        return true;
    }
    return engine->retry != 0 && engine->retry <= SMB_ENGINE_RETRY_CYCLES_MASK + 1u
        && (engine->barriers == 0 || engine->members != NULL);
}

int smb_init(struct smb *smb, const struct smb_bus *bus, const struct smb_config *config)
{
    if (smb == NULL || bus == NULL || config == NULL || !good(bus, config)) {
        return SMB_E_ARGUMENT;
    }
    zero(smb, sizeof *smb);
    smb->bus.registers = bus->registers;
    smb->bus.window = bus->window;
    smb->bus.read = bus->read;
    smb->bus.write = bus->write;
    smb->bus.fence = bus->fence;
    smb->bus.clock = bus->clock;
    smb->bus.idle = bus->idle;
    smb->bus.context = bus->context;
    smb->config = config;
    smb->locks = NULL;
    smb->barriers = NULL;
    smb->first = NULL;
    smb->last = NULL;
    return configure(smb);
}

int smb_lock_init(struct smb *smb, struct smb_lock *lock, uint32_t number, uint8_t first)
{
    if (find_lock(smb, number) != NULL || !in_locks(first)) {
        return SMB_E_ARGUMENT;
    }
    zero(lock, sizeof *lock);
    lock->number = number;
    lock->here = first == smb->config->node_id;
    lock->request.more = NULL;
    lock->pass.more = NULL;
    lock->next = smb->locks;
    smb->locks = lock;
    return SMB_OK;
}

int smb_barrier_init(struct smb *smb, struct smb_barrier *barrier, uint8_t number, const uint8_t members[32])
{
    if (find_barrier(smb, number) != NULL || !has(members, smb->config->node_id)) {
        return SMB_E_ARGUMENT;
    }
    zero(barrier, sizeof *barrier);
    for (unsigned i = 0; i < sizeof barrier->members; i++) {
        barrier->members[i] = members[i];
    }
    barrier->number = number;
    barrier->arrival.more = NULL;
    barrier->question.more = NULL;
    barrier->next = smb->barriers;
    smb->barriers = barrier;
    return SMB_OK;
}

int smb_start(struct smb *smb, uint32_t timeout)
{
    int result = put(smb, SMB_CONTROL_OFFSET, SMB_CONTROL_ENABLE_MASK);
    if (result < 0) {
        return result;
    }
    return wait_register(smb, SMB_STATUS_OFFSET, SMB_STATUS_SYNCED_MASK, SMB_STATUS_SYNCED_MASK, timeout);
}

int smb_restart(struct smb *smb, uint32_t timeout)
{
    if (smb->config->engine != NULL) {
        return SMB_E_STATE;
    }
    int result = configure(smb);
    if (result < 0) {
        return result;
    }
    smb->drain = 0;
    if (smb->is_flying != 0) {
        result = hand_over(smb, &smb->flying);
    }
    return result < 0 ? result : smb_start(smb, timeout);
}

/* Reports. */

uint32_t smb_events(struct smb *smb)
{
    uint32_t events = smb->events;
    smb->events = 0;
    return events;
}

int smb_interrupts(struct smb *smb, uint32_t events)
{
    return put(smb, SMB_IRQ_ENABLE_OFFSET, events | EVENTS);
}

int smb_counter(struct smb *smb, unsigned counter, uint32_t *value)
{
    return counter < SMB_COUNT_COUNT ? get(smb, SMB_COUNT_OFFSET + 4 * counter, value) : SMB_E_ARGUMENT;
}

/* Shared memory. */

uint32_t smb_memory(const struct smb *smb)
{
    return smb->memory;
}

static bool inside(const struct smb *smb, uint32_t offset, uint32_t length)
{
    return offset <= smb->memory && length <= smb->memory - offset;
}

int smb_read(struct smb *smb, uint32_t offset, void *to, uint32_t length)
{
    uint8_t *bytes = to;
    if (!inside(smb, offset, length)) {
        return SMB_E_RANGE;
    }
    for (uint32_t at = 0; at < length;) {
        uint32_t word = 0;
        uint32_t lane = (offset + at) & 3u;
        int result = bus_read(smb, SMB_WINDOW | (offset + at - lane), &word);
        if (result < 0) {
            return result;
        }
        for (; lane < 4 && at < length; lane++, at++) {
            bytes[at] = (uint8_t)(word >> (8 * lane) & 0xFFu);
        }
    }
    return SMB_OK;
}

/* Waits until words can be written without waiting for others to be acknowledged. */
static int room(struct smb *smb, uint32_t *words, uint32_t timeout)
{
    struct wait wait;
    begin_wait(smb, &wait, timeout, SOON);
    for (;;) {
        uint32_t status = 0;
        int result = get(smb, SMB_STATUS_OFFSET, &status);
        if (result >= 0) {
            result = get(smb, SMB_TX_FREE_OFFSET, words);
        }
        if (result < 0) {
            return result;
        }
        if (*words != 0 && (status & SMB_STATUS_STALLED_MASK) == 0) {
            *words = *words < CHUNK ? *words : CHUNK;
            return SMB_OK;
        }
        result = poll_once(smb, &wait);
        if (result < 0) {
            return result;
        }
    }
}

int smb_write(struct smb *smb, uint32_t offset, const void *from, uint32_t length, uint32_t timeout)
{
    const uint8_t *bytes = from;
    uint32_t words = 0;
    if (!inside(smb, offset, length)) {
        return SMB_E_RANGE;
    }
    for (uint32_t at = 0; at < length;) {
        int result = words == 0 ? room(smb, &words, timeout) : SMB_OK;
        if (result < 0) {
            return result;
        }
        uint32_t word = 0;
        unsigned strobe = 0;
        uint32_t lane = (offset + at) & 3u;
        uint32_t address = offset + at - lane;
        for (; lane < 4 && at < length; lane++, at++) {
            word |= (uint32_t)bytes[at] << (8 * lane);
            strobe |= 1u << lane;
        }
        result = bus_write(smb, SMB_WINDOW | address, word, strobe);
        if (result < 0) {
            return result;
        }
        words--;
    }
    return SMB_OK;
}

int smb_read_word(struct smb *smb, uint32_t offset, uint32_t *value)
{
    if ((offset & 3u) != 0) {
        return SMB_E_ARGUMENT;
    }
    return inside(smb, offset, 4) ? bus_read(smb, SMB_WINDOW | offset, value) : SMB_E_RANGE;
}

int smb_write_word(struct smb *smb, uint32_t offset, uint32_t value, uint32_t timeout)
{
    uint32_t words = 0;
    if ((offset & 3u) != 0) {
        return SMB_E_ARGUMENT;
    }
    if (!inside(smb, offset, 4)) {
        return SMB_E_RANGE;
    }
    int result = room(smb, &words, timeout);
    return result < 0 ? result : bus_write(smb, SMB_WINDOW | offset, value, 0xFu);
}

int smb_flush(struct smb *smb, uint32_t timeout)
{
    struct wait wait;
    uint32_t frames = 0;
    int result = put(smb, SMB_FLUSH_OFFSET, 1);
    if (result >= 0) {
        result = get(smb, SMB_FRAMES_OFFSET, &frames);
    }
    if (result < 0) {
        return result;
    }
    uint32_t tail = (frames & SMB_FRAMES_TAIL_MASK) >> SMB_FRAMES_TAIL_SHIFT;
    begin_wait(smb, &wait, timeout, SOON);
    for (;;) {
        /* Frames are numbered modulo 256, and far fewer are under way. */
        uint32_t base = (frames & SMB_FRAMES_BASE_MASK) >> SMB_FRAMES_BASE_SHIFT;
        if (((base - tail) & 0x80u) == 0) {
            return SMB_OK;
        }
        result = poll_once(smb, &wait);
        if (result >= 0) {
            result = get(smb, SMB_FRAMES_OFFSET, &frames);
        }
        if (result < 0) {
            return result;
        }
    }
}

/* Signals. */

int smb_signal_begin(struct smb *smb, const struct smb_message *message)
{
    if (message->token < SMB_TOKEN_P2P || message->token > SMB_TOKEN_BROADCAST || message->c_st > 0x1Fu
        || message->multi_g > 0xFu || message->order > SMB_ORDER_CONFIRMED
        || message->length > SMB_SIGNAL_BYTES_MAX) {
        return SMB_E_ARGUMENT;
    }
    if (smb->user_pending != 0) {
        return SMB_E_BUSY;
    }
    for (unsigned i = 0; i < message->length; i++) {
        smb->user_data[i] = message->data[i];
    }
    smb->user.more = smb->user_data;
    smb->user.code = (uint8_t)((unsigned)message->token << 5 | message->c_st);
    smb->user.node_id = message->node_id;
    smb->user.multi_g = message->multi_g;
    smb->user.order = message->order;
    smb->user.length = message->length;
    smb->user_pending = 1;
    send(smb, &smb->user);
    return SMB_OK;
}

bool smb_signal_pending(const struct smb *smb)
{
    return smb->user_pending != 0;
}

int smb_signal(struct smb *smb, const struct smb_message *message, uint32_t timeout)
{
    struct wait wait;
    int result = smb_signal_begin(smb, message);
    begin_wait(smb, &wait, timeout, LATER);
    while (result >= 0 && smb->user_pending != 0) {
        result = poll_once(smb, &wait);
    }
    /* What the last poll brought counts. */
    bool done = result != SMB_E_ARGUMENT && result != SMB_E_BUSY && smb->user_pending == 0;
    return done ? SMB_OK : result;
}

int smb_process_signal(struct smb_message *message, int to, uint16_t number, uint32_t value, uint8_t order)
{
    if (to > 255) {
        return SMB_E_ARGUMENT;
    }
    message->token = to < 0 ? SMB_TOKEN_BROADCAST : SMB_TOKEN_P2P;
    message->c_st = SMB_PROCESS_C_ST;
    message->node_id = to < 0 ? 0 : (uint8_t)to;
    message->multi_g = 0;
    message->source = 0;
    message->order = order;
    message->length = SMB_PROCESS_BYTES;
    put_number(message->data, 0, SMB_DATA_PROCESS_NUMBER, 0);
    put_number(message->data, SMB_DATA_PROCESS_NUMBER, SMB_DATA_PROCESS_NUMBER_BYTES, number);
    put_number(message->data, SMB_DATA_PROCESS_VALUE, SMB_DATA_PROCESS_VALUE_BYTES, value);
    return SMB_OK;
}

int smb_process_value(const struct smb_message *message, uint16_t *number, uint32_t *value)
{
    if (message->c_st != SMB_PROCESS_C_ST || message->length < SMB_PROCESS_BYTES) {
        return SMB_E_ARGUMENT;
    }
    *number = (uint16_t)get_number(message->data, SMB_DATA_PROCESS_NUMBER, SMB_DATA_PROCESS_NUMBER_BYTES);
    *value = get_number(message->data, SMB_DATA_PROCESS_VALUE, SMB_DATA_PROCESS_VALUE_BYTES);
    return SMB_OK;
}

int smb_receive(struct smb *smb, struct smb_message *message)
{
    if (smb->lost != 0) {
        smb->lost = 0;
        return SMB_E_LOST;
    }
    if (smb->inbox_count == 0) {
        return SMB_E_EMPTY;
    }
    const struct smb_message *from = &smb->config->inbox[smb->inbox_first];
    message->token = from->token;
    message->c_st = from->c_st;
    message->node_id = from->node_id;
    message->multi_g = from->multi_g;
    message->source = from->source;
    message->order = from->order;
    message->length = from->length;
    for (unsigned i = 0; i < SMB_SIGNAL_BYTES_MAX; i++) {
        message->data[i] = from->data[i];
    }
    smb->inbox_first = (uint16_t)(smb->inbox_first + 1u);
    if (smb->inbox_first == smb->config->inbox_size) {
        smb->inbox_first = 0;
    }
    smb->inbox_count = (uint16_t)(smb->inbox_count - 1u);
    return SMB_OK;
}

int smb_receive_wait(struct smb *smb, struct smb_message *message, uint32_t timeout)
{
    struct wait wait;
    begin_wait(smb, &wait, timeout, LATER);
    for (;;) {
        int result = smb_receive(smb, message);
        if (result != SMB_E_EMPTY) {
            return result;
        }
        result = poll_once(smb, &wait);
        if (result < 0) {
            return result;
        }
    }
}

/* Locks and barriers of the caller. */

bool smb_lock_held(const struct smb *smb, const struct smb_lock *lock)
{
    return engine_lock(smb, lock) ? (smb->engine_held >> lock->number & 1u) != 0 : lock->caller == INSIDE;
}

static int begin_lock(struct smb *smb, struct smb_lock *lock)
{
    if (engine_lock(smb, lock)) {
        /* In this order: a lock that is granted in between is seen as held. */
        uint32_t asking = 0;
        int result = get(smb, SMB_LOCK_ASKING_OFFSET, &asking);
        if (result >= 0) {
            result = get(smb, SMB_LOCK_HELD_OFFSET, &smb->engine_held);
        }
        if (result < 0 || ((asking | smb->engine_held) >> lock->number & 1u) != 0) {
            return result;
        }
        result = put(smb, SMB_LOCK_ACQUIRE_OFFSET, lock->number);
        return result < 0 ? result : get(smb, SMB_LOCK_HELD_OFFSET, &smb->engine_held);
    }
    if (lock->caller == IDLE && lock->here != 0) {
        lock->caller = INSIDE;
    } else if (lock->caller == IDLE) {
        lock->caller = ASKING;
        lock->tag = (uint16_t)(lock->tag + 1u);
        send_request(smb, lock);
    }
    return SMB_OK;
}

int smb_lock_acquire(struct smb *smb, struct smb_lock *lock, uint32_t timeout)
{
    struct wait wait;
    if (smb_lock_held(smb, lock)) {
        return SMB_E_STATE;
    }
    begin_wait(smb, &wait, timeout, LATER);
    int result = begin_lock(smb, lock);
    while (result >= 0 && !smb_lock_held(smb, lock)) {
        result = poll_once(smb, &wait);
    }
    /* What the last poll brought counts. */
    return smb_lock_held(smb, lock) ? SMB_OK : result;
}

int smb_lock_release(struct smb *smb, struct smb_lock *lock)
{
    if (!smb_lock_held(smb, lock)) {
        return SMB_E_STATE;
    }
    if (engine_lock(smb, lock)) {
        int result = put(smb, SMB_LOCK_RELEASE_OFFSET, lock->number);
        if (result >= 0) {
            smb->engine_held &= ~(UINT32_C(1) << lock->number);
        }
        return result;
    }
    lock->caller = IDLE;
    serve(smb, lock);
    int result = poll_outbox(smb);
    return result < 0 ? result : SMB_OK;
}

int smb_lock_cancel(struct smb *smb, struct smb_lock *lock)
{
    if (engine_lock(smb, lock) || lock->caller != ASKING) {
        return SMB_E_STATE;
    }
    lock->caller = IDLE;
    lock->request_timer.runs = 0;
    unsend(smb, &lock->request);
    return SMB_OK;
}

static int begin_barrier(struct smb *smb, struct smb_barrier *barrier)
{
    if (engine_barrier(smb, barrier)) {
        int result = SMB_OK;
        if (barrier->waiting == 0) {
            result = put(smb, SMB_BARRIER_ARRIVE_OFFSET, barrier->number);
            barrier->waiting = result >= 0;
        }
        return result < 0 ? result : get(smb, SMB_BARRIER_WAITING_OFFSET, &smb->engine_waiting);
    }
    if (barrier->waiting == 0) {
        barrier->waiting = 1;
        call(smb, barrier, &barrier->arrival, smb->config->node_id);
        start(smb, &barrier->timer);
        count(barrier, smb->config->node_id);
        /* At once: who arrives last does not wait, and may not poll for long. */
        int result = poll_outbox(smb);
        return result < 0 ? result : SMB_OK;
    }
    return SMB_OK;
}

int smb_barrier_wait(struct smb *smb, struct smb_barrier *barrier, uint32_t timeout)
{
    struct wait wait;
    begin_wait(smb, &wait, timeout, LATER);
    int result = begin_barrier(smb, barrier);
    for (;;) {
        if (result != SMB_E_BUS && engine_barrier(smb, barrier)
            && (smb->engine_waiting >> barrier->number & 1u) == 0) {
            barrier->waiting = 0;
        }
        if (result != SMB_E_BUS && barrier->waiting == 0) {
            return SMB_OK;
        }
        if (result < 0) {
            return result;
        }
        result = poll_once(smb, &wait);
    }
}
