// SPDX-License-Identifier: MIT OR Apache-2.0
//! `cargo xtask`: commands for those who change the code.

#![forbid(unsafe_code)]

use awgstar_xtask::{house, site};
use clap::{Parser, Subcommand};
use std::{error::Error, path::Path, process::ExitCode};

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
    /// Print the packages of a group of crates for cargo: `cargo test $(cargo xtask group core)`
    Group {
        /// The group, as testbench/xtask/house.toml names it
        name: String,
    },
    /// Build the pages of docs as a site with a search, target/site, and check its links
    Site,
}

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match run(&root, Arguments::parse().command) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(root: &Path, command: Command) -> Result<String, Box<dyn Error>> {
    Ok(match command {
        Command::House { check: true, .. } => house::run(root, house::Mode::Check)?,
        Command::House { list: true, .. } => house::run(root, house::Mode::List)?,
        Command::House { .. } => house::run(root, house::Mode::Write)?,
        Command::Group { name } => house::group(root, &name)?,
        Command::Site => site::run(root)?,
    })
}
