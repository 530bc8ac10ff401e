// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs the verilated `ring` for as many cycles as the argument says, 4 of them in reset, and prints
// what each node got acknowledged and the processor time of the loop in seconds, marked by the third argument.
#include "Vring.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>
#include <ctime>

static uint32_t word(const uint32_t* image, int k) { return image[k]; }
static uint32_t word(const WData* image, int k, int) { return image[k]; }

template <class T> static uint32_t count(const T& v, int k) { return word(v.data(), k); }
static uint32_t count(const uint32_t& v, int) { return v; }
static uint32_t count(const uint64_t& v, int k) { return static_cast<uint32_t>(v >> (32 * k)); }

int main(int argc, char** argv) {
    const long cycles = argc > 1 ? atol(argv[1]) : 1000;
    const int nodes = argc > 2 ? atoi(argv[2]) : 4;
    const char* const token = argc > 3 ? argv[3] : "";
    VerilatedContext context;
    Vring ring{&context};
    const std::clock_t start = std::clock();
    for (long i = 0; i < cycles; ++i) {
        ring.rst = i < 4;
        ring.clk = 0;
        ring.eval();
        ring.clk = 1;
        ring.eval();
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    for (int k = 0; k < nodes; ++k) printf("%s node %d %u\n", token, k, count(ring.acknowledged, k));
    printf("%s seconds %.6f\n", token, seconds);
    return 0;
}
