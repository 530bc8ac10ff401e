// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counterexamples: shortest runs in which the thesis' protocols, as published, violate a property.
//! The model checker finds them; they are written as vectors that third-party firmware can replay,
//! as waveforms and as drawings.

mod catalogue;
mod example;
mod file;
mod found;
pub mod paging;
mod replay;
mod vector;
mod views;

use awgstar_stimulus::echo;

pub use catalogue::{CASES, Case};
pub use example::{Example, Shown};
pub use found::Found;
pub use replay::{Replay, ReplayedStep};
pub use vector::{FOLDER, Vector, check};
pub use views::{STEP_CYCLES, records};

/// Error of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CounterexampleError {
    /// No case has this name.
    #[error("no counterexample `{found}`: {}", echo::expected(found, Example::all().map(Example::name)))]
    Name {
        /// The name that was given.
        found: String,
    },
    /// The checker finds nothing: the protocol holds what it was expected to break.
    #[error("{name}: nothing breaks")]
    Holds {
        /// The case.
        name: &'static str,
    },
    /// In the replay the state machines do something else than in the run.
    #[error("{name}, step {step}: the machine is `{found}`, expected `{expected}`")]
    Replay {
        /// The case.
        name: &'static str,
        /// The step, from 1.
        step: usize,
        /// The state machine in words.
        found: String,
        /// In the run.
        expected: String,
    },
    /// In the replay of a run of paging, state machines or replicas do something else than in the
    /// run.
    #[error("{0}")]
    Paging(String),
}

impl Case {
    /// The case of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<&'static Case, CounterexampleError> {
        let error = || CounterexampleError::Name { found: name.into() };
        CASES.iter().find(|case| case.name == name).ok_or_else(error)
    }
}
