// SPDX-License-Identifier: MIT OR Apache-2.0
//! Barriers: no process passes before all have arrived (thesis 5.3).
//!
//! * [`MasterWorker`]: a master counts arrivals (5.3.1), as published and repaired.
//! * [`Distributed`]: the first process to arrive counts them (5.3.2), as published and repaired.
//! * [`Ring`]: each node counts for itself; not in the thesis.
//!
//! An *episode* is one use of the barrier: all arrive in it, then all pass. Episodes are numbered
//! modulo 2^16. No two processes are more than one episode apart: to arrive in e + 1 a process has
//! passed e, for which all had arrived in e. So an episode is compared only with the previous and
//! the next one, and a number is used again long after the last frame that carried it has gone.
//!
//! BAR-1 to BAR-6 hold in every run within the bounds of the checker; BAR-7: a ring barrier has a number.
//!
//! Frames of the ring barrier carry its number, so a ring has up to 256 of them, each with members of
//! its own. Frames of the other two carry none: a ring has one of each.

pub mod distributed;
pub mod master_worker;
mod member;
mod nodes;
pub mod ring;
pub mod watch;

pub use distributed::{DistRepairs, Distributed};
pub use master_worker::{MasterWorker, MwRepairs};
pub use member::Member;
pub use nodes::Nodes;
pub use ring::Ring;
