// SPDX-License-Identifier: MIT OR Apache-2.0
// Small OpenMP programs, one for each construct: `constructs NAME` runs one, `constructs` prints all names. What
// they print does not depend on the order of threads, so libgomp prints the same.
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 200
static int a[N], b[N];
static int total;
static int tp = 7;
static struct { int x; char text[20]; } tps = {1, "start"};
#pragma omp threadprivate(tp, tps)

static int sum(const int *of, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += of[i] * (i + 1);
    return s;
}

static void parallel(void)
{
#pragma omp parallel
    a[omp_get_thread_num()] = omp_get_num_threads();
    printf("%d\n", sum(a, N));
}

static void num_threads(void)
{
    for (int t = 1; t <= 4; t++) {
#pragma omp parallel num_threads(t)
        a[omp_get_thread_num()] += omp_get_num_threads();
    }
    printf("%d\n", sum(a, N));
}

static void fewer_threads_with_barriers(void)
{
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 5; i++) {
#pragma omp barrier
        a[omp_get_thread_num()] = a[!omp_get_thread_num()] + 1;
#pragma omp barrier
        b[omp_get_thread_num()] += a[!omp_get_thread_num()];
#pragma omp barrier
        a[omp_get_thread_num()] = b[omp_get_thread_num()];
    }
#pragma omp parallel
    b[10 + omp_get_thread_num()] = a[0];
    printf("%d %d\n", b[10] == a[0], b[13] == a[0]);
}

static void if_clause(void)
{
    for (int on = 0; on < 2; on++) {
#pragma omp parallel if (on)
#pragma omp atomic
        total += omp_get_num_threads();
    }
    printf("%d\n", total);
}

static void for_static(void)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
        a[i] = i * i + omp_get_thread_num();
    printf("%d\n", sum(a, N));
}

static void for_static_chunk(void)
{
#pragma omp parallel for schedule(static, 7)
    for (int i = 0; i < N; i++)
        a[i] = i + 100 * omp_get_thread_num();
    printf("%d\n", sum(a, N));
}

static void for_dynamic(void)
{
#pragma omp parallel for schedule(dynamic, 9)
    for (int i = 0; i < N; i++)
        a[i] += i;
    printf("%d\n", sum(a, N));
}

static void for_guided(void)
{
#pragma omp parallel for schedule(guided, 3)
    for (int i = 0; i < N; i++)
        a[i] += i;
    printf("%d\n", sum(a, N));
}

static void for_runtime(void)
{
    omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
    for (int k = 0; k < 4; k++) {
        omp_set_schedule(kinds[k], 6);
#pragma omp parallel for schedule(runtime)
        for (int i = 0; i < N; i++)
            a[i] += i * (k + 1);
    }
    omp_sched_t kind;
    int chunk;
    omp_set_schedule(omp_sched_guided, 5);
    omp_get_schedule(&kind, &chunk);
    printf("%d %d %d\n", sum(a, N), (int)kind, chunk);
}

static void for_monotonic(void)
{
#pragma omp parallel for schedule(monotonic : dynamic, 4)
    for (int i = 0; i < N; i++)
        a[i] += i;
#pragma omp parallel for schedule(nonmonotonic : guided, 4)
    for (int i = 0; i < N; i++)
        a[i] += 2 * i;
    printf("%d\n", sum(a, N));
}

static void for_collapse(void)
{
#pragma omp parallel for collapse(2) schedule(dynamic, 5)
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 20; j++)
            a[20 * i + j] = i * j;
    printf("%d\n", sum(a, N));
}

static void for_unsigned(void)
{
#pragma omp parallel for schedule(dynamic, 3)
    for (unsigned long long i = 18446744073709551400ull; i < 18446744073709551600ull; i += 2)
        a[(i - 18446744073709551400ull) / 2] += 3;
#pragma omp parallel for schedule(guided)
    for (unsigned long long i = 190; i > 10; i -= 9)
        a[i] += 5;
    printf("%d\n", sum(a, N));
}

static void for_down(void)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (int i = N - 1; i >= 0; i -= 3)
        a[i] = i;
#pragma omp parallel for
    for (long i = N - 1; i > 0; i -= 7)
        b[i] = (int)i;
    printf("%d %d\n", sum(a, N), sum(b, N));
}

static void for_nowait(void)
{
#pragma omp parallel
    {
#pragma omp for nowait schedule(static)
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma omp for nowait schedule(dynamic)
        for (int i = 0; i < 20; i++)
            b[i] = i;
    }
    printf("%d %d\n", sum(a, N), sum(b, N));
}

static void many_loops_without_a_wait(void)
{
#pragma omp parallel
    for (int k = 0; k < 70; k++) {
#pragma omp for nowait schedule(dynamic)
        for (int i = 0; i < 4; i++)
#pragma omp atomic
            a[i] += k;
    }
    printf("%d\n", sum(a, N));
}

static void for_empty(void)
{
    int n = 0;
#pragma omp parallel for schedule(dynamic)
    for (int i = 5; i < n; i++)
        a[i] = 1;
#pragma omp parallel for
    for (int i = 5; i < n; i++)
        a[i] = 1;
    printf("%d\n", sum(a, N));
}

static void for_fewer_iterations_than_threads(void)
{
#pragma omp parallel for
    for (int i = 0; i < 2; i++)
        a[i] = i + 1;
#pragma omp parallel for schedule(guided)
    for (int i = 2; i < 4; i++)
        a[i] = i + 1;
    printf("%d\n", sum(a, N));
}

static void lastprivate(void)
{
    int last = 0, lasts = 0;
#pragma omp parallel for lastprivate(last) schedule(dynamic, 3)
    for (int i = 0; i < N; i++)
        last = i * 2;
#pragma omp parallel sections lastprivate(lasts)
    {
#pragma omp section
        lasts = 1;
#pragma omp section
        lasts = 2;
    }
    printf("%d %d\n", last, lasts);
}

static void firstprivate(void)
{
    int x = 5, y[8] = {1, 2, 3, 4, 5, 6, 7, 8};
#pragma omp parallel firstprivate(x, y)
    {
        x += omp_get_thread_num();
        y[omp_get_thread_num()] *= 10;
        a[omp_get_thread_num()] = x * 1000 + y[0] + y[1] + y[2] + y[3];
    }
    printf("%d %d %d\n", sum(a, N), x, y[1]);
}

static void ordered(void)
{
    int n = 0;
#pragma omp parallel for ordered schedule(dynamic, 3)
    for (int i = 0; i < 30; i++) {
        b[i] = i;
#pragma omp ordered
        a[n++] = i;
    }
    printf("%d %d\n", sum(a, N), n);
}

static void ordered_static(void)
{
    int n = 0;
#pragma omp parallel for ordered schedule(static, 2)
    for (int i = 0; i < 19; i++) {
        if (i % 3 == 0)
#pragma omp ordered
            a[n++] = i;
    }
    printf("%d %d\n", sum(a, N), n);
}

static void ordered_guided(void)
{
    int last = -1;
#pragma omp parallel for ordered schedule(guided)
    for (int i = 0; i < 25; i++) {
#pragma omp ordered
        {
            a[i] = last;
            last = i;
        }
    }
    printf("%d %d\n", sum(a, N), last);
}

static void ordered_output(void)
{
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < 8; i++) {
#pragma omp ordered
        printf("line %d\n", i);
    }
}

static void sections(void)
{
#pragma omp parallel sections
    {
#pragma omp section
        a[0] = 1;
#pragma omp section
        a[1] = 2;
#pragma omp section
        a[2] = 3;
    }
    printf("%d\n", sum(a, N));
}

static void more_sections_than_threads(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp sections nowait
        {
#pragma omp section
            a[0] = 1;
#pragma omp section
            a[1] = 2;
#pragma omp section
            a[2] = 3;
#pragma omp section
            a[3] = 4;
#pragma omp section
            a[4] = 5;
        }
#pragma omp sections
        {
#pragma omp section
            b[0] = 7;
#pragma omp section
            b[1] = 8;
        }
    }
    printf("%d %d\n", sum(a, N), sum(b, N));
}

static void single(void)
{
#pragma omp parallel
    {
#pragma omp single
        total = 40;
#pragma omp atomic
        total++;
#pragma omp single nowait
        a[0]++;
    }
    printf("%d %d\n", total, a[0]);
}

static void copyprivate(void)
{
#pragma omp parallel
    {
        int x = omp_get_thread_num();
        double y = 0;
        for (int k = 0; k < 3; k++) {
#pragma omp single copyprivate(x, y)
            {
                x = 100 + k;
                y = k / 2.0;
            }
            a[omp_get_thread_num()] += x + (int)(2 * y);
#pragma omp barrier
        }
    }
    printf("%d\n", sum(a, N));
}

static void master(void)
{
#pragma omp parallel
    {
#pragma omp master
        a[0] = 10 + omp_get_thread_num();
#pragma omp barrier
        b[omp_get_thread_num()] = a[0];
    }
    printf("%d %d\n", a[0], sum(b, N));
}

static void masked(void)
{
#pragma omp parallel
    {
#pragma omp masked filter(2)
        a[0] = 10 + omp_get_thread_num();
    }
    printf("%d\n", a[0]);
}

static void critical(void)
{
#pragma omp parallel
    for (int i = 0; i < 3; i++) {
#pragma omp critical
        {
            total += 1;
            a[total] = total;
        }
    }
    printf("%d %d\n", total, sum(a, N));
}

static void critical_named(void)
{
    int x = 0, y = 0;
#pragma omp parallel
    {
#pragma omp critical(one)
        x += omp_get_thread_num();
#pragma omp critical(two)
        y += x > -1;
#pragma omp critical(one)
        {
            x++;
#pragma omp critical(two)
            y++;
        }
    }
    printf("%d %d\n", x, y);
}

/* A value goes from thread to thread; each hand-over has a lock of its own, and nothing else protects the value. */
static void hand_over(void)
{
    int ready[4] = {1, 0, 0, 0}, value = 1;
#pragma omp parallel num_threads(4)
    {
        int t = omp_get_thread_num(), mine = 0;
        while (!mine) {
            if (t % 2) {
#pragma omp critical(odd)
                mine = ready[t];
            } else {
#pragma omp critical(even)
                mine = ready[t];
            }
        }
        value = value * 3 + t;
        a[t] = value;
        if (t == 0 || t == 2) {
#pragma omp critical(odd)
            ready[t + 1] = 1;
        } else if (t == 1) {
#pragma omp critical(even)
            ready[t + 1] = 1;
        }
    }
    printf("%d %d\n", value, sum(a, 4));
}

/* The inner lock protects nothing: what it publishes must count for the outer one, too. */
static void critical_inside(void)
{
    int x = 0;
    omp_lock_t inner;
    omp_init_lock(&inner);
#pragma omp parallel
    for (int i = 0; i < 3; i++) {
#pragma omp critical(outer)
        {
            x++;
            omp_set_lock(&inner);
            a[i]++;
            omp_unset_lock(&inner);
        }
    }
    printf("%d %d\n", x, sum(a, N));
}

static void atomic_update(void)
{
    long l = 0;
    unsigned char c = 0;
    short s = 0;
    double d = 0;
    float f = 1;
    int bits = 0xff, x = 0;
#pragma omp parallel
    for (int i = 0; i < 3; i++) {
#pragma omp atomic
        l += i;
#pragma omp atomic
        c++;
#pragma omp atomic
        s -= 3;
#pragma omp atomic
        d += 0.5;
#pragma omp atomic
        f *= 2;
#pragma omp atomic
        bits &= ~(1 << omp_get_thread_num());
#pragma omp atomic
        x ^= 1 << i;
    }
    printf("%ld %d %d %g %g %d %d\n", l, c, s, d, f, bits, x);
}

static void atomic_capture(void)
{
#pragma omp parallel
    for (int i = 0; i < 4; i++) {
        int at;
#pragma omp atomic capture
        at = total++;
        a[at] = 1;
    }
    printf("%d %d\n", total, sum(a, N));
}

static void atomic_exchange(void)
{
    int left = -1, got = 0;
#pragma omp parallel
    {
        int old;
#pragma omp atomic capture seq_cst
        {
            old = left;
            left = omp_get_thread_num();
        }
#pragma omp atomic
        got += old;
#pragma omp atomic write seq_cst
        a[omp_get_thread_num()] = 1;
    }
    printf("%d %d\n", got + left, sum(a, N));
}

static void atomic_compare(void)
{
    int most = -1;
#pragma omp parallel
    {
        int mine = omp_get_thread_num() * 7 % 5;
#pragma omp atomic compare
        if (most < mine) { most = mine; }
    }
    printf("%d\n", most);
}

static void atomic_builtins(void)
{
    static int n;
    static long big;
#pragma omp parallel
    {
        __sync_fetch_and_add(&n, 2);
        __atomic_fetch_or(&big, 1L << omp_get_thread_num(), __ATOMIC_SEQ_CST);
        int expected = 99;
        __atomic_compare_exchange_n(&n, &expected, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
    printf("%d %ld\n", n, big);
}

static void barriers(void)
{
#pragma omp parallel
    {
        int t = omp_get_thread_num(), n = omp_get_num_threads();
        for (int i = 0; i < 6; i++) {
            a[t] = b[(t + 1) % n] + 1;
#pragma omp barrier
            b[t] = a[(t + 1) % n] + 1;
#pragma omp barrier
        }
    }
    printf("%d %d\n", sum(a, N), sum(b, N));
}

/* A thread that changes nothing for more epochs than the head of its log can count, at each distance from the
 * wrap: what it wrote before must not come again. */
static void many_quiet_barriers(void)
{
#pragma omp parallel
    {
        int t = omp_get_thread_num();
        for (int round = 0; round < 2; round++) {
            if (t == 1)
                a[0] = 1;
#pragma omp barrier
            if (t == 0)
                a[0] = 2 + round;
            for (int i = 0; i < 520; i++) {
#pragma omp barrier
            }
        }
    }
    printf("%d\n", a[0]);
}

static void reductions(void)
{
    long s = 0, p = 1;
    int lo = 1000, hi = -1000, and = -1, or = 0, xor = 0, all = 1, any = 0;
#pragma omp parallel for reduction(+ : s) reduction(* : p) reduction(min : lo) reduction(max : hi) \
    reduction(& : and) reduction(| : or) reduction(^ : xor) reduction(&& : all) reduction(|| : any)
    for (int i = 1; i < 20; i++) {
        s += i;
        p = p * i % 1000003;
        p = p ? 2 : 2;
        lo = i * 7 % 19 < lo ? i * 7 % 19 : lo;
        hi = i * 7 % 19 > hi ? i * 7 % 19 : hi;
        and &= i | 0x100;
        or |= i;
        xor ^= i;
        all = all && i;
        any = any || i == 13;
    }
    printf("%ld %ld %d %d %d %d %d %d %d\n", s, p, lo, hi, and, or, xor, all, any);
}

static void reduction_one(void)
{
    int s = 0;
    double d = 0, hi = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < N; i++)
        s += i;
#pragma omp parallel for reduction(+ : d)
    for (int i = 0; i < N; i++)
        d += i * 0.25;
#pragma omp parallel for reduction(max : hi)
    for (int i = 0; i < N; i++)
        hi = hi < i % 77 ? i % 77 : hi;
    printf("%d %g %g\n", s, d, hi);
}

static void reduction_array(void)
{
    int h[10] = {0};
#pragma omp parallel for reduction(+ : h)
    for (int i = 0; i < N; i++)
        h[i * i % 10]++;
    printf("%d\n", sum(h, 10));
}

struct pair { int n; long s; };
#pragma omp declare reduction(both : struct pair : omp_out.n += omp_in.n, omp_out.s += omp_in.s) \
    initializer(omp_priv = (struct pair){0, 0})

static void reduction_own(void)
{
    struct pair p = {0, 0};
#pragma omp parallel for reduction(both : p)
    for (int i = 0; i < N; i++) {
        p.n++;
        p.s += i;
    }
    printf("%d %ld\n", p.n, p.s);
}

static void threadprivate(void)
{
    tp = 50;
#pragma omp parallel
    tp += 10 * omp_get_thread_num();
#pragma omp parallel
    a[omp_get_thread_num()] = tp;
    printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], tp);
}

static void copyin(void)
{
    tp = 21;
    tps.x = 5;
    strcpy(tps.text, "copied");
#pragma omp parallel copyin(tp, tps)
    {
        tp += omp_get_thread_num();
        a[omp_get_thread_num()] = tp + tps.x + (int)strlen(tps.text);
    }
    tp = 1;
#pragma omp parallel copyin(tp)
    b[omp_get_thread_num()] = tp;
    printf("%d %d\n", sum(a, N), sum(b, N));
}

static void pointer_to_threadprivate(void)
{
    static int *at[8];
#pragma omp parallel
    {
        tp = 100 + omp_get_thread_num();
        at[omp_get_thread_num()] = &tp;
#pragma omp barrier
        int t = omp_get_thread_num();
        a[t] = *at[(t + 1) % 4];
    }
    printf("%d\n", sum(a, 4));
}

static void shared_stack(void)
{
    int local[64] = {0};
    char text[40] = "";
#pragma omp parallel shared(local, text)
    {
        local[omp_get_thread_num()] = omp_get_thread_num() + 1;
        text[omp_get_thread_num()] = 'a' + omp_get_thread_num();
    }
    printf("%d %s\n", sum(local, 64), text);
}

static void variable_length(void)
{
    int n = 30 + (int)strlen("abc");
    long v[n];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        v[i] = i;
    long s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    printf("%ld\n", s);
}

static int deep(int n, int *out)
{
    char pad[500];
    memset(pad, n, sizeof pad);
    if (n == 0) {
        int local[20] = {0};
#pragma omp parallel for
        for (int i = 0; i < 20; i++)
            local[i] = i;
        *out += sum(local, 20);
        return pad[3];
    }
    return deep(n - 1, out) + pad[n % 500];
}

static void deep_stack(void)
{
    int out = 0;
    for (int n = 1; n < 120; n += 59)
        out += deep(n, &out);
    printf("%d\n", out);
}

static void stack_of_another_thread(void)
{
    int *at[8];
#pragma omp parallel
    {
        int mine = 10 * omp_get_thread_num() + 1, t = omp_get_thread_num();
        at[t] = &mine;
#pragma omp barrier
        int s = 0;
        for (int i = 0; i < 4; i++)
            s += *at[i];
#pragma omp barrier
        *at[(t + 1) % 4] = s + t;
#pragma omp barrier
        a[t] = mine;
#pragma omp barrier
    }
    printf("%d\n", sum(a, N));
}

static void heap(void)
{
    char *text[40];
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < 40; i++) {
        text[i] = malloc(10 + 100 * i);
        sprintf(text[i], "%d", i * i);
    }
    int s = 0;
#pragma omp parallel for reduction(+ : s) schedule(static, 3)
    for (int i = 0; i < 40; i++) {
        s += atoi(text[i]);
        free(text[i]);
    }
    char *again[40];
#pragma omp parallel for
    for (int i = 0; i < 40; i++) {
        again[i] = calloc(1, 10 + 100 * i);
        again[i][3] = (char)i;
    }
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 10 + 100 * i; k++)
            s += again[i][k];
        again[i] = realloc(again[i], 5000);
        s += again[i][3];
        free(again[i]);
    }
    printf("%d\n", s);
}

struct node { int value; struct node *next; };

static void linked_list(void)
{
    struct node *head = NULL;
#pragma omp parallel for
    for (int i = 0; i < 12; i++) {
        struct node *one = malloc(sizeof *one);
        one->value = i;
#pragma omp critical
        {
            one->next = head;
            head = one;
        }
    }
    int n = 0, s = 0;
    for (struct node *at = head; at; at = at->next, n++)
        s += at->value;
    printf("%d %d\n", n, s);
}

static void aligned(void)
{
    int ok = 1;
#pragma omp parallel reduction(&& : ok)
    {
        void *p = NULL;
        ok = ok && posix_memalign(&p, 4096, 100) == 0 && (uintptr_t)p % 4096 == 0;
        void *q = aligned_alloc(64, 640);
        ok = ok && (uintptr_t)q % 64 == 0;
        free(p);
        free(q);
        char *r = omp_alloc(30, omp_default_mem_alloc);
        ok = ok && r;
        omp_free(r, omp_default_mem_alloc);
    }
    printf("%d\n", ok);
}

static char bytes[64];

static void neighbouring_bytes(void)
{
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < 64; i++)
        bytes[i] = (char)(i + 1);
    int s = 0;
    for (int i = 0; i < 64; i++)
        s += bytes[i] * (i + 1);
    printf("%d\n", s);
}

static void many_pages(void)
{
    static char large[300 * 4096];
#pragma omp parallel for
    for (int i = 0; i < 300; i++)
        large[4096 * i + i] = 1;
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < 300; i++)
        large[4096 * i + i + 1] = (char)(large[4096 * i + i] + 1);
    int s = 0;
    for (int i = 0; i < 300; i++)
        s += large[4096 * i + i] + large[4096 * i + i + 1];
    printf("%d\n", s);
}

static void writes_between_regions(void)
{
    int s = 0;
    for (int k = 0; k < 10; k++) {
        total = k;
        a[k] = k * k;
#pragma omp parallel reduction(+ : s)
        s += total + a[k];
    }
    printf("%d\n", s);
}

static void locks(void)
{
    omp_lock_t l[3];
    for (int i = 0; i < 3; i++)
        omp_init_lock(&l[i]);
#pragma omp parallel
    for (int i = 0; i < 3; i++) {
        omp_set_lock(&l[i]);
        a[i]++;
        omp_unset_lock(&l[i]);
    }
    omp_set_lock(&l[0]);
    omp_unset_lock(&l[0]);
    for (int i = 0; i < 3; i++)
        omp_destroy_lock(&l[i]);
    printf("%d\n", sum(a, N));
}

static void nested_locks(void)
{
    omp_nest_lock_t l;
    omp_init_nest_lock(&l);
#pragma omp parallel
    {
        omp_set_nest_lock(&l);
        int depth = omp_test_nest_lock(&l);
        total += depth;
        omp_unset_nest_lock(&l);
        omp_unset_nest_lock(&l);
    }
    printf("%d\n", total);
}

static void test_lock(void)
{
    omp_lock_t l;
    omp_init_lock(&l);
    int free_then = omp_test_lock(&l), held_then = omp_test_lock(&l);
    omp_unset_lock(&l);
#pragma omp parallel
    {
        while (!omp_test_lock(&l))
            ;
        total++;
        omp_unset_lock(&l);
#pragma omp barrier
#pragma omp master
        omp_set_lock(&l);
#pragma omp barrier
        if (omp_get_thread_num() == 1)
            a[0] = omp_test_lock(&l);
#pragma omp barrier
#pragma omp master
        omp_unset_lock(&l);
    }
    printf("%d %d %d %d\n", free_then, held_then, total, a[0]);
}

static void nested_regions(void)
{
    omp_set_max_active_levels(1);
#pragma omp parallel
    {
        int outer = omp_get_thread_num();
#pragma omp parallel
        {
#pragma omp for
            for (int i = 0; i < 3; i++)
                a[10 * outer + i] = i + omp_get_num_threads();
#pragma omp single
            b[outer] = omp_get_level() * 100 + omp_get_active_level() * 10 + omp_get_ancestor_thread_num(1);
#pragma omp barrier
#pragma omp critical
            total++;
        }
    }
    printf("%d %d %d\n", sum(a, N), sum(b, N), total);
}

static void query(void)
{
#pragma omp parallel
    {
#pragma omp master
        {
            a[0] = omp_in_parallel();
            a[1] = omp_get_level();
            a[2] = omp_get_team_size(1);
            a[3] = omp_get_team_size(0);
            a[4] = omp_get_ancestor_thread_num(0);
            a[5] = omp_get_team_size(7);
        }
    }
    printf("%d %d %d %d %d %d\n", a[0], a[1], a[2], a[3], a[4], a[5]);
    printf("%d %d %d %d\n", omp_in_parallel(), omp_get_level(), omp_get_num_threads(), omp_get_max_threads());
    omp_set_num_threads(3);
    printf("%d\n", omp_get_max_threads());
#pragma omp parallel
    a[0] = omp_get_num_threads();
    printf("%d %d\n", a[0], omp_get_cancellation());
}

static void wtime(void)
{
    double before = omp_get_wtime(), after = 0;
#pragma omp parallel
    {
#pragma omp barrier
#pragma omp master
        after = omp_get_wtime();
    }
    printf("%d %d\n", after > before, omp_get_wtick() > 0);
}

static void tasks(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
        a[i] = i * i;
    }
    printf("%d\n", sum(a, N));
}

static int fib(int n)
{
    int x, y;
    if (n < 2)
        return n;
#pragma omp task shared(x) if (n > 4)
    x = fib(n - 1);
#pragma omp task shared(y)
    y = fib(n - 2);
#pragma omp taskwait
    return x + y;
}

static void task_fib(void)
{
#pragma omp parallel
#pragma omp single
    total = fib(12);
    printf("%d\n", total);
}

static void task_depend(void)
{
    int x = 1;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = x * 2;
#pragma omp task depend(inout : x)
        x = x + 10;
#pragma omp task depend(in : x)
        a[0] = x;
#pragma omp taskwait
    }
    printf("%d %d\n", x, a[0]);
}

static void taskgroup(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
            for (int i = 0; i < 6; i++)
#pragma omp task
                a[i] = i;
        }
        b[0] = sum(a, N);
#pragma omp taskyield
    }
    printf("%d\n", b[0]);
}

static void taskloop(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(7)
        for (int i = 0; i < 50; i++)
            a[i] += i;
#pragma omp taskloop num_tasks(5)
        for (int i = 49; i >= 0; i -= 3)
            b[i] += i;
#pragma omp taskloop
        for (unsigned long i = 0; i < 9; i++)
            a[100 + i] = (int)i;
    }
    printf("%d %d\n", sum(a, N), sum(b, N));
}

static void task_final(void)
{
#pragma omp parallel
#pragma omp master
    {
#pragma omp task final(1)
        {
            a[0] = omp_in_final();
#pragma omp task
            a[1] = omp_in_final();
        }
#pragma omp taskwait
    }
    printf("%d %d %d\n", a[0], a[1], omp_in_final());
}

static void simd(void)
{
    int s = 0;
#pragma omp parallel for simd reduction(+ : s)
    for (int i = 0; i < N; i++) {
        a[i] = i;
        s += i;
    }
    printf("%d %d\n", sum(a, N), s);
}

static void orphan_body(void)
{
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < 20; i++)
        a[i] += 1;
#pragma omp single
    total++;
#pragma omp critical(orphan)
    b[0]++;
}

static void orphans(void)
{
    orphan_body();
#pragma omp parallel
    orphan_body();
    printf("%d %d %d\n", sum(a, N), total, b[0]);
}

static void workshare_in_loop(void)
{
    for (int k = 0; k < 12; k++) {
#pragma omp parallel
        {
#pragma omp for
            for (int i = 0; i < 40; i++)
                b[i] = a[39 - i] + k;
#pragma omp for
            for (int i = 0; i < 40; i++)
                a[i] = b[i] + 1;
        }
    }
    printf("%d\n", sum(a, N));
}

static volatile int flag;

static void flag_with_flush(void)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            total = 77;
#pragma omp flush
            flag = 1;
#pragma omp flush
        } else {
            while (!flag) {
#pragma omp flush
            }
#pragma omp flush
            a[0] = total;
        }
    }
    printf("%d\n", a[0]);
}

static void flag_without_flush(void)
{
    int done = 0;
#pragma omp parallel
    {
        if (omp_get_thread_num() == 3) {
#pragma omp atomic write
            done = 1;
        } else {
            int seen = 0;
            while (!seen) {
#pragma omp atomic read
                seen = done;
            }
        }
#pragma omp atomic
        total += 1;
    }
    printf("%d\n", total);
}

static int compare(const void *x, const void *y)
{
    return *(const int *)x - *(const int *)y;
}

static void library_functions(void)
{
#pragma omp parallel
    {
        int t = omp_get_thread_num(), v[20];
        for (int i = 0; i < 20; i++)
            v[i] = (i * 7 + t) % 20;
        qsort(v, 20, sizeof v[0], compare);
        char text[30], copy[30];
        snprintf(text, sizeof text, "thread %d", t);
        memcpy(copy, text, sizeof copy);
        a[t] = v[t] + (int)strlen(copy) + (getenv("HOME") != NULL) + (int)strtol("12", NULL, 10);
    }
    printf("%d\n", sum(a, N));
}

static void cancel(void)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 20; i++) {
            a[i] = 1;
#pragma omp cancel for if (i == 3)
        }
#pragma omp cancellation point parallel
    }
    printf("%d\n", sum(a, N));
}

static void same_value(void)
{
#pragma omp parallel
    total = 5;
    printf("%d\n", total);
}

static void function_pointers(void)
{
    static int (*table[4])(int);
#pragma omp parallel
    table[omp_get_thread_num()] = fib;
    printf("%d\n", table[3](5) + table[0](6));
}

static void doubles(void)
{
    static double x[N];
    for (int k = 0; k < 3; k++) {
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            x[i] = (x[i] + i) / 3.0;
    }
    double s = 0;
    for (int i = 0; i < N; i++)
        s += x[i];
    printf("%a\n", s);
}

static void exit_handler(void)
{
    printf("handler %d\n", total);
}

static void at_exit(void)
{
    atexit(exit_handler);
#pragma omp parallel
#pragma omp atomic
    total += 2;
}

static const struct { const char *name; void (*run)(void); } cases[] = {
#define C(name) {#name, name}
    C(parallel), C(num_threads), C(fewer_threads_with_barriers), C(if_clause), C(for_static),
    C(for_static_chunk), C(for_dynamic), C(for_guided), C(for_runtime), C(for_monotonic),
    C(for_collapse), C(for_unsigned), C(for_down), C(for_nowait), C(many_loops_without_a_wait),
    C(for_empty), C(for_fewer_iterations_than_threads), C(lastprivate), C(firstprivate), C(ordered),
    C(ordered_static), C(ordered_guided), C(ordered_output), C(sections),
    C(more_sections_than_threads), C(single), C(copyprivate), C(master), C(masked), C(critical),
    C(critical_named), C(hand_over), C(critical_inside), C(atomic_update), C(atomic_capture), C(atomic_exchange), C(atomic_compare),
    C(atomic_builtins), C(barriers), C(many_quiet_barriers), C(reductions), C(reduction_one), C(reduction_array),
    C(reduction_own), C(threadprivate), C(copyin), C(pointer_to_threadprivate), C(shared_stack),
    C(variable_length), C(deep_stack), C(stack_of_another_thread), C(heap), C(linked_list),
    C(aligned), C(neighbouring_bytes), C(many_pages), C(writes_between_regions), C(locks),
    C(nested_locks), C(test_lock), C(nested_regions), C(query), C(wtime), C(tasks), C(task_fib),
    C(task_depend), C(taskgroup), C(taskloop), C(task_final), C(simd), C(orphans),
    C(workshare_in_loop), C(flag_with_flush), C(flag_without_flush), C(library_functions), C(cancel),
    C(same_value), C(function_pointers), C(doubles), C(at_exit),
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
