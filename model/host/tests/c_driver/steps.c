/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One lock and one barrier, step by step: a word at 0xF00 says what to do, then the state is written to 0xF04.
 *   steps NODE ORDER RETRY FIRST TAG EPOCH EPISODE */
#include "model_bus.h"

#include <stdlib.h>

enum { POLL, ACQUIRE, RELEASE, ARRIVE };

int main(int count, char **words)
{
    static struct smb smb;
    static struct smb_lock lock;
    static struct smb_barrier barrier;
    if (count != 8) {
        return 2;
    }
    struct smb_config config = {
        .node_id = (uint8_t)atoi(words[1]), .tokens = 1, .order = (uint8_t)atoi(words[2]),
        .retry = (uint32_t)atoi(words[3]),
    };
    uint8_t members[32] = {0x1F};
    struct smb_bus bus = model_bus();
    if (smb_init(&smb, &bus, &config) < 0 || smb_lock_init(&smb, &lock, 0x01020304, (uint8_t)atoi(words[4])) < 0
        || smb_barrier_init(&smb, &barrier, 3, members) < 0) {
        return 1;
    }
    lock.tag = (uint16_t)atoi(words[5]);
    lock.epoch = (uint16_t)atoi(words[6]);
    barrier.episode = (uint16_t)atoi(words[7]);
    for (;;) {
        uint32_t what = 0;
        int result = 0;
        bus.read(NULL, 0xF00, &what);
        if (what == ACQUIRE) {
            result = smb_lock_acquire(&smb, &lock, 0);
        } else if (what == RELEASE) {
            result = smb_lock_release(&smb, &lock);
        } else if (what == ARRIVE) {
            result = smb_barrier_wait(&smb, &barrier, 0);
        } else {
            result = smb_poll(&smb);
        }
        uint32_t state[] = {
            (uint32_t)result, lock.caller, lock.tag, lock.here, lock.epoch, barrier.waiting, barrier.episode,
            lock.waiting_count,
        };
        for (unsigned i = 0; i < sizeof state / sizeof state[0]; i++) {
            bus.write(NULL, 0xF04, state[i], 0xF);
        }
        for (unsigned i = 0; i < lock.waiting_count; i++) {
            bus.write(NULL, 0xF04, (uint32_t)lock.waiting[i] << 16 | lock.latest[lock.waiting[i]], 0xF);
        }
        for (unsigned i = 0; i < 5; i++) {
            bus.write(NULL, 0xF04, barrier.heard[0] >> i & 1u, 0xF);
        }
        bus.write(NULL, 0xF08, 0, 0xF);
    }
}
