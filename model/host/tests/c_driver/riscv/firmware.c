/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Firmware for a RISC-V processor beside a board: the programs of model/host/src/work.rs, without any library.
 * The registers of the board are at 4000_0000, its memory at 8000_0000, the test's at 5000_0000. */
#include "smb.h"

#define LOCK 7
#define LIMIT 40000000u

enum { IDLE, CLOCK, RESULT, NODE, NODES, TIMEOUT, PERIOD, RETRY, WORK };
#define TEST ((volatile uint32_t *)0x50000000)

static struct smb smb;
static struct smb_lock lock;
static struct smb_barrier barrier;
static uint8_t members[32];

static uint32_t clock(void *context)
{
    (void)context;
    return TEST[CLOCK];
}

/* A processor of a product executes `wfi` here. */
static void idle(void *context, uint32_t most)
{
    (void)context;
    TEST[IDLE] = most;
}

static void fence(void *context)
{
    (void)context;
    __asm__ volatile("fence iorw, iorw" ::: "memory");
}

static int counter(void)
{
    int result = SMB_OK;
    for (unsigned i = 0; i < 3 && result >= 0; i++) {
        uint32_t value = 0;
        result = smb_lock_acquire(&smb, &lock, LIMIT);
        if (result >= 0) {
            result = smb_read_word(&smb, 0, &value);
        }
        if (result >= 0) {
            result = smb_write_word(&smb, 0, value + 1, LIMIT);
        }
        if (result >= 0) {
            result = smb_lock_release(&smb, &lock);
        }
    }
    return result;
}

static int list(uint32_t node)
{
    int result = SMB_OK;
    for (uint32_t i = 0; i < 3 && result >= 0; i++) {
        uint32_t place = 0;
        uint32_t element[2] = {0, node << 16 | i};
        result = smb_lock_acquire(&smb, &lock, LIMIT);
        if (result >= 0 && (result = smb_read_word(&smb, 4, &place)) >= 0
            && (result = smb_read_word(&smb, 0, &element[0])) >= 0) {
            place = place < 64 ? 64 : place;
            /* From an odd place in memory, a byte at a time. */
            uint8_t bytes[9];
            for (unsigned j = 0; j < 8; j++) {
                bytes[j + 1] = (uint8_t)(element[j / 4] >> (8 * (j % 4)));
            }
            (void)smb_write(&smb, place, bytes + 1, 3, LIMIT);
            (void)smb_write(&smb, place + 3, bytes + 4, 5, LIMIT);
            (void)smb_write_word(&smb, 0, place, LIMIT);
            (void)smb_write_word(&smb, 4, place + 8, LIMIT);
            result = smb_lock_release(&smb, &lock);
        }
    }
    return result;
}

static uint32_t square(uint32_t i)
{
    /* The compiler would make a call of libgcc of a sum that is not volatile. */
    volatile uint32_t sum = 0;
    for (uint32_t j = 0; j < i; j++) {
        sum = sum + i;
    }
    return sum;
}

/* Two cells of each node, three steps. */
static int stencil(uint32_t node, uint32_t nodes)
{
    uint32_t all = 2 * nodes;
    uint32_t mine = 2 * node;
    uint32_t side[2] = {64, 64 + 4 * all};
    for (uint32_t i = mine; i < mine + 2; i++) {
        (void)smb_write_word(&smb, side[0] + 4 * i, square(i) + 1, LIMIT);
    }
    int result = smb_barrier_wait(&smb, &barrier, LIMIT);
    for (unsigned step = 0; step < 3 && result >= 0; step++) {
        uint32_t line[4];
        for (uint32_t i = 0; i < 4; i++) {
            line[i] = 0;
            if (mine + i >= 1 && mine + i <= all) {
                (void)smb_read_word(&smb, side[step & 1u] + 4 * (mine + i - 1), &line[i]);
            }
        }
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t sum = line[i] + line[i + 1] + line[i + 2];
            (void)smb_write_word(&smb, side[(step + 1) & 1u] + 4 * (mine + i), sum, LIMIT);
        }
        result = smb_barrier_wait(&smb, &barrier, LIMIT);
    }
    return result;
}

int main(void)
{
    static struct smb_config config = {
        .tokens = 1, .combine = 64, .order = SMB_ORDER_CONFIRMED,
    };
    static const struct smb_bus bus = {
        .registers = (volatile void *)0x40000000, .window = (volatile void *)0x80000000,
        .clock = clock, .idle = idle, .fence = fence,
    };
    uint32_t node = TEST[NODE];
    uint32_t nodes = TEST[NODES];
    config.node_id = (uint8_t)node;
    config.timeout = TEST[TIMEOUT];
    config.period = TEST[PERIOD];
    config.retry = TEST[RETRY];
    uint32_t first = LOCK;
    while (first >= nodes) {
        first -= nodes;
    }
    for (unsigned i = 0; i < nodes; i++) {
        members[i / 8] = (uint8_t)(members[i / 8] | 1u << i % 8);
    }
    int result = smb_init(&smb, &bus, &config);
    if (result >= 0) {
        result = smb_lock_init(&smb, &lock, LOCK, (uint8_t)first);
    }
    if (result >= 0) {
        result = smb_barrier_init(&smb, &barrier, 0, members);
    }
    if (result >= 0) {
        result = smb_start(&smb, LIMIT);
    }
    if (result >= 0) {
        result = TEST[WORK] == 0 ? counter() : TEST[WORK] == 1 ? list(node) : stencil(node, nodes);
    }
    TEST[RESULT] = (uint32_t)result;
    /* Others may still ask this node. */
    for (;;) {
        if (smb_poll(&smb) == 0) {
            idle(NULL, 1024);
        }
    }
}
