/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "model_bus.h"

#include <stdlib.h>
#include <unistd.h>

enum { READ, WRITE, IDLE, WAIT, DONE, RESET };

static uint32_t cycle;

/* Moves `length` bytes; the model has gone if that fails. */
static void move(int output, void *bytes, size_t length)
{
    unsigned char *at = bytes;
    while (length > 0) {
        ssize_t moved = output ? write(1, at, length) : read(0, at, length);
        if (moved <= 0) {
            _exit(3);
        }
        at += moved;
        length -= (size_t)moved;
    }
}

static uint32_t request(uint32_t kind, uint32_t address, uint32_t value, uint32_t strobe, uint32_t *data)
{
    uint32_t words[4] = {kind, address, value, strobe};
    uint32_t answer[3];
    move(1, words, sizeof words);
    move(0, answer, sizeof answer);
    if (data != NULL) {
        *data = answer[1];
    }
    cycle = answer[2];
    return answer[0];
}

static int bus_read(void *context, uint32_t address, uint32_t *value)
{
    (void)context;
    return request(READ, address, 0, 0, value) != 0;
}

static int bus_write(void *context, uint32_t address, uint32_t value, unsigned strobe)
{
    (void)context;
    return request(WRITE, address, value, strobe, NULL) != 0;
}

static uint32_t bus_clock(void *context)
{
    (void)context;
    return cycle;
}

static void bus_idle(void *context, uint32_t most)
{
    (void)context;
    request(IDLE, 0, most, 0, NULL);
}

struct smb_bus model_bus(void)
{
    struct smb_bus bus = {
        .read = bus_read, .write = bus_write, .clock = bus_clock, .idle = bus_idle,
    };
    return bus;
}

void model_done(int result)
{
    request(DONE, 0, (uint32_t)result, 0, NULL);
}

void model_wait(uint32_t cycles)
{
    request(WAIT, 0, cycles, 0, NULL);
}

void model_reset(void)
{
    request(RESET, 0, 0, 0, NULL);
}

uint32_t model_cycle(void)
{
    return cycle;
}
