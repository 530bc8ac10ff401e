// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lock engine is the ring queue lock: equal to its firmware event for event, the properties of the
//! model checker, and its times. All on the cycle model, which the lockstep compares with the Verilog.

mod adapter;
mod check;
mod equal;
mod time;
