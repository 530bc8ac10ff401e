// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards that a router loses.

use awgstar::quantity::Cycle;
use awgstar::ring::star::recovery::Loss;

/// A board that is lost to the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    pub board: usize,
    /// Kind of loss.
    pub loss: Loss,
    /// First cycle of the loss.
    pub at: Cycle,
    /// Cycle in which the board returns: empty, in reset, to be inserted again.
    pub until: Option<Cycle>,
}
