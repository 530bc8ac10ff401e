// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Shared Memory Board (SMB) and rings of it, cycle by cycle.
//!
//! * [`rtl`]: one type for each Verilog module, with the same ports and registers.
//! * [`ring`]: nodes or boards, fibre, hosts and faults, driven by a scenario.
//! * [`trace`]: the frames of a run, one record for each.
#![forbid(unsafe_code)]

pub mod ring;
pub mod rtl;
pub mod trace;
