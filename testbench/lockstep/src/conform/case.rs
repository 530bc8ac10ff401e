// SPDX-License-Identifier: MIT OR Apache-2.0
//! A case of a run with its outcome, and the groups of cases (CNF-5).

use awgstar_stimulus::reached::Reached;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Reason of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The ports are not those of the module.
    Ports,
    /// The compiler does not accept the design.
    DoesNotCompile,
    /// The simulation does not settle, or prints without end.
    Hangs,
    /// The simulation ended without a result.
    EndsEarly,
    /// Nothing comes for thousands of cycles.
    NoAnswer,
    /// An X or Z where a value must be.
    DrivesX,
    /// The value comes a cycle later, or after a limit in cycles.
    Late,
    /// Another value.
    WrongValue,
    /// Nothing failed, but a case has no result, or a part of the design that a parameter enables never acted.
    NotJudged,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Ports => "wrong ports",
            Verdict::DoesNotCompile => "does not compile",
            Verdict::Hangs => "hangs",
            Verdict::EndsEarly => "ends early",
            Verdict::NoAnswer => "does not answer",
            Verdict::DrivesX => "drives X",
            Verdict::Late => "answers late",
            Verdict::WrongValue => "wrong value",
            Verdict::NotJudged => "not judged",
        })
    }
}

/// The first difference of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct First {
    /// Place in time: `cycle 12`, `word 3`.
    pub at: String,
    /// The output, or what of it.
    pub port: String,
    /// Lowest bit that differs.
    pub bit: Option<usize>,
    /// Expected value.
    pub expected: String,
    /// Value found.
    pub found: String,
}

impl fmt::Display for First {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.port)?;
        if let Some(bit) = self.bit {
            write!(f, ", bit {bit}")?;
        }
        write!(f, ": expected {}, found {}", self.expected, self.found)
    }
}

/// The surroundings of the first difference: a row per signal, a column per cycle or word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Heads of the columns.
    pub columns: Vec<String>,
    /// Name and values.
    pub rows: Vec<(String, Vec<String>)>,
    /// The column of the first difference.
    pub mark: usize,
}

/// A case that fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Why.
    pub verdict: Verdict,
    /// The first difference; nothing when there was no answer at all.
    pub first: Option<First>,
    /// More of it, over several lines.
    pub detail: String,
    /// Values of the ports around the first difference.
    pub window: Option<Window>,
}

impl Failure {
    /// A failure without a first difference.
    #[must_use]
    pub fn without_difference(verdict: Verdict, detail: impl Into<String>) -> Self {
        Failure { verdict, first: None, detail: detail.into(), window: None }
    }

    #[must_use]
    pub fn line(&self) -> String {
        match &self.first {
            Some(first) => format!("{}: {first}", self.verdict),
            None => {
                format!("{}: {}", self.verdict, self.detail.lines().next().unwrap_or_default())
            }
        }
    }
}

/// Outcome of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// As it should be.
    Pass,
    /// Not.
    Fail(Box<Failure>),
    /// The case was not run; the reason.
    NotRun(String),
}

/// One vector in one mode, or one stimulus.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Name of the case, unique in its group.
    pub name: String,
    /// The requirements it is about.
    pub requirements: Vec<String>,
    pub outcome: Outcome,
}

impl Case {
    /// The failure, if the case fails.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        if let Outcome::Fail(failure) = &self.outcome { Some(failure) } else { None }
    }
}

/// Cases that belong together: a class of vectors, the directed cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    pub name: String,
    /// The cases, in the order in which they ran.
    pub cases: Vec<Case>,
    /// Events that the model reached in the cases that passed.
    #[serde(default)]
    pub reached: Reached,
}

/// Result of a part of the suite: the groups, or the messages of the compiler.
pub type Played = Result<Vec<Group>, Failure>;
