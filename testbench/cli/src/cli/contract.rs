// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar contract generate | check` (CTR-1).

use super::{CliResult, Outcome, at, checkout};
use awgstar_cli::generated;
use clap::Subcommand;
use std::{io::Write, path::PathBuf};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Write the Verilog header, crc32.v and the tables of the documentation
    #[command(after_help = "Example:\n  awgstar contract generate")]
    Generate {
        /// Root of the repository
        #[arg(long, default_value = ".")]
        root: PathBuf,
    },
    /// Compare those files with the contract; exits with 1 on drift
    #[command(after_help = "Example:\n  awgstar contract check")]
    Check {
        /// Root of the repository
        #[arg(long, default_value = ".")]
        root: PathBuf,
    },
}

/// Folders with generated files.
const PARTS: [&str; 2] = ["hdl", "docs"];

pub(crate) fn run(command: &Command, out: &mut dyn Write) -> CliResult {
    match command {
        Command::Generate { root } => {
            checkout(root, &PARTS)?;
            for path in at(root.display(), generated::write(root))? {
                writeln!(out, "wrote {}", path.display())?;
            }
            Ok(Outcome::Holds)
        }
        Command::Check { root } => {
            checkout(root, &PARTS)?;
            let drift = generated::drift(root);
            for (name, line) in &drift {
                writeln!(
                    out,
                    "{name}:{line}: differs from the contract; run `awgstar contract generate`"
                )?;
            }
            Ok(if drift.is_empty() { Outcome::Holds } else { Outcome::Failed })
        }
    }
}
