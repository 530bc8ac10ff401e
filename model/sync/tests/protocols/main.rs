// SPDX-License-Identifier: MIT OR Apache-2.0
//! The synchronization primitives: every run of the firmware on small rings.

mod barrier;
mod fairness;
mod join;
mod lock;
mod message;
mod paging;
mod snapshot;
mod wrong;
