/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counters under locks: processes take numbers, one at a time, and count the last digits of their squares.
 *     awgstar run -n 4 --machine cluster --coherence scash -- ./histogram [NUMBERS] */
#include <fdsm.h>
#include <fdsmx.h>
#include <stdio.h>
#include <stdlib.h>

enum { TICKETS, COUNTS };

struct shared {
    long next;
    long digits[10];
};

int main(int argc, char **argv) {
    long numbers = argc > 1 ? atol(argv[1]) : 30;
    fdsm_init();
    struct shared *shared = fdsm_alloc(sizeof *shared);
    long mine = 0;
    for (;;) {
        fdsm_lock(TICKETS);
        long number = shared->next < numbers ? shared->next++ : -1;
        fdsm_unlock(TICKETS);
        if (number < 0) break;
        fdsm_lock(COUNTS);
        shared->digits[number * number % 10]++;
        fdsm_unlock(COUNTS);
        mine++;
    }
    fdsm_reduce(&mine, 1, FDSM_LONG, FDSM_SUM);
    if (fdsmx_node() == 0) {
        printf("%ld squares end with", mine);
        for (int digit = 0; digit < 10; digit++) printf(" %ld", shared->digits[digit]);
        printf("\n");
        fflush(stdout);
    }
    fdsm_finalize();
    return 0;
}
