// SPDX-License-Identifier: MIT OR Apache-2.0
// Threads that share memory as options say, for a map of where programs stop gaining by more nodes. A step ends with
// a barrier; in it the threads read what others wrote in the step before, then write, compute, and some take a lock.
//
//     sharing [-d BYTES] [-g BYTES] [-k READERS] [-p BYTES] [-c UNITS] [-m STEPS] [-l PERCENT] [-s STEPS] [-w STEPS] [-t]
//
// -d  bytes that are written in a step, by all threads together; each byte gets another value
// -g  grain: the bytes are in pieces of this size, and piece i is of thread i modulo N
// -k  other threads that read each piece in the next step: those after its writer; at most all
// -p  bytes that are written in a step, too, and that no other thread reads: each thread has a block of them
// -c  units of computing in a step, by all threads together
// -m  each piece goes to the next thread every so many steps; 0: never
// -l  share of the steps in which each thread adds to a counter under a lock
// -s  steps
// -w  first steps whose time is not measured
// -t  print nothing that depends on the machine or on the number of threads
//
// Readers check all values. What is written and computed does not depend on the number of threads, nor does the
// checksum. The pieces are there twice, and written in turns, so that no thread writes what another still reads. Each
// thread writes first what is its own in the first steps, so that a page whose home is who touches it first is near.
// With -DTWO_BARRIERS two steps that follow each other end at barriers of their own, so that they differ for FDSM.
// A unit is reported to the library of `awgstar run --openmp` as a basic block: with `--compute counted:K` it takes
// K ns in every run, with `--compute told` none.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void awgstar_openmp_block(void) __attribute__((weak));

#define WORD sizeof(uint64_t)
#define PAGE 4096

static long bytes = 65536, grain = 4096, others = 1, own = 0, units = 0, moves = 0, locked = 0, steps = 20, warm = 0;
static uint64_t *pieces[2], *block;
// In a page of its own: what the pieces cost does not depend on it.
static _Alignas(PAGE) struct { long count; char rest[PAGE - sizeof(long)]; } counter;
static omp_lock_t lock;

// Differs from word to word, and in each byte from step to step.
static uint64_t word_of(uint64_t at, long step)
{
    uint64_t x = (at + 1) * 0x9e3779b97f4a7c15u;
    return (x ^ x >> 29) ^ (uint64_t)(step & 0xff) * 0x0101010101010101u;
}

static long writer_of(long piece, long step, long threads)
{
    return (piece + (moves ? (step + 1) / moves : 0)) % threads;
}

static int takes_lock(long step)
{
    return (step + 1) * locked / 100 != step * locked / 100;
}

// Nothing but arithmetic in registers, whose result the compiler does not know.
static double unit(double x)
{
    for (int i = 0; i < 64; i++)
        x = x * 0.999 + 0.125;
    return x;
}

static uint64_t *memory(long size)
{
    uint64_t *m = aligned_alloc(PAGE, size ? (size + PAGE - 1) / PAGE * PAGE : PAGE);
    if (!m) {
        fprintf(stderr, "sharing: no memory for %ld bytes\n", size);
        exit(1);
    }
    return m;
}

static void read_options(int argc, char **argv, int *only_results)
{
    int option;
    while ((option = getopt(argc, argv, "d:g:k:p:c:m:l:s:w:t")) != -1) {
        const char letters[] = "dgkpcmlsw";
        long *const values[] = {&bytes, &grain, &others, &own, &units, &moves, &locked, &steps, &warm};
        char *end = "";
        for (int i = 0; letters[i]; i++)
            if (option == letters[i])
                *values[i] = strtol(optarg, &end, 10);
        *only_results |= option == 't';
        if (option == '?' || *end)
            exit(2);
    }
    if (bytes < 0 || grain <= 0 || grain % WORD || bytes % grain || others < 0 || own < 0 || own % WORD || units < 0
        || moves < 0 || locked < 0 || locked > 100 || steps < 0 || warm < 0 || warm > steps || optind < argc) {
        fprintf(stderr, "sharing: expected bytes in whole pieces, pieces in whole words of 8 bytes, at most 100 %%, "
                        "no more first steps than steps\n");
        exit(2);
    }
}

int main(int argc, char **argv)
{
    int only_results = 0;
    read_options(argc, argv, &only_results);
    long words = bytes / WORD, own_words = own / WORD, in_piece = grain / WORD, all = words / in_piece;
    pieces[0] = memory(bytes), pieces[1] = memory(bytes), block = memory(own);
    omp_init_lock(&lock);

    uint64_t sum = 0;
    long errors = 0, threads = 1;
    double seconds = 0;
#pragma omp parallel reduction(+ : sum, errors)
    {
        long me = omp_get_thread_num(), n = omp_get_num_threads(), turns = 0;
        long readers = others < n ? others : n - 1;
        long own_begin = own_words * me / n, own_end = own_words * (me + 1) / n;
        long unit_begin = units * me / n, unit_end = units * (me + 1) / n;
        // As steps -2 and -1 would have written.
        for (long step = 0; step < 2; step++)
            for (long piece = 0; piece < all; piece++)
                if (writer_of(piece, step, n) == me)
                    for (long i = piece * in_piece; i < (piece + 1) * in_piece; i++)
                        pieces[step][i] = word_of(i, step - 2);
        for (long i = own_begin; i < own_end; i++)
            block[i] = word_of(i, -1);
        // A thread without a unit counts one block, too: without any the run ends with a message.
        if (awgstar_openmp_block)
            awgstar_openmp_block();
#pragma omp barrier
        double begin = omp_get_wtime();
        for (long step = 0; step < steps; step++) {
            if (step == warm)
                begin = omp_get_wtime();
            const uint64_t *old = pieces[(step + 1) % 2];
            uint64_t *new = pieces[step % 2];
            for (long piece = 0; piece < all && readers; piece++) {
                long after = (me - writer_of(piece, step - 1, n) + n) % n;
                if (after == 0 || after > readers)
                    continue;
                for (long i = piece * in_piece; i < (piece + 1) * in_piece; i++)
                    errors += old[i] != word_of(i, step - 1);
            }
            for (long piece = 0; piece < all; piece++)
                if (writer_of(piece, step, n) == me)
                    for (long i = piece * in_piece; i < (piece + 1) * in_piece; i++)
                        new[i] = word_of(i, step);
            for (long i = own_begin; i < own_end; i++) {
                errors += block[i] != word_of(i, step - 1);
                block[i] = word_of(i, step);
            }
            for (long u = unit_begin; u < unit_end; u++) {
                union { double x; uint64_t bits; } result = {unit((double)(step + u))};
                sum += result.bits;
                if (awgstar_openmp_block)
                    awgstar_openmp_block();
            }
            if (takes_lock(step)) {
                omp_set_lock(&lock);
                errors += counter.count < turns * n || counter.count >= (turns + 1) * n;
                counter.count++;
                omp_unset_lock(&lock);
                turns++;
            }
#ifdef TWO_BARRIERS
            if (step % 2) {
#pragma omp barrier
                // The compiler makes one of two calls that are followed by the same.
                __asm__ volatile("nop");
                continue;
            }
#endif
#pragma omp barrier
        }
#pragma omp master
        {
            seconds = omp_get_wtime() - begin;
            threads = n;
        }
    }
    omp_destroy_lock(&lock);
    for (long i = 0; i < words; i++)
        for (int at = 0; at < 2; at++)
            sum = sum * 31 + pieces[at][i];
    for (long i = 0; i < own_words; i++)
        sum = sum * 31 + block[i];
    errors += counter.count % threads != 0;
    printf("d %ld g %ld k %ld p %ld c %ld m %ld l %ld s %ld\n", bytes, grain, others, own, units, moves, locked, steps);
    printf("checksum %016llx, %ld additions of each thread, %ld errors\n", (unsigned long long)sum,
           counter.count / threads, errors);
    if (!only_results)
        printf("%ld threads, %.3f us a step\n", threads, steps > warm ? seconds * 1e6 / (steps - warm) : 0);
    return errors != 0;
}
