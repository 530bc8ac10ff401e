// SPDX-License-Identifier: MIT OR Apache-2.0
//! `cargo xtask`: commands for those who change the code. Those that need the whole project are in the program
//! `awgstar`, hidden from its users; this crate starts it and depends on none of it.

#![forbid(unsafe_code)]

use awgstar_xtask::{house, site, times};
use clap::{Parser, Subcommand};
use std::{
    env,
    error::Error,
    ffi::{OsStr, OsString},
    io,
    path::{Path, PathBuf},
    process::{self, ExitCode, ExitStatus},
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
    /// Write the files generated from the contract, or compare them
    Contract(Rest),
    /// Look at every path between clocks in the Verilog, and write or compare the constraint files
    Crossings(Rest),
    /// Run tests on mutants (injected bugs)
    Mutants(Rest),
    /// Measure model, Verilator and Icarus on the same rings
    Speed(Rest),
    /// Print the man page, or write one page per command
    Man(Rest),
}

/// Arguments of a command of `awgstar`.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
struct Rest {
    /// `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// The arguments of cargo that start this command of `awgstar`.
fn started(root: &Path, name: &str, rest: &Rest) -> Vec<OsString> {
    let mut all: Vec<OsString> = ["run", "--quiet", "--locked"].map(Into::into).into();
    if name == "speed" {
        all.push("--release".into());
    }
    all.extend(["--manifest-path".into(), root.join("Cargo.toml").into()]);
    all.extend(["--package", "awgstar-cli", "--", "xtask", name].map(Into::into));
    all.extend(rest.arguments.iter().cloned());
    all
}

/// Runs a command of `awgstar` and gives its exit code.
fn start(root: &Path, name: &str, rest: &Rest) -> io::Result<ExitCode> {
    let cargo = env::var_os("CARGO");
    let cargo = cargo.as_deref().unwrap_or(OsStr::new("cargo"));
    process::Command::new(cargo).args(started(root, name, rest)).status().map(code)
}

/// The exit code of a process; that of a failure if a signal ended it.
fn code(status: ExitStatus) -> ExitCode {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}

fn main() -> ExitCode {
    run(Arguments::parse().command).unwrap_or_else(|error| {
        eprintln!("xtask: {error}");
        ExitCode::FAILURE
    })
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
            return Ok(code(times::run(&file, &command, &mut io::stdout())?));
        }
        Command::Contract(rest) => return Ok(start(&root, "contract", &rest)?),
        Command::Crossings(rest) => return Ok(start(&root, "crossings", &rest)?),
        Command::Mutants(rest) => return Ok(start(&root, "mutants", &rest)?),
        Command::Speed(rest) => return Ok(start(&root, "speed", &rest)?),
        Command::Man(rest) => return Ok(start(&root, "man", &rest)?),
    };
    print!("{text}");
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Command, started};
    use clap::Parser;
    use std::path::Path;

    /// What follows the command is for `awgstar`, help and options included.
    #[test]
    fn arguments_reach_the_program() {
        for (words, release) in [("speed --nodes 4 --help", true), ("mutants x --only=y", false)] {
            let words: Vec<&str> = words.split(' ').collect();
            let parsed = Arguments::try_parse_from([&["xtask"], &words[..]].concat());
            let rest = match parsed.expect("accepted").command {
                Command::Speed(rest) | Command::Mutants(rest) => rest,
                other => panic!("{other:?}"),
            };
            let all = started(Path::new("."), words[0], &rest);
            let at = all.iter().position(|word| word == "--").expect("a separator");
            let found: Vec<_> = all[at + 1..].iter().filter_map(|word| word.to_str()).collect();
            assert_eq!(found, [&["xtask"], &words[..]].concat());
            assert_eq!(all.iter().any(|word| word == "--release"), release);
        }
    }
}
