// SPDX-License-Identifier: MIT OR Apache-2.0
// What could give a wrong result without a word: `pitfalls NAME` runs one. `main.rs` says what is expected of each.
#define _GNU_SOURCE
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static int shared_counter, flags[64];
static char text[200];
static struct stat status;
static double large[200000];

static int me(void)
{
    return omp_get_thread_num();
}

static void region(void)
{
#pragma omp parallel
#pragma omp atomic
    flags[0]++;
}

static void use_rand(void)
{
    static unsigned char used[1 << 24];
    int twice = 0;
    srand(5);
#pragma omp parallel
    for (int i = 0; i < 5; i++) {
        int r = rand() & 0xffffff;
#pragma omp critical
        twice += used[r]++;
    }
    int next = rand();
    srand(5);
    for (int i = 0; i < 20; i++)
        rand();
    printf("%d %d\n", twice, next == rand());
}

static void use_strtok(void)
{
    static char words[] = "one two three four five six seven eight";
    int length = 0;
    strtok(words, " ");
#pragma omp parallel for
    for (int i = 0; i < 7; i++)
#pragma omp critical
        length += (int)strlen(strtok(NULL, " "));
    printf("%d\n", length);
}

static void scan(void)
{
    int sum = 0;
#pragma omp parallel
#pragma omp critical
    {
        int n = 0;
        if (scanf("%d", &n) == 1)
            sum += n;
    }
    printf("%d\n", sum);
}

static void scan_in_single(void)
{
    int sum = 0;
    for (int k = 0; k < 3; k++) {
#pragma omp parallel
#pragma omp single
        {
            int n = 0;
            if (scanf("%d", &n) == 1)
                sum += n;
        }
    }
    printf("%d\n", sum);
}

static void read_into_variable(void)
{
    int fd = open("/proc/self/exe", O_RDONLY);
    int s = 0;
#pragma omp parallel
#pragma omp master
    {
        ssize_t n = pread(fd, text, 4, 0);
        s = (int)n * 1000 + text[0] + text[1];
    }
    printf("%d\n", s);
}

static void stat_into_variable(void)
{
    int rc = -1;
#pragma omp parallel
#pragma omp master
    rc = stat("/proc/self/exe", &status);
    printf("%d %d\n", rc, S_ISREG(status.st_mode));
}

static void fread_into_variable(void)
{
    FILE *f = fopen("/proc/self/exe", "r");
    static char all[20000];
    size_t n = 0;
#pragma omp parallel
#pragma omp master
    n = fread(all, 1, sizeof all, f);
    printf("%zu %d\n", n, memcmp(all, "\177ELF", 4));
    fclose(f);
}

static void file_before_the_region(void)
{
    FILE *f = tmpfile();
#pragma omp parallel
    {
#pragma omp critical
        fprintf(f, "0123456789");
    }
    fflush(f);
    fseek(f, 0, SEEK_END);
    printf("%ld\n", ftell(f));
}

static void file_of_another_thread(void)
{
    region();
    FILE *f = fopen("/dev/null", "w");
#pragma omp parallel
#pragma omp critical
    fprintf(f, "line\n");
    printf("done\n");
}

static void descriptor_of_another_thread(void)
{
    region();
    int fd = open("/dev/null", O_WRONLY);
#pragma omp parallel
#pragma omp critical
    if (write(fd, "x", 1) != 1)
        abort();
    printf("done\n");
}

static void environment(void)
{
    region();
    setenv("NAME", "value", 1);
    printf("done\n");
}

static void fork_program(void)
{
    if (fork() == 0)
        _exit(0);
    wait(NULL);
    printf("done\n");
}

static void exec_program(void)
{
    execlp("true", "true", (char *)NULL);
}

static void *thread(void *at)
{
    return at;
}

static void own_thread(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    printf("done\n");
}

static void alternate_stack(void)
{
    stack_t s = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    sigaltstack(&s, NULL);
    printf("done\n");
}

static void map_before(void)
{
    int *m = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#pragma omp parallel
    m[500 + me()] = me() + 1;
    printf("%d\n", m[500] + m[501] + m[502] + m[503]);
}

static void map_inside(void)
{
    int *m[8];
#pragma omp parallel
    {
        m[me()] = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        m[me()][3] = me() + 1;
    }
    printf("%d\n", m[0][3] + m[1][3] + m[2][3] + m[3][3] + m[2][5]);
    munmap(m[1], 8192);
}

static void map_shared(void)
{
    int *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    m[0] = 1;
    region();
    printf("done\n");
}

static void map_unknown(void)
{
    long at = syscall(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *(int *)at = 1;
    region();
    printf("done\n");
}

static void race(void)
{
#pragma omp parallel
    shared_counter = me() + 1;
    printf("%d\n", shared_counter > 0);
}

static void race_on_heap(void)
{
    int *at = malloc(100);
#pragma omp parallel
    at[4] = me() + 1;
    printf("done\n");
}

static void race_with_a_critical_section(void)
{
#pragma omp parallel
    {
        if (me() == 0) {
#pragma omp critical
            flags[9] = 5;
        } else if (me() == 1) {
            flags[9] = 6;
        }
    }
    printf("done\n");
}

static void exit_in_region(void)
{
#pragma omp parallel
    if (me() == 2)
        exit(3);
}

static void exit_zero_in_region(void)
{
    printf("before\n");
    fflush(stdout);
#pragma omp parallel
    if (me() == 1)
        exit(0);
}

/* The exit of thread 2 must not hide the end of thread 1. */
static void crash_before_exit(void)
{
#pragma omp parallel
    {
        if (me() == 1)
            *(volatile int *)8 = 1;
        usleep(100000);
        if (me() == 2)
            exit(0);
    }
}

static void race_before_exit(void)
{
#pragma omp parallel
    {
        shared_counter = me() + 1;
#pragma omp barrier
#pragma omp barrier
        if (me() == 2)
            exit(0);
#pragma omp barrier
    }
}

static void exit_in_critical(void)
{
#pragma omp parallel
#pragma omp critical
    if (me() == 1)
        exit(4);
}

static void exit_at_once(void)
{
    region();
    _exit(6);
}

static void exit_code(void)
{
    region();
    exit(9);
}

static void exit_without_region(void)
{
    printf("nothing in parallel\n");
    exit(5);
}

static void crash(void)
{
#pragma omp parallel
    if (me() == 1)
        *(volatile int *)8 = 1;
}

static void abort_in_region(void)
{
#pragma omp parallel
    if (me() == 3)
        abort();
}

static void killed(void)
{
#pragma omp parallel
    {
#pragma omp barrier
        if (me() == 2)
            raise(SIGKILL);
#pragma omp barrier
    }
}

static void first_killed(void)
{
#pragma omp parallel
    {
#pragma omp barrier
        if (me() == 0)
            raise(SIGKILL);
#pragma omp barrier
    }
}

static void handler(int signal)
{
    static const char said[] = "handler of the program\n";
    if (write(1, said, sizeof said - 1) < 0)
        _exit(1);
    _exit(20 + signal);
}

static void handler_for_segv(void)
{
    signal(SIGSEGV, handler);
    region();
    *(volatile int *)8 = 1;
}

static void handler_for_trap(void)
{
    struct sigaction action = {.sa_handler = handler}, old;
    sigaction(SIGTRAP, &action, NULL);
    sigaction(SIGTRAP, NULL, &old);
    region();
    if (old.sa_handler == handler)
        __asm__ volatile("int3");
}

static void count(int signal)
{
    (void)signal;
    shared_counter++;
}

static void other_signals(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    signal(SIGUSR1, count);
    region();
    flags[1] = 3;
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    raise(SIGUSR1);
    region();
    printf("%d %d %d\n", shared_counter, flags[0], flags[1]);
}

static void too_many_threads(void)
{
#pragma omp parallel num_threads(9)
    flags[me()] = 1;
    printf("done\n");
}

static void set_too_many_threads(void)
{
    omp_set_num_threads(9);
    region();
    printf("done\n");
}

static void lock_twice(void)
{
    omp_lock_t l;
    omp_init_lock(&l);
#pragma omp parallel
#pragma omp master
    {
        omp_set_lock(&l);
        omp_set_lock(&l);
    }
}

static void unset_of_another(void)
{
    omp_lock_t l;
    omp_init_lock(&l);
#pragma omp parallel
    {
        if (me() == 1)
            omp_set_lock(&l);
#pragma omp barrier
        if (me() == 2)
            omp_unset_lock(&l);
    }
}

static void critical_in_itself(void)
{
#pragma omp parallel
#pragma omp critical(same)
    {
#pragma omp master
        {
            extern void again(void);
            again();
        }
    }
}

void again(void)
{
#pragma omp critical(same)
    flags[0]++;
}

static void deadlock(void)
{
    omp_lock_t l[2];
    omp_init_lock(&l[0]);
    omp_init_lock(&l[1]);
#pragma omp parallel num_threads(2)
    {
        omp_set_lock(&l[me()]);
#pragma omp barrier
        omp_set_lock(&l[!me()]);
    }
}

static void wait_for_ever(void)
{
    int seen = 0;
#pragma omp parallel
    if (me() == 1)
        while (!seen) {
#pragma omp atomic read
            seen = flags[5];
        }
}

static void offload(void)
{
    int x = 1;
#pragma omp target map(tofrom : x)
    x = 2;
    printf("%d\n", x);
}

static void doacross(void)
{
    int v[20] = {0};
#pragma omp parallel for ordered(1)
    for (int i = 1; i < 20; i++) {
#pragma omp ordered depend(sink : i - 1)
        v[i] = v[i - 1] + 1;
#pragma omp ordered depend(source)
    }
    printf("%d\n", v[19]);
}

static void task_reduction(void)
{
    int s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : s)
    for (int i = 0; i < 10; i++)
        s += i;
    printf("%d\n", s);
}

static void after_the_end(void)
{
    atexit(region);
    region();
}

/* A write that no page protection sees: only the audit does. */
static void hidden_write(void)
{
    int fd = open("/proc/self/mem", O_RDWR), value = 123;
#pragma omp parallel
    {
        if (me() == 1 && syscall(SYS_pwrite64, fd, &value, sizeof value, (long)&flags[40]) < 0)
            abort();
#pragma omp barrier
#pragma omp barrier
        ;
    }
    printf("%d\n", flags[40]);
}

static void much_at_a_barrier(void)
{
#pragma omp parallel for
    for (int i = 0; i < 200000; i++)
        large[i] = i / 3.0;
    double s = 0;
    for (int i = 0; i < 200000; i++)
        s += large[i];
    printf("%a\n", s);
}

static void much_in_a_critical_section(void)
{
#pragma omp parallel
#pragma omp critical
    for (int i = 0; i < 200000; i++)
        large[i] += i / 3.0 + me();
    printf("%a\n", large[777]);
}

static void command_in_serial(void)
{
    region();
    fflush(stdout);
    int rc = system("exit 7");
    printf("%d\n", WEXITSTATUS(rc));
}

static void command_in_region(void)
{
#pragma omp parallel
#pragma omp master
    if (system("true"))
        abort();
}

static void own_buffer(void)
{
    static char buffer[4096];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    printf("first\n");
#pragma omp parallel
#pragma omp critical
    printf("line\n");
    printf("last\n");
}

static void change_of_arguments(void)
{
    extern char **environ;
    char *word = environ[0];
#pragma omp parallel
    if (me() == 1)
        word[0] = '#';
    printf("%c\n", word[0]);
}

/* gcc -fstack-clash-protection touches the stack by this instruction, which orders nothing. */
static void race_with_touches_of_the_stack(void)
{
#pragma omp parallel num_threads(2)
    {
        if (me() == 0)
            shared_counter = 1;
        for (int i = 0; i < 20; i++)
            __asm__ volatile("orq $0, -256(%%rsp)" ::: "memory", "cc");
        if (me() == 1)
            shared_counter = 2;
    }
    printf("done\n");
}

/* A file of numbers, as ints and as lines. */
static FILE *numbers(const char *mode)
{
    FILE *f = tmpfile();
    if (strchr(mode, 'b'))
        for (int i = 0; i < 4096; i++)
            fwrite(&i, sizeof i, 1, f);
    else
        for (int i = 0; i < 4096; i++)
            fprintf(f, "%d\n", i);
    rewind(f);
    return f;
}

/* Each process had a buffer of its own, so that each thread read another part of the file. */
static void fread_by_all(void)
{
    FILE *f = numbers("b");
    long s = 0;
#pragma omp parallel
    for (int i = 0; i < 100; i++)
#pragma omp critical
    {
        int v;
        if (fread(&v, sizeof v, 1 + (size_t)shared_counter, f) == 1)
            s += v;
    }
    printf("%ld\n", s);
}

/* gcc compiles this call to an access to the buffer, which has been filled before the region. */
static void getc_unlocked_by_all(void)
{
    FILE *f = numbers("");
    long s = getc_unlocked(f);
#pragma omp parallel
    for (int i = 0; i < 100; i++)
#pragma omp critical
        s = s * 3 % 10007 + getc_unlocked(f);
    printf("%ld\n", s);
}

static void fgets_by_all(void)
{
    FILE *f = numbers("");
    long s = 0;
#pragma omp parallel
    for (int i = 0; i < 100; i++)
#pragma omp critical
    {
        char line[20];
        if (fgets(line, (int)sizeof line - shared_counter, f))
            s += atoi(line);
    }
    printf("%ld\n", s);
}

static void seek_by_all(void)
{
    FILE *f = numbers("");
#pragma omp parallel
#pragma omp critical
    {
        fseek(f, 1000 * me(), SEEK_SET);
        fputs("word", f);
    }
    fseek(f, 0, SEEK_END);
    printf("%ld\n", ftell(f));
}

static void read_and_write(void)
{
    FILE *f = numbers("");
#pragma omp parallel
#pragma omp critical
    {
        char line[20];
        if (me() == 0 && fgets(line, sizeof line, f))
            fseek(f, 0, SEEK_END);
        if (me() == 2)
            fputs("word\n", f);
    }
    printf("done\n");
}

/* The position is that of all threads, though each process has a stream. */
static void position_after_the_region(void)
{
    FILE *f = tmpfile();
    fprintf(f, "head\n");
    fseek(f, 0, SEEK_END);
    long before = ftell(f);
#pragma omp parallel
#pragma omp critical
    fprintf(f, "line %d\n", me());
    printf("%ld %ld\n", before, ftell(f));
}

static void read_after_a_barrier(void)
{
    FILE *f = numbers("");
    int lines = 0;
    fseek(f, 0, SEEK_END);
#pragma omp parallel
    {
#pragma omp critical
        fprintf(f, "line\n");
#pragma omp barrier
#pragma omp master
        {
            char line[20];
            rewind(f);
            while (fgets(line, sizeof line, f))
                lines++;
        }
    }
    printf("%d\n", lines);
}

/* The block of the closed stream was used again: for the other processes it was still the first file. */
static void file_opened_after_another_was_closed(void)
{
    FILE *f = tmpfile();
    region();
    fclose(f);
    f = tmpfile();
#pragma omp parallel
#pragma omp critical
    fprintf(f, "line\n");
    fseek(f, 0, SEEK_END);
    printf("%ld\n", ftell(f));
}

/* Lines of two threads in standard output, after it was opened as a file. */
static void output_to(const char *name, int wide)
{
    int screen = dup(1), ticks = 0, tocks = 0, n = 0;
    if (!freopen(name, "w", stdout))
        abort();
    if (wide)
        wprintf(L"head\n");
    else
        printf("head\n");
    fflush(stdout);
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 20; i++) {
        if (me() == 0) {
            if (wide)
                wprintf(L"tick\n");
            else
                printf("tick\n");
#pragma omp critical
            n++;
        } else {
#pragma omp critical
            if (wide)
                wprintf(L"tock\n");
            else
                printf("tock\n");
        }
    }
    fflush(stdout);
    FILE *f = fopen(name, "r");
    char line[20];
    while (fgets(line, sizeof line, f)) {
        ticks += line[1] == 'i';
        tocks += line[1] == 'o';
    }
    fclose(f);
    unlink(name);
    dprintf(screen, "%d %d %d\n", ticks, tocks, n);
}

/* The buffer of the stream was in memory that travels: a change of another thread was over what was in it. */
static void output_opened_again(void)
{
    char name[] = "/tmp/awgstar-XXXXXX";
    close(mkstemp(name));
    output_to(name, 0);
}

static void wide_output(void)
{
    char name[] = "/tmp/awgstar-XXXXXX";
    close(mkstemp(name));
    output_to(name, 1);
}

static void dprintf_to_the_file_of_another_thread(void)
{
    region();
    int fd = open("/dev/null", O_WRONLY);
#pragma omp parallel
#pragma omp critical
    dprintf(fd, "line\n");
    printf("done\n");
}

/* Descriptors of threads had the same number. */
static void file_of_each_thread(void)
{
    int n = 0;
#pragma omp parallel reduction(+ : n)
    {
        char bytes[10];
        int fd = open("/proc/self/exe", O_RDONLY);
        FILE *f = fopen("/proc/self/exe", "r");
#pragma omp barrier
        n += (int)read(fd, bytes, 4 + (size_t)me()) + bytes[1];
        n += (int)fread(bytes, 1, 5, f) + bytes[2];
        fclose(f);
        close(fd);
    }
    printf("%d\n", n);
}

static void pipe_before_the_region(void)
{
    FILE *f = popen("cat", "w");
    region();
    fprintf(f, "line\n");
    pclose(f);
}

/* The system does not write to a protected page. */
static void affinity_into_variable(void)
{
    static struct { char before[8192]; cpu_set_t set; char behind[8192]; struct stat status; } all;
    region();
    int rc = sched_getaffinity(0, sizeof all.set, &all.set);
    printf("%d %d", rc, CPU_COUNT(&all.set) > 0);
    rc = fstatat(AT_FDCWD, "/proc/self/exe", &all.status, 0);
    printf(" %d %d\n", rc, S_ISREG(all.status.st_mode));
}

/* libc gives the system a fresh block of the heap for the result. */
static void folder_into_the_heap(void)
{
    int n = 0;
    region();
#pragma omp parallel reduction(+ : n)
    {
        char *at = getcwd(NULL, 0);
        n += at && at[0] == '/';
        free(at);
    }
    printf("%d\n", n);
}

static void lock_of_a_stream(void)
{
    int n = 0;
#pragma omp parallel
    for (int i = 0; i < 20; i++) {
        flockfile(stdout);
        *(volatile int *)&n = n + 1;
        funlockfile(stdout);
    }
    printf("%d\n", n);
}

/* The first part of a mapping is unmapped: the rest stays. */
static void unmap_in_parts(void)
{
    const size_t part = 1 << 16;
    region();
    char *m = mmap(NULL, 4 * part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(m, part);
    memset(m + part, 'A', part);
    char *other = mmap(NULL, 4 * part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(other, 'B', 4 * part);
    int n = 0;
#pragma omp parallel for reduction(+ : n)
    for (size_t i = 0; i < part; i++)
        n += m[part + i] == 'A';
    printf("%d\n", n);
}

/* What a thread sets is gone after the region, and all threads have what was set before. */
static void control_variables(void)
{
    int levels[4], dynamic[4], chunk;
    omp_sched_t kind;
    omp_set_schedule(omp_sched_guided, 3);
#pragma omp parallel
    {
        omp_set_num_threads(2);
        omp_set_schedule(omp_sched_static, 7);
        omp_set_max_active_levels(7);
    }
    omp_get_schedule(&kind, &chunk);
    printf("%d %d %d %d\n", omp_get_max_threads(), omp_get_max_active_levels(), (int)kind, chunk);
    omp_set_max_active_levels(3);
#pragma omp parallel
    levels[me()] = omp_get_max_active_levels();
    omp_set_dynamic(1);
#pragma omp parallel num_threads(4)
    for (int i = me(); i < 4; i += omp_get_num_threads())
        dynamic[i] = omp_get_dynamic();
    omp_set_dynamic(0);
    for (int i = 0; i < 4; i++)
        printf("%d %d\n", levels[i], dynamic[i]);
    omp_set_max_active_levels(0);
#pragma omp parallel
#pragma omp master
    printf("%d\n", omp_get_num_threads());
}

struct own_line { omp_lock_t lock; char space[60]; };

/* Locks had numbers from their addresses, so some had the same. */
static void many_locks(void)
{
    struct own_line *l = calloc(6000, sizeof *l);
    int seen = 0, n = 0;
    for (int i = 0; i < 6000; i++)
        omp_init_lock(&l[i].lock);
#pragma omp parallel num_threads(2)
    {
        if (me() == 0) {
            omp_set_lock(&l[0].lock);
            seen = omp_test_lock(&l[5625].lock) + 2 * omp_test_lock(&l[1000].lock);
            omp_unset_lock(&l[1000].lock);
            omp_unset_lock(&l[5625].lock);
            omp_unset_lock(&l[0].lock);
        }
#pragma omp barrier
        omp_set_lock(&l[0].lock);
        omp_set_lock(&l[5625].lock);
        omp_set_lock(&l[1000].lock);
        n++;
        omp_unset_lock(&l[1000].lock);
        omp_unset_lock(&l[5625].lock);
        omp_unset_lock(&l[0].lock);
    }
    printf("%d %d\n", seen, n);
}

static void more_locks_than_there_are(void)
{
    omp_lock_t *l = calloc(20000, sizeof *l);
#pragma omp parallel
#pragma omp master
    for (int i = 0; i < 20000; i++) {
        omp_set_lock(&l[i]);
        omp_unset_lock(&l[i]);
    }
    printf("done\n");
}

static void lock_released_after_the_region(void)
{
    omp_lock_t l;
    int n = 0;
    omp_init_lock(&l);
#pragma omp parallel
#pragma omp master
    {
        omp_set_lock(&l);
        n = 5;
    }
    omp_unset_lock(&l);
#pragma omp parallel
    {
        omp_set_lock(&l);
        n++;
        omp_unset_lock(&l);
    }
    printf("%d\n", n);
}

static void locks_with_a_limit_of_time(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    struct timespec end;
    int n = 0;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 1000;
#pragma omp parallel
    for (int i = 0; i < 5; i++) {
        if (pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &end))
            abort();
        n++;
        pthread_mutex_unlock(&mutex);
        if (pthread_rwlock_timedwrlock(&lock, &end))
            abort();
        pthread_rwlock_unlock(&lock);
    }
    printf("%d\n", n);
}

/* A block is freed on another thread and used again by its owner: what the free came after comes before that. */
static void block_used_again(void)
{
    static char *volatile given, *volatile changed;
    int again = 0;
#pragma omp parallel
    {
        char *at = NULL, *next = NULL;
        if (me() == 1) {
            at = malloc(200);
#pragma omp critical(a)
            given = at;
        }
        if (me() == 2) {
            while (!at) {
#pragma omp critical(a)
                at = given;
            }
            memset(at, 2, 200);
#pragma omp critical(b)
            changed = at;
        }
        if (me() == 3) {
            while (!at) {
#pragma omp critical(b)
                at = changed;
            }
            free(at);
        }
        for (int i = 0; i < 200; i++) {
            if (me() == 1) {
#pragma omp critical(c)
                flags[3]++;
                if (next != at && (next = malloc(200)) != at)
                    free(next);
            } else if (me() == 2) {
#pragma omp critical(d)
                flags[4]++;
            } else if (me() == 3) {
#pragma omp critical(e)
                flags[5]++;
            }
        }
        if (me() == 1) {
            memset(next, 1, 200);
            again = next[0];
        }
    }
    printf("%d\n", again);
}

static void long_ordered_iteration(void)
{
    int n = 0;
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 8; i++) {
        for (int k = 0; i == 0 && k < 6000; k++)
#pragma omp atomic
            n++;
#pragma omp ordered
        printf("%d\n", i);
    }
    printf("%d\n", n);
}

/* Threads of a program are in one process. */
static void process_number(void)
{
    int n = 0, first = getpid();
#pragma omp parallel reduction(+ : n)
    n += getpid() == first;
    printf("%d %d\n", n, getpid() == first);
}

/* libc gives a pointer to one result for all threads. */
static void time_of_one_thread(void)
{
    static struct tm *t;
    time_t at = 86400 * 200;
    int n = 0;
    char *text;
    t = gmtime(&at);
#pragma omp parallel reduction(+ : n)
    {
#pragma omp single
        {
            time_t later = 86400 * 300;
            t = gmtime(&later);
        }
        n += t->tm_yday;
    }
    text = asctime(t);
#pragma omp parallel reduction(+ : n)
    n += text[4];
    printf("%d\n", n);
}

/* No instruction has failed, so none runs again: the program went on. */
static void crash_that_was_sent(void)
{
#pragma omp parallel
    {
        if (me() == 1)
            raise(SIGSEGV);
#pragma omp barrier
        if (me() == 0)
            exit(0);
    }
}

static void end_at_once(void)
{
    _exit(5);
}

static void exit_handler_with_another_code(void)
{
    atexit(end_at_once);
#pragma omp parallel
    if (me() == 0)
        exit(0);
}

/* Whether a stream has ended is known to the process that has read. */
static void state_of_a_stream(void)
{
    FILE *f = numbers("");
    int n = 0;
#pragma omp parallel reduction(+ : n)
    {
#pragma omp master
        while (getc(f) != EOF) {
        }
#pragma omp barrier
        n += feof(f) != 0;
    }
    printf("%d\n", n);
}

/* The thread that asks for errors is another one. */
static void output_that_cannot_be_written(void)
{
    FILE *f = fopen("/dev/full", "w");
#pragma omp parallel
    if (me() == 1)
        fprintf(f, "lost");
    printf("%d\n", ferror(f));
}

static const struct { const char *name; void (*run)(void); } cases[] = {
#define C(name) {#name, name}
    C(use_rand), C(use_strtok), C(scan), C(scan_in_single), C(read_into_variable), C(stat_into_variable),
    C(fread_into_variable), C(file_before_the_region), C(file_of_another_thread),
    C(descriptor_of_another_thread), C(environment), C(fork_program), C(exec_program), C(own_thread),
    C(alternate_stack), C(map_before), C(map_inside), C(map_shared), C(map_unknown), C(race),
    C(race_on_heap), C(race_with_a_critical_section), C(exit_in_region), C(exit_zero_in_region),
    C(exit_in_critical), C(exit_at_once), C(exit_code), C(exit_without_region), C(crash),
    C(abort_in_region), C(killed), C(first_killed), C(handler_for_segv), C(handler_for_trap),
    C(other_signals), C(too_many_threads), C(set_too_many_threads), C(lock_twice),
    C(unset_of_another), C(critical_in_itself), C(deadlock), C(wait_for_ever), C(offload), C(doacross),
    C(task_reduction), C(after_the_end), C(hidden_write), C(much_at_a_barrier),
    C(much_in_a_critical_section), C(command_in_serial), C(command_in_region), C(own_buffer),
    C(change_of_arguments), C(crash_before_exit), C(race_before_exit), C(fread_by_all),
    C(getc_unlocked_by_all), C(fgets_by_all), C(seek_by_all), C(read_and_write),
    C(position_after_the_region), C(read_after_a_barrier), C(file_opened_after_another_was_closed),
    C(output_opened_again), C(wide_output), C(dprintf_to_the_file_of_another_thread),
    C(file_of_each_thread), C(pipe_before_the_region), C(affinity_into_variable), C(folder_into_the_heap), C(lock_of_a_stream),
    C(unmap_in_parts), C(control_variables), C(many_locks), C(more_locks_than_there_are),
    C(lock_released_after_the_region), C(locks_with_a_limit_of_time), C(block_used_again),
    C(crash_that_was_sent), C(exit_handler_with_another_code), C(state_of_a_stream),
    C(output_that_cannot_be_written), C(race_with_touches_of_the_stack), C(long_ordered_iteration), C(process_number), C(time_of_one_thread),
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (argc < 2)
            printf("%s\n", cases[i].name);
        else if (!strcmp(argv[1], cases[i].name))
            cases[i].run();
    }
}
