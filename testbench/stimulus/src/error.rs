// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of stimuli and of their files.

use crate::place::FileErrors;
use std::{io, path::PathBuf};

/// A stimulus that cannot be played, or a file of one that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StimulusError {
    /// A file cannot be read or written.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The content of a file or scenario is invalid.
    #[error("{path}: {why}", path = .path.display())]
    Format {
        /// The file, or the part of the scenario.
        path: PathBuf,
        /// Description: value found and expectation.
        why: String,
    },
    /// Mistakes in files that a person writes, with their places.
    #[error(transparent)]
    Mistakes(#[from] FileErrors),
}

impl StimulusError {
    /// For `map_err`: an I/O error at `path`.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| StimulusError::Io { path, source }
    }

    /// Invalid content at `path`.
    pub fn format(path: impl Into<PathBuf>, why: impl Into<String>) -> Self {
        StimulusError::Format { path: path.into(), why: why.into() }
    }
}
