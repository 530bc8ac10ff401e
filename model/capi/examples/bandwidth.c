/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How fast one node moves blocks: what it writes until its last byte has left, and what it reads, in million bytes a
 * second of the ring's time. Node 1 and those after it compare what has arrived.
 *
 *     awgstar run -n 2 -- ./bandwidth
 *     awgstar run -n 2 --port axi4 -- ./bandwidth
 *     awgstar run -n 2 --port axi4 -- ./bandwidth 1 1000003   # so many bytes, from that address on
 */
#include <awgstar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int error, const char *what) {
    if (error) {
        fprintf(stderr, "node %d: %s: %s\n", awg_node(), what, awg_error(error));
        exit(1);
    }
}

int main(int argc, char **argv) {
    size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 262144;
    uint32_t addr = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1024;
    unsigned char *out = malloc(bytes), *in = malloc(bytes);
    if (!out || !in) return 1;
    for (size_t i = 0; i < bytes; i++) out[i] = (unsigned char)(7 * i + i / 256 + 1);
    check(awg_init(), "awg_init");
    check(awg_barrier(), "awg_barrier");

    uint64_t start = awg_now();
    if (awg_node() == 0) {
        check(awg_write(addr, out, bytes), "awg_write");
        check(awg_flush(), "awg_flush");
    }
    uint64_t written = awg_now();
    check(awg_barrier(), "awg_barrier");

    uint64_t arrived = awg_now();
    check(awg_read(addr, in, bytes), "awg_read");
    uint64_t read = awg_now();
    if (memcmp(in, out, bytes)) {
        fprintf(stderr, "node %d: other bytes\n", awg_node());
        return 1;
    }
    if (awg_node() == 0) {
        double size = 1e3 * (double)bytes;
        printf("write %.1f MB/s, read %.1f MB/s\n", size / (double)(written - start), size / (double)(read - arrived));
    }
    return awg_finalize();
}
