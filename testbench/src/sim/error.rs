//! What can go wrong around a simulator. None of it ever counts as a pass.

use super::output::ParseError;
use std::{io, path::PathBuf, time::Duration};

/// A run that gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum SimError {
    /// A simulator is not installed.
    #[error("{program} is not installed; install it with: apt-get install {package}")]
    Missing {
        /// The program that was not found.
        program: String,
        /// Debian package that holds it.
        package: &'static str,
    },
    /// The Verilog does not compile.
    #[error("{simulator} does not compile {module}:\n{log}")]
    Build {
        /// Which simulator.
        simulator: &'static str,
        /// Module under test.
        module: &'static str,
        /// What the compiler printed.
        log: String,
    },
    /// A program ran longer than it may.
    #[error("{program} did not end within {limit:?}")]
    Timeout {
        /// The program.
        program: String,
        /// Its limit.
        limit: Duration,
    },
    /// The testbench printed something that is not its grammar, or no result.
    #[error("{simulator}, {module}, {class}: {source}")]
    Output {
        /// Which simulator.
        simulator: &'static str,
        /// Module under test.
        module: &'static str,
        /// Folder of the class.
        class: String,
        /// What is wrong with the output.
        source: ParseError,
    },
    /// The run ended before the testbench had given its verdict.
    #[error("no verdict: the run of {module} in {simulator} ended early; last output: {tail}")]
    Ended {
        /// Which simulator.
        simulator: &'static str,
        /// Module under test.
        module: &'static str,
        /// Last lines of the output, or what ended the run.
        tail: String,
    },
    /// A file cannot be read or written.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file's contents are not what they should be.
    #[error("{path}: {why}", path = .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// Nothing was run: an empty selection is not a pass.
    #[error("no vector was run: {0}")]
    NothingRun(String),
}

impl SimError {
    /// Wraps an I/O error with its path.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> SimError {
        let path = path.into();
        move |source| SimError::Io { path, source }
    }

    /// A file whose contents are unusable.
    pub fn format(path: impl Into<PathBuf>, why: impl Into<String>) -> SimError {
        SimError::Format { path: path.into(), why: why.into() }
    }
}
