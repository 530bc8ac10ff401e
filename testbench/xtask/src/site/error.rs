// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong when the site is built.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The site cannot be built, or is not whole.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// A file cannot be read or written.
    #[error("{path}: {why}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// Pages that the index does not name.
    #[error("docs/README.md, the index, does not name {0}")]
    Forgotten(String),
    /// A program is missing or fails.
    #[error("{name}: {why}")]
    Program {
        /// The program.
        name: String,
        /// How it ended.
        why: String,
    },
    /// Links of the site that lead nowhere.
    #[error("links of the site that lead nowhere:\n{0}")]
    Links(String),
}

impl SiteError {
    pub(super) fn file(path: &Path, why: io::Error) -> Self {
        Self::File { path: path.to_owned(), why }
    }
}

pub(super) fn read(path: &Path) -> Result<String, SiteError> {
    fs::read_to_string(path).map_err(|why| SiteError::file(path, why))
}

/// Writes a file; makes its folder.
pub(super) fn write(path: &Path, text: &str) -> Result<(), SiteError> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(|why| SiteError::file(folder, why))?;
    fs::write(path, text).map_err(|why| SiteError::file(path, why))
}
