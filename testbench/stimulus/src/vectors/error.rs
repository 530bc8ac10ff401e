// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in vector files.

use std::{io, path::PathBuf};
use thiserror::Error;

/// Error of reading a file of vectors.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The file is missing or cannot be read.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is larger than any vector file.
    #[error("{path}: {bytes} bytes, expected at most {limit}")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Size of the file in bytes.
        bytes: u64,
        /// Largest size that is read, in bytes.
        limit: u64,
    },
    /// The file is no JSON of the expected shape.
    #[error("{path}: {source}")]
    Json {
        /// The file.
        path: PathBuf,
        /// Line, column and expectation.
        source: serde_json::Error,
    },
    /// A line of a `.hex` file.
    #[error("{path}: {source}")]
    Hex {
        /// The file.
        path: PathBuf,
        /// Place and description of the error.
        source: HexError,
    },
    /// Files of one class, or manifest and class, disagree.
    #[error("{path}: {what}: expected {expected}, found {found}")]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// Name of the value.
        what: &'static str,
        /// Value in the other file.
        expected: String,
        /// Value found here.
        found: String,
    },
}

/// A defect in the text of a `.hex` file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}, {field}: expected {expected}, found {found}")]
pub struct HexError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in bytes.
    pub column: usize,
    /// Field of `vectors/FORMAT.md`.
    pub field: &'static str,
    /// Expected text.
    pub expected: String,
    /// Text found.
    pub found: String,
}
