//! Scenario files: a ring, what its nodes send, and what goes wrong on the way (RING-1 to RING-3).
//!
//! [`read`] turns the text of a TOML file into a [`Scenario`] or an error
//! that names the line. `docs/scenarios.md` describes every key.

mod boards;
mod convert;
mod error;
mod file;
mod marks;
mod random;
mod signal;
mod source;
pub mod systems;
mod timeline;

pub use error::FileError;
pub use marks::Marks;

use crate::boards::Plan;
use awgstar::ring::Scenario;

/// A scenario and what concerns only its pictures.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What to run.
    pub scenario: Scenario,
    /// One line that says what it shows.
    pub title: String,
    /// Metres of fibre behind each node, for the summary.
    pub fibre_m: Vec<f64>,
    /// Where the file says it.
    pub marks: Marks,
}

/// Reads the text of a scenario file; `name` stands in the errors.
///
/// # Errors
/// [`FileError`] with line and column when the text is no TOML, has unknown or missing keys, or a
/// value is out of its range.
pub fn read(name: &str, text: &str) -> Result<Loaded, FileError> {
    let file: file::File = toml::from_str(text).map_err(|e| FileError::toml(name, text, &e))?;
    convert::convert(name, text, &file)
}

/// What a file of any kind describes.
#[derive(Debug)]
pub enum Any {
    /// A ring of nodes.
    Nodes(Box<Loaded>),
    /// A ring of boards.
    Boards(Box<Plan>),
    /// A system above the ring.
    System(Box<dyn systems::Job>),
}

/// Reads the text of a scenario file: of a system if it has the key `system`, of boards if it has
/// `boards`, else of nodes.
///
/// # Errors
/// As [`read`].
pub fn read_any(name: &str, text: &str) -> Result<Any, FileError> {
    let table: toml::Table = toml::from_str(text).map_err(|e| FileError::toml(name, text, &e))?;
    if table.contains_key("system") {
        return systems::read(name, text).map(Any::System);
    }
    if !table.contains_key("boards") {
        return read(name, text).map(|loaded| Any::Nodes(Box::new(loaded)));
    }
    let file: boards::File = toml::from_str(text).map_err(|e| FileError::toml(name, text, &e))?;
    boards::convert(name, text, &file).map(|plan| Any::Boards(Box::new(plan)))
}
