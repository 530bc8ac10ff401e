// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every study on the command line does: it measures or reads rows, and its results go to tables, files and a page.

use super::{CliError, CliResult, Outcome, at, output, shard, sim::progress, whole};
use awgstar_cli::study::Tick;
use awgstar_cli::study::results::{File, Results, Subject};
use awgstar_cli::work::{Work, WorkError};
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

#[derive(clap::Args)]
pub(super) struct From {
    /// Measure nothing: draw the plots, and the page, of the rows of this CSV file, which the study wrote
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub(super) from: Option<PathBuf>,
}

/// A study.
pub(super) struct Study<'a> {
    pub(super) subject: Subject,
    /// The words after `awgstar study` that measure the same, its name first.
    pub(super) command: &'a [&'a str],
    /// Number and name of what is measured.
    pub(super) steps: (usize, &'static str),
}

impl Study<'_> {
    /// Draws the rows of a file, or measures and writes the results. `measure` calls its argument after each step, and
    /// gives no rows if this is one part of several.
    pub(super) fn run<R: Serialize, E: Display>(
        &self,
        (from, output): (&From, &Output),
        work: &Work,
        out: &mut dyn Write,
        measure: impl FnOnce(&Tick<'_>) -> Result<Option<Vec<R>>, WorkError<E>>,
        results: impl FnOnce(&[R]) -> Result<Results, String>,
    ) -> CliResult {
        if let Some(from) = &from.from {
            return output.draw(self.subject, from, self.command[0], work);
        }
        let (steps, what) = self.steps;
        let bar = progress(steps as u64, what);
        let rows = measure(&|| bar.inc(1));
        bar.finish_and_clear();
        let rows = rows.map_err(|e| shard::failed(e, |e| CliError::Check(e.to_string())))?;
        let Some(rows) = rows else { return Ok(Outcome::Holds) };
        output.write(results(&rows), &rows, self.command, out)
    }
}

/// A list as the value of an option.
pub(super) fn list<T: Display>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

impl Output {
    /// Writes the plots and the page of rows that were measured before.
    pub(super) fn draw(&self, subject: Subject, from: &Path, name: &str, work: &Work) -> CliResult {
        self.drawn(from, name, work, || {
            let csv = at(from.display(), fs::read_to_string(from))?;
            let results = subject.read(&csv);
            results.map_err(|e| CliError::Usage(format!("{}: {e}", from.display())))
        })
    }

    /// [`Output::draw`] with another way to read.
    pub(super) fn drawn(
        &self,
        from: &Path,
        name: &str,
        work: &Work,
        read: impl FnOnce() -> Result<Results, CliError>,
    ) -> CliResult {
        if work.part().is_some() {
            return Err(CliError::Usage("--shard does not apply: --from measures nothing".into()));
        }
        if self.out.is_none() && self.html.is_none() {
            return Err(CliError::Usage("--from: expected --out or --html with it".into()));
        }
        let results = read()?;
        self.page(&results, &[name, "--from", &from.to_string_lossy()])?;
        self.files(&results.plots)?;
        Ok(Outcome::Holds)
    }

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
        self.page(&results, command)?;
        self.files(&results.files())?;
        Ok(Outcome::Holds)
    }

    fn page(&self, results: &Results, command: &[&str]) -> Result<(), CliError> {
        let Some(path) = &self.html else { return Ok(()) };
        let command = [&["awgstar", "study"], command].concat();
        whole::write(path, results.page(&shell_words(&command)))
    }

    fn files(&self, files: &[File]) -> Result<(), CliError> {
        let Some(folder) = &self.out else { return Ok(()) };
        at(folder.display(), fs::create_dir_all(folder))?;
        files.iter().try_for_each(|File { name, text }| file(folder, name, text.as_bytes()))
    }
}

/// Writes a file of a folder.
pub(super) fn file(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), CliError> {
    whole::write(&folder.join(name), bytes)
}
