/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The mapped replica: the first argument says what is tried. */
#include <awgstar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is(const char *what, const char *mode) { return strcmp(what, mode) == 0; }

static void expect(int line, long found, long expected) {
    if (found != expected) {
        fprintf(stderr, "line %d: found %ld, expected %ld\n", line, found, expected);
        exit(9);
    }
}
#define EXPECT(call, code) expect(__LINE__, call, code)

static const volatile unsigned char *map;
static size_t size;

static uint32_t word_at(uint32_t addr) {
    uint32_t word;
    memcpy(&word, (const void *)(map + addr), 4);
    return word;
}

/* Every node writes bytes to places of its own part, before and after the replica is mapped. At each barrier the
 * mapping is what all have written, and what awg_read gives. */
static int equal(void) {
    enum { PART = 1000, ROUNDS = 12, WRITES = 5, MOST = 32 * PART };
    static unsigned char all[MOST], read[MOST];
    unsigned me = (unsigned)awg_node(), nodes = (unsigned)awg_nodes();
    uint32_t seed = 12345;
    for (unsigned round = 0; round < ROUNDS; round++) {
        /* Nodes map it at different times. */
        if (round == me + 1) EXPECT(awg_replica((const void **)&map, &size), AWG_OK);
        for (unsigned node = 0; node < nodes; node++)
            for (unsigned i = 0; i < WRITES; i++) {
                unsigned char bytes[40];
                seed = seed * 1664525 + 1013904223;
                unsigned from = PART * node + (seed >> 8) % (PART - sizeof bytes), length = 1 + (seed >> 20) % sizeof bytes;
                for (unsigned at = 0; at < length; at++) bytes[at] = (unsigned char)(round * 31 + i + at);
                memcpy(all + from, bytes, length);
                if (node == me) EXPECT(awg_write(from, bytes, length), AWG_OK);
            }
        EXPECT(awg_barrier(), AWG_OK);
        uint64_t now = awg_now();
        if (map) {
            EXPECT(size, awg_memory());
            EXPECT(memcmp(all, (const void *)map, PART * nodes), 0);
            EXPECT(map[size - 1], 0);
            EXPECT((long)(awg_now() - now), 0);
        }
        EXPECT(awg_read(0, read, PART * nodes), AWG_OK);
        EXPECT(memcmp(all, read, PART * nodes), 0);
        EXPECT(awg_barrier(), AWG_OK);
    }
    const void *again = NULL;
    EXPECT(awg_replica(&again, NULL), AWG_OK);
    EXPECT(again == map, 1);
    EXPECT(awg_finalize(), AWG_OK);
    /* What was there last stays. */
    EXPECT(memcmp(all, (const void *)map, PART * nodes), 0);
    EXPECT(awg_replica(&again, NULL), AWG_NOT_STARTED);
    return 0;
}

/* What arrives while a process computes is seen after its next call that waits. */
static int later(void) {
    uint32_t word = 7;
    EXPECT(awg_replica((const void **)&map, &size), AWG_OK);
    EXPECT(awg_barrier(), AWG_OK);
    if (awg_node() == 1) {
        /* Nodes leave the barrier one after the other, within this time. */
        EXPECT(awg_compute(1000000), AWG_OK);
        EXPECT(awg_write(8, &word, 4), AWG_OK);
        EXPECT(word_at(8), 0);
        EXPECT(awg_flush(), AWG_OK);
        EXPECT(word_at(8), 7);
    } else {
        EXPECT(awg_compute(3000000), AWG_OK);
        usleep(20000);
        EXPECT(word_at(8), 0);
        uint64_t now = awg_now();
        EXPECT(word_at(8), 7);
        if (now < 3000000) return 3;
    }
    return awg_barrier() || awg_finalize();
}

/* The ends and the middle of a large memory, written before and after the replica is mapped. */
static int large(void) {
    uint32_t last = awg_memory() - 4, places[] = {0, last / 8 * 4, last}, one = 0x01020304, two = 0x0a0b0c0d;
    for (int i = 0; i < 3 && awg_node() == 0; i++) EXPECT(awg_write(places[i], &one, 4), AWG_OK);
    EXPECT(awg_barrier(), AWG_OK);
    EXPECT(awg_replica((const void **)&map, &size), AWG_OK);
    for (int i = 0; i < 3; i++) EXPECT(word_at(places[i]), one);
    EXPECT(awg_barrier(), AWG_OK);
    for (int i = 0; i < 3 && awg_node() == 1; i++) EXPECT(awg_write(places[i], &two, 4), AWG_OK);
    EXPECT(awg_barrier(), AWG_OK);
    for (int i = 0; i < 3; i++) EXPECT(word_at(places[i]), two);
    return awg_finalize();
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    EXPECT(awg_replica((const void **)&map, &size), AWG_NOT_STARTED);
    if (awg_init()) return 7;
    if (is(mode, "equal")) return equal();
    if (is(mode, "later")) return later();
    if (is(mode, "large")) return large();
    if (is(mode, "store")) {
        EXPECT(awg_replica((const void **)&map, NULL), AWG_OK);
        if (awg_node() == 1) *(volatile unsigned char *)map = 1;
        awg_barrier();
    }
    return 8;
}
