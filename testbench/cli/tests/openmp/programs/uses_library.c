// SPDX-License-Identifier: MIT OR Apache-2.0
// A program with a library of its own, linked, and loaded a second time under another name.
#include <dlfcn.h>
#include <stdio.h>

void library_work(int n);
double library_sum(int n);
extern int calls;

int main(int argc, char **argv)
{
    void *other = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    void (*work)(int) = other ? (void (*)(int))dlsym(other, "library_work") : library_work;
    double (*sum)(int) = other ? (double (*)(int))dlsym(other, "library_sum") : library_sum;
#pragma omp parallel
    {
        library_work(700);
        work(900);
    }
    printf("%g %g %d\n", library_sum(700), sum(900), calls);
}
