/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs that do something wrong, or look at every error: the first argument says what. */
#include <awgstar.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int is(const char *what, const char *mode) { return strcmp(what, mode) == 0; }

static void expect(int line, int found, int expected) {
    if (found != expected) {
        fprintf(stderr, "line %d: found %d (%s), expected %d\n", line, found, awg_error(found), expected);
        exit(9);
    }
}
#define EXPECT(call, code) expect(__LINE__, call, code)

/* Posted writes are in order, and a time or a read comes after them. */
static int posted(void) {
    enum { WORDS = 3000, PLACES = 1000 };
    static uint32_t words[WORDS], found[WORDS];
    uint64_t before = awg_now();
    if (awg_node() == 0) {
        for (uint32_t i = 0; i < WORDS; i++) {
            words[i] = i;
            EXPECT(awg_write(4 * (i % PLACES), &words[i], 4), AWG_OK);
        }
        EXPECT(awg_flush(), AWG_OK);
        EXPECT(awg_flush(), AWG_OK);
        if (awg_now() < before + 3000 * 14) return 3;
        for (uint32_t i = 0; i < WORDS; i++) words[i] = 7 * i;
        EXPECT(awg_write(0, words, sizeof words), AWG_OK);
        EXPECT(awg_read(0, found, sizeof found), AWG_OK);
        if (memcmp(words, found, sizeof words)) return 4;
    }
    EXPECT(awg_barrier(), AWG_OK);
    EXPECT(awg_read(0, found, sizeof found), AWG_OK);
    for (uint32_t i = 0; i < WORDS; i++)
        if (found[i] != 7 * i) return 5;
    return awg_finalize();
}

/* The last word of the memory is there, on every node, and nothing after it. */
static int ends(const char *bytes) {
    uint32_t size = awg_memory(), word = 77, found = 0;
    if (size != strtoul(bytes, NULL, 10)) return 3;
    if (awg_node() == 0) EXPECT(awg_write(size - 4, &word, 4), AWG_OK);
    EXPECT(awg_write(size, &word, 4), AWG_RANGE);
    EXPECT(awg_barrier(), AWG_OK);
    EXPECT(awg_read(size - 4, &found, 4), AWG_OK);
    return found == 77 ? awg_finalize() : 4;
}

/* Writes until the board of a cut ring refuses; nothing is called after the refusal. */
static int refused(void) {
    static uint32_t words[4096];
    int error = AWG_OK;
    for (int i = 0; i < 64 && !error; i++)
        if (!(error = awg_write(0, words, sizeof words))) error = awg_flush();
    EXPECT(error, AWG_REFUSED);
    EXPECT(awg_finalize(), AWG_OK);
    return 0;
}

/* The child of a fork cannot use the ring; the parent goes on. */
static int forked(void) {
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        uint32_t word = 0;
        _exit(awg_barrier() == AWG_FORKED && awg_write(0, &word, 4) == AWG_FORKED ? 0 : 1);
    }
    waitpid(child, &status, 0);
    return status ? 6 : awg_barrier() || awg_finalize();
}

/* Nodes write neighbouring bytes at the same time; none destroys another's. Any address and length can be read. */
static int bytes(void) {
    unsigned me = (unsigned)awg_node(), nodes = (unsigned)awg_nodes();
    unsigned char own[3], all[3 * 256 + 1];
    for (int round = 0; round < 20; round++) {
        for (unsigned i = 0; i < sizeof own; i++) own[i] = (unsigned char)(me * 50 + i + (unsigned)round);
        EXPECT(awg_write(1 + 3 * me, own, sizeof own), AWG_OK);
        EXPECT(awg_barrier(), AWG_OK);
        EXPECT(awg_read(1, all, 3 * nodes), AWG_OK);
        for (unsigned i = 0; i < 3 * nodes; i++)
            if (all[i] != (unsigned char)(i / 3 * 50 + i % 3 + (unsigned)round)) return 3;
        EXPECT(awg_barrier(), AWG_OK);
    }
    EXPECT(awg_read(awg_memory() - 1, own, 2), AWG_RANGE);
    EXPECT(awg_read(awg_memory() - 1, own, 1), AWG_OK);
    return awg_finalize();
}

/* Where there are no signals, that is said; elsewhere node 0 waits for one that nobody sends. */
static int signals(const char *mode) {
    if (is(mode, "none")) {
        EXPECT(awg_signal(-1, 1, 1), AWG_NO_SIGNALS);
        EXPECT(awg_wait(-1, 0, NULL, NULL), AWG_NO_SIGNALS);
    } else {
        uint64_t before = awg_now();
        EXPECT(awg_wait(-1, 50000, NULL, NULL), AWG_TIMED_OUT);
        if (awg_now() < before + 50000 || awg_now() > before + 50200) return 3;
        EXPECT(awg_wait(3, 0, NULL, NULL), AWG_TIMED_OUT);
        if (awg_node() == 0) awg_wait(4, UINT64_MAX, NULL, NULL);
    }
    return awg_finalize();
}

static void *adds(void *unused) {
    for (int i = 0; i < 50; i++)
        if (awg_fetch_add(0, 1, NULL)) exit(5);
    return unused;
}

/* Calls of several threads are made one after another. */
static int threads(void) {
    pthread_t all[4];
    uint32_t found = 0;
    for (int i = 0; i < 4; i++)
        if (pthread_create(&all[i], NULL, adds, NULL)) return 3;
    for (int i = 0; i < 4; i++) pthread_join(all[i], NULL);
    EXPECT(awg_barrier(), AWG_OK);
    EXPECT(awg_read(0, &found, 4), AWG_OK);
    return found == 200u * (unsigned)awg_nodes() ? awg_finalize() : 4;
}

static volatile sig_atomic_t alarms;
static void handler(int number) {
    (void)number;
    alarms++;
}

/* Signals of the program's own that interrupt its calls change nothing. */
static int handled(void) {
    struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 500 || (alarms < 5 && i < 100000); i++)
        if (awg_fetch_add(0, 1, NULL)) return 5;
    setitimer(ITIMER_REAL, &never, NULL);
    return awg_barrier() || awg_finalize();
}

/* Node 0 computes for a time while the others wait. */
static int compute(const char *ns) {
    if (awg_node() == 0) EXPECT(awg_compute(strtoull(ns, NULL, 10)), AWG_OK);
    EXPECT(awg_barrier(), AWG_OK);
    return awg_finalize();
}

/* Each node has a lock and takes that of the next one; the call never ends. */
static int cross(void) {
    uint32_t own = (uint32_t)awg_node(), next = (own + 1) % (uint32_t)awg_nodes();
    EXPECT(awg_lock(own), AWG_OK);
    EXPECT(awg_barrier(), AWG_OK);
    return awg_lock(next);
}

/* Node 1 keeps lock 5 and waits at a barrier, to which the others do not come: they wait for the lock. */
static int keep(void) {
    if (awg_node() == 1) EXPECT(awg_lock(5), AWG_OK);
    EXPECT(awg_barrier(), AWG_OK);
    return awg_node() == 1 ? awg_barrier() : awg_lock(5);
}

static int errors(void) {
    uint32_t word[2] = {0, 0}, at, again;
    EXPECT(awg_init(), AWG_TWICE);
    EXPECT(awg_fetch_add(2, 1, NULL), AWG_UNALIGNED);
    EXPECT(awg_signal(awg_node(), 1, 0), AWG_NO_NODE);
    EXPECT(awg_signal(awg_nodes(), 1, 0), AWG_NO_NODE);
    EXPECT(awg_signal(-2, 1, 0), AWG_NO_NODE);
    EXPECT(awg_signal(-1, 65536, 0), AWG_NO_SIGNAL);
    EXPECT(awg_wait(65536, 0, NULL, NULL), AWG_NO_SIGNAL);
    EXPECT(awg_read(awg_memory(), word, 4), AWG_RANGE);
    EXPECT(awg_write(awg_memory() - 4, word, 8), AWG_RANGE);
    EXPECT(awg_write(0xfffffffc, word, 8), AWG_RANGE);
    EXPECT(awg_write(0, word, (size_t)-4), AWG_RANGE);
    EXPECT(awg_read(0, NULL, 4), AWG_NULL);
    EXPECT(awg_alloc(4, NULL), AWG_NULL);
    EXPECT(awg_read(0, word, 0), AWG_OK);
    EXPECT(awg_lock(65535), AWG_NO_LOCK);
    EXPECT(awg_unlock(3), AWG_NOT_HELD);
    EXPECT(awg_lock(3), AWG_OK);
    EXPECT(awg_lock(3), AWG_HELD);
    EXPECT(awg_finalize(), AWG_STILL_HELD);
    EXPECT(awg_unlock(3), AWG_OK);
    EXPECT(awg_alloc(5, &at), AWG_OK);
    EXPECT(awg_alloc(4, &again), AWG_OK);
    EXPECT((int)(again - at), 8);
    EXPECT(awg_alloc(awg_memory(), &again), AWG_NO_ROOM);
    EXPECT(awg_release(at + 4), AWG_NOT_ALLOCATED);
    EXPECT(awg_release(at), AWG_OK);
    EXPECT(awg_release(at), AWG_NOT_ALLOCATED);
    EXPECT(awg_compute(3600000000001u), AWG_TOO_LONG);
    EXPECT(awg_barrier(), AWG_OK);
    EXPECT(awg_swap(0x200, 5, NULL), AWG_OK);
    EXPECT(awg_compare_swap(0x204, 1, 6, &at), AWG_OK);
    EXPECT((int)at, 0);
    EXPECT(awg_finalize(), AWG_OK);
    EXPECT(awg_barrier(), AWG_NOT_STARTED);
    EXPECT(awg_finalize(), AWG_NOT_STARTED);
    return 0;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    uint32_t word = 1;
    if (is(mode, "alone")) return awg_init() == AWG_NOT_STARTED && awg_node() == -1 ? 0 : 1;
    if (is(mode, "texts")) {
        for (int code = 0; code <= 25; code++) puts(awg_error(code));
        return 0;
    }
    if (is(mode, "none")) return 0;
    if (awg_init()) return 7;
    int last = awg_node() == awg_nodes() - 1;
    if (is(mode, "errors")) return errors();
    if (is(mode, "posted")) return posted();
    if (is(mode, "refused")) return refused();
    if (is(mode, "compute") && argc > 2) return compute(argv[2]);
    if (is(mode, "cross")) return cross();
    if (is(mode, "keep")) return keep();
    if (is(mode, "ends") && argc > 2) return ends(argv[2]);
    if (is(mode, "bytes")) return bytes();
    if (is(mode, "signals") && argc > 2) return signals(argv[2]);
    if (is(mode, "fork")) return forked();
    if (is(mode, "threads")) return threads();
    if (is(mode, "handler")) return handled();
    if (is(mode, "crash") && last) raise(SIGSEGV);
    if (is(mode, "exit") && last) exit(3);
    if (is(mode, "late")) {
        awg_finalize();
        exit(last ? 3 : 0);
    }
    if (is(mode, "afterwards")) {
        awg_finalize();
        if (last) usleep(2500000);
        printf("done\n");
        return 0;
    }
    if (is(mode, "leave") && last) return 0;
    if (is(mode, "hold") && last) {
        awg_lock(5);
        return 0;
    }
    if (is(mode, "skip") && last) {
        awg_finalize();
        return 0;
    }
    if (is(mode, "sleep")) {
        printf("pid %d\n", (int)getpid());
        fflush(stdout);
        if (last) pause();
    }
    if (is(mode, "nap") && last) usleep(700000);
    if (is(mode, "allocate")) {
        /* Bytes written and read in each allocation and in none; the report has them. */
        uint32_t first, second, third, words[8] = {0};
        EXPECT(awg_alloc(32, &first), AWG_OK);
        EXPECT(awg_alloc(8, &second), AWG_OK);
        EXPECT(awg_write(first, words, 32), AWG_OK);
        EXPECT(awg_release(second), AWG_OK);
        EXPECT(awg_write(second, words, 8), AWG_OK);
        EXPECT(awg_alloc(16, &third), AWG_OK);
        EXPECT(awg_write(first + 30, words, 5), AWG_OK);
        EXPECT(awg_read(first + 16, words, 32), AWG_OK);
        EXPECT(awg_write(third + 16, words, 12), AWG_OK);
    }
    if (is(mode, "spin")) {
        /* Computes and never says so; the time that the ring has seen meanwhile. */
        volatile double x = 1.0;
        uint64_t from = awg_now();
        for (int i = 0; i < 20000000; i++) x = x * 1.0000001;
        printf("%llu\n", (unsigned long long)(awg_now() - from));
    }
    if (is(mode, "spin after writes")) {
        /* Up to the room for what is posted, and beyond. */
        static unsigned char data[4 * 16400];
        for (size_t words = 16355; words < 16375; words++) {
            volatile double x = 1.0;
            uint64_t from = awg_now();
            EXPECT(awg_write(0, data, 4 * words), AWG_OK);
            for (int i = 0; i < 1000000; i++) x = x * 1.0000001;
            printf("%zu %llu\n", words, (unsigned long long)(awg_now() - from));
        }
    }
    if (is(mode, "alone on node") && argc > 2) {
        /* One node works on, whatever its calls answer; the others leave at once. */
        for (int i = 0; i < 5000 && awg_node() == atoi(argv[2]); i++) awg_read(0, &word, 4);
        awg_finalize();
        return 0;
    }
    if (is(mode, "input") && (argc > 2 || awg_node() == 0)) {
        char line[80] = "";
        if (!fgets(line, sizeof line, stdin)) return 8;
        printf("got %s", line);
    }
    if (is(mode, "work")) {
        for (int i = 0; i < 5000; i++)
            if (awg_fetch_add(0, 1, &word)) return 5;
    }
    int error = awg_barrier();
    if (error) {
        printf("node %d: %s\n", awg_node(), awg_error(error));
        return 4;
    }
    return awg_finalize();
}
