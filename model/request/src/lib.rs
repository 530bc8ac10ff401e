// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a process asks of the machine it runs on, and what it gets.
//!
//! A process is a state machine: it gets an [`Answer`] and makes its next [`Request`].
//! [`stall`] says whether a run of processes that wait can go on.
//!
//! Ring, generation 1 and cluster take the same requests; what a machine lacks it refuses by name ([`Refused::NotOffered`]).
#![forbid(unsafe_code)]

mod answer;
mod block;
mod coherent;
mod home;
mod process;
mod queue;
mod request;
mod segment;
mod shared;
mod signal;
pub mod stall;
mod update;

pub use answer::{Answer, Got, Moment, Refused};
pub use block::Block;
pub use coherent::{Changes, Coherent, FLUSH_LOCK, News, PAGES, Piece, Protection, Race};
pub use home::{Homes, PAGE};
pub use process::Process;
pub use queue::Queue;
pub use request::{Data, Feature, Fence, Len, Path, Place, Request, Space, Span};
pub use segment::{Plain, Segment};
pub use shared::Shared;
pub use signal::{PROCESS_C_ST, ProcessSignal, SIGNAL_BYTES};
pub use update::{Change, Kind, Op, UPDATE_BYTES, Update};
