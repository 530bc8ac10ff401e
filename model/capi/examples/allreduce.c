/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sum of a vector over all nodes, in two ways: each node writes its part and reads all others (what a
 * replicated memory is good at), and around a ring of neighbours as with message passing. Both give the same.
 *
 *     awgstar run -n 4 -- ./allreduce 64
 */
#include <awgstar.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int error, const char *what) {
    if (error) {
        fprintf(stderr, "node %d: %s: %s\n", awg_node(), what, awg_error(error));
        exit(1);
    }
}

int main(int argc, char **argv) {
    uint32_t length = argc > 1 ? (uint32_t)atol(argv[1]) : 64;
    check(awg_init(), "awg_init");
    uint32_t node = (uint32_t)awg_node(), nodes = (uint32_t)awg_nodes(), bytes = 4 * length;
    uint32_t *own = malloc(bytes), *sum = malloc(bytes), *part = malloc(bytes), parts;
    if (!own || !sum || !part || !length) return 2;
    check(awg_alloc((size_t)bytes * nodes, &parts), "awg_alloc");
    for (uint32_t i = 0; i < length; i++) own[i] = node * length + i;

    /* All to all: a frame reaches every replica on its way round, so each part is sent once. */
    check(awg_barrier(), "awg_barrier");
    uint64_t start = awg_now();
    check(awg_write(parts + bytes * node, own, bytes), "awg_write");
    check(awg_barrier(), "awg_barrier");
    for (uint32_t i = 0; i < length; i++) sum[i] = 0;
    for (uint32_t from = 0; from < nodes; from++) {
        check(awg_read(parts + bytes * from, part, bytes), "awg_read");
        for (uint32_t i = 0; i < length; i++) sum[i] += part[i];
    }
    check(awg_barrier(), "awg_barrier");
    uint64_t direct = awg_now() - start;

    /* Around: each step passes what came from the left neighbour on to the right. */
    start = awg_now();
    uint32_t wrong = 0, *passed = own;
    for (uint32_t i = 0; i < length; i++) part[i] = own[i];
    for (uint32_t step = 1; step < nodes; step++) {
        check(awg_write(parts + bytes * node, passed, bytes), "awg_write");
        check(awg_barrier(), "awg_barrier");
        check(awg_read(parts + bytes * ((node + nodes - 1) % nodes), part, bytes), "awg_read");
        for (uint32_t i = 0; i < length; i++) {
            sum[i] -= part[i];
            own[i] = part[i];
        }
        check(awg_barrier(), "awg_barrier");
    }
    /* What is left is this node's own part. */
    for (uint32_t i = 0; i < length; i++) wrong += sum[i] != node * length + i;
    uint64_t around = awg_now() - start;
    if (wrong) printf("node %u: %u wrong\n", node, wrong);
    if (node == 0)
        printf("%u words on %u nodes: all to all %llu ns, around %llu ns\n", length, nodes,
               (unsigned long long)direct, (unsigned long long)around);
    check(awg_finalize(), "awg_finalize");
    free(own);
    free(sum);
    free(part);
    return wrong ? 1 : 0;
}
