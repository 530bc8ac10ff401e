// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a command ends, and how its errors are said.

use awgstar_stimulus::echo::{self, Terminal};
use std::{
    fmt,
    io::{self, IsTerminal, Write},
};

/// Outcome of a command that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The checks of the command hold.
    Holds,
    /// A check failed; the command has said which.
    Failed,
    /// Nothing failed, but something has no result or never acted; the command has said what.
    NotJudged,
    /// A program that the command ran ended with this exit code.
    Program(u8),
}

/// Error of a command that did not run to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// A check failed; this is the message.
    #[error("{0}")]
    Check(String),
    /// Unusable arguments or unreadable input.
    #[error("{0}")]
    Usage(String),
    /// A file or stream could not be read or written.
    #[error("{what}: {source}")]
    Io {
        /// The file, or what was being done.
        what: String,
        /// Error of the operating system.
        source: io::Error,
    },
}

impl From<io::Error> for CliError {
    fn from(source: io::Error) -> Self {
        CliError::Io { what: "output".into(), source }
    }
}

pub(crate) type CliResult = Result<Outcome, CliError>;

/// Attaches what was being read or written to an I/O error.
pub(crate) fn at<T>(what: impl fmt::Display, result: io::Result<T>) -> Result<T, CliError> {
    result.map_err(|source| CliError::Io { what: what.to_string(), source })
}

/// The object that a command with --json prints for an error, beside the text on standard error.
pub(super) fn error_json(error: &CliError, line: Option<usize>) -> serde_json::Value {
    let kind = match error {
        CliError::Check(_) => "check",
        CliError::Usage(_) => "usage",
        CliError::Io { .. } => "io",
    };
    let mut fields = serde_json::json!({ "kind": kind, "message": repeated(&error.to_string()) });
    if let Some(line) = line {
        fields["line"] = line.into();
    }
    serde_json::json!({ "error": fields })
}

/// Says that a command has failed, or a part of it; `line` is that of standard input.
pub(crate) fn failed(
    error: &CliError,
    line: Option<usize>,
    json: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let place = line.map_or(String::new(), |line| format!("line {line}: "));
    if json {
        writeln!(out, "{}", error_json(error, line))?;
        out.flush()?;
    }
    say(format_args!("error: {place}{}", repeated(&error.to_string())));
    Ok(())
}

/// Returns true if a person watches: both outputs are terminals.
pub(crate) fn on_terminal() -> bool {
    io::stdout().is_terminal() && io::stderr().is_terminal()
}

/// A line on standard error.
pub(crate) fn say(line: fmt::Arguments) {
    // Nothing is left to do when even stderr is closed.
    let _ = writeln!(Terminal(io::stderr().lock()), "{line}");
}

/// Longest argument that a message repeats whole: no path to a file is shortened.
const ARGUMENT_MAX: usize = 255;

/// A message, with the long arguments of the command line that it repeats shortened.
pub(super) fn repeated(message: &str) -> String {
    let all: Vec<String> = std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect();
    let values = all.iter().flat_map(|arg| arg.rsplit('=').take(1).chain([arg.as_str()]));
    let long = values.filter(|value| value.chars().count() > ARGUMENT_MAX);
    long.fold(message.to_owned(), |text, value| text.replace(value, &echo::shown(value)))
}
