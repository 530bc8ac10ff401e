// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the results of a study go.

use super::{CliError, CliResult, Outcome, at, output, whole};
use awgstar_cli::study::results::{File, Results};
use awgstar_scenario::page::shell_words;
use serde::Serialize;
use std::{
    fmt::Display,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

#[derive(clap::Args)]
pub(super) struct Output {
    /// Folder for CSV files and plots; made if it is not there
    #[arg(long, value_name = "FOLDER")]
    pub(super) out: Option<PathBuf>,
    /// Write a page for a browser to this file: plots, tables and all rows, with search (docs/html.md)
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    html: Option<PathBuf>,
    /// The rows as JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// A list as the value of an option.
pub(super) fn list<T: Display>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

impl Output {
    /// Prints the results and writes the files. `rows` are those of the JSON, `command` has the words after
    /// `awgstar study` that measure the same.
    pub(super) fn write(
        &self,
        results: Result<Results, String>,
        rows: &impl Serialize,
        command: &[&str],
        out: &mut dyn Write,
    ) -> CliResult {
        let results = results.map_err(|e| CliError::Check(format!("plot: {e}")))?;
        let json = || serde_json::to_string(rows).map_err(|e| CliError::Usage(e.to_string()));
        let text = if self.json { json()? } else { results.text() };
        writeln!(out, "{}", text.trim_end())?;
        if let Some(path) = &self.html {
            let command = [&["awgstar", "study"], command].concat();
            whole::write(path, results.page(&shell_words(&command)))?;
        }
        if let Some(folder) = &self.out {
            at(folder.display(), fs::create_dir_all(folder))?;
            for File { name, text } in results.files() {
                file(folder, &name, text.as_bytes())?;
            }
        }
        Ok(Outcome::Holds)
    }
}

/// Writes a file of a folder.
pub(super) fn file(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), CliError> {
    whole::write(&folder.join(name), bytes)
}
