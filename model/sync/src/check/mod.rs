// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model checker: every run of the firmware on a small ring.
//!
//! * [`explore`](mod@explore): all states that can be reached, breadth first, so that a run it
//!   shows is a shortest one; whether the end can be reached, and whether each fair run reaches it.
//! * [`paging`]: the same ring with the words of the shared memory in every replica.
//! * [`network`]: the ring between the nodes: frames in order on every link, losses, early timers,
//!   full mailboxes, a slow node, data beside the signals; what it does is set by [`settings`], and
//!   [`step`] tells a reader about it.

mod board;
pub mod explore;
mod fair;
pub mod network;
pub mod paging;
pub mod settings;
pub mod step;

pub use explore::{Checkable, Lasso, Report, Trace, explore, find};
pub use network::Network;
pub use settings::{Kind, Profile, Property, Settings};
pub use step::{DataStep, Step, What, Write, listing};
