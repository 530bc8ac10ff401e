// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lock and barrier engine of a board that has none (`ENGINE_NODE_W = 0`).

use awgstar_board::rtl::state::State;
use awgstar_board::rtl::{Parameters, SyncEngine, sync_engine};

/// A reset leaves nothing of the registers that it sets, whatever they were before. The model kept them, because
/// nothing is computed for an engine that is off; a lockstep in which it took its state from the design did not see it.
#[test]
fn a_reset_reaches_an_engine_that_is_off() {
    let mut engine = SyncEngine::new(&Parameters::DEFAULT);
    engine.unpack(&[u32::MAX; SyncEngine::WORDS]);
    assert_ne!(engine.u_lock.held_q, 0);
    engine.clock(&sync_engine::Inputs { rst: true, ..sync_engine::Inputs::default() });
    let lock = &engine.u_lock;
    assert_eq!((lock.state_q, lock.held_q, lock.right_q, lock.want_q), (0, 0, 0, 0));
    assert_eq!((lock.asking_q, lock.out_valid_q, lock.u_list.some_q), (0, false, 0));
    let barrier = &engine.u_barrier;
    assert_eq!((barrier.state_q, barrier.waiting_q, barrier.live_q, barrier.age_q), (0, 0, 0, 0));
    let router = &engine.u_router;
    assert_eq!((router.mine_q, router.room_q, router.kind_q, router.tag_q), (false, false, 0, 0));
}
