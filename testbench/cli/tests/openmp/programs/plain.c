// SPDX-License-Identifier: MIT OR Apache-2.0
// A program without directives of OpenMP: they are in a library, linked with LINKED, else loaded by its path.
#include <dlfcn.h>
#include <stdio.h>

double regions_sum(void);

int main(int argc, char **argv)
{
    (void)argc;
#ifdef LINKED
    double (*sum)(void) = argv[0] ? regions_sum : 0;
#else
    void *library = argv[1] ? dlopen(argv[1], RTLD_NOW) : 0;
    double (*sum)(void) = library ? (double (*)(void))dlsym(library, "regions_sum") : 0;
#endif
    printf("%g\n", sum ? sum() : -1.0);
}
