// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a run has no result.

use awgstar::ring::ScenarioError;
use std::io;

/// A run that did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The scenario or the request is invalid.
    #[error("{0}")]
    Invalid(String),
    /// A file cannot be written.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl From<ScenarioError> for RunError {
    fn from(error: ScenarioError) -> Self {
        RunError::Invalid(error.to_string())
    }
}
