// SPDX-License-Identifier: MIT OR Apache-2.0
//! The λ computing environment above the ring: systems of the thesis (sections 2 to 4 and 5.4)
//! at the level of frames, host accesses and time in nanoseconds.
//!
//! Nothing here is clocked. A run is a queue of events in order of time; the same input gives the
//! same run to the nanosecond.

#![forbid(unsafe_code)]

pub mod alloc;
pub mod check;
pub mod gen1;
pub mod gen2;
pub mod mandelbrot;
pub mod paging;
pub mod settings;
pub mod time;
