// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures of the code's structure: the table in `docs/architecture.md`.
//!
//! Each figure of the table is counted here, and none is typed. A count above its ceiling fails.

mod error;
mod graph;
mod measure;
mod page;
mod rules;
mod source;

pub use error::HouseError;
pub use measure::{Count, House, Room};

use error::{PAGE, read};
use std::{fmt::Write as _, fs, path::Path};

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

/// The options with which cargo takes the packages of a group, for example `-p awgstar-frame -p awgstar-sync`.
///
/// # Errors
/// If there is no such group, or the file with the groups cannot be read.
pub fn group(root: &Path, name: &str) -> Result<String, HouseError> {
    let options: Vec<String> =
        measure::packages(root, name)?.iter().map(|package| format!("-p {package}")).collect();
    Ok(options.join(" ") + "\n")
}

/// Measures the checkout at `root`. Returns what is to be printed.
///
/// # Errors
/// If a file cannot be read, the core depends on another group, a count is above its ceiling, or, with
/// [`Mode::Check`], the page differs.
pub fn run(root: &Path, mode: Mode) -> Result<String, HouseError> {
    let house = House::measure(root)?;
    if mode == Mode::List {
        return Ok(house.list());
    }
    if !house.of_the_core.is_empty() {
        return Err(HouseError::Core(house.of_the_core.join("\n")));
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
