// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fences, barriers and locks of one-sided programs (paper 001, section 3), as published and repaired.
//!
//! * [`barrier`]: the fence of all servers before a barrier, and the barrier that contains a fence.
//! * [`hybrid`]: the lock with tickets for local and a queue at the server for remote requests.
//! * [`queue`]: the lock as a queue of processes (MCS).
//! * [`ring`]: the queue lock on a ring of replicas.
//! * [`owner`]: accumulate and read-modify-write on a ring of replicas, by the owner of the word.
//!
//! A repair is a flag; without any of them a state machine is that of the paper, as far as the paper says.

pub mod barrier;
pub mod hybrid;
mod interface;
pub mod owner;
pub mod queue;
pub mod ring;

pub use hybrid::home;
pub use interface::{
    Access, Action, Client, End, Event, GroupError, Message, Misuse, Ring, Server, Turn,
};
