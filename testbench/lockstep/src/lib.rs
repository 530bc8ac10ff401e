// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lockstep: model and Verilog fed with the same inputs, every output, register and memory word
//! compared every cycle (LCK-1 to LCK-5). `docs/lockstep.md` describes its use.
//!
//! * [`run`] compares, [`campaign`] draws cases and shrinks what fails, [`blame`] and [`vote`] name the
//!   cause, [`waves`] shows it. What a difference is, and its report, is in [`awgstar_compare`].
//! * [`conform`]: the conformance suite on third-party RTL.
//! * [`mutants`]: injected bugs that the tests must find.
#![forbid(unsafe_code)]

pub mod blame;
pub mod campaign;
#[cfg(feature = "suite")]
pub mod conform;
pub mod failing;
pub mod inputs;
#[cfg(feature = "suite")]
pub mod mutants;
pub mod run;
pub mod start;
pub mod states;
pub mod vote;
pub mod waves;

pub use awgstar_compare::{Cause, Difference, Divergence, Seen, starts::check, text};
pub use run::{Lockstep, Memories, Verdict};
