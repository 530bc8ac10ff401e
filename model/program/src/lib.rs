// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes of the operating system as the processes on a modelled ring, one on each node.
//!
//! The launcher owns the ring. A process speaks to it through a [`Segment`]: memory that both map, with
//! one slot for each node. A call is put into the slot, and its process waits until the answer is there.
//! [`Remote`] is the launcher's end, a [`Process`](awgstar_host::Process) of the driven ring; [`Node`] is
//! the process's end. The ring advances only while every process waits in a call, so a run is the same
//! every time. `docs/programs.md` describes the use.

mod call;
mod node;
mod remote;
mod segment;

pub use call::{BLOCK_BYTES, Call, LOCK_MAX, Status};
pub use node::{CallError, Node, VARIABLE};
pub use remote::{Fault, Life, Remote, Usage, Watch};
pub use segment::{Segment, Slot};
