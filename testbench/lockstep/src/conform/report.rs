// SPDX-License-Identifier: MIT OR Apache-2.0
//! Result of a run, the common input of all report formats (CNF-5, CNF-6).

use crate::conform::case::{Case, Failure, Group, Outcome, Verdict};
use crate::conform::ports::Ports;
use crate::conform::requirements::Requirement;
use crate::inputs::{self, Inputs};
use awgstar_stimulus::reached::Reached;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Names in [`Report::inputs`] of all vectors, and of all testbenches.
pub const VECTORS: &str = "vectors";
/// See [`VECTORS`].
pub const TESTBENCHES: &str = "testbenches";

/// All of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The design's top module.
    pub top: String,
    pub module: String,
    /// The simulator, with its version.
    pub simulator: String,
    /// Parameters that are not the contract's, each `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
    /// Seed of the random cases and of don't-care inputs.
    pub seed: u32,
    /// Parts of the suite that were left out, if any.
    pub subset: Option<String>,
    pub ports: Ports,
    /// Messages of the compiler, if it did not accept the design.
    pub compiler: Option<Failure>,
    /// Cases that were run, in groups.
    pub groups: Vec<Group>,
    /// Result for each requirement.
    pub requirements: Vec<Requirement>,
    /// SHA-256 of the design's files, by their names, and one of all vectors and one of all testbenches.
    pub inputs: Inputs,
    /// Part of the design that a parameter enables and that never acted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<String>,
    /// Time it took, in seconds.
    pub seconds: f64,
}

impl Report {
    /// Events that the model reached in all cases that passed.
    #[must_use]
    pub fn reached(&self) -> Reached {
        let mut all = Reached::default();
        self.groups.iter().for_each(|group| all.merge(&group.reached));
        all
    }

    /// The failing cases, in order.
    pub fn failing(&self) -> impl Iterator<Item = (&Group, &Case, &Failure)> {
        let cases = self.groups.iter().flat_map(|g| g.cases.iter().map(move |c| (g, c)));
        cases.filter_map(|(g, c)| Some((g, c, c.failure()?)))
    }

    /// Number of cases that ran.
    #[must_use]
    pub fn ran(&self) -> usize {
        let cases = self.groups.iter().flat_map(|g| &g.cases);
        cases.filter(|c| !matches!(c.outcome, Outcome::NotRun(_))).count()
    }

    /// Reason of the failure; nothing when the run passes. A run without a check never passes.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        if !self.ports.findings.is_empty() {
            return Some(Verdict::Ports);
        }
        let first = self.failing().next().map(|(_, _, failure)| failure.verdict);
        let none = self.unjudged().is_some() || self.ran() == 0 || self.idle.is_some();
        let unjudged = none.then_some(Verdict::NotJudged);
        self.compiler.as_ref().map(|f| f.verdict).or(first).or(unjudged)
    }

    /// The first case without a result, and why it has none.
    #[must_use]
    pub fn unjudged(&self) -> Option<(&Case, &str)> {
        let mut cases = self.groups.iter().flat_map(|g| &g.cases);
        cases.find_map(|case| match &case.outcome {
            Outcome::NotRun(why) => Some((case, why.as_str())),
            _ => None,
        })
    }

    /// The verdict in one line.
    #[must_use]
    pub fn headline(&self) -> String {
        let Report { top, simulator, .. } = self;
        let sizes = self.parameters.join(", ");
        let sizes = if sizes.is_empty() { sizes } else { format!(" with {sizes}") };
        let module = format!("{}{sizes}", self.module);
        let subset = self.subset.as_ref().map(|s| format!(" ({s})")).unwrap_or_default();
        match self.verdict() {
            None => {
                let ports = self.ports.unread.as_ref().map(|_| "; its ports were not checked");
                let ports = ports.unwrap_or_default();
                let ran = self.ran();
                format!(
                    "PASS: {top} is a {module} as far as {ran} cases in {simulator} can tell{subset}{ports}"
                )
            }
            Some(Verdict::NotJudged) => {
                let why = match (self.unjudged(), &self.idle) {
                    (Some((case, why)), _) => format!("{}: {why}", case.name),
                    (None, Some(why)) => format!("no case fails; {why}"),
                    (None, None) => "no case ran".to_owned(),
                };
                format!("NOT JUDGED: {top} as {module} in {simulator}{subset}: {why}")
            }
            Some(verdict) if self.ran() == 0 && self.ports.findings.is_empty() => {
                format!("FAIL: {top} is no {module}: {verdict}, nothing was run in {simulator}")
            }
            Some(Verdict::Ports) => format!(
                "FAIL: {top} has not the ports of {module}: {} differ, nothing was run",
                self.ports.findings.len()
            ),
            Some(verdict) => format!(
                "FAIL: {top} is no {module}: {verdict}; {} of {} cases fail in {simulator}{subset}",
                self.failing().count(),
                self.ran()
            ),
        }
    }

    /// What the run read, in one line, with the first digits of the hashes.
    #[must_use]
    pub fn read(&self) -> String {
        let suite = [VECTORS, TESTBENCHES];
        let design = self.inputs.iter().filter(|(name, _)| !suite.contains(&name.as_str()));
        let design: Inputs = design.map(|(name, hash)| (name.clone(), hash.clone())).collect();
        let short = |hash: &str| hash.chars().take(16).collect::<String>();
        let of = |name: &str| self.inputs.get(name).map_or_else(String::new, |hash| short(hash));
        format!(
            "design {} ({} files), vectors {}, testbenches {}",
            short(&inputs::together(&design)),
            design.len(),
            of(VECTORS),
            of(TESTBENCHES)
        )
    }

    /// Adds the cases of the next part of the same run, and the time it took.
    pub(super) fn append(&mut self, next: Report) {
        for group in next.groups {
            match self.groups.last_mut() {
                Some(last) if last.name == group.name => {
                    last.cases.extend(group.cases);
                    last.reached.merge(&group.reached);
                }
                _ => self.groups.push(group),
            }
        }
        self.compiler = self.compiler.take().or(next.compiler);
        self.seconds += next.seconds;
    }

    /// Sets the time it took.
    pub fn took(&mut self, time: Duration) {
        self.seconds = time.as_secs_f64();
    }
}
