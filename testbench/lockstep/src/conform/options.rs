// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of a run of the suite.

use awgstar::rtl::Parameters;
use awgstar_simulator::{Shard, Simulator};
use std::{path::PathBuf, time::Duration};

/// Random cases, unless another number is asked for.
pub const CASES: usize = 100;

/// Settings of a run.
pub struct Options<'a> {
    /// Root of the repository: vectors and testbenches.
    pub root: PathBuf,
    /// Simulator that runs the design.
    pub simulator: &'a dyn Simulator,
    /// Seed of the random cases and of don't-care inputs.
    pub seed: u32,
    /// Number of random cases; [`CASES`] without it.
    pub cases: Option<usize>,
    /// Only classes and cases whose names begin so; all when empty.
    pub only: Vec<String>,
    /// Part of the cases.
    pub shard: Shard,
    /// Time for one run of the simulator.
    pub limit: Duration,
    /// Sizes that the design was built with, or that it is to be given.
    pub parameters: Parameters,
    /// Runs at a time.
    pub threads: usize,
    /// A case is over.
    pub progress: &'a (dyn Fn(&str) + Sync),
}

impl Options<'_> {
    /// Returns true if the case `name` is selected.
    #[must_use]
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|start| name.starts_with(start.as_str()))
    }

    pub(super) fn subset(&self) -> Option<String> {
        let only = (!self.only.is_empty()).then(|| format!("only {}", self.only.join(", ")));
        let cases = self.cases.filter(|n| *n < CASES).map(|n| format!("{n} random cases"));
        let parts: Vec<_> = only.into_iter().chain(cases).collect();
        (!parts.is_empty()).then(|| format!("not the whole suite: {}", parts.join("; ")))
    }
}
