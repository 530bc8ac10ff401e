// SPDX-License-Identifier: MIT OR Apache-2.0
//! The simulators there are.

use crate::{Icarus, Simulator, Verilator};

/// Every simulator.
#[must_use]
pub fn all() -> [&'static dyn Simulator; 2] {
    [&Icarus, &Verilator]
}

#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Simulator> {
    all().into_iter().find(|s| s.name() == name)
}

#[cfg(test)]
mod tests;
