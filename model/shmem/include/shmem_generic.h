/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_shmem: functions of OpenSHMEM without the name of a type, for C11.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/shmem/tests/header.rs writes this file. */
#ifndef AWGSTAR_SHMEM_GENERIC_H
#define AWGSTAR_SHMEM_GENERIC_H

#include <shmem_types.h>

#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

/* Functions of a table by their types. */
#define AWGSTAR_SHMEM_ANY_ATOMICS(BEFORE, AFTER) \
    int: BEFORE##int##AFTER, long: BEFORE##long##AFTER, long long: BEFORE##longlong##AFTER, \
    unsigned int: BEFORE##uint##AFTER, unsigned long: BEFORE##ulong##AFTER, \
    unsigned long long: BEFORE##ulonglong##AFTER
#define AWGSTAR_SHMEM_ANY_BITWISE(BEFORE, AFTER) \
    unsigned int: BEFORE##uint##AFTER, unsigned long: BEFORE##ulong##AFTER, \
    unsigned long long: BEFORE##ulonglong##AFTER, int: BEFORE##int32##AFTER, long: BEFORE##int64##AFTER
#define AWGSTAR_SHMEM_ANY_EXTENDED(BEFORE, AFTER) \
    int: BEFORE##int##AFTER, long: BEFORE##long##AFTER, long long: BEFORE##longlong##AFTER, \
    unsigned int: BEFORE##uint##AFTER, unsigned long: BEFORE##ulong##AFTER, \
    unsigned long long: BEFORE##ulonglong##AFTER, float: BEFORE##float##AFTER, double: BEFORE##double##AFTER
#define AWGSTAR_SHMEM_ANY_INTEGERS8(BEFORE, AFTER) \
    unsigned char: BEFORE##uchar##AFTER, unsigned short: BEFORE##ushort##AFTER, \
    unsigned int: BEFORE##uint##AFTER, unsigned long: BEFORE##ulong##AFTER, \
    unsigned long long: BEFORE##ulonglong##AFTER, signed char: BEFORE##int8##AFTER, short: BEFORE##int16##AFTER, \
    int: BEFORE##int32##AFTER, long: BEFORE##int64##AFTER
#define AWGSTAR_SHMEM_ANY_OLD(BEFORE, AFTER) \
    int: BEFORE##int##AFTER, long: BEFORE##long##AFTER, long long: BEFORE##longlong##AFTER
#define AWGSTAR_SHMEM_ANY_OLD_EXTENDED(BEFORE, AFTER) \
    int: BEFORE##int##AFTER, long: BEFORE##long##AFTER, long long: BEFORE##longlong##AFTER, \
    float: BEFORE##float##AFTER, double: BEFORE##double##AFTER
#define AWGSTAR_SHMEM_ANY_OLD_INTEGERS(BEFORE, AFTER) \
    int: BEFORE##int##AFTER, long: BEFORE##long##AFTER, long long: BEFORE##longlong##AFTER, \
    short: BEFORE##short##AFTER
#define AWGSTAR_SHMEM_ANY_OLD_ORDERED(BEFORE, AFTER) \
    int: BEFORE##int##AFTER, long: BEFORE##long##AFTER, long long: BEFORE##longlong##AFTER, \
    short: BEFORE##short##AFTER, float: BEFORE##float##AFTER, double: BEFORE##double##AFTER, \
    long double: BEFORE##longdouble##AFTER
#define AWGSTAR_SHMEM_ANY_OLD_SUMS(BEFORE, AFTER) \
    int: BEFORE##int##AFTER, long: BEFORE##long##AFTER, long long: BEFORE##longlong##AFTER, \
    short: BEFORE##short##AFTER, float: BEFORE##float##AFTER, double: BEFORE##double##AFTER, \
    long double: BEFORE##longdouble##AFTER, awgstar_shmem_complexd: BEFORE##complexd##AFTER, \
    awgstar_shmem_complexf: BEFORE##complexf##AFTER
#define AWGSTAR_SHMEM_ANY_RMA(BEFORE, AFTER) \
    unsigned char: BEFORE##uchar##AFTER, unsigned short: BEFORE##ushort##AFTER, \
    unsigned int: BEFORE##uint##AFTER, unsigned long: BEFORE##ulong##AFTER, \
    unsigned long long: BEFORE##ulonglong##AFTER, signed char: BEFORE##int8##AFTER, short: BEFORE##int16##AFTER, \
    int: BEFORE##int32##AFTER, long: BEFORE##int64##AFTER, float: BEFORE##float##AFTER, \
    double: BEFORE##double##AFTER, char: BEFORE##char##AFTER, long long: BEFORE##longlong##AFTER, \
    long double: BEFORE##longdouble##AFTER
#define AWGSTAR_SHMEM_ANY_SHORTS(BEFORE, AFTER) \
    short: BEFORE##short##AFTER, unsigned short: BEFORE##ushort##AFTER
#define AWGSTAR_SHMEM_ANY_SUMS(BEFORE, AFTER) \
    unsigned char: BEFORE##uchar##AFTER, unsigned short: BEFORE##ushort##AFTER, \
    unsigned int: BEFORE##uint##AFTER, unsigned long: BEFORE##ulong##AFTER, \
    unsigned long long: BEFORE##ulonglong##AFTER, signed char: BEFORE##int8##AFTER, short: BEFORE##int16##AFTER, \
    int: BEFORE##int32##AFTER, long: BEFORE##int64##AFTER, float: BEFORE##float##AFTER, \
    double: BEFORE##double##AFTER, char: BEFORE##char##AFTER, long long: BEFORE##longlong##AFTER, \
    long double: BEFORE##longdouble##AFTER, awgstar_shmem_complexd: BEFORE##complexd##AFTER, \
    awgstar_shmem_complexf: BEFORE##complexf##AFTER
#define AWGSTAR_SHMEM_ANY_VALUES(BEFORE, AFTER) \
    unsigned char: BEFORE##uchar##AFTER, unsigned short: BEFORE##ushort##AFTER, \
    unsigned int: BEFORE##uint##AFTER, unsigned long: BEFORE##ulong##AFTER, \
    unsigned long long: BEFORE##ulonglong##AFTER, signed char: BEFORE##int8##AFTER, short: BEFORE##int16##AFTER, \
    int: BEFORE##int32##AFTER, long: BEFORE##int64##AFTER, float: BEFORE##float##AFTER, \
    double: BEFORE##double##AFTER, char: BEFORE##char##AFTER, long long: BEFORE##longlong##AFTER, \
    long double: BEFORE##longdouble##AFTER

/* The argument with this number. */
#define AWGSTAR_SHMEM_4TH(A1, A2, A3, A4, ...) A4
#define AWGSTAR_SHMEM_5TH(A1, A2, A3, A4, A5, ...) A5
#define AWGSTAR_SHMEM_6TH(A1, A2, A3, A4, A5, A6, ...) A6
#define AWGSTAR_SHMEM_7TH(A1, A2, A3, A4, A5, A6, A7, ...) A7
#define AWGSTAR_SHMEM_8TH(A1, A2, A3, A4, A5, A6, A7, A8, ...) A8
#define AWGSTAR_SHMEM_9TH(A1, A2, A3, A4, A5, A6, A7, A8, A9, ...) A9

#define shmem_add(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_OLD(shmem_, _add))(dest, value, pe)
#define shmem_alltoall(team, dest, source, nelems) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _alltoall))(team, dest, source, nelems)
#define shmem_alltoalls(team, dest, source, dst, sst, nelems) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _alltoalls))(team, dest, source, dst, sst, nelems)
#define shmem_and_reduce(team, dest, source, nreduce) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_INTEGERS8(shmem_, _and_reduce))(team, dest, source, nreduce)
#define shmem_and_to_all(dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_OLD_INTEGERS(shmem_, _and_to_all))(dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync)
#define AWGSTAR_SHMEM_PLAIN_atomic_add(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _atomic_add))(dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_add(ctx, dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_ctx_, _atomic_add))(ctx, dest, value, pe)
#define shmem_atomic_add(...) \
    AWGSTAR_SHMEM_5TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_add, AWGSTAR_SHMEM_PLAIN_atomic_add, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_and(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_BITWISE(shmem_, _atomic_and))(dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_and(ctx, dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_BITWISE(shmem_ctx_, _atomic_and))(ctx, dest, value, pe)
#define shmem_atomic_and(...) \
    AWGSTAR_SHMEM_5TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_and, AWGSTAR_SHMEM_PLAIN_atomic_and, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_compare_swap(dest, cond, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _atomic_compare_swap))(dest, cond, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_compare_swap(ctx, dest, cond, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_ctx_, _atomic_compare_swap))(ctx, dest, cond, value, pe)
#define shmem_atomic_compare_swap(...) \
    AWGSTAR_SHMEM_6TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_compare_swap, AWGSTAR_SHMEM_PLAIN_atomic_compare_swap, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_compare_swap_nbi(fetch, dest, cond, value, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _atomic_compare_swap_nbi))(fetch, dest, cond, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_ctx_, _atomic_compare_swap_nbi))(ctx, fetch, dest, cond, value, pe)
#define shmem_atomic_compare_swap_nbi(...) \
    AWGSTAR_SHMEM_7TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_compare_swap_nbi, AWGSTAR_SHMEM_PLAIN_atomic_compare_swap_nbi, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_fetch(source, pe) \
    _Generic(*(source), AWGSTAR_SHMEM_ANY_EXTENDED(shmem_, _atomic_fetch))(source, pe)
#define AWGSTAR_SHMEM_CTX_atomic_fetch(ctx, source, pe) \
    _Generic(*(source), AWGSTAR_SHMEM_ANY_EXTENDED(shmem_ctx_, _atomic_fetch))(ctx, source, pe)
#define shmem_atomic_fetch(...) \
    AWGSTAR_SHMEM_4TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_fetch, AWGSTAR_SHMEM_PLAIN_atomic_fetch, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_fetch_add(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _atomic_fetch_add))(dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_fetch_add(ctx, dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_ctx_, _atomic_fetch_add))(ctx, dest, value, pe)
#define shmem_atomic_fetch_add(...) \
    AWGSTAR_SHMEM_5TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_fetch_add, AWGSTAR_SHMEM_PLAIN_atomic_fetch_add, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_fetch_add_nbi(fetch, dest, value, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _atomic_fetch_add_nbi))(fetch, dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_ctx_, _atomic_fetch_add_nbi))(ctx, fetch, dest, value, pe)
#define shmem_atomic_fetch_add_nbi(...) \
    AWGSTAR_SHMEM_6TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_fetch_add_nbi, AWGSTAR_SHMEM_PLAIN_atomic_fetch_add_nbi, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_fetch_and(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_BITWISE(shmem_, _atomic_fetch_and))(dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_fetch_and(ctx, dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_BITWISE(shmem_ctx_, _atomic_fetch_and))(ctx, dest, value, pe)
#define shmem_atomic_fetch_and(...) \
    AWGSTAR_SHMEM_5TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_fetch_and, AWGSTAR_SHMEM_PLAIN_atomic_fetch_and, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_fetch_and_nbi(fetch, dest, value, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_BITWISE(shmem_, _atomic_fetch_and_nbi))(fetch, dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_BITWISE(shmem_ctx_, _atomic_fetch_and_nbi))(ctx, fetch, dest, value, pe)
#define shmem_atomic_fetch_and_nbi(...) \
    AWGSTAR_SHMEM_6TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_fetch_and_nbi, AWGSTAR_SHMEM_PLAIN_atomic_fetch_and_nbi, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_fetch_inc(dest, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _atomic_fetch_inc))(dest, pe)
#define AWGSTAR_SHMEM_CTX_atomic_fetch_inc(ctx, dest, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_ctx_, _atomic_fetch_inc))(ctx, dest, pe)
#define shmem_atomic_fetch_inc(...) \
    AWGSTAR_SHMEM_4TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_fetch_inc, AWGSTAR_SHMEM_PLAIN_atomic_fetch_inc, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_fetch_inc_nbi(fetch, dest, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _atomic_fetch_inc_nbi))(fetch, dest, pe)
#define AWGSTAR_SHMEM_CTX_atomic_fetch_inc_nbi(ctx, fetch, dest, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_ctx_, _atomic_fetch_inc_nbi))(ctx, fetch, dest, pe)
#define shmem_atomic_fetch_inc_nbi(...) \
    AWGSTAR_SHMEM_5TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_fetch_inc_nbi, AWGSTAR_SHMEM_PLAIN_atomic_fetch_inc_nbi, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_fetch_nbi(fetch, source, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_EXTENDED(shmem_, _atomic_fetch_nbi))(fetch, source, pe)
#define AWGSTAR_SHMEM_CTX_atomic_fetch_nbi(ctx, fetch, source, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_EXTENDED(shmem_ctx_, _atomic_fetch_nbi))(ctx, fetch, source, pe)
#define shmem_atomic_fetch_nbi(...) \
    AWGSTAR_SHMEM_5TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_fetch_nbi, AWGSTAR_SHMEM_PLAIN_atomic_fetch_nbi, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_fetch_or(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_BITWISE(shmem_, _atomic_fetch_or))(dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_fetch_or(ctx, dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_BITWISE(shmem_ctx_, _atomic_fetch_or))(ctx, dest, value, pe)
#define shmem_atomic_fetch_or(...) \
    AWGSTAR_SHMEM_5TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_fetch_or, AWGSTAR_SHMEM_PLAIN_atomic_fetch_or, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_fetch_or_nbi(fetch, dest, value, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_BITWISE(shmem_, _atomic_fetch_or_nbi))(fetch, dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_BITWISE(shmem_ctx_, _atomic_fetch_or_nbi))(ctx, fetch, dest, value, pe)
#define shmem_atomic_fetch_or_nbi(...) \
    AWGSTAR_SHMEM_6TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_fetch_or_nbi, AWGSTAR_SHMEM_PLAIN_atomic_fetch_or_nbi, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_fetch_xor(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_BITWISE(shmem_, _atomic_fetch_xor))(dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_fetch_xor(ctx, dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_BITWISE(shmem_ctx_, _atomic_fetch_xor))(ctx, dest, value, pe)
#define shmem_atomic_fetch_xor(...) \
    AWGSTAR_SHMEM_5TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_fetch_xor, AWGSTAR_SHMEM_PLAIN_atomic_fetch_xor, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_fetch_xor_nbi(fetch, dest, value, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_BITWISE(shmem_, _atomic_fetch_xor_nbi))(fetch, dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_BITWISE(shmem_ctx_, _atomic_fetch_xor_nbi))(ctx, fetch, dest, value, pe)
#define shmem_atomic_fetch_xor_nbi(...) \
    AWGSTAR_SHMEM_6TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_fetch_xor_nbi, AWGSTAR_SHMEM_PLAIN_atomic_fetch_xor_nbi, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_inc(dest, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _atomic_inc))(dest, pe)
#define AWGSTAR_SHMEM_CTX_atomic_inc(ctx, dest, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_ctx_, _atomic_inc))(ctx, dest, pe)
#define shmem_atomic_inc(...) \
    AWGSTAR_SHMEM_4TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_inc, AWGSTAR_SHMEM_PLAIN_atomic_inc, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_or(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_BITWISE(shmem_, _atomic_or))(dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_or(ctx, dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_BITWISE(shmem_ctx_, _atomic_or))(ctx, dest, value, pe)
#define shmem_atomic_or(...) \
    AWGSTAR_SHMEM_5TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_or, AWGSTAR_SHMEM_PLAIN_atomic_or, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_set(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_EXTENDED(shmem_, _atomic_set))(dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_set(ctx, dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_EXTENDED(shmem_ctx_, _atomic_set))(ctx, dest, value, pe)
#define shmem_atomic_set(...) \
    AWGSTAR_SHMEM_5TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_set, AWGSTAR_SHMEM_PLAIN_atomic_set, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_swap(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_EXTENDED(shmem_, _atomic_swap))(dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_swap(ctx, dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_EXTENDED(shmem_ctx_, _atomic_swap))(ctx, dest, value, pe)
#define shmem_atomic_swap(...) \
    AWGSTAR_SHMEM_5TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_swap, AWGSTAR_SHMEM_PLAIN_atomic_swap, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_swap_nbi(fetch, dest, value, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_EXTENDED(shmem_, _atomic_swap_nbi))(fetch, dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_swap_nbi(ctx, fetch, dest, value, pe) \
    _Generic(*(fetch), AWGSTAR_SHMEM_ANY_EXTENDED(shmem_ctx_, _atomic_swap_nbi))(ctx, fetch, dest, value, pe)
#define shmem_atomic_swap_nbi(...) \
    AWGSTAR_SHMEM_6TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_swap_nbi, AWGSTAR_SHMEM_PLAIN_atomic_swap_nbi, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_atomic_xor(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_BITWISE(shmem_, _atomic_xor))(dest, value, pe)
#define AWGSTAR_SHMEM_CTX_atomic_xor(ctx, dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_BITWISE(shmem_ctx_, _atomic_xor))(ctx, dest, value, pe)
#define shmem_atomic_xor(...) \
    AWGSTAR_SHMEM_5TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_atomic_xor, AWGSTAR_SHMEM_PLAIN_atomic_xor, 0)(__VA_ARGS__)
#define shmem_broadcast(team, dest, source, nelems, PE_root) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _broadcast))(team, dest, source, nelems, PE_root)
#define shmem_collect(team, dest, source, nelems) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _collect))(team, dest, source, nelems)
#define shmem_cswap(dest, cond, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_OLD(shmem_, _cswap))(dest, cond, value, pe)
#define shmem_fadd(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_OLD(shmem_, _fadd))(dest, value, pe)
#define shmem_fcollect(team, dest, source, nelems) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _fcollect))(team, dest, source, nelems)
#define shmem_fetch(source, pe) \
    _Generic(*(source), AWGSTAR_SHMEM_ANY_OLD_EXTENDED(shmem_, _fetch))(source, pe)
#define shmem_finc(dest, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_OLD(shmem_, _finc))(dest, pe)
#define AWGSTAR_SHMEM_PLAIN_g(source, pe) \
    _Generic(*(source), AWGSTAR_SHMEM_ANY_VALUES(shmem_, _g))(source, pe)
#define AWGSTAR_SHMEM_CTX_g(ctx, source, pe) \
    _Generic(*(source), AWGSTAR_SHMEM_ANY_VALUES(shmem_ctx_, _g))(ctx, source, pe)
#define shmem_g(...) \
    AWGSTAR_SHMEM_4TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_g, AWGSTAR_SHMEM_PLAIN_g, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_get(dest, source, nelems, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _get))(dest, source, nelems, pe)
#define AWGSTAR_SHMEM_CTX_get(ctx, dest, source, nelems, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_ctx_, _get))(ctx, dest, source, nelems, pe)
#define shmem_get(...) \
    AWGSTAR_SHMEM_6TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_get, AWGSTAR_SHMEM_PLAIN_get, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_get_nbi(dest, source, nelems, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _get_nbi))(dest, source, nelems, pe)
#define AWGSTAR_SHMEM_CTX_get_nbi(ctx, dest, source, nelems, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_ctx_, _get_nbi))(ctx, dest, source, nelems, pe)
#define shmem_get_nbi(...) \
    AWGSTAR_SHMEM_6TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_get_nbi, AWGSTAR_SHMEM_PLAIN_get_nbi, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_iget(dest, source, dst, sst, nelems, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _iget))(dest, source, dst, sst, nelems, pe)
#define AWGSTAR_SHMEM_CTX_iget(ctx, dest, source, dst, sst, nelems, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_ctx_, _iget))(ctx, dest, source, dst, sst, nelems, pe)
#define shmem_iget(...) \
    AWGSTAR_SHMEM_8TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_iget, AWGSTAR_SHMEM_PLAIN_iget, 0)(__VA_ARGS__)
#define shmem_inc(dest, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_OLD(shmem_, _inc))(dest, pe)
#define AWGSTAR_SHMEM_PLAIN_iput(dest, source, dst, sst, nelems, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _iput))(dest, source, dst, sst, nelems, pe)
#define AWGSTAR_SHMEM_CTX_iput(ctx, dest, source, dst, sst, nelems, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_ctx_, _iput))(ctx, dest, source, dst, sst, nelems, pe)
#define shmem_iput(...) \
    AWGSTAR_SHMEM_8TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_iput, AWGSTAR_SHMEM_PLAIN_iput, 0)(__VA_ARGS__)
#define shmem_max_reduce(team, dest, source, nreduce) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _max_reduce))(team, dest, source, nreduce)
#define shmem_max_to_all(dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_OLD_ORDERED(shmem_, _max_to_all))(dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync)
#define shmem_min_reduce(team, dest, source, nreduce) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _min_reduce))(team, dest, source, nreduce)
#define shmem_min_to_all(dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_OLD_ORDERED(shmem_, _min_to_all))(dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync)
#define shmem_or_reduce(team, dest, source, nreduce) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_INTEGERS8(shmem_, _or_reduce))(team, dest, source, nreduce)
#define shmem_or_to_all(dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_OLD_INTEGERS(shmem_, _or_to_all))(dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync)
#define AWGSTAR_SHMEM_PLAIN_p(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_VALUES(shmem_, _p))(dest, value, pe)
#define AWGSTAR_SHMEM_CTX_p(ctx, dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_VALUES(shmem_ctx_, _p))(ctx, dest, value, pe)
#define shmem_p(...) \
    AWGSTAR_SHMEM_5TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_p, AWGSTAR_SHMEM_PLAIN_p, 0)(__VA_ARGS__)
#define shmem_prod_reduce(team, dest, source, nreduce) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_SUMS(shmem_, _prod_reduce))(team, dest, source, nreduce)
#define shmem_prod_to_all(dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_OLD_SUMS(shmem_, _prod_to_all))(dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync)
#define AWGSTAR_SHMEM_PLAIN_put(dest, source, nelems, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _put))(dest, source, nelems, pe)
#define AWGSTAR_SHMEM_CTX_put(ctx, dest, source, nelems, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_ctx_, _put))(ctx, dest, source, nelems, pe)
#define shmem_put(...) \
    AWGSTAR_SHMEM_6TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_put, AWGSTAR_SHMEM_PLAIN_put, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_put_nbi(dest, source, nelems, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _put_nbi))(dest, source, nelems, pe)
#define AWGSTAR_SHMEM_CTX_put_nbi(ctx, dest, source, nelems, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_ctx_, _put_nbi))(ctx, dest, source, nelems, pe)
#define shmem_put_nbi(...) \
    AWGSTAR_SHMEM_6TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_put_nbi, AWGSTAR_SHMEM_PLAIN_put_nbi, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _put_signal))(dest, source, nelems, sig_addr, signal, sig_op, pe)
#define AWGSTAR_SHMEM_CTX_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_ctx_, _put_signal))(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe)
#define shmem_put_signal(...) \
    AWGSTAR_SHMEM_9TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_put_signal, AWGSTAR_SHMEM_PLAIN_put_signal, 0)(__VA_ARGS__)
#define AWGSTAR_SHMEM_PLAIN_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_, _put_signal_nbi))(dest, source, nelems, sig_addr, signal, sig_op, pe)
#define AWGSTAR_SHMEM_CTX_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_RMA(shmem_ctx_, _put_signal_nbi))(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe)
#define shmem_put_signal_nbi(...) \
    AWGSTAR_SHMEM_9TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX_put_signal_nbi, AWGSTAR_SHMEM_PLAIN_put_signal_nbi, 0)(__VA_ARGS__)
#define shmem_set(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_OLD_EXTENDED(shmem_, _set))(dest, value, pe)
#define shmem_sum_reduce(team, dest, source, nreduce) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_SUMS(shmem_, _sum_reduce))(team, dest, source, nreduce)
#define shmem_sum_to_all(dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_OLD_SUMS(shmem_, _sum_to_all))(dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync)
#define shmem_swap(dest, value, pe) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_OLD_EXTENDED(shmem_, _swap))(dest, value, pe)
#define shmem_test(ivar, cmp, cmp_value) \
    _Generic(*(ivar), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _test), AWGSTAR_SHMEM_ANY_SHORTS(shmem_, _test))(ivar, cmp, cmp_value)
#define shmem_test_all(ivars, nelems, status, cmp, cmp_value) \
    _Generic(*(ivars), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _test_all))(ivars, nelems, status, cmp, cmp_value)
#define shmem_test_all_vector(ivars, nelems, status, cmp, cmp_values) \
    _Generic(*(ivars), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _test_all_vector))(ivars, nelems, status, cmp, cmp_values)
#define shmem_test_any(ivars, nelems, status, cmp, cmp_value) \
    _Generic(*(ivars), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _test_any))(ivars, nelems, status, cmp, cmp_value)
#define shmem_test_any_vector(ivars, nelems, status, cmp, cmp_values) \
    _Generic(*(ivars), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _test_any_vector))(ivars, nelems, status, cmp, cmp_values)
#define shmem_test_some(ivars, nelems, indices, status, cmp, cmp_value) \
    _Generic(*(ivars), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _test_some))(ivars, nelems, indices, status, cmp, cmp_value)
#define shmem_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values) \
    _Generic(*(ivars), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _test_some_vector))(ivars, nelems, indices, status, cmp, cmp_values)
#define shmem_wait(ivar, cmp_value) \
    _Generic(*(ivar), AWGSTAR_SHMEM_ANY_OLD_INTEGERS(shmem_, _wait))(ivar, cmp_value)
#define shmem_wait_until(ivar, cmp, cmp_value) \
    _Generic(*(ivar), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _wait_until), AWGSTAR_SHMEM_ANY_SHORTS(shmem_, _wait_until))(ivar, cmp, cmp_value)
#define shmem_wait_until_all(ivars, nelems, status, cmp, cmp_value) \
    _Generic(*(ivars), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _wait_until_all))(ivars, nelems, status, cmp, cmp_value)
#define shmem_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values) \
    _Generic(*(ivars), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _wait_until_all_vector))(ivars, nelems, status, cmp, cmp_values)
#define shmem_wait_until_any(ivars, nelems, status, cmp, cmp_value) \
    _Generic(*(ivars), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _wait_until_any))(ivars, nelems, status, cmp, cmp_value)
#define shmem_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values) \
    _Generic(*(ivars), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _wait_until_any_vector))(ivars, nelems, status, cmp, cmp_values)
#define shmem_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value) \
    _Generic(*(ivars), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _wait_until_some))(ivars, nelems, indices, status, cmp, cmp_value)
#define shmem_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values) \
    _Generic(*(ivars), AWGSTAR_SHMEM_ANY_ATOMICS(shmem_, _wait_until_some_vector))(ivars, nelems, indices, status, cmp, cmp_values)
#define shmem_xor_reduce(team, dest, source, nreduce) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_INTEGERS8(shmem_, _xor_reduce))(team, dest, source, nreduce)
#define shmem_xor_to_all(dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync) \
    _Generic(*(dest), AWGSTAR_SHMEM_ANY_OLD_INTEGERS(shmem_, _xor_to_all))(dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync)

/* Of a team, or of an active set. */
#define shmem_sync(...) \
    AWGSTAR_SHMEM_5TH(__VA_ARGS__, shmem_sync, shmem_sync, shmem_sync, shmem_team_sync, 0)(__VA_ARGS__)

#endif

#endif
