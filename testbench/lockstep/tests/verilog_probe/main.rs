// SPDX-License-Identifier: MIT OR Apache-2.0
//! A small machine against its Verilog, in which the inputs choose a fault: what brings the two to the comparison and
//! back (the loop and the library of Verilator, the testbenches of Icarus, the judgements of the suite and of the
//! lists of mutants) must find each fault in its cycle, and nothing else. Each bug of
//! `testbench/mutants/compare-runs.toml` makes one of these fail.

mod conformed;
mod icarus;
mod judged;
mod library;
mod node;
#[path = "../../../compare/tests/compare/probe.rs"]
mod probe;
