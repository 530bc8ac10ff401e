// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model checker: every run of the firmware on a small ring.
//!
//! * [`explore`](mod@explore): all states that can be reached, breadth first, so that a run it
//!   shows is a shortest one; whether the end can be reached, and whether each fair run reaches it.
//! * [`Network`]: the ring between the nodes: frames in order on every link, losses, early timers,
//!   full mailboxes, data beside the signals; [`step`] tells a reader about it.
//! * [`settings`]: locks and barriers on that ring.
//! * [`join`]: a board that joins while others write.
//! * [`paging`]: pages on that ring, with the words of the shared memory in every replica.

mod board;
pub mod explore;
mod fair;
pub mod join;
mod locks;
pub mod network;
pub mod onesided;
pub mod paging;
pub mod settings;
pub mod step;

pub use explore::{Checkable, Lasso, Report, Trace, explore, find};
pub use network::Network;
pub use settings::{Kind, Profile, Property, Settings};
pub use step::{Call, DataStep, Step, What, Write, listing};
