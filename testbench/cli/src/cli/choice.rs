// SPDX-License-Identifier: MIT OR Apache-2.0
//! Options with a value out of a list: a wrong value gets the list and the nearest name.

use awgstar_simulator::{Icarus, Simulator, Verilator};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A simulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tool {
    /// Icarus Verilog
    Icarus,
    /// Verilator
    Verilator,
}

impl Tool {
    pub(crate) fn simulator(self) -> &'static dyn Simulator {
        match self {
            Tool::Icarus => &Icarus,
            Tool::Verilator => &Verilator,
        }
    }
}

/// A parser of the names of these values, which another crate has.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|&one| name(one))).try_map(move |said| {
        let found = all.iter().copied().find(|&one| name(one) == said);
        found.ok_or_else(|| format!("no value has the name {said}"))
    })
}
