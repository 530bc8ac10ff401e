/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Every node adds to one word many times, under a lock and by fetch-and-add. A lost update would show.
 *
 *     awgstar run -n 4 --lock distributed -- ./counter 20
 */
#include <awgstar.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int error, const char *what) {
    if (error) {
        fprintf(stderr, "%s: %s\n", what, awg_error(error));
        exit(1);
    }
}

int main(int argc, char **argv) {
    int times = argc > 1 ? atoi(argv[1]) : 20;
    uint32_t locked, atomic, word;
    check(awg_init(), "awg_init");
    check(awg_alloc(4, &locked), "awg_alloc");
    check(awg_alloc(4, &atomic), "awg_alloc");
    for (int i = 0; i < times; i++) {
        check(awg_lock(7), "awg_lock");
        check(awg_read(locked, &word, 4), "awg_read");
        word += 1;
        check(awg_write(locked, &word, 4), "awg_write");
        check(awg_unlock(7), "awg_unlock");
        check(awg_fetch_add(atomic, 2, &word), "awg_fetch_add");
    }
    check(awg_barrier(), "awg_barrier");
    uint32_t sums[2];
    check(awg_read(locked, &sums[0], 4), "awg_read");
    check(awg_read(atomic, &sums[1], 4), "awg_read");
    uint32_t all = (uint32_t)(times * awg_nodes());
    printf("node %d: %u and %u\n", awg_node(), sums[0], sums[1]);
    check(awg_finalize(), "awg_finalize");
    return sums[0] == all && sums[1] == 2 * all ? 0 : 1;
}
