/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Wrong use of OpenSHMEM: each case ends the run with a message. PE 0 does it; the others wait. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long word, words[8], lock, full;
static uint64_t sig;
static int four[2];

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "";
    long local[4] = {0};
    shmem_team_t team;
    shmem_ctx_t ctx;
    if (!strcmp(what, "before"))
        shmem_barrier_all();
    shmem_init();
    int me = shmem_my_pe();
    /* Cases of all PEs. */
    if (!strcmp(what, "sizes"))
        shmem_malloc(8 + 8 * (size_t)me);
    if (!strcmp(what, "heap")) {
        void *both = shmem_malloc(8);
        if (me == 0)
            shmem_malloc(8);
        shmem_free(both);
    }
    if (!strcmp(what, "nreduce"))
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, words, words, me ? 2 : 1);
    if (!strcmp(what, "fcollect"))
        shmem_long_fcollect(SHMEM_TEAM_WORLD, words, words + 4, me ? 2 : 1);
    if (!strcmp(what, "free"))
        shmem_free(&word);
    if (!strcmp(what, "alignment"))
        shmem_align(12, 8);
    if (!strcmp(what, "root"))
        shmem_long_broadcast(SHMEM_TEAM_WORLD, words, words + 4, 1, 3);
    if (!strcmp(what, "local source"))
        shmem_long_broadcast(SHMEM_TEAM_WORLD, words, local, 1, 0);
    if (!strcmp(what, "local dest"))
        shmem_long_max_reduce(SHMEM_TEAM_WORLD, local, words, 1);
    if (!strcmp(what, "collective stride"))
        shmem_long_alltoalls(SHMEM_TEAM_WORLD, words, words + 4, 1, 0, 1);
    if (!strcmp(what, "after")) {
        shmem_finalize();
        shmem_quiet();
    }
    if (!strcmp(what, "held")) {
        if (me == 0)
            shmem_set_lock(&lock);
        shmem_finalize();
    }
    if (!strcmp(what, "work"))
        for (int i = 0; i < 1000; i++) {
            shmem_long_atomic_inc(&word, i % 3);
            shmem_set_lock(&lock);
            shmem_clear_lock(&lock);
            shmem_barrier_all();
        }
    if (me != 0 && strcmp(what, "nothing") && strcmp(what, "implicit"))
        shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
    if (!strcmp(what, "twice"))
        shmem_init();
    if (!strcmp(what, "pe"))
        shmem_long_p(&word, 1, 3);
    if (!strcmp(what, "negative"))
        shmem_long_g(&word, -1);
    if (!strcmp(what, "local"))
        shmem_long_p(local, 1, 1);
    if (!strcmp(what, "null"))
        shmem_long_put(words, NULL, 1, 1);
    if (!strcmp(what, "null remote"))
        shmem_long_get(local, NULL, 1, 1);
    if (!strcmp(what, "beyond"))
        shmem_long_put(shmem_ptr(words, 0), local, 1 << 20, 1);
    if (!strcmp(what, "many"))
        shmem_putmem(words, local, (size_t)-1, 1);
    if (!strcmp(what, "stride"))
        shmem_long_iput(words, local, 0, 1, 2, 1);
    if (!strcmp(what, "strided"))
        shmem_long_iget(local, words, 1, 1 << 20, 2, 1);
    if (!strcmp(what, "signal"))
        shmem_long_put_signal(words, local, 1, &sig, 1, 2, 1);
    if (!strcmp(what, "signal place"))
        shmem_long_put_signal(words, local, 1, (uint64_t *)local, 1, SHMEM_SIGNAL_SET, 1);
    if (!strcmp(what, "unaligned"))
        shmem_long_atomic_inc((long *)((char *)words + 4), 1);
    if (!strcmp(what, "atomic"))
        shmem_int_atomic_fetch(four, 7);
    if (!strcmp(what, "fetch"))
        shmem_long_atomic_fetch_nbi(NULL, &word, 1);
    if (!strcmp(what, "cmp"))
        shmem_long_wait_until(&word, 6, 1);
    if (!strcmp(what, "wait"))
        shmem_long_wait_until(local, SHMEM_CMP_NE, 0);
    if (!strcmp(what, "waits"))
        shmem_long_wait_until_any(local, 2, NULL, SHMEM_CMP_NE, 0);
    if (!strcmp(what, "values"))
        shmem_long_wait_until_all_vector(words, 2, NULL, SHMEM_CMP_NE, NULL);
    if (!strcmp(what, "indices"))
        shmem_long_wait_until_some(words, 2, NULL, NULL, SHMEM_CMP_EQ, 0);
    if (!strcmp(what, "lock twice")) {
        shmem_set_lock(&lock);
        shmem_test_lock(&lock);
    }
    if (!strcmp(what, "unlock"))
        shmem_clear_lock(&lock);
    if (!strcmp(what, "full")) {
        full = 1L << 40;
        shmem_set_lock(&full);
    }
    if (!strcmp(what, "team"))
        shmem_team_sync(SHMEM_TEAM_INVALID);
    if (!strcmp(what, "world"))
        shmem_team_destroy(SHMEM_TEAM_WORLD);
    if (!strcmp(what, "translate"))
        shmem_team_translate_pe(SHMEM_TEAM_WORLD, 3, SHMEM_TEAM_SHARED);
    if (!strcmp(what, "xrange"))
        shmem_team_split_2d(SHMEM_TEAM_WORLD, 0, NULL, 0, &team, NULL, 0, &team);
    if (!strcmp(what, "mask"))
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 2, &team);
    if (!strcmp(what, "config"))
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, SHMEM_TEAM_NUM_CONTEXTS, &team);
    if (!strcmp(what, "options"))
        shmem_ctx_create(8, &ctx);
    if (!strcmp(what, "ctx"))
        shmem_ctx_long_p(SHMEM_CTX_INVALID, &word, 1, 1);
    if (!strcmp(what, "destroyed")) {
        shmem_ctx_create(0, &ctx);
        shmem_ctx_destroy(ctx);
        shmem_ctx_quiet(ctx);
    }
    if (!strcmp(what, "default"))
        shmem_ctx_destroy(SHMEM_CTX_DEFAULT);
    if (!strcmp(what, "start"))
        shmem_barrier(3, 0, 1, NULL);
    if (!strcmp(what, "active"))
        shmem_barrier(0, 1, 3, NULL);
    if (!strcmp(what, "log"))
        shmem_barrier(0, 64, 1, NULL);
    if (!strcmp(what, "member"))
        shmem_barrier(1, 0, 2, NULL);
    if (!strcmp(what, "nreduce old"))
        shmem_long_sum_to_all(words, words, -1, 0, 0, 1, NULL, NULL);
    if (!strcmp(what, "info"))
        shmem_info_get_name(NULL);
    if (!strcmp(what, "global"))
        shmem_global_exit(9);
    if (!strcmp(what, "global zero"))
        shmem_global_exit(0);
    if (me == 0 && !strcmp(what, "nothing"))
        printf("%s: it comes back\n", what);
    if (!strcmp(what, "implicit"))
        exit(0);
    shmem_finalize();
    return 0;
}
