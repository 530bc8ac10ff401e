//! The model checker: every run of the firmware on a small ring.
//!
//! * [`explore`]: all states that can be reached, breadth first, so that a run it shows is a shortest one.
//! * [`network`]: the ring between the nodes: frames in order on every link, losses, early timers,
//!   a slow node.

pub mod explore;
pub mod network;

pub use explore::{Report, System, Trace, explore};
pub use network::{Kind, Network, Profile, Property, Settings};
