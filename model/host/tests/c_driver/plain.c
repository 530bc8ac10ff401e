/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The driver without a board: registers and shared memory are arrays. Accesses, arguments, calls that end. */
#include "model_bus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t registers[0x400];
static uint32_t window[16];
static unsigned fences;
static uint32_t time_now;

static void expect(int line, long found, long expected)
{
    if (found != expected) {
        fprintf(stderr, "plain.c:%d: expected %ld, found %ld\n", line, expected, found);
        exit(1);
    }
}
#define EXPECT(found, expected) expect(__LINE__, (long)(found), (long)(expected))

static void fence(void *context)
{
    (void)context;
    fences++;
}

static char order[64];
static unsigned steps;

static void note(char what)
{
    if (steps + 1 < sizeof order) {
        order[steps] = what;
        steps++;
    }
}

static void note_fence(void *context)
{
    (void)context;
    note('F');
}

static int note_read(void *context, uint32_t address, uint32_t *value)
{
    (void)context;
    note((address & SMB_WINDOW) != 0 ? 'r' : 'R');
    *value = registers[(address & 0xFFF) / 4];
    return 0;
}

static int note_write(void *context, uint32_t address, uint32_t value, unsigned strobe)
{
    (void)context;
    (void)value;
    (void)strobe;
    note((address & SMB_WINDOW) != 0 ? 'w' : 'W');
    return 0;
}

/* A clock that does not move. */
static uint32_t stopped(void *context)
{
    (void)context;
    return time_now;
}

static int refuse(void *context, uint32_t address, uint32_t *value)
{
    (void)context;
    (void)address;
    (void)value;
    return 1;
}

static int refuse_write(void *context, uint32_t address, uint32_t value, unsigned strobe)
{
    (void)context;
    (void)address;
    (void)value;
    (void)strobe;
    return 1;
}

static const struct smb_config settings = {
    .node_id = 9, .tokens = 3, .groups = 0x8001, .timeout = 5000, .period = 7000, .combine = 11,
    .mac_prefix = UINT64_C(0x1234567890), .interrupts = SMB_IRQ_ROLE, .order = SMB_ORDER_SENT, .retry = 100,
};

static void fresh(void)
{
    memset(registers, 0, sizeof registers);
    memset(window, 0, sizeof window);
    registers[SMB_ID_OFFSET / 4] = 0x41574753;
    registers[SMB_VERSION_OFFSET / 4] = 1;
    registers[SMB_MEM_SIZE_OFFSET / 4] = sizeof window;
    registers[SMB_TX_FREE_OFFSET / 4] = 3;
}

static void settings_are_written(const struct smb_bus *bus)
{
    struct smb smb;
    fresh();
    EXPECT(smb_init(&smb, bus, &settings), SMB_OK);
    EXPECT(registers[0x018 / 4], 9);
    EXPECT(registers[0x01C / 4], 0x8001);
    EXPECT(registers[0x020 / 4], 3);
    EXPECT(registers[0x024 / 4], 5000);
    EXPECT(registers[0x02C / 4], 7000);
    EXPECT(registers[0x028 / 4], 11);
    EXPECT(registers[0x010 / 4], 0x34567890);
    EXPECT(registers[0x014 / 4], 0x12);
    EXPECT(registers[0x038 / 4], 0x10 | 0x01 | 0x04);
    EXPECT(registers[0x008 / 4], 0);
    EXPECT(smb_memory(&smb), 64);
    EXPECT(fences > 0, 1);
    EXPECT(smb_interrupts(&smb, SMB_IRQ_STRAY), SMB_OK);
    EXPECT(registers[0x038 / 4], 0x100 | 0x01 | 0x04);
    /* No board is ever ready: the call ends. */
    EXPECT(smb_start(&smb, 50), SMB_E_TIMEOUT);
    EXPECT(smb.polls, 50);
    EXPECT(registers[0x008 / 4], 1);
    EXPECT(smb_init(&smb, bus, &settings), SMB_E_ENABLED);
    registers[0x00C / 4] = 1;
    EXPECT(smb_start(&smb, 50), SMB_OK);
}

static void bytes_go_where_they_belong(const struct smb_bus *bus)
{
    struct smb smb;
    fresh();
    EXPECT(smb_init(&smb, bus, &settings), SMB_OK);
    memset(window, 0xEE, sizeof window);
    EXPECT(smb_write(&smb, 1, "abcdefghij", 10, 5), SMB_OK);
    EXPECT(memcmp(window, "\xEE" "abcdefghij\xEE", 12), 0);
    char found[12] = "............";
    EXPECT(smb_read(&smb, 3, found, 5), SMB_OK);
    EXPECT(memcmp(found, "cdefg.......", 12), 0);
    EXPECT(smb_write_word(&smb, 60, 0x04030201, 5), SMB_OK);
    EXPECT(memcmp(&window[15], "\1\2\3\4", 4), 0);
    uint32_t word = 0;
    EXPECT(smb_read_word(&smb, 60, &word), SMB_OK);
    EXPECT(word, 0x04030201);
    EXPECT(smb_write(&smb, 64, found, 0, 5), SMB_OK);
    EXPECT(smb_write(&smb, 60, found, 5, 5), SMB_E_RANGE);
    EXPECT(smb_write(&smb, 0xFFFFFFFF, found, 2, 5), SMB_E_RANGE);
    EXPECT(smb_read(&smb, 65, found, 0), SMB_E_RANGE);
    EXPECT(smb_read(&smb, 2, found, 0xFFFFFFFF), SMB_E_RANGE);
    EXPECT(smb_write_word(&smb, 2, 0, 5), SMB_E_ARGUMENT);
    EXPECT(smb_read_word(&smb, 2, &word), SMB_E_ARGUMENT);
    EXPECT(smb_write_word(&smb, 64, 0, 5), SMB_E_RANGE);
    EXPECT(smb_read_word(&smb, 0x80000000, &word), SMB_E_RANGE);
    /* No room, or stalled: nothing is written. */
    registers[SMB_TX_FREE_OFFSET / 4] = 0;
    EXPECT(smb_write_word(&smb, 0, 5, 20), SMB_E_TIMEOUT);
    registers[SMB_TX_FREE_OFFSET / 4] = 3;
    registers[SMB_STATUS_OFFSET / 4] = 4;
    EXPECT(smb_write_word(&smb, 0, 5, 20), SMB_E_STALLED);
    EXPECT(memcmp(window, "\xEE" "abc", 4), 0);
}

/* A flush ends when base is at or after tail, modulo 256. */
static void frames_are_counted_modulo_256(const struct smb_bus *bus)
{
    struct smb smb;
    fresh();
    EXPECT(smb_init(&smb, bus, &settings), SMB_OK);
    uint32_t const good[][2] = {{5, 5}, {6, 5}, {0, 255}, {3, 250}, {0, 0}};
    uint32_t const open[][2] = {{4, 5}, {250, 3}, {255, 0}, {240, 255}};
    for (unsigned i = 0; i < 5; i++) {
        registers[SMB_FRAMES_OFFSET / 4] = good[i][0] | good[i][1] << 16 | 0x7700;
        EXPECT(smb_flush(&smb, 10), SMB_OK);
    }
    for (unsigned i = 0; i < 4; i++) {
        registers[SMB_FRAMES_OFFSET / 4] = open[i][0] | open[i][1] << 16 | 0x7700;
        EXPECT(smb_flush(&smb, 10), SMB_E_TIMEOUT);
    }
    EXPECT(registers[SMB_FLUSH_OFFSET / 4], 1);
}

static void wrong_arguments(const struct smb_bus *bus)
{
    struct smb smb;
    struct smb_lock lock, other;
    struct smb_barrier barrier;
    struct smb_message message = {.token = SMB_TOKEN_P2P};
    uint8_t members[32] = {0};
    struct smb_config config = settings;
    struct smb_bus wrong = *bus;
    fresh();
#define REFUSED(field, value) \
    do { \
        config = settings; \
        config.field = value; \
        EXPECT(smb_init(&smb, bus, &config), SMB_E_ARGUMENT); \
    } while (0)
    REFUSED(tokens, 0);
    REFUSED(timeout, 1 << 24);
    REFUSED(period, 1 << 24);
    REFUSED(combine, 1 << 16);
    REFUSED(mac_prefix, UINT64_C(1) << 40);
    REFUSED(order, 3);
    REFUSED(retry, 0);
    REFUSED(retry, 0x80000000);
    struct smb_engine engine = {.barriers = 1, .retry = 10};
    REFUSED(engine, &engine);
    engine.barriers = 0;
    engine.retry = 0;
    REFUSED(engine, &engine);
    EXPECT(smb_init(&smb, NULL, &settings), SMB_E_ARGUMENT);
    wrong.window = NULL;
    EXPECT(smb_init(&smb, &wrong, &settings), SMB_E_ARGUMENT);
    /* The engine is never ready. */
    engine.retry = 10;
    config = settings;
    config.engine = &engine;
    EXPECT(smb_init(&smb, bus, &config), SMB_E_NO_ENGINE);
    /* Node_ID 9 needs 4 bits. */
    registers[SMB_ENGINE_STATUS_OFFSET / 4] = 1 | 3 << 8;
    EXPECT(smb_init(&smb, bus, &config), SMB_E_NO_ENGINE);
    registers[SMB_ENGINE_STATUS_OFFSET / 4] = 1 | 4 << 8;
    EXPECT(smb_init(&smb, bus, &config), SMB_OK);
    registers[0] = 1;
    EXPECT(smb_init(&smb, bus, &settings), SMB_E_NO_BOARD);
    fresh();
    registers[1] = 2;
    EXPECT(smb_init(&smb, bus, &settings), SMB_E_NO_BOARD);
    fresh();
    EXPECT(smb_init(&smb, bus, &settings), SMB_OK);
    EXPECT(smb_lock_init(&smb, &lock, 5, 9), SMB_OK);
    EXPECT(smb_lock_init(&smb, &other, 5, 9), SMB_E_ARGUMENT);
    EXPECT(smb_barrier_init(&smb, &barrier, 5, members), SMB_E_ARGUMENT);
    members[1] = 2;
    EXPECT(smb_barrier_init(&smb, &barrier, 5, members), SMB_OK);
    EXPECT(smb_barrier_init(&smb, &barrier, 5, members), SMB_E_ARGUMENT);
    EXPECT(smb_process_signal(&message, 256, 0, 0, 0), SMB_E_ARGUMENT);
    struct smb_message bad = message;
    bad.token = SMB_TOKEN_DATA;
    EXPECT(smb_signal(&smb, &bad, 5), SMB_E_ARGUMENT);
    bad = message;
    bad.token = SMB_TOKEN_CONTROL;
    EXPECT(smb_signal(&smb, &bad, 5), SMB_E_ARGUMENT);
    bad = message;
    bad.length = 47;
    EXPECT(smb_signal(&smb, &bad, 5), SMB_E_ARGUMENT);
    bad = message;
    bad.order = 3;
    EXPECT(smb_signal(&smb, &bad, 5), SMB_E_ARGUMENT);
    bad = message;
    bad.c_st = 32;
    EXPECT(smb_signal(&smb, &bad, 5), SMB_E_ARGUMENT);
    bad = message;
    bad.multi_g = 16;
    EXPECT(smb_signal(&smb, &bad, 5), SMB_E_ARGUMENT);
    for (int error = SMB_E_NO_ENGINE; error <= SMB_OK; error++) {
        EXPECT(strcmp(smb_error_name(error), "unknown") != 0, 1);
        for (int other_error = SMB_E_NO_ENGINE; other_error < error; other_error++) {
            EXPECT(strcmp(smb_error_name(error), smb_error_name(other_error)) != 0, 1);
        }
    }
}

/* Each write to a register has a fence before it, each read of one a fence after it. */
static void fences_are_in_place(void)
{
    struct smb smb;
    struct smb_bus bus = {.read = note_read, .write = note_write, .fence = note_fence};
    char word[4];
    uint32_t value = 0;
    fresh();
    EXPECT(smb_init(&smb, &bus, &settings), SMB_OK);
    memset(order, 0, sizeof order);
    steps = 0;
    EXPECT(smb_interrupts(&smb, 0), SMB_OK);
    EXPECT(smb_counter(&smb, 3, &value), SMB_OK);
    EXPECT(smb_write(&smb, 0, "abcd", 4, 9), SMB_OK);
    EXPECT(smb_read(&smb, 0, word, 4), SMB_OK);
    EXPECT(smb_interrupts(&smb, 0), SMB_OK);
    EXPECT(strcmp(order, "FWRFRFRFwrFW"), 0);
}

static void settings_of_the_engine(const struct smb_bus *bus)
{
    struct smb smb;
    static uint8_t members[2][32];
    struct smb_config config = settings;
    struct smb_engine engine = {
        .locks = 0x1234, .first = 0x0204, .barriers = 3, .members = (const uint8_t(*)[32])members, .retry = 77,
    };
    for (unsigned i = 0; i < 64; i++) {
        members[i / 32][i % 32] = (uint8_t)(i * 3 + 1);
    }
    fresh();
    config.engine = &engine;
    registers[SMB_ENGINE_STATUS_OFFSET / 4] = 1 | 8 << 8;
    EXPECT(smb_init(&smb, bus, &config), SMB_OK);
    EXPECT(registers[0x804 / 4], 0x1234);
    EXPECT(registers[0x808 / 4], 3);
    EXPECT(registers[0x80C / 4], 0x0204);
    EXPECT(registers[0x810 / 4], 0x5);
    EXPECT(registers[0x814 / 4], 76);
    EXPECT(registers[0x81C / 4], 3);
    for (unsigned i = 0; i < 16; i++) {
        unsigned low = 3 * 4 * i + 1;
        EXPECT(registers[0x900 / 4 + i],
            (low & 0xFF) | ((low + 3) & 0xFF) << 8 | ((low + 6) & 0xFF) << 16 | (uint32_t)((low + 9) & 0xFF) << 24);
    }
    EXPECT(registers[0x900 / 4 + 16], 0);
}

/* What waits in the mailbox is handled before the return of an own signal, in the same call. */
static void mailbox_before_the_return(const struct smb_bus *bus)
{
    struct smb smb;
    static struct smb_message inbox[32];
    struct smb_config config = settings;
    struct smb_message message;
    config.inbox = inbox;
    config.inbox_size = 32;
    fresh();
    EXPECT(smb_init(&smb, bus, &config), SMB_OK);
    EXPECT(smb_process_signal(&message, 1, 2, 3, SMB_ORDER_NONE), SMB_OK);
    EXPECT(smb_signal_begin(&smb, &message), SMB_OK);
    EXPECT(smb_poll(&smb), 1);
    EXPECT(smb_signal_pending(&smb), 1);
    registers[SMB_IRQ_STATUS_OFFSET / 4] = SMB_IRQ_MAIL | SMB_IRQ_SIGNAL_DONE;
    /* The count of this mailbox does not fall: four rounds of three. */
    registers[SMB_MAIL_COUNT_OFFSET / 4] = 3;
    registers[SMB_MAIL_DATA_OFFSET / 4] = UINT32_C(0x7F000000);
    EXPECT(smb_poll(&smb), 1);
    EXPECT(smb_signal_pending(&smb), 0);
    EXPECT(smb.inbox_count, 12);
    EXPECT(inbox[0].token, SMB_TOKEN_P2P);
    EXPECT(inbox[0].c_st, 31);
}

/* Every access is refused, or the clock is broken: no call loops for ever. */
static void broken_hardware(void)
{
    struct smb smb;
    struct smb_bus refusing = {.read = refuse, .write = refuse_write};
    fresh();
    EXPECT(smb_init(&smb, &refusing, &settings), SMB_E_BUS);
    struct smb_bus bus = {.registers = registers, .window = window, .clock = stopped};
    time_now = 0xFFFFFFF0;
    EXPECT(smb_init(&smb, &bus, &settings), SMB_OK);
    EXPECT(smb_start(&smb, 50), SMB_E_TIMEOUT);
    /* A mailbox that is never empty. */
    registers[SMB_IRQ_STATUS_OFFSET / 4] = SMB_IRQ_MAIL;
    registers[SMB_MAIL_COUNT_OFFSET / 4] = 0xFFFFFFFF;
    EXPECT(smb_poll(&smb), 1);
    struct smb_bus half = {.registers = registers, .window = window, .write = refuse_write};
    EXPECT(smb_init(&smb, &half, &settings), SMB_E_ARGUMENT);
}

int main(void)
{
    struct smb_bus bus = {.registers = registers, .window = window, .fence = fence};
    settings_are_written(&bus);
    bytes_go_where_they_belong(&bus);
    frames_are_counted_modulo_256(&bus);
    wrong_arguments(&bus);
    fences_are_in_place();
    settings_of_the_engine(&bus);
    mailbox_before_the_return(&bus);
    broken_hardware();
    return 0;
}
