// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of boards from a scenario file: what hosts do, what goes wrong, and the outcome
//! (RING-1 to RING-3, HST, WRT, ACK, SND, RCV, MON, IRQ).
//!
//! ```
//! use awgstar_scenario::{run::boards::{BoardsReport, BoardsRun}, scenario};
//!
//! let text = r#"
//! system = "board-ring"
//! nodes = 3
//! cycles = 20000
//! [[program]]
//! nodes = 1
//! do = [{ write = 0x100, text = "shared" }]
//! "#;
//! let plan = scenario::read_boards("example.toml", text)?;
//! let run = BoardsRun::new(&plan, &mut |_| ())?;
//! assert!(BoardsReport::new(&plan, &run).holds());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod act;
mod host;
mod job;
mod look_ahead;
mod picture;
mod plan;
pub mod programs;
mod replicas;
mod report;
mod router;
mod run;
mod text;
mod words;
mod written;

pub use super::lost::Lost;
pub use act::{Act, Gives};
pub use host::{ActResult, Ending, Message};
pub use look_ahead::{FrameStart, InjectedFault};
pub use plan::{BoardsPlan, FrameFilter, Hit, Programs, Reset, Router, Settings};
pub use replicas::{Differ, Replicas};
pub use report::BoardsReport;
pub use router::Event;
pub use run::{BoardsRun, Observer, ProcessRing, Stepper, first_difference};
pub use written::WrittenBytes;
