/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_shmem: tables of the types that functions of OpenSHMEM are made for.
 *
 * Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message
 * that names the function and the argument, and the run with code 1. The test
 * model/shmem/tests/header.rs writes this file. */
#ifndef AWGSTAR_SHMEM_TYPES_H
#define AWGSTAR_SHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#include <complex>
typedef std::complex<double> awgstar_shmem_complexd;
typedef std::complex<float> awgstar_shmem_complexf;
#else
typedef double _Complex awgstar_shmem_complexd;
typedef float _Complex awgstar_shmem_complexf;
#endif

#define AWGSTAR_SHMEM_ATOMICS(X) \
    X(int, int) X(long, long) X(longlong, long long) X(uint, unsigned int) X(ulong, unsigned long) \
    X(ulonglong, unsigned long long) X(int32, int32_t) X(int64, int64_t) X(uint32, uint32_t) X(uint64, uint64_t) \
    X(size, size_t) X(ptrdiff, ptrdiff_t)

#define AWGSTAR_SHMEM_BITWISE(X) \
    X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long) X(int32, int32_t) \
    X(int64, int64_t) X(uint32, uint32_t) X(uint64, uint64_t)

#define AWGSTAR_SHMEM_EXTENDED(X) \
    X(int, int) X(long, long) X(longlong, long long) X(uint, unsigned int) X(ulong, unsigned long) \
    X(ulonglong, unsigned long long) X(int32, int32_t) X(int64, int64_t) X(uint32, uint32_t) X(uint64, uint64_t) \
    X(size, size_t) X(ptrdiff, ptrdiff_t) X(float, float) X(double, double)

#define AWGSTAR_SHMEM_INTEGERS8(X) \
    X(uchar, unsigned char) X(ushort, unsigned short) X(uint, unsigned int) X(ulong, unsigned long) \
    X(ulonglong, unsigned long long) X(int8, int8_t) X(int16, int16_t) X(int32, int32_t) X(int64, int64_t) \
    X(uint8, uint8_t) X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t)

#define AWGSTAR_SHMEM_MEM(X) \
    X(mem, void)

#define AWGSTAR_SHMEM_OLD(X) \
    X(int, int) X(long, long) X(longlong, long long)

#define AWGSTAR_SHMEM_OLD_EXTENDED(X) \
    X(int, int) X(long, long) X(longlong, long long) X(float, float) X(double, double)

#define AWGSTAR_SHMEM_OLD_INTEGERS(X) \
    X(int, int) X(long, long) X(longlong, long long) X(short, short)

#define AWGSTAR_SHMEM_OLD_ORDERED(X) \
    X(int, int) X(long, long) X(longlong, long long) X(short, short) X(float, float) X(double, double) \
    X(longdouble, long double)

#define AWGSTAR_SHMEM_OLD_SUMS(X) \
    X(int, int) X(long, long) X(longlong, long long) X(short, short) X(float, float) X(double, double) \
    X(longdouble, long double) X(complexd, awgstar_shmem_complexd) X(complexf, awgstar_shmem_complexf)

#define AWGSTAR_SHMEM_RMA(X) \
    X(uchar, unsigned char) X(ushort, unsigned short) X(uint, unsigned int) X(ulong, unsigned long) \
    X(ulonglong, unsigned long long) X(int8, int8_t) X(int16, int16_t) X(int32, int32_t) X(int64, int64_t) \
    X(uint8, uint8_t) X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t) \
    X(float, float) X(double, double) X(char, char) X(schar, signed char) X(short, short) X(int, int) \
    X(long, long) X(longlong, long long) X(ptrdiff, ptrdiff_t) X(longdouble, long double)

#define AWGSTAR_SHMEM_SHORTS(X) \
    X(short, short) X(ushort, unsigned short)

#define AWGSTAR_SHMEM_SIZES(X) \
    X(8, void) X(16, void) X(32, void) X(64, void) X(128, void)

#define AWGSTAR_SHMEM_SUMS(X) \
    X(uchar, unsigned char) X(ushort, unsigned short) X(uint, unsigned int) X(ulong, unsigned long) \
    X(ulonglong, unsigned long long) X(int8, int8_t) X(int16, int16_t) X(int32, int32_t) X(int64, int64_t) \
    X(uint8, uint8_t) X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t) \
    X(float, float) X(double, double) X(char, char) X(schar, signed char) X(short, short) X(int, int) \
    X(long, long) X(longlong, long long) X(ptrdiff, ptrdiff_t) X(longdouble, long double) \
    X(complexd, awgstar_shmem_complexd) X(complexf, awgstar_shmem_complexf)

#define AWGSTAR_SHMEM_VALUES(X) \
    X(uchar, unsigned char) X(ushort, unsigned short) X(uint, unsigned int) X(ulong, unsigned long) \
    X(ulonglong, unsigned long long) X(int8, int8_t) X(int16, int16_t) X(int32, int32_t) X(int64, int64_t) \
    X(uint8, uint8_t) X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t) \
    X(float, float) X(double, double) X(char, char) X(schar, signed char) X(short, short) X(int, int) \
    X(long, long) X(longlong, long long) X(ptrdiff, ptrdiff_t) X(longdouble, long double)

#define AWGSTAR_SHMEM_WIDTHS(X) \
    X(32, void) X(64, void)

#endif
