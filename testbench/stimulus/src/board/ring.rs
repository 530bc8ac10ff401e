// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run of a ring of boards.

use awgstar::quantity::Cycle;
use awgstar::ring::{BoardScenario, HostOp};

/// A ring of boards and what their hosts do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingRun {
    /// Boards, fibre, faults.
    pub scenario: BoardScenario,
    /// Operations of each host.
    pub hosts: Vec<Vec<HostOp>>,
    /// Length of the run.
    pub cycles: Cycle,
}
