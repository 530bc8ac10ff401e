// SPDX-License-Identifier: MIT OR Apache-2.0
//! `cargo xtask`: commands for those who change the code.

#![forbid(unsafe_code)]

use awgstar_xtask::house;
use clap::{Parser, Subcommand};
use std::{path::Path, process::ExitCode};

/// Commands for those who change the code.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure the structure of the code and write the table of docs/architecture.md
    House {
        /// Write nothing; fail if the page differs from what is measured
        #[arg(long)]
        check: bool,
        /// Print each place that a measure counts, write nothing
        #[arg(long, conflicts_with = "check")]
        list: bool,
    },
}

fn main() -> ExitCode {
    let Command::House { check, list } = Arguments::parse().command;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mode = match (check, list) {
        (true, _) => house::Mode::Check,
        (_, true) => house::Mode::List,
        _ => house::Mode::Write,
    };
    match house::run(&root, mode) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("xtask house: {error}");
            ExitCode::FAILURE
        }
    }
}
