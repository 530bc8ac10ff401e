// SPDX-License-Identifier: MIT OR Apache-2.0
// Hooks of gcc -fsanitize=thread -fsanitize-coverage=trace-pc for `awgstar study openmp`: they pass basic blocks,
// loads and stores on to the library of `awgstar run --openmp`. libtsan is not linked.
#include <stddef.h>

void awgstar_openmp_block(void) __attribute__((weak));
void awgstar_openmp_load(const void *addr, size_t bytes) __attribute__((weak));
void awgstar_openmp_store(const void *addr, size_t bytes) __attribute__((weak));

void __tsan_init(void)
{
}

void __sanitizer_cov_trace_pc(void)
{
    if (awgstar_openmp_block)
        awgstar_openmp_block();
}

#define ACCESS(name, bytes)                                                                                           \
    void __tsan_read##name(void *addr)                                                                                \
    {                                                                                                                 \
        if (awgstar_openmp_load)                                                                                      \
            awgstar_openmp_load(addr, bytes);                                                                         \
    }                                                                                                                 \
    void __tsan_write##name(void *addr)                                                                               \
    {                                                                                                                 \
        if (awgstar_openmp_store)                                                                                     \
            awgstar_openmp_store(addr, bytes);                                                                        \
    }

ACCESS(1, 1)
ACCESS(2, 2)
ACCESS(4, 4)
ACCESS(8, 8)
ACCESS(16, 16)

unsigned __tsan_atomic32_fetch_add(volatile unsigned *at, unsigned value, int order)
{
    (void)order;
    __tsan_write4((void *)at);
    return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}

unsigned long __tsan_atomic64_load(const volatile unsigned long *at, int order)
{
    (void)order;
    __tsan_read8((void *)at);
    return *at;
}
