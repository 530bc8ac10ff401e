// SPDX-License-Identifier: MIT OR Apache-2.0
// The benchmark CG of the NAS Parallel Benchmarks, from its description: an estimate of the largest eigenvalue of a
// sparse matrix with a random pattern, by inverse iteration with conjugate gradients.
//
//     nas_cg CLASS [ITERATIONS] [-t]
//
// CLASS is S, W, A or B; fewer ITERATIONS than the class has are a short run, whose zeta has no official value. With
// -t nothing is printed that depends on the machine or on the number of threads.
//
// Sums are taken over parts in a fixed order, so that the result has the same bits with every number of threads. Each
// thread has the same parts in all loops: it writes its elements of the vectors, and reads all of `p` (or `z`) in a
// product with the matrix.
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As many as there can be threads.
#define PARTS 64
#define INNER 25
#define SMALLEST 0.1 // of the eigenvalues before the shift, about

static const struct class { char name; int rows, nonzeros, iterations; double shift, zeta; } classes[] = {
    {'S', 1400, 7, 15, 10, 8.5971775078648},
    {'W', 7000, 8, 15, 12, 10.362595087124},
    {'A', 14000, 11, 15, 20, 17.130235054029},
    {'B', 75000, 13, 75, 60, 22.712745482631},
};

// The matrix, by rows.
static int n, *first, *column;
static double *value;
static double *x, *z, *p, *q, *r;

static void *room(size_t count, size_t bytes)
{
    void *m = calloc(count, bytes);
    if (!m) {
        fprintf(stderr, "nas_cg: no memory for %zu times %zu bytes\n", count, bytes);
        exit(1);
    }
    return m;
}

// The generator of NAS: x = 5^13 x mod 2^46, as a number between 0 and 1.
static double next_random(uint64_t *seed)
{
    *seed = *seed * 1220703125u & ((1ull << 46) - 1);
    return (double)*seed * 0x1p-46;
}

static int in_order(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// The matrix is a sum of products v v^T, each weighted less than the one before, of sparse random vectors: the vector
// of row i has `nonzeros` random elements, and 1/2 at i.
static void make_matrix(const struct class *class)
{
    int most = class->nonzeros + 1, limit = 1;
    uint64_t seed = 314159265;
    n = class->rows;
    while (limit < n)
        limit *= 2;
    int *count = room(n, sizeof *count), *at = room((size_t)n * most, sizeof *at);
    double *element = room((size_t)n * most, sizeof *element), *weight = room(n, sizeof *weight);
    next_random(&seed);
    double w = 1, ratio = pow(SMALLEST, 1.0 / n);
    for (int i = 0; i < n; i++, w *= ratio) {
        int *place = at + (size_t)i * most, found = 0, k;
        double *v = element + (size_t)i * most;
        while (found < class->nonzeros) {
            double number = next_random(&seed);
            int j = (int)(limit * next_random(&seed));
            for (k = 0; k < found && place[k] != j; k++)
                ;
            if (j < n && k == found) {
                place[found] = j;
                v[found++] = number;
            }
        }
        for (k = 0; k < found && place[k] != i; k++)
            ;
        place[k] = i;
        v[k] = 0.5;
        count[i] = k == found ? found + 1 : found;
        weight[i] = w;
    }

    // Which vectors have an element in a row: vector i as number i * most + k of the element.
    int *start = room((size_t)n + 1, sizeof *start), *fill = room(n, sizeof *fill);
    int *vector = room((size_t)n * most, sizeof *vector);
    size_t bound = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < count[i]; k++)
            start[at[(size_t)i * most + k] + 1]++;
    for (int row = 0; row < n; row++)
        start[row + 1] += start[row];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < count[i]; k++) {
            int row = at[(size_t)i * most + k];
            vector[start[row] + fill[row]++] = i * most + k;
            bound += count[i];
        }

    first = room((size_t)n + 1, sizeof *first);
    column = room(bound, sizeof *column);
    value = room(bound, sizeof *value);
    double *sum = room(n, sizeof *sum);
    char *used = room(n, 1);
    int end = 0;
    for (int row = 0; row < n; row++) {
        int begin = first[row] = end;
        for (int m = start[row]; m < start[row + 1]; m++) {
            int i = vector[m] / most;
            double scale = weight[i] * element[vector[m]];
            for (int k = 0; k < count[i]; k++) {
                int j = at[(size_t)i * most + k];
                double add = element[(size_t)i * most + k] * scale;
                if (j == row && i == row)
                    add += SMALLEST - class->shift;
                if (!used[j])
                    column[end++] = j;
                used[j] = 1;
                sum[j] += add;
            }
        }
        qsort(column + begin, end - begin, sizeof *column, in_order);
        for (int k = begin; k < end; k++) {
            value[k] = sum[column[k]];
            sum[column[k]] = 0;
            used[column[k]] = 0;
        }
    }
    first[n] = end;
    free(count), free(at), free(element), free(weight), free(start), free(fill), free(vector), free(sum), free(used);
}

static int begin_of(int part)
{
    return (int)((int64_t)part * n / PARTS);
}

static double total(const double *part)
{
    double s = 0;
    for (int k = 0; k < PARTS; k++)
        s += part[k];
    return s;
}

#define EACH_PART _Pragma("omp for schedule(static)") for (int k = 0; k < PARTS; k++)
#define EACH_ROW for (int i = begin_of(k); i < begin_of(k + 1); i++)

static double row_times(int i, const double *v)
{
    double s = 0;
    for (int k = first[i]; k < first[i + 1]; k++)
        s += value[k] * v[column[k]];
    return s;
}

// Sums of parts. Between the reads of one and the next writes to it is the end of another loop, so that no thread
// writes what another still reads.
static double one[PARTS], two[PARTS], three[PARTS];

// z with A z = x, nearly; the norm of what is left. All threads call it.
static double solve(void)
{
    EACH_PART {
        double s = 0;
        EACH_ROW {
            z[i] = q[i] = 0;
            r[i] = p[i] = x[i];
            s += r[i] * r[i];
        }
        two[k] = s;
    }
    double rho = total(two);
    for (int step = 0; step < INNER; step++) {
        EACH_PART
            EACH_ROW
                q[i] = row_times(i, p);
        EACH_PART {
            double s = 0;
            EACH_ROW
                s += p[i] * q[i];
            one[k] = s;
        }
        double alpha = rho / total(one), before = rho;
        EACH_PART {
            double s = 0;
            EACH_ROW {
                z[i] += alpha * p[i];
                r[i] -= alpha * q[i];
                s += r[i] * r[i];
            }
            two[k] = s;
        }
        rho = total(two);
        double beta = rho / before;
        EACH_PART
            EACH_ROW
                p[i] = r[i] + beta * p[i];
    }
    EACH_PART {
        double s = 0;
        EACH_ROW {
            r[i] = row_times(i, z);
            s += (x[i] - r[i]) * (x[i] - r[i]);
        }
        three[k] = s;
    }
    return sqrt(total(three));
}

int main(int argc, char **argv)
{
    const struct class *class = NULL;
    int iterations = 0, only_results = 0, threads = 1;
    for (int a = 1; a < argc; a++) {
        if (strcmp(argv[a], "-t") == 0)
            only_results = 1;
        else if (class)
            iterations = atoi(argv[a]);
        else
            for (size_t c = 0; c < sizeof classes / sizeof *classes; c++)
                if (argv[a][0] == classes[c].name && !argv[a][1])
                    class = &classes[c];
    }
    if (!class || iterations < 0 || iterations > class->iterations) {
        fprintf(stderr, "usage: nas_cg S|W|A|B [ITERATIONS] [-t]\n");
        return 2;
    }
    if (!iterations)
        iterations = class->iterations;
    make_matrix(class);
    x = room(n, sizeof *x), z = room(n, sizeof *z), p = room(n, sizeof *p), q = room(n, sizeof *q);
    r = room(n, sizeof *r);
    for (int i = 0; i < n; i++)
        x[i] = 1;

    double zeta = 0, left = 0, seconds = 0;
#pragma omp parallel
    {
        double eigenvalue = 0, norm = 0, begin = omp_get_wtime();
        for (int turn = 0; turn < iterations; turn++) {
            norm = solve();
            EACH_PART {
                double with_x = 0, with_z = 0;
                EACH_ROW {
                    with_x += x[i] * z[i];
                    with_z += z[i] * z[i];
                }
                one[k] = with_x;
                two[k] = with_z;
            }
            double scale = 1 / sqrt(total(two));
            eigenvalue = class->shift + 1 / total(one);
            EACH_PART
                EACH_ROW
                    x[i] = scale * z[i];
        }
#pragma omp master
        {
            zeta = eigenvalue;
            left = norm;
            seconds = omp_get_wtime() - begin;
            threads = omp_get_num_threads();
        }
    }
    printf("class %c, %d rows, %d nonzeros, %d iterations\n", class->name, n, first[n], iterations);
    printf("residual %.13e\nzeta %.13f = %a\n", left, zeta, zeta);
    if (!only_results)
        printf("%d threads, %.6f s\n", threads, seconds);
    if (iterations < class->iterations)
        return 0;
    int right = fabs(zeta - class->zeta) <= 1e-10;
    printf("%s: official zeta %.13f\n", right ? "right" : "wrong", class->zeta);
    return !right;
}
