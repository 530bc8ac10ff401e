// SPDX-License-Identifier: MIT OR Apache-2.0
//! Use of the lock and barrier engine of a board.

use awgstar_frame::contract::Order;
use awgstar_frame::quantity::Cycle;
use awgstar_sync::firmware::barrier::Nodes;

/// Locks and barriers of a node that the engine of its board serves instead of firmware.
///
/// The engine is the ring queue lock and the ring barrier; the firmware of other nodes must be the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Bit l: lock l.
    pub locks: u16,
    /// Bit l: the board owns lock l at the start; just one board of the ring does.
    pub first: u16,
    /// Members of barrier 0, 1 and so on; 8 barriers at most.
    pub barriers: Vec<Nodes>,
    /// Order of unlocks and arrivals relative to data written before.
    pub order: Order,
    /// What is not answered is sent again after one to two such periods; 2^24 cycles at most.
    pub retry: Cycle,
}
