// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings, result and errors of a recovery run.

use super::super::change::{Change, Times};
use crate::ring::boards::configure;
use crate::ring::{HostOp, ScenarioError};
use awgstar_frame::quantity::{Cycle, NodeId, narrow};
use thiserror::Error;

/// Bytes of the shared memory that the hosts share out.
pub(super) const MEMORY: usize = 16_384;
/// Words of a free token and the idle word after it.
pub(super) const TOKEN: Cycle = Cycle(17);

/// Kind of loss of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The board loses power.
    Power,
    /// The board's light does not reach the router: fault of laser, fibre or input port.
    Uplink,
    /// The board gets no light from the router: fault of output port, fibre or receiver.
    Downlink,
}

/// A run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Boards, 2 to 32.
    pub boards: usize,
    /// Cycles of each fibre, up to the router and down from it.
    pub fibre: u32,
    pub tokens: u8,
    /// The controller's.
    pub times: Times,
    /// The board that is lost.
    pub board: usize,
    /// Kind of loss.
    pub loss: Loss,
    /// Cycles after the ring is up.
    pub at: Cycle,
    /// Cycles after the bypass at which the board returns.
    pub returns: Option<Cycle>,
    /// Mean cycles between two writes of a host.
    pub pause: u32,
    /// Seed of the random words that hosts write, and of their times.
    pub seed: u64,
}

impl Case {
    /// A ring of `boards` with 10 m of fibre between two of them, whose board `board` loses its power.
    #[must_use]
    pub fn new(boards: usize, board: usize) -> Self {
        let fibre = 2;
        Case {
            boards,
            fibre,
            tokens: Case::tokens(boards, fibre),
            times: Times::default(),
            board,
            loss: Loss::Power,
            at: Cycle(3_000),
            returns: None,
            pause: 1_500,
            seed: 1,
        }
    }

    /// As many tokens as fit on the ring without one of its boards, 1 to 16: the census counts no more
    /// (MON-5).
    #[must_use]
    pub fn tokens(boards: usize, fibre: u32) -> u8 {
        let left = boards.saturating_sub(1) as u64 * (4 + 2 * u64::from(fibre));
        narrow((left / TOKEN.0).saturating_sub(1).clamp(1, 16))
    }

    /// Cycles of a rotation of an empty ring.
    #[must_use]
    pub fn rotation(&self) -> Cycle {
        Cycle(self.boards as u64 * (4 + 2 * u64::from(self.fibre)))
    }

    /// `TIMEOUT` of every board: a rotation, and frames that wait in every node on the way.
    #[must_use]
    pub fn timeout(&self) -> u32 {
        narrow(self.rotation().0 + 512 * self.boards as u64 + 1_000)
    }

    /// `PERIOD` of every board.
    #[must_use]
    pub fn period(&self) -> u32 {
        narrow(4 * self.rotation().0 + 2_000)
    }
}

/// Result of a run. Times are in cycles after the loss.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The lost board was the monitor.
    pub monitor_lost: bool,
    /// A receiver said that it has no light.
    pub dark: Cycle,
    /// All receivers have light again.
    pub light: Cycle,
    /// From here on there is exactly one monitor.
    pub monitor: Cycle,
    /// The last token was made or dropped; not before `light`.
    pub tokens: Cycle,
    /// The first write of any host that was acknowledged after `light`.
    pub first_write: Cycle,
    /// All writes that waited when the light returned are acknowledged.
    pub all_writes: Cycle,
    /// The area of the lost board is the same everywhere.
    pub reconciled: Cycle,
    /// Light goes through the returned board.
    pub inserted: Option<Cycle>,
    /// All boards have received the returned board's `sync`.
    pub synced: Option<Cycle>,
    /// The replica of the returned board is complete.
    pub restored: Option<Cycle>,
    /// Words that hosts wrote and boards took.
    pub accepted: u64,
    /// Words that boards refused because no frame returned.
    pub refused: u64,
    /// Words of the lost board that were not confirmed when it got lost, and how many of those all
    /// boards have all the same.
    pub unconfirmed: u64,
    /// See `unconfirmed`.
    pub survived: u64,
    /// Times that boards went back to send again.
    pub resent: u64,
    /// Tokens that were made, and dropped, after the loss.
    pub made: u64,
    /// See `made`.
    pub dropped: u64,
    /// Events of the controller.
    pub events: Vec<(Cycle, Change)>,
}

/// Error of a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecoveryError {
    /// The scenario is invalid.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A board that is not there.
    #[error("board: expected one below {boards}, found {found}")]
    Board {
        /// Boards of the ring.
        boards: usize,
        /// The board that was asked for.
        found: usize,
    },
    /// Something does not happen.
    #[error("cycle {cycle}: expected {what}, and it did not come")]
    Never {
        /// When the run was stopped.
        cycle: Cycle,
        /// The condition that was not met.
        what: &'static str,
    },
    /// Something is not as it must be.
    #[error("cycle {cycle}: {what}")]
    Wrong {
        /// When it was found.
        cycle: Cycle,
        /// Description: what differs, expected and found.
        what: String,
    },
}

impl Case {
    /// Operations that configure board `i`.
    pub(super) fn set_up(&self, i: usize) -> Vec<HostOp> {
        configure(NodeId::at(i), self.tokens, self.timeout(), self.period())
    }
}
