//! Scenario files: a ring, what its nodes send, and what goes wrong on the way (RING-1 to RING-3).
//!
//! [`read`] turns the text of a TOML file into a [`Run`] or an error that names the line.
//! `docs/scenarios.md` describes every key.

mod boards;
mod convert;
mod file;
mod gen1;
mod mandelbrot;
mod paging;
mod random;
mod signal;
mod source;
mod timeline;

pub use crate::place::{FileError, Marks};

use crate::run::{Run, boards::BoardsPlan, nodes::NodesPlan};
use awgstar_stimulus::echo::shown;
use serde::Deserialize;
use source::Source;
use toml::Spanned;

/// A file with the key `system`: its name as the file is called in errors, and its text.
type ReadSystem = fn(&str, &str) -> Result<Box<dyn Run>, FileError>;

/// Every value of the key `system`, and what reads the file.
const SYSTEMS: &[(&str, ReadSystem)] =
    &[("current", gen1::read), ("paging", paging::read), ("mandelbrot", mandelbrot::read)];

/// Reads the text of a scenario file of any kind: with the key `system`, with the key `boards`, or of
/// nodes. `name` stands in the errors.
///
/// # Errors
/// [`FileError`] with line and column when the text is no TOML, has unknown or missing keys, or a
/// value is out of its range.
pub fn read(name: &str, text: &str) -> Result<Box<dyn Run>, FileError> {
    let table: toml::Table = toml::from_str(text).map_err(|e| FileError::toml(name, text, &e))?;
    if table.contains_key("system") {
        return read_system(name, text);
    }
    if table.contains_key("boards") {
        return read_boards(name, text).map(|plan| Box::new(plan) as Box<dyn Run>);
    }
    read_nodes(name, text).map(|plan| Box::new(plan) as Box<dyn Run>)
}

/// Reads the text of a file of nodes.
///
/// # Errors
/// As [`read`].
pub fn read_nodes(name: &str, text: &str) -> Result<NodesPlan, FileError> {
    let file: file::File = toml::from_str(text).map_err(|e| FileError::toml(name, text, &e))?;
    convert::convert(name, text, &file)
}

/// Reads the text of a file of boards.
///
/// # Errors
/// As [`read`].
pub fn read_boards(name: &str, text: &str) -> Result<BoardsPlan, FileError> {
    let file: boards::File = toml::from_str(text).map_err(|e| FileError::toml(name, text, &e))?;
    boards::convert(name, text, &file)
}

fn read_system(name: &str, text: &str) -> Result<Box<dyn Run>, FileError> {
    /// The key that all of these files have.
    #[derive(Deserialize)]
    struct Named {
        system: Spanned<String>,
    }
    let named: Named = toml::from_str(text).map_err(|e| FileError::toml(name, text, &e))?;
    let system = named.system.get_ref();
    if let Some((_, read)) = SYSTEMS.iter().find(|(known, _)| known == system) {
        return read(name, text);
    }
    let known: Vec<String> = SYSTEMS.iter().map(|(name, _)| format!("`{name}`")).collect();
    let what = format!("system is `{}`: expected one of {}", shown(system), known.join(", "));
    Err(Source { name, text }.error(&named.system.span(), what))
}
