// SPDX-License-Identifier: MIT OR Apache-2.0
//! Software distributed shared memory: SCASH and FDSM (paper 003) as state machines without I/O.
//!
//! Each node has a copy of the shared memory and a state machine that says which pages its process may
//! read and write. An event goes in, actions come out; the caller sends, receives and protects pages.
//!
//! * [`scash`]: each page has a home, to which writers send what they changed.
//! * [`fdsm`]: the writers send what others will read, as they learned it before.
//! * [`check`]: every run of one of them on a small system.
#![forbid(unsafe_code)]

pub mod check;
pub mod fdsm;
mod interface;
mod locks;
pub mod memory;
pub mod notes;
pub mod pages;
pub mod ring;
pub mod scash;
pub mod spans;

pub use awgstar_request::Protection;
pub use interface::{Action, Coherence, Event, Misuse, Refused, Site};
