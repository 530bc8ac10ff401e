/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Time of computing that is counted: prints what passes while the numbers from 1 on run to 1 by the rule of
 * Collatz. The first argument is the number of numbers, the second "nodes" if nodes share a sum, too. */
#include <awgstar.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t steps(uint64_t n) {
    uint32_t count = 0;
    for (; n != 1; count++) n = n % 2 ? 3 * n + 1 : n / 2;
    return count;
}

int main(int argc, char **argv) {
    uint64_t last = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    uint32_t sum = 0;
    if (awg_init()) return 7;
    uint64_t from = awg_now();
    for (uint64_t n = 1 + (uint64_t)awg_node(); n <= last; n += (uint64_t)awg_nodes()) {
        sum += steps(n);
        if (argc > 2 && awg_fetch_add(0, steps(n), NULL)) return 5;
    }
    uint64_t to = awg_now();
    if (argc > 2 && (awg_barrier() || awg_read(0, &sum, 4))) return 6;
    if (awg_node() == 0) printf("%" PRIu64 " ns, %" PRIu32 " steps\n", to - from, sum);
    return awg_finalize();
}
