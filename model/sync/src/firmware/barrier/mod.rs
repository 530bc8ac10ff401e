//! Barriers: nobody passes before all have arrived (thesis 5.3).
//!
//! * [`MasterWorker`]: a master counts arrivals (5.3.1), as printed and repaired.
//! * [`Distributed`]: who arrives first counts them (5.3.2), as printed and repaired.
//! * [`Ring`]: each node counts for itself; the thesis has none like it.
//!
//! An *episode* is one use of the barrier: all arrive in it, then all pass. Episodes are numbered
//! modulo 2^16. No two processes are more than one apart: to arrive in e + 1 a process has passed e,
//! for which all had arrived in e. So an episode is compared only with the ones before and behind it,
//! and a number comes again long after the last frame that carried it has gone.
//!
//! What holds in every run within the bounds of the checker: BAR-1 to BAR-6.
//!
//! Frames carry no number of a barrier: a ring has one barrier of each kind at a time.

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
