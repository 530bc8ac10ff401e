// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counterexamples: shortest runs in which the thesis' protocols, as published, violate a property.
//! The model checker finds them; they are written as vectors that third-party firmware can replay,
//! as waveforms and as drawings.

mod catalogue;
mod example;
mod found;
mod frames;
pub mod paging;
mod read;
mod replay;
mod vector;
mod views;

use awgstar_stimulus::echo;

pub use catalogue::{CASES, Case, FOLDER};
pub use example::{Example, Shown};
pub use found::Found;
pub use read::check;
pub use replay::{Replay, ReplayedStep};
pub use vector::Vector;

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
    /// In the replay state machines or replicas do something else than in the run.
    #[error("{0}")]
    Replay(String),
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
