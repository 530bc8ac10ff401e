/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The queue lock of paper 001, figure 5, as a program: pointers are pairs of process and address, and the lock is
 * taken and released by swap and by compare and swap of pairs. A counter under the lock shows a lost update.
 *
 *     awgstar run -n 4 -- ./mcs 20
 *
 * Three fences are not in the figure: its words `next` and `locked` have two writers each, so what their owner has
 * written must be in place before another one can write; and what the holder has put must be in place before the next
 * one enters.
 */
#include <armci.h>
#include <armcix.h>
#include <awgstar_armci.h>
#include <stdio.h>
#include <stdlib.h>

/* What a process has for the lock. */
typedef struct {
    awgstar_armci_pair_t lock; /* last process of the queue; at process 0 */
    awgstar_armci_pair_t next;
    long locked;
    long counter; /* at process 0 */
} node_t;

static const awgstar_armci_pair_t none = {0, 0};
static node_t **node;
static int me;

static int same(awgstar_armci_pair_t a, awgstar_armci_pair_t b) {
    return a.first == b.first && a.second == b.second;
}

static awgstar_armci_pair_t own(void) {
    awgstar_armci_pair_t pointer = {me, (long)node[me]};
    return pointer;
}

static void acquire(void) {
    awgstar_armci_pair_t pointer = own(), before;
    long locked = 1;
    ARMCI_Put((void *)&none, &node[me]->next, sizeof none, me);
    ARMCI_Put(&locked, &node[me]->locked, sizeof locked, me);
    ARMCI_AllFence();
    AWGSTAR_ARMCI_Swap_pair(&before, &pointer, &node[0]->lock, 0);
    if (same(before, none)) return;
    ARMCI_Put(&pointer, &((node_t *)before.second)->next, sizeof pointer, (int)before.first);
    while (ARMCI_GetValueLong(&node[me]->locked, me)) ARMCIX_Progress();
}

static awgstar_armci_pair_t next(void) {
    awgstar_armci_pair_t pointer;
    AWGSTAR_ARMCI_Fetch_pair(&pointer, &node[me]->next, me);
    return pointer;
}

static void release(void) {
    ARMCI_AllFence();
    awgstar_armci_pair_t pointer = own(), found, after = next();
    if (same(after, none)) {
        AWGSTAR_ARMCI_Compare_swap_pair(&found, &pointer, &none, &node[0]->lock, 0);
        if (same(found, pointer)) return;
        while (same(after = next(), none)) continue;
    }
    ARMCI_PutValueLong(0, &((node_t *)after.second)->locked, (int)after.first);
}

int main(int argc, char **argv) {
    ARMCI_Init();
    me = armci_msg_me();
    int processes = armci_msg_nproc(), times = argc > 1 ? atoi(argv[1]) : 20;
    node = malloc((size_t)processes * sizeof *node);
    ARMCI_Malloc((void **)node, sizeof(node_t));
    ARMCI_Access_begin(node[me]);
    *node[me] = (node_t){none, none, 0, 0};
    ARMCI_Access_end(node[me]);
    ARMCI_Barrier();
    for (int i = 0; i < times; i++) {
        acquire();
        long counter = ARMCI_GetValueLong(&node[0]->counter, 0);
        ARMCI_PutValueLong(counter + 1, &node[0]->counter, 0);
        release();
    }
    ARMCI_Barrier();
    long counter = ARMCI_GetValueLong(&node[0]->counter, 0);
    if (me == 0) printf("%d processes, %d times each: the counter is %ld\n", processes, times, counter);
    ARMCI_Free(node[me]);
    free(node);
    ARMCI_Finalize();
    return counter == (long)times * processes ? 0 : 1;
}
