// SPDX-License-Identifier: MIT OR Apache-2.0
//! Icarus, Verilator and Yosys: builds of a design, one cache for all, and runs of it.
//!
//! * [`build`]: the cache; [`process`]: programs with bounded output and time.
//! * [`cosim()`] runs the golden vectors of `testbench/verilog/tb_<module>.v` and makes a
//!   [`report::Report`] of every vector that fails.
//! * [`verilated`] and [`four_state`]: a module in Verilator or in Icarus, fed cycle by cycle.
//! * [`crossings`]: paths between clocks, and the constraint files of them.
//! * [`elaborate`]: names, widths and depths of a design as Yosys sees them.
#![deny(unsafe_code)]

pub mod bench;
pub mod build;
pub mod classes;
pub mod cosim;
pub mod crossings;
pub mod elaborate;
pub mod error;
pub mod four_state;
pub mod icarus;
pub mod library;
pub mod module;
pub mod output;
pub mod outside;
pub mod process;
pub mod reaper;
pub mod recipe;
pub mod report;
mod running;
pub mod scratch;
pub mod shard;
pub mod shim;
pub mod signals;
pub mod simulator;
pub mod simulators;
pub mod sources;
pub mod token;
pub mod verilated;
pub mod verilator;
mod yosys;

pub use classes::Class;
pub use cosim::{Options, Progress, Summary, cosim};
pub use error::{Missing, ParseError, SimError};
pub use icarus::Icarus;
pub use module::{Kind, Module};
pub use output::{Failure, RunOutput, Word};
pub use recipe::Instance;
pub use report::Report;
pub use scratch::Scratch;
pub use shard::{NoShard, Shard};
pub use simulator::{Built, RunArgs, Simulator};
pub use sources::{Foreign, Sources};
pub use token::Token;
pub use verilator::Verilator;
