// SPDX-License-Identifier: MIT OR Apache-2.0
//! Trace of a run, for drawings and summaries: frames on the links of a ring and what every node
//! did with them (NODE-1 to NODE-7, NODE-12, NODE-16, NODE-18).
//!
//! A [`Recorder`] looks at every node just before each edge, with
//! [`Ring::step_observed`](crate::ring::Ring::step_observed):
//!
//! ```
//! use awgstar_board::ring::{Ring, Scenario};
//! use awgstar_board::trace::Recorder;
//! use awgstar_frame::quantity::Cycle;
//!
//! let mut ring = Ring::new(&Scenario::new(3, 1, Cycle(400)))?;
//! let mut recorder = Recorder::new(3);
//! while !ring.done() {
//!     let cycle = ring.cycle();
//!     ring.step_observed(&mut |n, node, i, o| recorder.cycle(cycle, n, node, i, o));
//! }
//! let trace = recorder.finish();
//! let free = &trace.links[0][0];
//! assert_eq!(free.end - free.begin, Cycle(15));
//! # Ok::<(), awgstar_board::ring::ScenarioError>(())
//! ```

mod event;
mod link;
mod node;
mod recorder;

pub use event::{Event, Identity, Kind};
pub use link::{Fate, Flight};
pub use recorder::{Recorder, Trace};
