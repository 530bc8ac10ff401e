//! Reference model of the AWG-STAR Shared Memory Board (SMB) ring.
//!
//! * [`contract`]: the one place where field layout, codes, lengths and timing are written. The
//!   Verilog header, the tables in `docs/` and the vector schema are generated from it.
//! * [`frame`]: the codec between bytes on the link and header + data + FCS.
//! * [`rtl`]: the Verilog modules, cycle by cycle.
//! * [`ring`]: nodes, fibre and hosts, driven by a scenario.
//! * [`firmware`]: locks and barriers as state machines.
//! * [`check`]: the model checker that runs them in every possible way.
//! * [`system`]: processes with locks and barriers on a ring of boards.
//! * [`lambda`]: what the thesis builds on the ring, at the level of frames and nanoseconds.
//! * [`trace`]: what happened in a run, frame by frame.
//!
//! Requirement ids such as `FRM-3` in these pages refer to `docs/spec.md`.
#![forbid(unsafe_code)]

pub mod check;
pub mod contract;
pub mod firmware;
pub mod frame;
pub mod lambda;
pub mod ring;
pub mod rtl;
pub mod system;
pub mod trace;
