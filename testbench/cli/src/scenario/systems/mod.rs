//! Files of the systems of the λ computing environment: the key `system` names one.
//!
//! Each system is a module of this folder, with one function that turns the text of a file into a
//! [`Job`] or an error with its place, and one line in `SYSTEMS`.

mod current;
mod mandelbrot;
mod paging;

use crate::scenario::FileError;
use crate::scenario::source::{Result, Source};
use awgstar_stimulus::echo::shown;
use serde::Deserialize;
use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};
use toml::Spanned;

/// A system that a file describes, ready to run.
pub trait Job: fmt::Debug {
    /// One line that says what it shows.
    fn title(&self) -> &str;

    /// Runs it; `progress` is told how much of how much is done.
    ///
    /// # Errors
    /// A message for the user when what the file asks for makes no sense when it is run.
    fn run(&self, progress: &mut dyn FnMut(u64, u64)) -> std::result::Result<Report, String>;

    /// Whether a run came to what the system promises; if not, the report says what is wrong.
    fn holds(&self, _report: &Report) -> bool {
        true
    }

    /// Its waves from the first to before the second ns, or all: files whose names end in `.vcd` and
    /// `.gtkw`.
    ///
    /// # Errors
    /// A message for the user, also when the system has no waves.
    fn waves(
        &self,
        _window: Option<(u64, u64)>,
        _progress: &mut dyn FnMut(u64, u64),
    ) -> std::result::Result<Vec<Artefact>, String> {
        Err(format!("{}: this system has no waves", self.title()))
    }
}

/// A file that a run leaves: its name, which has no folders, and its bytes.
pub type Artefact = (String, Vec<u8>);

/// What a run has to say.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// For people, without a line break at its end.
    pub text: String,
    /// The same for programs.
    pub json: serde_json::Value,
    /// Pictures, tables, waves.
    pub files: Vec<Artefact>,
    /// What the file lets happen and the run did not get to.
    pub warnings: Vec<FileError>,
}

/// Writes `files` to `folder`, which is made if need be, and says where they are.
///
/// # Errors
/// When a file cannot be written.
pub fn write(folder: &Path, files: &[Artefact]) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(folder)?;
    let one = |(name, bytes): &Artefact| {
        let path = folder.join(name);
        fs::write(&path, bytes).map(|()| path)
    };
    files.iter().map(one).collect()
}

/// Reads a file of one system: its name as the file is called in errors, and its text.
type Read = fn(&str, &str) -> Result<Box<dyn Job>>;

/// Every system: the value of the key `system` and what reads the file.
const SYSTEMS: &[(&str, Read)] =
    &[("current", current::read), ("paging", paging::read), ("mandelbrot", mandelbrot::read)];

/// The key that all of these files have.
#[derive(Deserialize)]
struct Kind {
    system: Spanned<String>,
}

/// The job of a file with the key `system`.
pub(super) fn read(name: &str, text: &str) -> Result<Box<dyn Job>> {
    let kind: Kind = toml::from_str(text).map_err(|e| FileError::toml(name, text, &e))?;
    let system = kind.system.get_ref();
    if let Some((_, read)) = SYSTEMS.iter().find(|(known, _)| known == system) {
        return read(name, text);
    }
    let known: Vec<String> = SYSTEMS.iter().map(|(name, _)| format!("`{name}`")).collect();
    let what = format!("system is `{}`: expected one of {}", shown(system), known.join(", "));
    Err(Source { name, text }.error(&kind.system.span(), what))
}
