// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hosts with another driver than that of this crate: firmware under test.

use awgstar_board::ring::{HostOp, HostResult};
use awgstar_frame::quantity::Cycle;

/// A host that makes the accesses to its board itself, from the reset of the board on.
pub trait CustomHost: Send {
    /// Takes the results of the last accesses and returns the next ones; without any it is asked again in the
    /// next cycle.
    fn next(&mut self, cycle: Cycle, results: &[HostResult]) -> Vec<HostOp>;

    /// The work is done; the host may make accesses all the same.
    fn ended(&self) -> bool;
}
