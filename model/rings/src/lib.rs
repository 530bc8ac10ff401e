// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gateways between rings of reflective memory (paper 004) as state machines without I/O.
//!
//! A gateway is a node of a ring with links to gateways of other rings. Its firmware polls the words of
//! *channels* in the memory of its ring, and carries far reads, writes, barriers and locks over its links.
//! An event and the memory of the node go in, actions come out; the caller stores, sends and receives.
//!
//! * [`client`]: a process of a ring, at its end of a channel.
//! * [`gateway`]: requests of its ring, requests for its ring, those that it passes on, and the barrier of all rings;
//!   a standby takes over.
//! * [`lock`]: the lock of all rings; [`station`]: a ring of gateways; [`standby`]: reflected frames.
//! * [`check`]: every run of them on small systems.
//!
//! In [`machine`] they are the firmware of hosts on rings of boards, each cycle-accurate; in [`clusters`] they are
//! processes on the paper's own machine.
#![forbid(unsafe_code)]

mod barrier;
mod cache;
pub mod check;
pub mod client;
pub mod clusters;
pub mod gateway;
mod home;
mod interface;
mod layout;
mod line;
pub mod lock;
pub mod machine;
mod near;
pub mod repairs;
pub mod standby;
pub mod station;
mod turns;
mod window;
mod words;

pub use barrier::Neighbours;
pub use home::Homing;
pub use interface::{About, Action, Answer, Block, Frame, Memory, Message, Order, Request, Turn};
pub use layout::{Layout, LayoutError};
pub use line::{Cache, Note, Says};
pub use window::Window;
pub use words::{Codes, Head, Operation, Requester, RingNumber, Slot, Status, Word, number};

/// The page whose Rust is compiled and run by the documentation tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../docs/ring-of-rings.md")]
    mod rings {}
}
