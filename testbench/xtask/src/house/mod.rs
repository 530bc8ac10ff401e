// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures of the code's structure: the table in `docs/architecture.md`.
//!
//! Each figure of the table is counted here, and none is typed. A count above its ceiling fails.

mod graph;
mod measure;
mod page;
mod rules;
mod source;

pub use measure::{Count, House, Room};

use std::{
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

/// The page with the table, from the root.
const PAGE: &str = "docs/architecture.md";

/// What to do with the measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Write them into the page.
    Write,
    /// Compare them with the page.
    Check,
    /// Print each place that counts.
    List,
}

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

/// Measures the checkout at `root`. Returns what is to be printed.
///
/// # Errors
/// If a file cannot be read, a count is above its ceiling, or, with [`Mode::Check`], the page differs.
pub fn run(root: &Path, mode: Mode) -> Result<String, HouseError> {
    let house = House::measure(root)?;
    if mode == Mode::List {
        return Ok(house.list());
    }
    let mut above = String::new();
    for Count { name, places, ceiling } in &house.counts {
        if places.len() > *ceiling {
            let _ = writeln!(above, "  {name}: {}, ceiling {ceiling}", places.len());
        }
    }
    if !above.is_empty() {
        return Err(HouseError::TooMany(above));
    }
    let path = root.join(PAGE);
    let old = read(&path)?;
    let new = page::write(&old, &house)?;
    if mode == Mode::Check {
        return page::compare(&old, &new).map(|()| "the page has the measures\n".to_owned());
    }
    fs::write(&path, &new).map_err(|source| HouseError::File { path, source })?;
    Ok(format!("wrote {PAGE}\n"))
}

fn read(path: &Path) -> Result<String, HouseError> {
    fs::read_to_string(path).map_err(|source| HouseError::File { path: path.to_owned(), source })
}
