//! Simulators: the golden vectors on the Verilog, in Icarus and Verilator.
//!
//! A testbench (`testbench/verilog/tb_<module>.v`) runs one class of vectors and prints lines that
//! [`output`] parses. [`cosim()`] runs modules × classes × modes on one simulator and makes a
//! [`report::Report`] of every vector that fails. [`mutants`] turns the question round: does a
//! deliberate bug fail?

pub mod build;
pub mod classes;
pub mod cosim;
pub mod error;
pub mod gtkw;
pub mod icarus;
pub mod module;
pub mod mutants;
pub mod output;
pub mod process;
pub mod report;
mod running;
pub mod scratch;
pub mod selection;
pub mod simulator;
pub mod token;
pub mod verilator;

pub use classes::{Class, Kind};
pub use cosim::{Options, Progress, Summary, cosim};
pub use error::{Missing, SimError};
pub use icarus::Icarus;
pub use module::Module;
pub use output::{Failure, RunOutput, Word};
pub use report::Report;
pub use scratch::Scratch;
pub use simulator::{Built, Foreign, RunArgs, Simulator, Sources};
pub use token::Token;
pub use verilator::Verilator;
