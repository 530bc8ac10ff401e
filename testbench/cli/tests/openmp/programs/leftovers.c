// SPDX-License-Identifier: MIT OR Apache-2.0
// What a library leaves on the stacks of the threads: words with addresses of its code or its memory, in the frames of
// the program and below them. The first argument is a part of the name of its file.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uintptr_t first = UINTPTR_MAX, end;

__attribute__((noinline)) static void find(const char *name)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        if (strstr(line, name) && sscanf(line, "%lx-%lx", &from, &to) == 2) {
            first = from < first ? from : first;
            end = to > end ? to : end;
        }
    }
    if (maps)
        fclose(maps);
}

static int of_library(uintptr_t word)
{
    // Its own memory, but not the gates at a fixed address.
    int own = word >> 40 == 5 && word >> 16 != 0x5400000;
    return own || (word >= first && word < end);
}

__attribute__((noinline, no_sanitize("address"))) static int count(uintptr_t top)
{
    volatile uintptr_t *from = (volatile uintptr_t *)((uintptr_t)__builtin_frame_address(0) - 32768);
    int found = 0;
    for (; (uintptr_t)from < top; from++)
        found += of_library(*from);
    return found;
}

// What is left from before the first region does not travel.
__attribute__((noinline)) static void clear(void)
{
    volatile char room[65536];
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = 0;
}

static int more(int n)
{
    int result = 0;
#pragma omp task shared(result) firstprivate(n)
    result = n < 2 ? n : more(n - 1) + more(n - 2);
#pragma omp taskwait
    return result;
}

int main(int argc, char **argv)
{
    int found[64] = {0}, sum = 0, last = 0, ticks = 0, tasks = 0;
    if (argc > 1)
        find(argv[1]);
    clear();
    // Twice, as memory is given out in other ways before and after the first region.
    for (int round = 0; round < 2; round++) {
        uintptr_t main_top = (uintptr_t)__builtin_frame_address(0);
#pragma omp parallel reduction(+ : sum)
        {
            int me = omp_get_thread_num();
            uintptr_t top = me == 0 ? main_top : (uintptr_t)__builtin_frame_address(0);
            void *block = malloc(100);
#pragma omp for schedule(dynamic, 3)
            for (int i = 0; i < 40; i++)
                sum += i;
#pragma omp critical
            last += me;
#pragma omp atomic
            ticks++;
#pragma omp single
            tasks += more(3);
            block = realloc(block, 3000);
            sum += block != NULL;
            free(block);
#pragma omp barrier
            found[me] += count(top);
        }
    }
    for (int i = 0; i < omp_get_max_threads(); i++)
        printf("thread %d: %d\n", i, found[i]);
    printf("%d %d %d %d\n", sum, last, ticks, tasks);
}
