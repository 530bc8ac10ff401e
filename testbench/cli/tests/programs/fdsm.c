/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What FDSM promises, part by part; expected values are from arithmetic. The argument is the number of processes. */
#define _GNU_SOURCE
#include <errno.h>
#include <fdsm.h>
#include <fdsmx.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096, MANY = 20000 };

static int me, processes, failures;

static void check(int right, int line) {
    if (right) return;
    printf("process %d: line %d is wrong\n", me, line);
    failures++;
}
#define CHECK(right) check(right, __LINE__)

static long all(long number, fdsm_op_t op) {
    fdsm_reduce(&number, 1, FDSM_LONG, op);
    return number;
}

static void allocations(void) {
    char *one = fdsm_alloc(1), *two = fdsm_alloc(3 * PAGE);
    CHECK((uintptr_t)one % PAGE == 0 && (uintptr_t)two % PAGE == 0);
    CHECK(all((long)one, FDSM_MIN) == (long)one && all((long)two, FDSM_MAX) == (long)two);
    CHECK(two >= one + PAGE || one >= two + 3 * PAGE);
    /* Used memory is zeros again; other memory stays. */
    for (int i = me; i < 3 * PAGE; i += processes) two[i] = 7;
    one[0] = 5;
    fdsm_free(two);
    char *three = fdsm_alloc(2 * PAGE);
    int sum = 0;
    for (int i = 0; i < 2 * PAGE; i++) sum += three[i];
    CHECK(three == two && sum == 0 && one[0] == 5);
    fdsm_free(three), fdsm_free(one), fdsm_free(NULL);
}

/* Each writes its own bytes of the same pages, all read all. */
static void bytes_of_one_page(void) {
    unsigned char *shared = fdsm_alloc(3 * PAGE);
    for (int turn = 1; turn <= 4; turn++) {
        fdsm_before_loop();
        for (int i = me; i < 3 * PAGE; i += processes) shared[i] = (unsigned char)(i * turn);
        fdsm_after_loop();
        int wrong = 0;
        for (int i = 0; i < 3 * PAGE; i++) wrong += shared[i] != (unsigned char)(i * turn);
        CHECK(wrong == 0);
        fdsm_after_loop();
    }
    fdsm_free(shared);
}

/* The same loop again and again, and then with other parts for each process. */
static void patterns(void) {
    long *shared = fdsm_alloc((size_t)processes * PAGE), words = PAGE / 8;
    for (long turn = 1; turn <= 12; turn++) {
        long part = turn <= 6 ? me : (me + turn) % processes, other = (part + 1) % processes;
        fdsm_before_loop();
        for (long i = 0; i < words; i++) shared[part * words + i] = turn * 1000 + part;
        fdsm_after_loop();
        fdsm_before_loop();
        CHECK(shared[other * words] == turn * 1000 + other);
        CHECK(shared[other * words + words - 1] == turn * 1000 + other);
        fdsm_after_loop();
    }
    fdsm_free(shared);
}

/* Only what the lock orders is read; no barrier is between. */
static void locks(void) {
    struct {
        long count;
        char room[2 * PAGE];
        long sum;
    } *shared = fdsm_alloc(sizeof *shared);
    for (int i = 0; i < 5; i++) {
        fdsm_lock(65534);
        shared->count++;
        shared->sum += shared->count;
        fdsm_unlock(65534);
    }
    fdsm_lock(3), fdsm_lock(4), fdsm_unlock(3), fdsm_unlock(4);
    fdsm_after_loop();
    long n = 5 * processes;
    CHECK(shared->count == n && shared->sum == n * (n + 1) / 2);
    fdsm_free(shared);
}

static void reductions(void) {
    int few[3] = {me, -me, 1 << 30};
    fdsm_reduce(few, 3, FDSM_INT, FDSM_SUM);
    int numbers = processes * (processes - 1) / 2;
    CHECK(few[0] == numbers && few[1] == -numbers && few[2] == (int)((unsigned)processes << 30));
    few[0] = few[1] = me - 2;
    fdsm_reduce(few, 1, FDSM_INT, FDSM_MIN), fdsm_reduce(few + 1, 1, FDSM_INT, FDSM_MAX);
    CHECK(few[0] == -2 && few[1] == processes - 3);
    CHECK(all(1L << 40, FDSM_SUM) == (long)processes << 40 && all(-me, FDSM_MIN) == 1 - processes);
    /* The sum depends on the order: that of the processes. */
    static double many[MANY];
    for (int i = 0; i < MANY; i++) many[i] = me % 2 ? -1e16 : 1e16 + i / (me + 3.0);
    fdsm_reduce(many, MANY, FDSM_DOUBLE, FDSM_SUM);
    int wrong = 0;
    for (int i = 0; i < MANY; i++) {
        volatile double sum = 1e16 + i / 3.0;
        for (int process = 1; process < processes; process++)
            sum = sum + (process % 2 ? -1e16 : 1e16 + i / (process + 3.0));
        wrong += memcmp((void *)&sum, &many[i], sizeof sum) != 0;
    }
    CHECK(wrong == 0);
    double least = 0.5 - me, most = 0.5 - me;
    fdsm_reduce(&least, 1, FDSM_DOUBLE, FDSM_MIN), fdsm_reduce(&most, 1, FDSM_DOUBLE, FDSM_MAX);
    CHECK(least == 1.5 - processes && most == 0.5);
    fdsm_reduce(NULL, 0, FDSM_INT, FDSM_SUM);
    /* It is a barrier. */
    long *shared = fdsm_alloc(PAGE);
    if (me == processes - 1) shared[1] = 11;
    all(0, FDSM_SUM);
    CHECK(shared[1] == 11);
    fdsm_free(shared);
}

/* The system takes no faults; functions of the C library do. */
static void system_calls(void) {
    char *shared = fdsm_alloc(3 * PAGE), text[64];
    int both[2];
    CHECK(pipe(both) == 0);
    if (me == 0) strcpy(shared + 2 * PAGE - 3, "seven bytes");
    fdsm_after_loop();
    if (me > 0) {
        errno = 0;
        CHECK(write(both[1], shared + 2 * PAGE - 3, 12) == -1 && errno == EFAULT);
    }
    fdsmx_ready(shared + 2 * PAGE - 3, 12, 0);
    CHECK(write(both[1], shared + 2 * PAGE - 3, 12) == 12);
    CHECK(read(both[0], text, sizeof text) == 12 && strcmp(text, "seven bytes") == 0);
    fdsm_after_loop();
    if (me == processes - 1) {
        CHECK(write(both[1], "others", 7) == 7);
        fdsmx_ready(shared, 7, 1);
        CHECK(read(both[0], shared, 7) == 7);
    }
    fdsm_after_loop();
    errno = EDOM;
    snprintf(text, sizeof text, "%s", shared);
    CHECK(strcmp(text, "others") == 0 && errno == EDOM);
    fdsmx_ready(shared + 3 * PAGE, 0, 1);
    close(both[0]), close(both[1]);
    fdsm_free(shared);
}

static sigjmp_buf back;

static void handler(int number) {
    siglongjmp(back, number);
}

/* The program's own handler, installed before the start, gets what is no matter of the library. */
static void faults(void) {
    long *shared = fdsm_alloc(2 * PAGE);
    for (int times = 0; times < 2; times++) {
        int number = sigsetjmp(back, 1);
        if (number == 0) *(volatile long *)8 = 1;
        CHECK(number == SIGSEGV);
        if (sigsetjmp(back, 1) == 0) raise(SIGSEGV), CHECK(0);
        if (me == 0) shared[times * PAGE / 8] = 4;
        fdsm_after_loop();
        CHECK(shared[times * PAGE / 8] == 4);
    }
    fdsm_free(shared);
}

static void *adds(void *shared) {
    ((long *)shared)[me] += 2;
    return shared;
}

/* Threads, one after another. */
static void threads(void) {
    long *shared = fdsm_alloc(PAGE);
    for (int times = 1; times <= 3; times++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, adds, shared) == 0 && pthread_join(thread, NULL) == 0);
        fdsm_after_loop();
        CHECK(shared[processes - 1] == 2 * times);
        fdsm_after_loop();
    }
    fdsm_free(shared);
}

int main(int argc, char **argv) {
    signal(SIGSEGV, handler);
    fdsm_init();
    me = fdsmx_node(), processes = fdsmx_nodes();
    CHECK(argc == 2 && processes == atoi(argv[1]) && all(me, FDSM_SUM) == processes * (processes - 1) / 2);
    double start = fdsmx_wtime();
    allocations();
    bytes_of_one_page();
    patterns();
    locks();
    reductions();
    system_calls();
    faults();
    threads();
    CHECK(fdsmx_wtime() > start);
    long sum = all(failures, FDSM_SUM);
    if (me == 0) printf("%d processes, %ld failures\n", processes, sum);
    fflush(stdout);
    fdsm_finalize();
    return 0;
}
