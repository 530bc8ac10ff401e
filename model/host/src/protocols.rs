// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of the firmware.

use awgstar_board::ring::boards::Engine;
use awgstar_frame::quantity::{Cycle, NodeId};
use awgstar_sync::firmware::paging::{Place, Repairs};
use awgstar_sync::firmware::{Firmware, Timer};

/// Selection of the firmware, with its retry timeout.
pub trait Protocols {
    /// State machine of a lock.
    type Lock: Firmware;
    /// State machine of the barrier.
    type Barrier: Firmware;

    /// The state machine of lock `number` on `node` of `nodes`.
    fn lock(&self, node: NodeId, nodes: usize, number: u32) -> Self::Lock;
    /// The state machine of barrier 0 on `node` of `nodes`.
    fn barrier(&self, node: NodeId, nodes: usize) -> Self::Barrier;
    /// The state machine of barrier `number` on `node` of `nodes`; `None` if the node has no such barrier.
    /// Asked for a number from 1 on when it is first used.
    fn numbered_barrier(&self, node: NodeId, nodes: usize, number: u8) -> Option<Self::Barrier> {
        (number == 0).then(|| self.barrier(node, nodes))
    }
    /// Locks and barriers that the engine of the board of `node` serves; `None` without one.
    fn engine(&self, node: NodeId, nodes: usize) -> Option<Engine> {
        let _ = (node, nodes);
        None
    }
    /// Role of `node` in the virtual shared memory, and the repairs; `None` without it.
    fn pages(&self, node: NodeId) -> Option<(Place, Repairs)> {
        let _ = node;
        None
    }
    /// Duration of a timer.
    fn cycles(&self, timer: Timer) -> Cycle;
}
