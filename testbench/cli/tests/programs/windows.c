/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Instructions that access mapped windows in other ways than one load or store; the first argument says which. */
#include <immintrin.h>
#include <rfm2g_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SECOND = 8192, MOST = 12288 };

static RFM2GHANDLE board;
/* Three pages from 0 on, and one page from `SECOND` on: the third page is in both. */
static char *window, *second;

static int is(const char *what, const char *mode) { return strcmp(what, mode) == 0; }

static void check(RFM2G_STATUS status) {
    if (status != RFM2G_SUCCESS) {
        fprintf(stderr, "%s\n", RFM2gErrorMsg(status));
        exit(1);
    }
}

static RFM2G_UINT32 word(RFM2G_UINT32 at) {
    RFM2G_UINT32 found;
    check(RFM2gPeek32(board, at, &found));
    return found;
}

static void *map(RFM2G_UINT32 from, RFM2G_UINT32 bytes) {
    volatile void *at = NULL;
    check(RFM2gUserMemoryBytes(board, &at, from, bytes));
    return (void *)at;
}

static __attribute__((target("avx2"))) int gather(const int *from) {
    int found[8];
    __m256i indices = _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14);
    _mm256_storeu_si256((__m256i *)found, _mm256_i32gather_epi32(from, indices, 4));
    return found[0] + found[7];
}

static __attribute__((target("avx2"))) void masked_store(int *to) {
    __m256i mask = _mm256_setr_epi32(-1, 0, -1, 0, 0, 0, 0, 0);
    _mm256_maskstore_epi32(to, mask, _mm256_set1_epi32(7));
}

static void two_operands(void) {
    const char *from = window, *other = window + 400;
    char *to = window + 400;
    unsigned char equal;
    check(RFM2gPoke32(board, 0, 5));
    __asm__ volatile("movsl" : "+S"(from), "+D"(to)::"memory");
    printf("within a window %u\n", word(400));
    from = window, to = second;
    __asm__ volatile("movsl" : "+S"(from), "+D"(to)::"memory");
    printf("to another window %u\n", word(SECOND));
    *(volatile int *)(window + 500) = 77;
    printf("a store after it %u\n", word(500));
    check(RFM2gPoke32(board, 504, 88));
    printf("a load after it %d\n", *(volatile int *)(window + 504));
    from = window;
    __asm__ volatile("cmpsl; sete %0" : "=q"(equal), "+S"(from), "+D"(other)::"memory", "cc");
    printf("equal %d\n", equal);
    __asm__ volatile("pushq (%0); popq 8(%0)" ::"r"(window) : "memory");
    printf("through the stack %u\n", word(8));
}

#define COPY(name, instruction)                                                                                  \
    static void name(char *to, const char *from, long count) {                                                   \
        __asm__ volatile("rep " instruction : "+S"(from), "+D"(to), "+c"(count)::"memory");                      \
    }
#define DOWN(name, instruction)                                                                                  \
    static void name(char *to, const char *from, long count) {                                                   \
        __asm__ volatile("std; rep " instruction "; cld" : "+S"(from), "+D"(to), "+c"(count)::"memory");         \
    }
#define FILL(name, instruction)                                                                                  \
    static void name(char *to, unsigned long value, long count) {                                                \
        __asm__ volatile("rep " instruction : "+D"(to), "+c"(count) : "a"(value) : "memory");                    \
    }
COPY(movsb, "movsb")
COPY(movsq, "movsq")
DOWN(movsb_down, "movsb")
DOWN(movsq_down, "movsq")
FILL(stosb, "stosb")
FILL(stosq, "stosq")

static char bytes[MOST] __attribute__((aligned(8))), found[MOST];

/* The bytes from `at` on are those from `expected` on; the byte before and the one after are untouched. */
static void same(const char *what, RFM2G_UINT32 at, const char *expected, RFM2G_UINT32 length) {
    check(RFM2gRead(board, at - 1, found, length + 2));
    int bad = found[0] != 0 || found[length + 1] != 0;
    for (RFM2G_UINT32 i = 0; i < length; i++) bad += found[i + 1] != expected[i];
    printf("%s: %d bytes wrong\n", what, bad);
    memset(found, 0, sizeof found);
    check(RFM2gWrite(board, 0, found, MOST));
}

static void strings(void) {
    for (int i = 0; i < MOST; i++) bytes[i] = (char)(i * 13 + (i >> 8) + 1);
    /* 203 bytes over the first page's end, from an odd address on; 25 words of 8 bytes likewise. */
    movsb(window + 3999, bytes, 203);
    same("rep movsb to a window", 3999, bytes, 203);
    movsq(window + 3999, bytes, 25);
    same("rep movsq to a window", 3999, bytes, 200);
    movsb_down(window + 4095 + 10, bytes + 20, 21);
    same("rep movsb downwards", 4085, bytes, 21);
    movsq_down(window + 4096 + 8, bytes + 32, 5);
    same("rep movsq downwards", 4072, bytes, 40);
    char filled[160];
    memset(filled, 0x5a, 123);
    stosb(window + 4001, 0x5a, 123);
    same("rep stosb", 4001, filled, 123);
    for (int i = 0; i < 160; i++) filled[i] = (char)(i % 8 + 1);
    stosq(window + 4001, 0x0807060504030201, 20);
    same("rep stosq", 4001, filled, 160);

    char copy[400];
    check(RFM2gWrite(board, 3999, bytes, 203));
    memset(copy, 0, sizeof copy);
    movsb(copy, window + 3999, 203);
    printf("rep movsb from a window: %d\n", memcmp(copy, bytes, 203) != 0 || copy[203] != 0);
    memset(copy, 0, sizeof copy);
    movsq(copy, window + 3999, 25);
    printf("rep movsq from a window: %d\n", memcmp(copy, bytes, 200) != 0 || copy[200] != 0);
    movsb(window + 5001, window + 3999, 203);
    memset(found, 0, sizeof found);
    check(RFM2gWrite(board, 3999, found, 203));
    same("rep movsb within a window", 5001, bytes, 203);
    check(RFM2gWrite(board, 3000, bytes, 200));
    movsq(second + 3, window + 3000, 25);
    memset(found, 0, sizeof found);
    check(RFM2gWrite(board, 3000, found, 200));
    same("rep movsq to another window", SECOND + 3, bytes, 200);

    /* Each repetition reads what the one before wrote, within a window and through two windows of the same page. */
    char sevens[101];
    memset(sevens, 7, sizeof sevens);
    window[SECOND + 50] = 7;
    movsb(window + SECOND + 51, window + SECOND + 50, 100);
    same("rep movsb over itself", SECOND + 50, sevens, 101);
    window[SECOND + 50] = 7;
    movsb(second + 51, window + SECOND + 50, 100);
    same("rep movsb over itself through another window", SECOND + 50, sevens, 101);

    /* Scans and compares end at data. */
    check(RFM2gWrite(board, 4090, "hello, ring", 12));
    const char *at = window + 4090, *text = "hello, king";
    long count = -1;
    __asm__ volatile("repne scasb" : "+D"(at), "+c"(count) : "a"(0) : "memory", "cc");
    printf("repne scasb: %ld\n", (long)(at - window));
    at = window + 4090, count = 12;
    __asm__ volatile("repe cmpsb" : "+D"(at), "+S"(text), "+c"(count)::"memory", "cc");
    printf("repe cmpsb: %ld, %ld left\n", (long)(at - window), count);
}

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000 + time.tv_nsec;
}

/* The library's own functions for copies of every length, from and to every place of a word. */
static void functions(void) {
    int bad = 0;
    for (int i = 0; i < MOST; i++) bytes[i] = (char)(i * 13 + (i >> 8) + 1);
    /* The library uses string instructions for the longest. */
    static volatile const int lengths[] = {13, 157, 4500};
    for (int i = 0; i < 3; i++)
        for (int o = 0; o < 2; o++) {
            int n = lengths[i], at = 4096 - n / 2 + o;
            memcpy(window + at, bytes + o, n);
            check(RFM2gRead(board, at, found, n));
            bad += memcmp(found, bytes + o, n) != 0;
            memset(found, 0, n);
            memcpy(found, window + at, n);
            bad += memcmp(found, bytes + o, n) != 0 || memcmp(window + at, bytes + o, n) != 0;
            memmove(window + at + 3, window + at, n);
            check(RFM2gRead(board, at + 3, found, n));
            bad += memcmp(found, bytes + o, n) != 0;
            memset(window + at, 9, n);
            check(RFM2gRead(board, at, found, n));
            for (int b = 0; b < n; b++) bad += found[b] != 9;
        }
    /* The compiler copies a structure with a string instruction, or calls memcpy. */
    struct structure {
        long words[40];
    } copy;
    *(struct structure *)(window + 4000) = *(struct structure *)bytes;
    check(RFM2gRead(board, 4000, found, sizeof copy));
    bad += memcmp(found, bytes, sizeof copy) != 0;
    copy = *(struct structure *)(window + 4000);
    bad += memcmp(&copy, bytes, sizeof copy) != 0;
    printf("functions: %d wrong\n", bad);
}

/* 64 words as stores and loads of words, and as bytes of a string instruction. */
static void cost(void) {
    int words[64] = {0};
    volatile int *of_window = (volatile int *)window;
    long begin = now();
    for (int i = 0; i < 64; i++) of_window[i] = i;
    long stores = now() - begin;
    begin = now();
    movsb(window, (char *)words, sizeof words);
    long to = now() - begin;
    begin = now();
    for (int i = 0; i < 64; i++) words[i] = of_window[i];
    long loads = now() - begin;
    begin = now();
    movsb((char *)words, window, sizeof words);
    long from = now() - begin;
    printf("stores %ld, rep movsb %ld; loads %ld, rep movsb %ld ns\n", stores, to, loads, from);
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    check(RFM2gOpen("/dev/rfm2g0", &board));
    if (is(mode, "read beyond")) {
        volatile char *at = map(0, 10);
        check(RFM2gWrite(board, 0, "ABCDEFGHIJKL", 12));
        /* A vector that begins within gets the memory's bytes, as the pages of a board give them. */
        printf("%c%c %.4s\n", at[0], at[9], (char *)&(int){*(volatile int *)(at + 8)});
        fflush(stdout);
        return at[10];
    }
    window = map(0, MOST), second = map(SECOND, 4096);
    if (is(mode, "gather")) return gather((int *)window);
    if (is(mode, "masked store")) masked_store((int *)window);
    if (is(mode, "two operands")) two_operands();
    if (is(mode, "strings")) strings();
    if (is(mode, "functions")) functions();
    if (is(mode, "cost")) cost();
    if (is(mode, "store beyond")) ((volatile char *)second)[4096] = 1;
    /* The first 96 bytes are within the window. */
    if (is(mode, "string beyond")) stosb(second + 4000, 1, 97);
    return 0;
}
