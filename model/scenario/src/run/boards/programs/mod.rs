// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs with locks and barriers on the boards of a scenario file: they run on the product's
//! firmware; plan, run and report.

mod report;
mod run;
mod text;

pub use report::{Episode, Hold, Report, Word};
pub(super) use run::DrivenBoards;
pub use run::{ProgramRun, Wrap};

use crate::run::script::Script;
use awgstar::host::Choice;
use awgstar::quantity::Cycle;

/// Programs of the boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    /// The firmware of every board.
    pub choice: Choice,
    /// Cycles that each host takes before it looks at what its board reports.
    pub slow: Vec<Cycle>,
    /// The program of each board; none: its firmware serves the others.
    pub scripts: Vec<Option<Script>>,
}
