/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How fast this computer runs programs on the ring: calls that wait, writes that are posted, and blocks. Each
 * rate is over all processes, in time of this computer.
 *
 *     awgstar run -n 2 --machine gen1 -- ./rates 20000
 *     awgstar run -n 2 -- ./rates 20000
 */
#define _POSIX_C_SOURCE 199309L
#include <awgstar.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void check(int error, const char *what) {
    if (error) {
        fprintf(stderr, "node %d: %s: %s\n", awg_node(), what, awg_error(error));
        exit(1);
    }
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void report(const char *what, double count, double start) {
    check(awg_barrier(), "awg_barrier");
    if (awg_node() == 0) printf("%-32s %12.0f\n", what, count * awg_nodes() / (seconds() - start));
}

int main(int argc, char **argv) {
    long count = argc > 1 ? atol(argv[1]) : 20000;
    static char block[16384];
    uint32_t word = 0;
    check(awg_init(), "awg_init");
    check(awg_barrier(), "awg_barrier");

    double start = seconds();
    for (long i = 0; i < count; i++) check(awg_read(0, &word, 4), "awg_read");
    report("waiting calls/s", (double)count, start);

    start = seconds();
    for (long i = 0; i < count; i++) check(awg_write(4 * (uint32_t)awg_node(), &word, 4), "awg_write");
    report("posted writes/s", (double)count, start);

    start = seconds();
    long blocks = count / 500 + 1;
    for (long i = 0; i < blocks; i++) check(awg_write(0, block, sizeof block), "awg_write");
    report("bytes/s written in blocks", (double)blocks * sizeof block, start);

    start = seconds();
    for (long i = 0; i < blocks; i++) check(awg_read(0, block, sizeof block), "awg_read");
    report("bytes/s read in blocks", (double)blocks * sizeof block, start);
    return awg_finalize();
}
