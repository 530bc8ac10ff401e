// SPDX-License-Identifier: MIT OR Apache-2.0
//! The comparison, with a design that is a second model: one bit of it is wrong, X, late or early, and that must be
//! reported in its cycle and at its place. Each bug of `testbench/mutants/compare.toml` makes one of these fail.

mod formula;
mod probe;
mod pushed;
mod replayed;
mod shown;
