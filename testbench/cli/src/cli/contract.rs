// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar contract generate | check` (CTR-1).

use super::{CliError, CliResult, Outcome, at, checkout};
use awgstar_cli::generated;
use awgstar_cli::measured::{self, Change};
use awgstar_stimulus::echo::{self, shown};
use clap::Subcommand;
use std::{
    ffi::OsStr,
    io::Write,
    path::{Path, PathBuf},
};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Write the Verilog header, crc32.v and the tables of the documentation
    #[command(after_help = "Example:\n  awgstar contract generate")]
    Generate {
        /// Root of the repository
        #[arg(long, default_value = ".")]
        root: PathBuf,
    },
    /// Print a generated file, such as the dissector or the schema of scenario files
    #[command(
        after_help = "Examples:\n  awgstar contract print awgstar.lua\n  awgstar contract print scenario.schema.json"
    )]
    Print {
        /// Name of the file, without its folder
        name: String,
    },
    /// Compare those files with the contract, and say which figures in pages are old; exits with 1 on
    /// drift, and for figures that another recipe made
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
        Command::Print { name } => {
            let files = generated::files();
            let path = |path: &str| Path::new(path).file_name() == Some(OsStr::new(name));
            let Some((_, text)) = files.iter().find(|(file, _)| path(file)) else {
                let all = files.iter().filter_map(|(file, _)| file.rsplit('/').next());
                let (name, all) = (shown(name), echo::expected(name, all));
                return Err(CliError::Usage(format!("file `{name}`: {all}")));
            };
            write!(out, "{text}")?;
            Ok(Outcome::Holds)
        }
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
            let current = generated::ip_xact_is_current(root);
            if !current {
                let name = generated::IP_XACT;
                writeln!(
                    out,
                    "{name}:1: made of other registers; run `testbench/registers/check.sh write`"
                )?;
            }
            let stale = at(root.display(), measured::stale(root))?;
            for mark in &stale {
                writeln!(out, "{mark}")?;
            }
            let fails = stale.iter().any(|mark| mark.change == Change::Fails);
            Ok(if drift.is_empty() && current && !fails { Outcome::Holds } else { Outcome::Failed })
        }
    }
}
