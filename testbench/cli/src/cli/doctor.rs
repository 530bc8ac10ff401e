// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar doctor`: what is installed, what is missing, how to get it.

use super::{CliResult, Outcome};
use awgstar_simulator::process;
use serde::Serialize;
use std::{io::Write, process::Command, time::Duration};

#[derive(clap::Args)]
#[command(
    after_help = "Exits with 1 when a tool that the tests need is missing.\n\nExample:\n  awgstar doctor"
)]
pub(crate) struct Args {
    /// One JSON array
    #[arg(long)]
    json: bool,
}

/// A program this project can use.
struct Tool {
    name: &'static str,
    version_arg: &'static str,
    /// Versions that the tests have been run with.
    tried: &'static str,
    needed_for: &'static str,
    /// The tests fail without it.
    required: bool,
    install: &'static str,
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "iverilog",
        version_arg: "-V",
        tried: "11.0",
        needed_for: "cosim --sim icarus, tests",
        required: true,
        install: "apt-get install iverilog",
    },
    Tool {
        name: "verilator",
        version_arg: "--version",
        tried: "5.006, 5.048",
        needed_for: "cosim --sim verilator, tests",
        required: true,
        install: "apt-get install verilator g++ make",
    },
    Tool {
        name: "yosys",
        version_arg: "-V",
        tried: "0.23",
        needed_for: "lint, names and proofs in the tests",
        required: true,
        install: "apt-get install yosys",
    },
    Tool {
        name: "z3",
        version_arg: "--version",
        tried: "",
        needed_for: "proofs in the tests",
        required: true,
        install: "apt-get install z3",
    },
    Tool {
        name: "tshark",
        version_arg: "--version",
        tried: "",
        needed_for: "tests of the dissector and of sim --pcapng",
        required: true,
        install: "apt-get install tshark",
    },
    Tool {
        name: "valgrind",
        version_arg: "--version",
        tried: "",
        needed_for: "instruction counts in the tests",
        required: true,
        install: "apt-get install valgrind",
    },
    Tool {
        name: "gtkwave",
        version_arg: "--version",
        tried: "",
        needed_for: "looking at waveforms",
        required: false,
        install: "apt-get install gtkwave",
    },
];

#[derive(Serialize)]
struct Finding {
    tool: &'static str,
    version: Option<String>,
    tried: &'static str,
    required: bool,
    needed_for: &'static str,
    install: &'static str,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let findings: Vec<Finding> = TOOLS
        .iter()
        .map(|tool| Finding {
            tool: tool.name,
            version: version(tool),
            tried: tool.tried,
            required: tool.required,
            needed_for: tool.needed_for,
            install: tool.install,
        })
        .collect();
    if args.json {
        let text = serde_json::to_string(&findings).unwrap_or_default();
        writeln!(out, "{text}")?;
    } else {
        for f in &findings {
            match &f.version {
                Some(version) if f.tried.is_empty() => {
                    writeln!(out, "ok       {:<10} {version}", f.tool)?;
                }
                Some(version) => {
                    writeln!(
                        out,
                        "ok       {:<10} {version} (tests run with {})",
                        f.tool, f.tried
                    )?;
                }
                None => writeln!(
                    out,
                    "{}  {:<10} needed for {}; install with: {}",
                    if f.required { "MISSING" } else { "absent " },
                    f.tool,
                    f.needed_for,
                    f.install
                )?,
            }
        }
    }
    let missing = findings.iter().any(|f| f.required && f.version.is_none());
    Ok(if missing { Outcome::Failed } else { Outcome::Holds })
}

/// Returns true if a line has digits on both sides of a point: not one of a text about the usage.
fn has_version(line: &str) -> bool {
    let point =
        |part: &[char]| part[0].is_ascii_digit() && part[1] == '.' && part[2].is_ascii_digit();
    line.chars().collect::<Vec<_>>().windows(3).any(point)
}

/// First line with a version that the tool prints of itself; `None` when it cannot be started.
fn version(tool: &Tool) -> Option<String> {
    let mut command = Command::new(tool.name);
    let limit = Duration::from_secs(10);
    let done = process::run(command.arg(tool.version_arg), tool.name, limit).ok()?;
    let line = done.text.lines().find(|line| has_version(line));
    Some(line.map_or_else(|| "(it does not say its version)".to_owned(), |line| line.trim().into()))
}
