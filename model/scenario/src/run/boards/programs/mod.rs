// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs with locks and barriers on the boards of a scenario file: they run on the product's
//! firmware; plan, run and report.

mod report;
mod run;
mod text;

pub use report::{Episode, Hold, Report, Word};
pub(super) use run::DrivenBoards;
pub use run::{ProgramRun, Wrap};
