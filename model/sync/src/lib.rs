// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks, barriers and shared memory virtualisation on a reflective-memory ring.
//!
//! * [`firmware`]: the protocols as state machines without I/O. An event and the time go in, actions
//!   come out; the caller sends and receives.
//! * [`record`]: what happened in a run of processes and servers, for text and waves.
//! * [`check`]: a model checker that tries every order of events on small rings.
#![forbid(unsafe_code)]

pub mod check;
pub mod firmware;
pub mod record;
