// SPDX-License-Identifier: MIT OR Apache-2.0
//! Firmware: the synchronization primitives as state machines without input or output.
//!
//! A state machine takes an [`Event`] and gives [`Action`]s. It owns no clock, port or random source, so
//! the same object runs on the board's host port, on the cycle-accurate ring and in the model
//! checker ([`crate::check`]).

pub mod barrier;
pub mod join;
pub mod lock;
pub mod machine;
pub mod message;
pub mod onesided;
pub mod paging;
pub mod repairs;
pub mod states;

pub use machine::{Action, Event, Firmware, Timer};
pub use message::{Message, MessageError};
