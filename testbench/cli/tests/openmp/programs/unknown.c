// SPDX-License-Identifier: MIT OR Apache-2.0
// A function of libc that keeps its result in a variable of its own.
#include <arpa/inet.h>
#include <stdio.h>

int main(void)
{
    struct in_addr address = {0x0100007f};
#pragma omp parallel
#pragma omp critical
    printf("%s\n", inet_ntoa(address));
}
