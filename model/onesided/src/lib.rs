// SPDX-License-Identifier: MIT OR Apache-2.0
//! The layer below ARMCI and `OpenSHMEM`: symmetric memory on a modelled machine.
//!
//! The shared memory of the machine is divided among the ranks: each has a [segment](World::heap). Its owner loads
//! and stores there through pointers, which takes no time on the machine. Others reach it by [`World::put`],
//! [`World::get`], [`World::update`] and [`World::accumulate`]. What the owner has stored is published when it
//! waits: the machine advances only then.

#![deny(unsafe_code)]

mod channels;
mod collective;
mod error;
mod layout;
mod locks;
#[expect(unsafe_code, reason = "mappings of the segment")]
mod memory;
mod world;

pub use awgstar_request::{Kind, Op, UPDATE_BYTES, Update};
pub use collective::Group;
pub use error::Error;
pub use memory::PAGE;
pub use world::{Place, WATCHED_BYTES, World};
