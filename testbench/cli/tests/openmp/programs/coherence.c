// SPDX-License-Identifier: MIT OR Apache-2.0
// Small programs that are hard on memory kept coherent by pages: `coherence NAME` runs one, `coherence` prints all
// names. They need two threads or more. What they print depends on the number of threads alone; `errors` counts the
// values that a thread should not have read, as it finds them.
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE 4096
#define INTS (PAGE / (int)sizeof(int))

static int threads, errors;
static const char *name_of_program;
static _Alignas(PAGE) int page[64][INTS];
static _Alignas(PAGE) char text[32 * PAGE];
static _Alignas(PAGE) int alone[INTS];
static omp_lock_t lock[4];

#define ALL _Pragma("omp parallel reduction(+ : errors)")
#define BARRIER _Pragma("omp barrier")
#define ME                                                                                                            \
    const int me = omp_get_thread_num(), n = omp_get_num_threads(), next = (me + 1) % n, last = (me + n - 1) % n;     \
    (void)n, (void)next, (void)last

static void expect(int right, int *wrong)
{
    if (!right)
        ++*wrong;
}

static long sum(const int *of, int count)
{
    unsigned long s = 0;
    for (int i = 0; i < count; i++)
        s = s * 31 + (unsigned)of[i];
    return (long)(s >> 1);
}

/* Blocks: all between two barriers. */

// Block A, then B and B again, whose owners are others each time.
static void inner_loop(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 5; turn++) {
            page[0][me] = turn + me;
            BARRIER
            for (int in = 0; in < 3; in++) {
                int to = (me + in + turn) % n;
                page[1][to] += page[0][(me + in) % n] + page[2][(to + in) % n];
                BARRIER
                page[2][(to + 1) % n] = page[1][(to + 1) % n] + in;
                BARRIER
            }
        }
    }
    printf("%ld %ld\n", sum(page[1], threads), sum(page[2], threads));
}

// The same two barriers, and what is between them is another page each time.
static void same_block_other_page(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 8; turn++) {
            int of = turn * turn % 5;
            expect(page[of][16 * next] == page[8 + of][next], &errors);
            BARRIER
            page[of][16 * me] = page[8 + of][me] = turn + 1;
            BARRIER
        }
    }
    printf("%d %ld\n", errors, sum((int *)page, 5 * INTS));
}

static void step(int write_at, int value, int read_at, int right, int *wrong)
{
    page[0][write_at] = value;
    BARRIER
    expect(page[0][read_at] == right, wrong);
    BARRIER
}

// A function with barriers, from two places and in two regions.
static void two_places(void)
{
    ALL {
        ME;
        for (int turn = 1; turn < 4; turn++) {
            step(me, turn, next, turn, &errors);
            step(me + 64 * turn, -turn, last + 64 * turn, -turn, &errors);
        }
    }
    ALL {
        ME;
        step(last, 100 + me, me, 100 + next, &errors);
    }
    printf("%d %ld\n", errors, sum((int *)page, INTS));
}

// A barrier that threads reach from different places in the program.
static void barriers_apart(void)
{
    ALL {
        ME;
        for (int turn = 1; turn < 6; turn++) {
            page[0][me] = turn;
            if ((me + turn) % 2) {
                BARRIER
                expect(page[0][next] == turn, &errors);
            } else {
                BARRIER
                expect(page[0][last] == turn, &errors);
            }
            BARRIER
        }
    }
    printf("%d\n", errors);
}

// Nothing for a while, then the known pattern again.
static void pause_and_go_on(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 12; turn++) {
            int busy = turn < 4 || turn > 7;
            if (busy)
                page[me][turn] = turn + me;
            BARRIER
            if (busy)
                expect(page[next][turn] == turn + next, &errors);
            BARRIER
        }
    }
    printf("%d\n", errors);
}

/* Pages. */

static void even_and_odd_bytes(void)
{
    ALL {
        ME;
        for (int turn = 1; turn < 5; turn++) {
            for (int i = me; i < PAGE; i += n)
                text[i] = (char)(turn * 3 + i % n);
            BARRIER
            for (int i = 0; i < PAGE; i++)
                expect(text[i] == (char)(turn * 3 + i % n), &errors);
            BARRIER
        }
    }
    printf("%d\n", errors);
}

// A word that begins in one page and ends in the next.
static void across_pages(void)
{
    unsigned long start = 1;
    memcpy(text + PAGE - 3, &start, sizeof start);
    ALL {
        ME;
        for (int turn = 0; turn < 2 * n; turn++) {
            unsigned long value;
            if (turn % n == me) {
                memcpy(&value, text + PAGE - 3, sizeof value);
                value = value * 0x10305070b01 + turn;
                memcpy(text + PAGE - 3, &value, sizeof value);
            }
            BARRIER
        }
    }
    memcpy(&start, text + PAGE - 3, sizeof start);
    printf("%lx\n", start);
}

// For each home, writer and reader a page: `home` is the first that writes to it.
static void home_elsewhere(void)
{
    int *m = calloc((size_t)threads * threads * threads + 1, PAGE);
    m = (int *)(((size_t)m + PAGE - 1) / PAGE * PAGE);
    ALL {
        ME;
        for (int turn = 0; turn < 3; turn++) {
            for (int i = 0; i < n * n; i++)
                m[(i * n + me) * INTS] = turn + me + 1;
            BARRIER
            for (int home = 0; home < n; home++)
                for (int reader = 0; reader < n; reader++)
                    m[((reader * n + me) * n + home) * INTS + 1] = turn + me + home;
            BARRIER
            for (int writer = 0; writer < n; writer++)
                for (int home = 0; home < n; home++) {
                    const int *of = m + ((me * n + writer) * n + home) * INTS;
                    expect(of[0] == turn + home + 1 && of[1] == turn + writer + home, &errors);
                }
            BARRIER
        }
    }
    printf("%d\n", errors);
}

static void one_writes_all_read(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 6; turn++) {
            if (me == turn / 3 % n)
                for (int i = 0; i < INTS; i++)
                    page[1][i] = turn * i;
            BARRIER
            for (int i = 0; i < INTS; i++)
                expect(page[1][i] == turn * i, &errors);
            BARRIER
        }
    }
    printf("%d\n", errors);
}

static void all_touch_first(void)
{
    ALL {
        ME;
        for (int k = 0; k < 16; k++)
            page[(k + me) % 16][me] = k + 1;
        BARRIER
        for (int k = 0; k < 16; k++)
            for (int t = 0; t < n; t++)
                expect(page[k][t] == (k + 16 - t) % 16 + 1, &errors);
    }
    printf("%d %ld\n", errors, sum((int *)page, 16 * INTS));
}

// Written before the first region, and one byte of it after.
static void from_the_serial_part(void)
{
    for (int i = 0; i < INTS; i++)
        page[0][i] = page[1][i] = i;
    for (int turn = 0; turn < 3; turn++) {
        ALL {
            ME;
            expect(page[0][500 + me] == 500 + me + 1000 * turn, &errors);
            expect(page[1][500] == 500 + turn, &errors);
            page[0][500 + me] += 1000;
        }
        page[1][500]++;
    }
    printf("%d %ld\n", errors, sum((int *)page, 2 * INTS));
}

// A thread writes to a page, and then reads in it what another has changed.
static void write_then_read(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 8; turn++) {
            if (me == 1)
                page[0][900] = turn;
            BARRIER
            if (me == 0) {
                page[0][3] = turn + 1;
                if (turn > 2)
                    expect(page[0][900] == turn, &errors);
            }
            BARRIER
        }
    }
    printf("%d %d %d\n", errors, page[0][3], page[0][900]);
}

// A write in step 3 alone: to a page of the pattern, and to one that nobody has used before.
static void write_in_step_3(void)
{
    ALL {
        ME;
        for (int at = 0; at < 7; at++) {
            page[0][me] = at;
            if (at == 3 && me == n - 1) {
                page[0][700] = 1;
                page[5][8] = 2;
            }
            BARRIER
            expect(page[0][next] == at, &errors);
            if (at > 4)
                expect(page[0][700] == 1 && page[5][8] == 2, &errors);
            BARRIER
        }
    }
    printf("%d %d %d\n", errors, page[0][700], page[5][8]);
}

// A write that is left out in step 3: another thread writes there, before or in the same step.
static void write_left_out(void)
{
    ALL {
        ME;
        for (int at = 0; at < 7; at++) {
            if (me == 0 && at != 3)
                page[0][10] = page[0][11] = at;
            if (me == 1 && at == 3)
                page[0][11] = 100;
            BARRIER
            expect(page[0][10] == (at == 3 ? 20 + 2 : at) && page[0][11] == (at == 3 ? 100 : at), &errors);
            BARRIER
            if (me == n - 1)
                page[0][10] = 20 + at;
            BARRIER
            expect(page[0][10] == 20 + at, &errors);
            BARRIER
        }
    }
    printf("%d %d %d\n", errors, page[0][10], page[0][11]);
}

// Writes of the value that is there, which no comparison finds; another thread changes it in between.
static void same_value_again(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 6; turn++) {
            if (me == turn % 2)
                page[0][0] = 7;
            BARRIER
            expect(page[0][0] == 7, &errors);
            BARRIER
            if (me == n - 1 && turn % 3 == 1)
                page[0][0] = 8;
            BARRIER
        }
    }
    printf("%d %d\n", errors, page[0][0]);
}

// Back to the value of before within a block.
static void there_and_back(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 4; turn++) {
            volatile int *at = &page[0][me];
            *at = 5;
            *at = 0;
            page[0][64 + me] = turn + 1;
            BARRIER
            expect(page[0][next] == 0 && page[0][64 + next] == turn + 1, &errors);
            BARRIER
        }
    }
    printf("%d\n", errors);
}

// One block that writes here, then there: the reader of the old place must not lose it.
static void moving_owner(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 3 * n; turn++) {
            int mine = (me + turn / 2) % n;
            for (int i = 0; i < 8; i++) {
                expect(page[mine][i] == 10 * turn + (turn ? mine : 0), &errors);
                page[mine][i] = 10 * (turn + 1) + mine;
            }
            BARRIER
        }
    }
    printf("%d %ld\n", errors, sum((int *)page, threads * INTS));
}

/* Locks. */

// Writes y outside the lock, and reads x, of the same page, under it.
static void write_lock_read(void)
{
    ALL {
        ME;
        int seen = -1;
        for (int turn = 0; turn < 5; turn++) {
            page[0][100 + me] = turn;
            omp_set_lock(&lock[0]);
            expect(page[0][0] > seen, &errors);
            seen = page[0][0]++;
            omp_unset_lock(&lock[0]);
            page[0][200 + me] = turn;
            BARRIER
            expect(page[0][0] == (turn + 1) * n, &errors);
            expect(page[0][100 + next] == turn && page[0][200 + last] == turn, &errors);
            BARRIER
        }
    }
    printf("%d %d\n", errors, page[0][0]);
}

static void lock_then_barrier(void)
{
    ALL {
        ME;
        for (int turn = 1; turn < 6; turn++) {
            omp_set_lock(&lock[0]);
            page[0][0]++;
            omp_unset_lock(&lock[0]);
            BARRIER
            expect(page[0][0] == turn * n, &errors);
            BARRIER
        }
    }
    printf("%d %d\n", errors, page[0][0]);
}

static void wait_for(int *at, int value, omp_lock_t *of)
{
    for (int done = 0; !done;) {
        omp_set_lock(of);
        done = *at == value;
        omp_unset_lock(of);
    }
}

static void set(int *at, int value, omp_lock_t *of)
{
    omp_set_lock(of);
    *at = value;
    omp_unset_lock(of);
}

// x goes from thread 0 under one lock to thread 1, and from there, unread, under another lock to the last thread.
static void two_locks(void)
{
    ALL {
        ME;
        for (int turn = 1; turn < 4; turn++) {
            int old = page[0][0];
            expect(old == turn - 1, &errors);
            BARRIER
            if (me == 0) {
                page[0][0] = turn;
                set(&page[1][0], turn, &lock[0]);
            }
            if (me == 1) {
                wait_for(&page[1][0], turn, &lock[0]);
                set(&page[2][0], turn, &lock[1]);
            }
            if (me == n - 1) {
                wait_for(&page[2][0], turn, &lock[1]);
                expect(page[0][0] == turn, &errors);
            }
            BARRIER
        }
    }
    printf("%d %d\n", errors, page[0][0]);
}

// A lock goes round; each thread adds to what all before it wrote, in pages that it has open.
static void lock_goes_round(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 3; turn++) {
            expect(page[1 + last][0] == (turn ? 10 * turn + last : 0), &errors);
            BARRIER
            wait_for(&page[0][0], turn * n + me, &lock[0]);
            for (int t = 0; t < me; t++)
                expect(page[1 + t][0] == 10 * (turn + 1) + t, &errors);
            page[1 + me][0] = 10 * (turn + 1) + me;
            set(&page[0][0], turn * n + me + 1, &lock[0]);
            BARRIER
        }
    }
    printf("%d %ld\n", errors, sum((int *)page, (1 + threads) * INTS));
}

// The counter and what it guards are in the page of the lock itself.
static void lock_in_its_page(void)
{
    struct { omp_lock_t lock; int count, rest[8]; } *both = (void *)page[3];
    omp_init_lock(&both->lock);
    ALL {
        ME;
        for (int turn = 0; turn < 4; turn++) {
            omp_set_lock(&both->lock);
            both->count += me + 1;
            both->rest[both->count % 8]++;
            omp_unset_lock(&both->lock);
        }
    }
    int all = 0;
    for (int i = 0; i < 8; i++)
        all += both->rest[i];
    printf("%d %d %d\n", errors, both->count, all);
}

static void record_before_a_barrier(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 4; turn++) {
            int mine = 0;
#pragma omp for schedule(static) nowait
            for (int i = 0; i < 64; i++) {
                page[0][i] = i + turn;
                mine += page[0][i];
            }
#pragma omp critical
            page[0][1000] += mine;
            BARRIER
            for (int i = 0; i < 64; i++)
                expect(page[0][i] == i + turn, &errors);
            expect(page[0][1000] == (turn + 1) * 2016 + 64 * turn * (turn + 1) / 2, &errors);
            BARRIER
        }
    }
    printf("%d %d\n", errors, page[0][1000]);
}

// Two locks for two variables of a page, held at the same time by different threads.
static void two_locks_one_page(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 4; turn++)
            for (int k = 0; k < 2; k++) {
                int which = (k + me) % 2;
                omp_set_lock(&lock[which]);
                page[0][which] += me + 1;
                page[0][600 + which] = page[0][which];
                omp_unset_lock(&lock[which]);
            }
        BARRIER
        expect(page[0][0] == page[0][1] && page[0][600] == page[0][601], &errors);
        expect(page[0][0] == 4 * n * (n + 1) / 2, &errors);
    }
    printf("%d %d\n", errors, page[0][0]);
}

static void test_lock(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 3; turn++) {
            while (!omp_test_lock(&lock[2]))
                ;
            page[0][0] += me;
            page[1][page[0][0]]++;
            omp_unset_lock(&lock[2]);
        }
    }
    long all = 0;
    for (int i = 0; i < INTS; i++)
        all += page[1][i];
    printf("%d %d %ld\n", errors, page[0][0], all);
}

// Written under a lock, and the same page without it in the next block.
static void lock_and_no_lock(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 5; turn++) {
            if (turn % 2) {
                omp_set_lock(&lock[0]);
                page[0][0] += 2;
                omp_unset_lock(&lock[0]);
            } else if (me == turn / 2 % n) {
                page[0][0] += 100;
            }
            BARRIER
            expect(page[0][0] == 100 * (turn / 2 + 1) + 2 * n * ((turn + 1) / 2), &errors);
            page[0][8 + me] = page[0][0];
            BARRIER
            expect(page[0][8 + next] == page[0][8 + last], &errors);
        }
    }
    printf("%d %d\n", errors, page[0][0]);
}

// A page that a node has open and that the others change under a lock again and again.
static void open_all_the_time(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 20; turn++) {
            page[0][16 * me] = turn;
#pragma omp critical
            page[0][1000]++;
            expect(page[0][16 * me] == turn, &errors);
        }
        BARRIER
        expect(page[0][16 * next] == 19 && page[0][16 * last] == 19, &errors);
        expect(page[0][1000] == 20 * n, &errors);
    }
    printf("%d\n", errors);
}

static void flag_with_flush(void)
{
    volatile int *flag = page[1];
    ALL {
        ME;
        for (int turn = 1; turn < 4; turn++) {
            if (me == 0) {
                for (int i = 0; i < 32; i++)
                    page[0][i] = turn * i;
#pragma omp flush
                *flag = turn;
#pragma omp flush
            } else if (me == n - 1) {
                while (*flag != turn) {
#pragma omp flush
                }
#pragma omp flush
                for (int i = 0; i < 32; i++)
                    expect(page[0][i] == turn * i, &errors);
            }
            BARRIER
        }
    }
    printf("%d\n", errors);
}

// As before, with an atomic flag, and on to each thread. gcc makes a plain load of the read, so a flush is written.
static void flag_goes_round(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 3; turn++) {
            int seen = -1;
            while (seen != turn * n + me) {
#pragma omp flush
#pragma omp atomic read
                seen = page[1][0];
            }
#pragma omp flush
            expect(page[0][last] == turn + (me > 0), &errors);
            page[0][me] = turn + 1;
#pragma omp flush
#pragma omp atomic write
            page[1][0] = turn * n + me + 1;
#pragma omp flush
        }
    }
    printf("%d %d\n", errors, page[1][0]);
}

static void atomics(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 5; turn++) {
            int got;
#pragma omp atomic capture
            got = page[0][0]++;
            page[1][got] = me + 1;
#pragma omp atomic
            page[0][1] += got;
            BARRIER
            int here = 0;
            for (int i = 0; i < n; i++)
                here += page[1][turn * n + i];
            expect(here == n * (n + 1) / 2, &errors);
            BARRIER
        }
    }
    printf("%d %d %d\n", errors, page[0][0], page[0][1]);
}

/* Constructs. */

static void dynamic_owners(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 4; turn++) {
#pragma omp for schedule(dynamic, 3)
            for (int i = 1; i < 40; i++)
                page[turn % 2][i] = page[1 - turn % 2][i - 1] + page[1 - turn % 2][i + 1] + i;
        }
    }
    printf("%d %ld\n", errors, sum((int *)page, 2 * INTS));
}

static void guided_and_static(void)
{
    int *first = (int *)page, *second = first + 2 * INTS;
    ALL {
        for (int turn = 0; turn < 3; turn++) {
#pragma omp for schedule(guided)
            for (int i = 0; i < 2 * INTS; i += 32)
                first[i] += i + turn;
#pragma omp for schedule(static, 1)
            for (int i = 0; i < 2 * INTS; i += 32)
                second[i] += first[2 * INTS - 32 - i];
        }
    }
    printf("%ld %ld\n", sum(first, 2 * INTS), sum(second, 2 * INTS));
}

static void master_and_single(void)
{
    ALL {
        ME;
        int given = 0;
        for (int turn = 0; turn < 4; turn++) {
#pragma omp master
            page[0][5] = turn + 10;
            BARRIER
            expect(page[0][5] == turn + 10, &errors);
#pragma omp single copyprivate(given)
            {
                page[0][6] += turn;
                given = page[0][6] * 3;
            }
            expect(given == page[0][6] * 3, &errors);
            page[0][100 + me] = given;
            BARRIER
            expect(page[0][100 + next] == given && page[0][100 + last] == given, &errors);
        }
    }
    printf("%d %d\n", errors, page[0][6]);
}

static void ordered(void)
{
#pragma omp parallel for ordered schedule(static, 2)
    for (int i = 0; i < 24; i++) {
        page[1][i] = i;
#pragma omp ordered
        page[0][i] = (i ? page[0][i - 1] * 3 % 10007 : 1) + page[1][i];
    }
    printf("%ld\n", sum((int *)page, INTS));
}

static void sections(void)
{
    for (int turn = 0; turn < 3; turn++) {
#pragma omp parallel sections
        {
#pragma omp section
            page[0][0] += page[1][1] + 1;
#pragma omp section
            page[0][1] += page[1][2] + 2;
#pragma omp section
            page[0][2] += page[1][0] + 3;
        }
#pragma omp parallel sections
        {
#pragma omp section
            page[1][2] += page[0][0];
#pragma omp section
            page[1][0] += page[0][1];
#pragma omp section
            page[1][1] += page[0][2];
        }
    }
    printf("%ld %ld\n", sum((int *)page, 3), sum(page[1], 3));
}

static long fib(int k)
{
    long x, y;
    if (k < 2)
        return k;
#pragma omp task shared(x)
    x = fib(k - 1);
#pragma omp task shared(y)
    y = fib(k - 2);
#pragma omp taskwait
    return x + y;
}

static void tasks(void)
{
    long f = 0;
    ALL {
#pragma omp single
        f = fib(8);
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i) depend(inout : page[0][0])
            page[0][0] = page[0][0] * 2 % 1009 + i;
        }
        expect(f == 21, &errors);
    }
    printf("%d %ld %d\n", errors, f, page[0][0]);
}

static void reductions(void)
{
    long plus = 0, times = 1;
    int most = 0, array[5] = {0};
    for (int turn = 0; turn < 3; turn++) {
#pragma omp parallel for reduction(+ : plus, array[:5]) reduction(max : most) reduction(* : times)
        for (int i = 1; i < 30; i++) {
            plus += i + page[0][i];
            array[i % 5] += i;
            most = most > i * 7 % 31 ? most : i * 7 % 31;
            times *= i % 7 ? 1 : 3;
            page[0][i] = turn;
        }
    }
    printf("%ld %ld %d %ld\n", plus, times, most, sum(array, 5));
}

static void many_regions(void)
{
    for (int turn = 0; turn < 30; turn++) {
        ALL {
            ME;
            expect(page[0][next] == turn && page[1][0] == turn, &errors);
            BARRIER
            page[0][me] = turn + 1;
        }
        page[1][0]++;
    }
    printf("%d %ld\n", errors, sum((int *)page, threads));
}

// A region with fewer threads in between; the others keep old pages.
static void fewer_threads(void)
{
    for (int turn = 0; turn < 6; turn++) {
        int some = turn % 2 ? 2 : threads;
#pragma omp parallel num_threads(some) reduction(+ : errors)
        {
            ME;
            expect(page[0][0] == turn, &errors);
            page[1][turn * n + me] = page[0][0] + me;
            BARRIER
            expect(page[1][turn * n + next] == turn + next, &errors);
            BARRIER
            if (me == n - 1)
                page[0][0]++;
        }
    }
    printf("%d %d\n", errors, page[0][0]);
}

/* Memory. */

static void heap(void)
{
    static char *given[64];
    ALL {
        ME;
        for (int turn = 0; turn < 4; turn++) {
            int size = 100 + 3000 * turn + me;
            given[me] = malloc(size);
            memset(given[me], me + turn, size);
            BARRIER
            size = 100 + 3000 * turn + next;
            for (int i = 0; i < size; i++)
                expect(given[next][i] == next + turn, &errors);
            given[next][0] = 77;
            BARRIER
            expect(given[me][0] == 77 && given[me][1] == me + turn, &errors);
            BARRIER
            free(given[last]);
            BARRIER
            int *zero = calloc(300, sizeof *zero);
            for (int i = 0; i < 300; i++)
                expect(zero[i] == 0, &errors);
            memset(zero, 0xee, 300 * sizeof *zero);
            free(zero);
            BARRIER
        }
    }
    printf("%d\n", errors);
}

// Grown by one thread after another, with a block that is mapped at its end. All bytes of a number change: with gaps
// between the bytes FDSM takes minutes of this computer.
static void grown_by_others(void)
{
    int *m = NULL;
    size_t count = 16;
    ALL {
        ME;
        for (int turn = 0; turn < 2 * n; turn++) {
            if (turn % n == me) {
                m = realloc(m, count * 3 * sizeof *m);
                for (size_t i = turn ? count : 0; i < count * 3; i++)
                    m[i] = (int)((unsigned)i * 0x1010101u + 0x7f7f7f7fu);
                count *= 3;
                if (count > 100000)
                    count = 16;
            }
            BARRIER
            for (size_t i = 0; i < count; i += 5)
                expect(m[i] == (int)((unsigned)i * 0x1010101u + 0x7f7f7f7fu), &errors);
            BARRIER
        }
    }
    printf("%d %zu\n", errors, count);
}

// Variables on the stack of a thread, and thread-local ones, used by the next thread.
static __thread int own[1200];

static void of_another_thread(void)
{
    static int *stack[64], *local[64];
    ALL {
        ME;
        int here[1500] = {0};
        stack[me] = here;
        local[me] = own;
        BARRIER
        for (int turn = 1; turn < 4; turn++) {
            for (int i = 0; i < 1000; i += 50) {
                stack[next][i] += turn + i;
                local[next][i + 100] += turn - i;
            }
            BARRIER
            expect(here[50 * turn] == turn * (turn + 1) / 2 + turn * 50 * turn, &errors);
            expect(own[100 + 50 * turn] == turn * (turn + 1) / 2 - turn * 50 * turn, &errors);
            BARRIER
        }
    }
    printf("%d\n", errors);
}

/* The operating system reads and writes what others wrote last. */

static void fill(int me, int n, int turn)
{
    for (int i = 0; i < (int)sizeof text; i++)
        if (i / 100 % n == me)
            text[i] = i % 100 == 99 ? '\n' : (char)('a' + (i / 100 + turn) % 26);
}

static void write_all(const char *from, size_t bytes)
{
    while (bytes) {
        ssize_t done = write(1, from, bytes);
        if (done <= 0)
            exit(3);
        from += done;
        bytes -= done;
    }
}

static void write_page(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 3; turn++) {
            fill(me, n, turn);
            BARRIER
            if (me == turn % n)
                write_all(text, PAGE);
            BARRIER
        }
    }
    write_all(text + PAGE - 50, sizeof text - PAGE + 50);
}

static void fwrite_pages(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 3; turn++) {
            fill(next, n, turn);
            BARRIER
            if (me == 0)
                fwrite(text, 1, sizeof text - 50, stdout);
            BARRIER
        }
    }
    fwrite(text + 10, 1, 80 * 1024, stdout);
    printf("%d\n", errors);
}

// Names of files, formats and modes that another thread has written.
static void names(void)
{
    ALL {
        ME;
        char first[5] = {0};
        for (int turn = 0; turn < 3; turn++) {
            int writer = (turn + 1) % n;
            if (me == writer) {
                strcpy(text + PAGE - 3, name_of_program);
                strcpy(text + 3 * PAGE, "rb");
                strcpy(text + 5 * PAGE - 2, "%d and %s\n");
            }
            BARRIER
            if (me == 0) {
                int file = open(text + PAGE - 3, O_RDONLY);
                expect(file >= 0 && read(file, text + 7 * PAGE + 16, 4) == 4, &errors);
                close(file);
                FILE *f = fopen(text + PAGE - 3, text + 3 * PAGE);
                expect(f && fread(first, 1, 4, f) == 4, &errors);
                fclose(f);
                printf(text + 5 * PAGE - 2, turn, first + 1);
            }
            BARRIER
            expect(memcmp(text + 7 * PAGE + 16, "\177ELF", 4) == 0, &errors);
            BARRIER
            if (me == writer)
                memset(text + 7 * PAGE, 0, 64);
            BARRIER
        }
    }
    printf("%d\n", errors);
}

// More than 64 KiB from a file, over what others wrote.
static void read_over(void)
{
    ALL {
        ME;
        for (int turn = 0; turn < 3; turn++) {
            fill(me, n, turn);
            BARRIER
            if (me == turn % n) {
                FILE *f = fopen("/dev/zero", "r");
                expect(f && fread(text + 100, 1, 90 * 1024, f) == 90 * 1024, &errors);
                fclose(f);
            }
            BARRIER
            for (int i = 0; i < (int)sizeof text; i += 7) {
                int inside = i >= 100 && i < 100 + 90 * 1024;
                char right = i % 100 == 99 ? '\n' : (char)('a' + (i / 100 + turn) % 26);
                expect(text[i] == (inside ? 0 : right), &errors);
            }
            BARRIER
        }
    }
    printf("%d\n", errors);
}

static void at_the_end(void)
{
    printf("%d %ld %ld\n", errors, sum((int *)page, 8 * INTS), sum(alone, INTS));
}

static void exit_handler(void)
{
    int *all = (int *)page;
    atexit(at_the_end);
    ALL {
        ME;
        for (int i = me; i < 8 * INTS; i += n)
            all[i] = i;
        BARRIER
        for (int i = next; i < 8 * INTS; i += 4 * n)
            all[i] += 3;
        if (me == n - 1)
            alone[9] = 9;
    }
}

// The program ends within a region, on another thread than 0.
static void exit_in_a_region(void)
{
    atexit(at_the_end);
    ALL {
        ME;
        page[0][me] = me + 1;
        alone[next] = me;
        BARRIER
        if (me == n - 1)
            exit(7);
        BARRIER
    }
}

static const struct { const char *name; void (*run)(void); } cases[] = {
#define C(name) {#name, name}
    C(inner_loop), C(same_block_other_page), C(two_places), C(barriers_apart), C(pause_and_go_on),
    C(even_and_odd_bytes), C(across_pages), C(home_elsewhere), C(one_writes_all_read), C(all_touch_first),
    C(from_the_serial_part), C(write_then_read), C(write_in_step_3), C(write_left_out), C(same_value_again),
    C(there_and_back), C(moving_owner), C(write_lock_read), C(lock_then_barrier), C(two_locks), C(lock_goes_round),
    C(lock_in_its_page), C(record_before_a_barrier), C(two_locks_one_page), C(test_lock), C(lock_and_no_lock),
    C(open_all_the_time), C(flag_with_flush), C(flag_goes_round), C(atomics), C(dynamic_owners),
    C(guided_and_static), C(master_and_single), C(ordered), C(sections), C(tasks), C(reductions), C(many_regions),
    C(fewer_threads), C(heap), C(grown_by_others), C(of_another_thread), C(write_page), C(fwrite_pages), C(names),
    C(read_over), C(exit_handler), C(exit_in_a_region),
};

int main(int argc, char **argv)
{
    threads = omp_get_max_threads();
    name_of_program = argv[0];
    for (int i = 0; i < 4; i++)
        omp_init_lock(&lock[i]);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (argc < 2)
            printf("%s\n", cases[i].name);
        else if (!strcmp(argv[1], cases[i].name))
            cases[i].run();
    }
}
