// SPDX-License-Identifier: MIT OR Apache-2.0
// A pipeline: three sections, each hands numbers to the next through one place under a lock.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct place { omp_lock_t lock; int full; long value; };
static struct place between[2];

static void put(struct place *p, long value)
{
    for (;;) {
        omp_set_lock(&p->lock);
        int done = !p->full;
        if (done) {
            p->full = 1;
            p->value = value;
        }
        omp_unset_lock(&p->lock);
        if (done)
            return;
    }
}

static long take(struct place *p)
{
    for (;;) {
        omp_set_lock(&p->lock);
        int done = p->full;
        long value = p->value;
        p->full = 0;
        omp_unset_lock(&p->lock);
        if (done)
            return value;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6;
    long sum = 0;
    omp_init_lock(&between[0].lock);
    omp_init_lock(&between[1].lock);
#pragma omp parallel sections num_threads(3)
    {
#pragma omp section
        for (int i = 0; i < n; i++)
            put(&between[0], i);
#pragma omp section
        for (int i = 0; i < n; i++)
            put(&between[1], take(&between[0]) * 3 + 1);
#pragma omp section
        for (int i = 0; i < n; i++)
            sum = sum * 7 + take(&between[1]);
    }
    printf("%ld\n", sum);
}
