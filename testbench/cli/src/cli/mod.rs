// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands, their arguments and exit codes (CLI-1 to CLI-3).

mod campaign;
mod checkout;
mod choice;
#[cfg(test)]
mod commands_of_pages;
mod conform;
mod contract;
mod cosim;
mod counterexample;
mod crossings;
mod demo;
mod doctor;
mod frame;
mod latency;
mod launch;
#[cfg(test)]
mod limits;
mod link_wave;
mod merge;
mod mutants;
mod new;
mod number;
mod old;
mod outcome;
mod output;
mod shard;
mod shell;
mod sim;
mod speed;
mod study;
mod study_mandelbrot;
mod study_openmp;
mod study_output;
mod study_sharing;
mod unfinished;
mod vectors;
mod wave;
mod whole;

pub(crate) use checkout::{BENCHES, checkout, files_at};
pub(crate) use outcome::{CliError, CliResult, Outcome, at, failed, on_terminal, say};

use awgstar_cli::work::Work;
use awgstar_stimulus::echo;
use awgstar_stimulus::echo::Terminal;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, error::ErrorKind};
use outcome::{error_json, repeated};
use std::{
    ffi::OsString,
    io::{self, BufWriter, Write},
    process::ExitCode,
};

/// Model of a reflective-memory ring (AWG-STAR), its golden vectors, and checks of Verilog against it.
#[derive(Parser)]
#[command(
    name = "awgstar",
    version,
    after_help = "Exit codes: 0 holds, 1 a check failed, 2 wrong usage or unreadable input.\nCommands for those who change the project: `cargo xtask --help` in a checkout.\n\nExample:\n  awgstar demo"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a ring, a fault, a lock and a barrier; write pictures, waves and vectors
    Demo(demo::Args),
    /// Encode, decode and explain frames
    #[command(subcommand)]
    Frame(frame::Command),
    /// Print a file that is generated from the contract: dissector, schema of scenario files, headers
    #[command(subcommand)]
    Contract(contract::Printed),
    /// Write, check or list the golden vectors
    #[command(subcommand)]
    Vectors(vectors::Command),
    /// Run a scenario file: report, picture, waves
    Sim(sim::Args),
    /// Write the waves of a scenario's run, only the window asked for
    #[command(hide = true)]
    Wave(wave::Args),
    /// Run golden vectors, or model and Verilog in lockstep, in a simulator
    Cosim(cosim::Args),
    /// Run the conformance suite on third-party RTL with these ports
    Conform(conform::Args),
    /// Write a starting point for checking your RTL: scenario, design, CI file
    New(new::Args),
    /// Run boards with random writes, signals and faults, and check their state at the end
    Campaign(campaign::Args),
    /// Put the parts of a run together that was divided by --shard
    Merge(merge::Args),
    /// Run a program on every node of a modelled ring
    Run(launch::Args),
    /// Compare protocols, engines and machines, measure latency: table, CSV, plots
    Study(study::StudyArgs),
    /// List the installed simulators and tools, and how to install the others
    Doctor(doctor::Args),
    /// Print a completion script for a shell
    Completions(shell::CompletionArgs),
    /// Commands for those who change the project: `cargo xtask` starts them
    #[command(subcommand, hide = true)]
    Xtask(Developer),
}

/// What `cargo xtask` starts: it needs a checkout.
#[derive(Subcommand)]
enum Developer {
    /// Write or check the files generated from the contract
    #[command(subcommand)]
    Contract(contract::Command),
    /// Look at every path between clocks, and write or check the constraint files
    #[command(subcommand)]
    Crossings(crossings::Command),
    /// Run the firmware's tests on its mutants (injected bugs)
    Mutants(mutants::Args),
    /// Measure model, Verilator and Icarus on the same rings
    Speed(speed::Args),
    /// Print the man page, or write one page per command
    Man(shell::ManArgs),
}

/// Returns true if the command has --json.
fn wants_json(matches: &ArgMatches) -> bool {
    let mut given = matches;
    while let Some((_, below)) = given.subcommand() {
        given = below;
    }
    matches!(given.try_get_one::<bool>("json"), Ok(Some(true)))
}

/// The command line. A negative number is the value of an option, so that the message about it names both.
fn command_line() -> clap::Command {
    fn below(command: clap::Command) -> clap::Command {
        let numbers = |arg: clap::Arg| {
            let value = arg.get_long().is_some() && arg.get_action().takes_values();
            if value { arg.allow_negative_numbers(true) } else { arg }
        };
        command.mut_args(numbers).mut_subcommands(below)
    }
    below(Cli::command())
}

/// The arguments. A message about them repeats none that is long or has control characters.
fn parsed() -> (ArgMatches, Cli) {
    let given = old::renewed(std::env::args_os());
    for warning in &given.warnings {
        say(format_args!("{warning}"));
    }
    let matches = command_line().try_get_matches_from(given.arguments);
    let error = match matches.and_then(|m| Cli::from_arg_matches(&m).map(|cli| (m, cli))) {
        Ok(parsed) => return parsed,
        Err(error) => error,
    };
    let text = error.render().to_string();
    let mut words = std::env::args_os().take_while(|word| word != "--");
    if error.use_stderr() && words.any(|word| word == "--json") {
        // The names of missing options are lines below the first.
        let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
        let said = lines.collect::<Vec<_>>().join(" ");
        let what = CliError::Usage(said.trim_start_matches("error: ").to_owned());
        let object = error_json(&what, None);
        // As the JSON of a command that runs: that of `run` goes to standard error.
        let _ = if std::env::args_os().nth(1).is_some_and(|word| word == "run") {
            writeln!(Terminal(io::stderr().lock()), "{object}")
        } else {
            writeln!(Terminal(io::stdout().lock()), "{object}")
        };
    }
    let safe = repeated(&text);
    // Only clap itself has colours.
    if safe == text && echo::printable(&text.replace('\n', "")) == text.replace('\n', "") {
        error.exit();
    }
    say(format_args!("{}", safe.trim_end()));
    std::process::exit(error.exit_code())
}

/// Does what the command of the parts of a run says, on their results.
fn merged(all: &[OsString], work: &Work, out: &mut dyn Write) -> CliResult {
    let cli = Cli::try_parse_from(all).map_err(|error| {
        let text = error.render().to_string();
        let first =
            text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                CliError::Usage("command of the parts: asks for help".into())
            }
            _ => CliError::Usage(format!("command of the parts: {first}")),
        }
    })?;
    match cli.command {
        Command::Campaign(args) => campaign::run(&args, work, out),
        Command::Xtask(Developer::Mutants(args)) => mutants::run(&args, work, out),
        Command::Study(args) => study::run(&args.study, work, out),
        Command::Conform(args) => conform::run(&args, work, out),
        _ => Err(CliError::Usage(
            "command of the parts: expected campaign, mutants, conform or study".into(),
        )),
    }
}

/// Does what the command says.
fn execute(matches: &ArgMatches, cli: Cli, out: &mut dyn Write) -> CliResult {
    let given = matches.subcommand().map_or(matches, |(_, given)| given);
    match cli.command {
        Command::Demo(args) => demo::run(&args, out),
        Command::Frame(command) => frame::run(&command, out),
        Command::Contract(contract::Printed::Print { name }) => contract::print(&name, out),
        Command::Vectors(command) => vectors::run(&command, out),
        Command::Sim(args) => sim::run(&args, out),
        Command::Wave(args) => wave::run(&args, out),
        Command::Cosim(mut args) => {
            let own = args.hdl.as_ref().map_or(&["hdl", "vectors", BENCHES][..], |_| &[BENCHES]);
            files_at(&args.root, own).and_then(|root| {
                args.root = root;
                cosim::run(&args, given, out)
            })
        }
        Command::Conform(mut args) => {
            files_at(&args.root, &["vectors", BENCHES]).and_then(|root| {
                args.root = root;
                shard::run_part(&args.part, out, |work, out| conform::run(&args, work, out))
            })
        }
        Command::New(args) => new::run(&args, out),
        Command::Campaign(args) => {
            shard::run_part(&args.part, out, |work, out| campaign::run(&args, work, out))
        }
        Command::Merge(args) => merge::run(&args, &merged, out),
        Command::Run(args) => launch::run(&args, out),
        Command::Study(args) => {
            shard::run_part(&args.part(), out, |work, out| study::run(&args.study, work, out))
        }
        Command::Doctor(args) => doctor::run(&args, out),
        Command::Completions(args) => shell::completions(&args, &command_line(), out),
        Command::Xtask(command) => develop(command, out),
    }
}

/// Does what a command of those who change the project says.
fn develop(command: Developer, out: &mut dyn Write) -> CliResult {
    match command {
        Developer::Contract(command) => contract::run(&command, out),
        Developer::Crossings(command) => crossings::run(&command, out),
        Developer::Mutants(args) => {
            shard::run_part(&args.part, out, |work, out| mutants::run(&args, work, out))
        }
        Developer::Speed(args) => speed::run(&args, out),
        Developer::Man(args) => shell::man(&args, command_line(), out),
    }
}

/// Runs the command line and gives its exit code.
pub(crate) fn run() -> ExitCode {
    let (matches, cli) = parsed();
    let mut out = Terminal(BufWriter::new(io::stdout().lock()));
    let result = execute(&matches, cli, &mut out);
    let result = result.and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    match result {
        Ok(Outcome::Holds) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        Ok(Outcome::NotJudged) => ExitCode::from(2),
        Ok(Outcome::Program(code)) => ExitCode::from(code),
        // Who closes the pipe has read enough.
        Err(CliError::Io { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            let mut errors = Terminal(io::stderr());
            // Standard output of `run` is that of its processes.
            let run = matches.subcommand_name() == Some("run");
            let place: &mut dyn Write = if run { &mut errors } else { &mut out };
            // Nothing is left to do when even the output is closed.
            let _ = failed(&error, None, wants_json(&matches), place);
            ExitCode::from(if matches!(error, CliError::Check(_)) { 1 } else { 2 })
        }
    }
}
