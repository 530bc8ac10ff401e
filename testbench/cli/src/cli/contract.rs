// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar contract print`, `cargo xtask contract generate | check` (CTR-1).

use super::{CliError, CliResult, Outcome, at, checkout};
use awgstar_cli::generated;
use awgstar_cli::measured::{self, Change};
use awgstar_stimulus::echo::{self, shown};
use clap::Subcommand;
use serde_json::json;
use std::{
    ffi::OsStr,
    io::Write,
    path::{Path, PathBuf},
};

#[derive(Subcommand)]
pub(crate) enum Printed {
    /// Print a generated file, such as the dissector or the schema of scenario files
    #[command(
        after_help = "Examples:\n  awgstar contract print awgstar.lua\n  awgstar contract print scenario.schema.json"
    )]
    Print {
        /// Name of the file, without its folder
        name: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Write the Verilog header, crc32.v and the tables of the documentation
    #[command(after_help = "Example:\n  cargo xtask contract generate")]
    Generate {
        /// Root of the repository
        #[arg(long, default_value = ".")]
        root: PathBuf,
    },
    /// Compare those files with the contract, and say which figures in pages are old; exits with 1 on
    /// drift, and for figures that another recipe made
    #[command(after_help = "Example:\n  cargo xtask contract check")]
    Check {
        /// Root of the repository
        #[arg(long, default_value = ".")]
        root: PathBuf,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Prints the generated file with this name.
pub(crate) fn print(name: &str, out: &mut dyn Write) -> CliResult {
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
        Command::Check { root, json } => check(root, *json, out),
    }
}

fn check(root: &Path, json: bool, out: &mut dyn Write) -> CliResult {
    checkout(root, &PARTS)?;
    let drift = generated::drift(root);
    let current = generated::ip_xact_is_current(root);
    let stale = at(root.display(), measured::stale(root))?;
    if json {
        let registers = (!current).then_some((generated::IP_XACT, 1));
        let files = drift.iter().chain(&registers);
        let files = files.map(|(file, line)| json!({ "file": file, "line": line }));
        let figures = stale.iter().map(
            |mark| json!({ "message": mark.to_string(), "fails": mark.change == Change::Fails }),
        );
        let (files, figures): (Vec<_>, Vec<_>) = (files.collect(), figures.collect());
        writeln!(out, "{}", json!({ "files": files, "figures": figures }))?;
    } else {
        for (name, line) in &drift {
            writeln!(
                out,
                "{name}:{line}: differs from the contract; run `cargo xtask contract generate`"
            )?;
        }
        if !current {
            writeln!(
                out,
                "{}:1: made of other registers; run `testbench/registers/check.sh write`",
                generated::IP_XACT
            )?;
        }
        for mark in &stale {
            writeln!(out, "{mark}")?;
        }
    }
    let fails = stale.iter().any(|mark| mark.change == Change::Fails);
    Ok(if drift.is_empty() && current && !fails { Outcome::Holds } else { Outcome::Failed })
}
