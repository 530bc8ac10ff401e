// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs with locks and barriers on the boards of a scenario file: they run on the product's
//! firmware; plan, run and report.

mod process;
mod report;
mod run;
mod text;

pub(super) use process::Log;
pub use process::{Read, Runner, Trouble};
pub use report::{Episode, Hold, Report, Word};
pub(super) use run::DrivenBoards;
pub use run::{ProgramRun, Wrap};

use awgstar::host::{Ask, Choice};
use awgstar::quantity::{ByteAddress, Cycle};

/// Programs of the boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    /// The firmware of every board.
    pub choice: Choice,
    /// Cycles that each host takes before it looks at what its board reports.
    pub slow: Vec<Cycle>,
    /// The program of each board, one part after the other; none: its firmware serves the others.
    pub parts: Vec<Vec<Part>>,
}

/// A part of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Not before this cycle.
    pub at: Cycle,
    /// Steps of the program.
    pub steps: Vec<Step>,
}

/// A step of a program. Addresses are in bytes, multiples of 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Asks for this.
    Ask(Ask),
    /// Reads a word for the report, which must be this one.
    Read(ByteAddress, Option<u32>),
    /// Reads a word and writes it with this added, modulo 2^32.
    Add(ByteAddress, u32),
}

impl Step {
    /// The word that it reads or writes.
    #[must_use]
    pub fn word(self) -> Option<ByteAddress> {
        match self {
            Step::Ask(Ask::Write(addr, _)) | Step::Read(addr, _) | Step::Add(addr, _) => Some(addr),
            Step::Ask(_) => None,
        }
    }
}
