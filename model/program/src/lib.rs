// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes of the operating system as the processes on a modelled ring, one on each node.
//!
//! The launcher owns the ring. It shares a [`Slot`] of memory with each process. A process puts a call into
//! its slot and waits until the answer is there. [`Node`] is the process's end; [`Port`] is the launcher's,
//! and [`OnMachine`] makes it a process of any machine that takes requests. The ring
//! advances only while every process waits in a call, so a run is the same every time.
//! `docs/programs.md` describes the use.

mod call;
mod change;
mod computing;
mod error;
mod forked;
mod monitor;
mod node;
mod port;
mod process;
mod segment;

pub use awgstar_request::ProcessSignal;
pub use call::{COMPUTE_MAX, Call, Computing, LOCK_MAX, LOCKS, Lock, Machine, Rings};
pub use computing::count_block;
pub use error::CallError;
pub use forked::{Cause, Forked, Traffic};
pub use monitor::{Allocation, Fault, Monitor, Span, Usage};
pub use node::{Node, VARIABLE};
pub use port::{Life, Port, end, forked_slots, slots};
pub use process::OnMachine;
pub use segment::{Replica, Slot};
