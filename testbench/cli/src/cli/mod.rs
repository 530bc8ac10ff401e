// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands, their arguments and exit codes (CLI-1 to CLI-3).

mod campaign;
#[cfg(test)]
mod commands_of_pages;
mod conform;
mod contract;
mod cosim;
mod counterexample;
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
mod output;
mod shard;
mod shell;
mod sim;
mod speed;
mod study;
mod study_lambda;
mod study_openmp;
mod study_output;
mod study_paging;
mod unfinished;
mod vectors;
mod wave;
mod whole;

use awgstar_cli::carried;
use awgstar_stimulus::echo;
use awgstar_stimulus::echo::Terminal;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, parser::ValueSource};
use std::{
    fmt,
    io::{self, BufWriter, IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Model of a reflective-memory ring (AWG-STAR), its golden vectors, and checks of Verilog against it.
#[derive(Parser)]
#[command(
    name = "awgstar",
    version,
    after_help = "Exit codes: 0 holds, 1 a check failed, 2 wrong usage or unreadable input.\n\nExample:\n  awgstar demo"
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
    /// Write or check the files generated from the contract
    #[command(subcommand)]
    Contract(contract::Command),
    /// Write, check or list the golden vectors
    #[command(subcommand)]
    Vectors(vectors::Command),
    /// Run a scenario file: report, picture, waves
    Sim(sim::Args),
    /// Write the waves of a scenario's run, only the window asked for
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
    /// Measure model, Verilator and Icarus on the same rings
    Speed(speed::Args),
    /// Measure latency and throughput of the hosts of a ring of boards
    Latency(latency::Args),
    /// Compare protocols of locks or barriers: table, CSV, plots
    Study(study::StudyArgs),
    /// Run the firmware's tests on its mutants (injected bugs)
    Mutants(mutants::Args),
    /// List the installed simulators and tools, and how to install the others
    Doctor(doctor::Args),
    /// Print a completion script for a shell
    Completions(shell::CompletionArgs),
    /// Print the man page, or write one page per command
    Man(shell::ManArgs),
}

/// Testbenches of the simulators, in a checkout.
const BENCHES: &str = "testbench/verilog";

/// Outcome of a command that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The checks of the command hold.
    Holds,
    /// A check failed; the command has said which.
    Failed,
    /// Nothing failed, but something has no result or never acted; the command has said what.
    NotJudged,
    /// A program that the command ran ended with this exit code.
    Program(u8),
}

/// Error of a command that did not run to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// A check failed; this is the message.
    #[error("{0}")]
    Check(String),
    /// Unusable arguments or unreadable input.
    #[error("{0}")]
    Usage(String),
    /// A file or stream could not be read or written.
    #[error("{what}: {source}")]
    Io {
        /// The file, or what was being done.
        what: String,
        /// Error of the operating system.
        source: io::Error,
    },
}

impl From<io::Error> for CliError {
    fn from(source: io::Error) -> Self {
        CliError::Io { what: "output".into(), source }
    }
}

/// Attaches what was being read or written to an I/O error.
pub(crate) fn at<T>(what: impl std::fmt::Display, result: io::Result<T>) -> Result<T, CliError> {
    result.map_err(|source| CliError::Io { what: what.to_string(), source })
}

/// Refuses a `root` without these folders.
pub(crate) fn checkout(root: &Path, folders: &[&str]) -> Result<(), CliError> {
    let Some(missing) = folders.iter().find(|folder| !root.join(folder).is_dir()) else {
        return Ok(());
    };
    Err(CliError::Usage(format!(
        "no folder `{missing}` in `{}`: this command needs a checkout of the project: run it in one, or name one with --root FOLDER",
        root.display()
    )))
}

/// Finds the folder with the project's files: `root` if it has these folders. Without --root and
/// outside a checkout it is a folder of the user's cache with the files that the command carries. A
/// folder with its own Verilog in `hdl` is refused: the verdict would be about the carried Verilog.
pub(crate) fn files_at(root: &Path, folders: &[&str]) -> Result<PathBuf, CliError> {
    let named = root != Path::new(ROOT);
    if named || folders.iter().all(|folder| root.join(folder).is_dir()) {
        return checkout(root, folders).map(|()| root.to_owned());
    }
    if folders.contains(&"hdl") && root.join("hdl").exists() {
        return Err(CliError::Usage(
            "the folder `hdl` here is not part of a checkout of the project and would not be used: for Verilog of your own name it with --hdl (cosim) or --dut (conform); for the Verilog of the project run in another folder or name a checkout with --root FOLDER".into(),
        ));
    }
    let place = carried::place(&carried::cache().unwrap_or_else(|| root.join("target")));
    at(place.display(), carried::lay_out(&place))?;
    say(format_args!(
        "no checkout here: the files of this version are in {}, and what a simulator makes of them in `target` there",
        place.display()
    ));
    Ok(place)
}

/// The default of --root.
pub(crate) const ROOT: &str = ".";

/// The object that a command with --json prints for an error, beside the text on standard error.
fn error_json(error: &CliError, line: Option<usize>) -> serde_json::Value {
    let kind = match error {
        CliError::Check(_) => "check",
        CliError::Usage(_) => "usage",
        CliError::Io { .. } => "io",
    };
    let mut fields = serde_json::json!({ "kind": kind, "message": repeated(&error.to_string()) });
    if let Some(line) = line {
        fields["line"] = line.into();
    }
    serde_json::json!({ "error": fields })
}

/// Says that a command has failed, or a part of it; `line` is that of standard input.
pub(crate) fn failed(
    error: &CliError,
    line: Option<usize>,
    json: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let place = line.map_or(String::new(), |line| format!("line {line}: "));
    if json {
        writeln!(out, "{}", error_json(error, line))?;
        out.flush()?;
    }
    say(format_args!("error: {place}{}", repeated(&error.to_string())));
    Ok(())
}

/// Returns true if the command has --json.
fn wants_json(matches: &ArgMatches) -> bool {
    let mut given = matches;
    while let Some((_, below)) = given.subcommand() {
        given = below;
    }
    matches!(given.try_get_one::<bool>("json"), Ok(Some(true)))
}

/// Returns true if a person watches: both outputs are terminals.
pub(crate) fn on_terminal() -> bool {
    io::stdout().is_terminal() && io::stderr().is_terminal()
}

/// A line on standard error.
pub(crate) fn say(line: fmt::Arguments) {
    // Nothing is left to do when even stderr is closed.
    let _ = writeln!(Terminal(io::stderr().lock()), "{line}");
}

pub(crate) type CliResult = Result<Outcome, CliError>;

/// Longest argument that a message repeats whole: no path to a file is shortened.
const ARGUMENT_MAX: usize = 255;

/// A message, with the long arguments of the command line that it repeats shortened.
fn repeated(message: &str) -> String {
    let all: Vec<String> = std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect();
    let values = all.iter().flat_map(|arg| arg.rsplit('=').take(1).chain([arg.as_str()]));
    let long = values.filter(|value| value.chars().count() > ARGUMENT_MAX);
    long.fold(message.to_owned(), |text, value| text.replace(value, &echo::shown(value)))
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
    let matches = command_line().try_get_matches();
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

/// Refuses options that were given but do nothing here: pairs of field and option, and why.
pub(crate) fn refuse(
    matches: &ArgMatches,
    options: &[(&str, &str)],
    why: &str,
) -> Result<(), CliError> {
    let given =
        |(id, _): &&(&str, &str)| matches.value_source(id) == Some(ValueSource::CommandLine);
    match options.iter().find(given) {
        Some((_, option)) => Err(CliError::Usage(format!("{option} does not apply: {why}"))),
        None => Ok(()),
    }
}

/// Does what the command says.
fn execute(matches: &ArgMatches, cli: Cli, out: &mut dyn Write) -> CliResult {
    let given = matches.subcommand().map_or(matches, |(_, given)| given);
    match cli.command {
        Command::Demo(args) => demo::run(&args, out),
        Command::Frame(command) => frame::run(&command, out),
        Command::Contract(command) => contract::run(&command, out),
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
        Command::Merge(args) => merge::run(&args, out),
        Command::Run(args) => launch::run(&args, out),
        Command::Speed(args) => speed::run(&args, out),
        Command::Latency(args) => latency::run(&args, out),
        Command::Study(args) => {
            shard::run_part(&args.part(), out, |work, out| study::run(&args.study, work, out))
        }
        Command::Mutants(args) => {
            shard::run_part(&args.part, out, |work, out| mutants::run(&args, work, out))
        }
        Command::Doctor(args) => doctor::run(&args, out),
        Command::Completions(args) => shell::completions(&args, &mut command_line(), out),
        Command::Man(args) => shell::man(&args, command_line(), out),
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
