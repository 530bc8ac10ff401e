//! `system = "current"`: generation 1 with its programs.

mod convert;
mod file;

use crate::place::FileError;
use crate::run::Run;
use crate::scenario::source::Result;

/// The file's text becomes a plan.
pub(super) fn read(name: &str, text: &str) -> Result<Box<dyn Run>> {
    let file: file::File = toml::from_str(text).map_err(|e| FileError::toml(name, text, &e))?;
    let plan = convert::convert(name, text, &file)?;
    Ok(Box::new(plan))
}
