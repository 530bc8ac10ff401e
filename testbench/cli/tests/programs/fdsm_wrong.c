/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Wrong use of FDSM: the argument names the case. The last process does what is wrong while the others wait; in cases of
 * collectives all do. If the call returns, the program prints that. */
#include <fdsm.h>
#include <fdsmx.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 100 };

static int me, processes;

static void handler(int number) {
    (void)number;
    fdsmx_node();
}

/* A loop without end, each execution with a page of another process. */
static void work(volatile long *shared) {
    for (long i = 0;; i++) {
        fdsm_before_loop();
        shared[me * PAGE / 8] = i + shared[(me + 1) % processes * PAGE / 8];
        fdsm_after_loop();
    }
}

static void collective(const char *what, char *shared) {
    volatile char *at = shared;
    long number = me;
    if (!strcmp(what, "no bytes")) fdsm_alloc(0);
    if (!strcmp(what, "room")) fdsm_alloc((size_t)1 << 40);
    if (!strcmp(what, "all bytes")) fdsm_alloc((size_t)-1);
    if (!strcmp(what, "exhausted")) for (;;) fdsm_alloc(100000);
    if (!strcmp(what, "sizes")) fdsm_alloc(me == 0 ? 8 : 16);
    if (!strcmp(what, "alloc in loop")) fdsm_before_loop(), fdsm_alloc(8);
    if (!strcmp(what, "free")) fdsm_free(shared + 8);
    if (!strcmp(what, "free local")) fdsm_free(&number);
    if (!strcmp(what, "free twice")) fdsm_free(shared), fdsm_free(shared);
    if (!strcmp(what, "free others")) fdsm_free(me == 0 ? shared : shared + PAGE);
    if (!strcmp(what, "free in loop")) fdsm_before_loop(), fdsm_free(shared);
    if (!strcmp(what, "freed")) fdsm_free(shared), number = at[0];
    if (!strcmp(what, "loop twice")) fdsm_before_loop(), fdsm_before_loop();
    if (!strcmp(what, "end in loop")) fdsm_before_loop(), fdsm_finalize();
    if (!strcmp(what, "end locked")) fdsm_lock(me), fdsm_finalize();
    if (!strcmp(what, "after")) fdsm_finalize(), fdsm_after_loop();
    if (!strcmp(what, "ended")) fdsm_finalize(), at[5] = 1;
    if (!strcmp(what, "start again")) fdsm_finalize(), fdsm_init();
    if (!strcmp(what, "type")) fdsm_reduce(&number, 1, 3, FDSM_SUM);
    if (!strcmp(what, "op")) fdsm_reduce(&number, 1, FDSM_LONG, 3);
    if (!strcmp(what, "many")) fdsm_reduce(&number, (size_t)-1, FDSM_LONG, FDSM_SUM);
    if (!strcmp(what, "numbers")) fdsm_reduce(NULL, 1, FDSM_LONG, FDSM_SUM);
    if (!strcmp(what, "shared numbers")) fdsm_reduce(shared, 1, FDSM_LONG, FDSM_SUM);
    if (!strcmp(what, "count")) fdsm_reduce(&number, me == 0 ? 1 : 0, FDSM_LONG, FDSM_SUM);
    if (!strcmp(what, "kinds")) fdsm_reduce(&number, 1, me == 0 ? FDSM_LONG : FDSM_DOUBLE, FDSM_SUM);
    if (!strcmp(what, "function")) me == 0 ? (void)fdsm_alloc(8) : fdsm_reduce(&number, 1, FDSM_LONG, FDSM_SUM);
    if (!strcmp(what, "loop or end")) me == 0 ? fdsm_finalize() : fdsm_after_loop();
    if (!strcmp(what, "race") && me < 2) at[3 * PAGE + 1] = (char)(2 + me);
    if (!strcmp(what, "locks crosswise")) {
        fdsm_lock(me);
        fdsm_lock((me + 1) % processes);
    }
}

/* A write under a lock, and one beside it, whose process learns of the other with one of its faults. */
static void unordered(volatile char *shared) {
    int sum = 0;
    if (me == 0) fdsm_lock(0), shared[0] = 1, fdsm_unlock(0);
    if (me == 1) {
        shared[0] = 2;
        for (int page = 1; page < PAGES; page++) sum += shared[page * PAGE];
    }
    if (sum > 0) exit(sum);
}

static void single(const char *what, char *shared) {
    static char bytes[8];
    volatile char *at = shared;
    if (!strcmp(what, "start twice")) fdsm_init();
    if (!strcmp(what, "lock number")) fdsm_lock(-1);
    if (!strcmp(what, "unlock number")) fdsm_unlock(65535);
    if (!strcmp(what, "lock twice")) fdsm_lock(1), fdsm_lock(1);
    if (!strcmp(what, "unlock")) fdsm_unlock(1);
    if (!strcmp(what, "unlock twice")) fdsm_lock(1), fdsm_unlock(1), fdsm_unlock(1);
    if (!strcmp(what, "read beyond")) me += at[PAGES * PAGE];
    if (!strcmp(what, "write beyond")) at[PAGES * PAGE + 5] = 1;
    if (!strcmp(what, "read before")) me += at[-1 + (PAGES + 3) * PAGE];
    if (!strcmp(what, "ready local")) fdsmx_ready(bytes, sizeof bytes, 0);
    if (!strcmp(what, "ready beyond")) fdsmx_ready(shared + PAGE, PAGES * PAGE, 1);
    if (!strcmp(what, "ready all")) fdsmx_ready(shared, (size_t)-1, 1);
    if (!strcmp(what, "null")) *(volatile char *)NULL = 1;
    if (!strcmp(what, "dies")) fdsm_before_loop(), at[0] = 1, raise(SIGKILL);
    if (!strcmp(what, "leaves")) _exit(0);
    if (!strcmp(what, "fails")) exit(9);
    if (!strcmp(what, "child")) {
        int status = 0;
        at[0] = 1;
        if (fork() == 0) at[0] = 2, _exit(0);
        wait(&status);
        exit(WEXITSTATUS(status));
    }
    if (!strcmp(what, "handler")) {
        struct itimerval soon = {{0, 0}, {0, 20000}};
        signal(SIGALRM, handler);
        fdsm_lock(8), fdsm_unlock(8);
        setitimer(ITIMER_REAL, &soon, NULL);
        fdsm_lock(7);
    }
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "nothing";
    if (!strcmp(what, "before start")) fdsm_lock(0);
    if (!strcmp(what, "number before start")) fdsmx_node();
    fdsm_init();
    me = fdsmx_node(), processes = fdsmx_nodes();
    char *shared = fdsm_alloc(PAGES * PAGE), *other = fdsm_alloc(PAGE);
    if (!strcmp(what, "work")) work((volatile long *)shared);
    /* It computes when the last process waits for its lock. */
    if (!strcmp(what, "handler") && me == 0) {
        fdsm_lock(7);
        for (int times = 0; times < 20; times++) fdsm_lock(8), fdsm_unlock(8);
        usleep(400000);
    }
    if (strcmp("unordered", what) == 0) unordered(shared);
    collective(what, shared);
    if (me == processes - 1) single(what, shared);
    fdsm_after_loop();
    other[0] = 1;
    fdsm_finalize();
    if (me == 0) printf("%s: it comes back\n", what);
    return 0;
}
