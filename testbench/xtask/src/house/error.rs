// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong when the house is measured.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The page with the table, from the root.
pub(super) const PAGE: &str = "docs/architecture.md";

/// The house cannot be measured, or is not as it should be.
#[derive(Debug, thiserror::Error)]
pub enum HouseError {
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file of rules or a manifest has an error.
    #[error("{path}: {why}")]
    Rules {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        why: String,
    },
    /// A file of Rust that has no tokens.
    #[error("{path}: not Rust: {why}")]
    Rust {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The page has no place for the table.
    #[error("{page}: expected the lines `{begin}` and `{end}` in this order")]
    NoPlace {
        /// The page.
        page: PathBuf,
        /// First line of the table's place.
        begin: &'static str,
        /// Last line.
        end: &'static str,
    },
    /// The core depends on another group.
    #[error("the core depends on other groups (testbench/xtask/house.toml):\n{0}")]
    Core(String),
    /// There is no such group.
    #[error("group {found}: expected one of {}", known.join(", "))]
    NoGroup {
        /// What was asked for.
        found: String,
        /// The groups.
        known: Vec<String>,
    },
    /// Counts above their ceilings.
    #[error(
        "more than testbench/xtask/house.toml allows:\n{0}`cargo xtask house --list` prints each place"
    )]
    TooMany(String),
    /// The page has other figures.
    #[error("{page} differs from what is measured; `cargo xtask house` writes it:\n{lines}")]
    Stale {
        /// The page.
        page: PathBuf,
        /// Lines of the page and of the measures that differ.
        lines: String,
    },
}

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<String, HouseError> {
    fs::read_to_string(path).map_err(|source| HouseError::File { path: path.to_owned(), source })
}
