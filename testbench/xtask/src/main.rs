// SPDX-License-Identifier: MIT OR Apache-2.0
//! `cargo xtask`: commands for those who change the code.

#![forbid(unsafe_code)]

use awgstar_xtask::{house, site, times};
use clap::{Parser, Subcommand};
use std::{
    error::Error,
    io,
    path::{Path, PathBuf},
    process::ExitCode,
};

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
    /// Run a command that runs `cargo test`, and write how long each test took
    Times {
        /// The file to write
        file: PathBuf,
        /// The command and its arguments
        #[arg(last = true, required = true)]
        command: Vec<String>,
    },
    /// Print the longest tests of files that `times` has written
    Longest {
        /// How many
        #[arg(long, default_value_t = 10)]
        count: usize,
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<ExitCode, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = match command {
        Command::House { check: true, .. } => house::run(&root, house::Mode::Check)?,
        Command::House { list: true, .. } => house::run(&root, house::Mode::List)?,
        Command::House { .. } => house::run(&root, house::Mode::Write)?,
        Command::Group { name } => house::group(&root, &name)?,
        Command::Site => site::run(&root)?,
        Command::Longest { count, files } => times::longest(&files, count)?,
        Command::Times { file, command } => {
            let code = times::run(&file, &command, &mut io::stdout())?
                .code()
                .and_then(|code| u8::try_from(code).ok());
            return Ok(code.map_or(ExitCode::FAILURE, ExitCode::from));
        }
    };
    print!("{text}");
    Ok(ExitCode::SUCCESS)
}
