// SPDX-License-Identifier: MIT OR Apache-2.0
// What could give a wrong result without a word: `pitfalls NAME` runs one. `main.rs` says what is expected of each.
#define _GNU_SOURCE
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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
#pragma omp parallel
    if (me() == 1)
        exit(0);
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
    C(change_of_arguments),
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
