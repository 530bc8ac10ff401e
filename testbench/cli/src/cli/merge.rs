// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--shard` and `awgstar merge`: a run divided among computers, and put together again.

use super::{CliError, CliResult, Command, at, output, say};
use awgstar_cli::work::{MergeError, Work, WorkError};
use awgstar_simulator::Shard;
use clap::{Parser, error::ErrorKind};
use std::{fs::File, io::BufReader, io::Write, path::PathBuf};

/// Option of commands whose items can be divided.
#[derive(clap::Args)]
pub(super) struct ShardArgs {
    /// Run part I of N only and write its results to standard output, for `awgstar merge`
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
}

#[derive(clap::Args)]
#[command(
    after_help = "What is printed, and the exit code, are those of the whole run. It is read from the files: nothing is run.\n\nExample:\n  awgstar study lock --shard 1/2 > 1.jsonl\n  awgstar study lock --shard 2/2 > 2.jsonl\n  awgstar merge 1.jsonl 2.jsonl --out target/study"
)]
pub(crate) struct Args {
    /// Files of all parts of a run, in any order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// One JSON object, as of the command
    #[arg(long)]
    json: bool,
    /// Folder for CSV files and plots (study)
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Write a `JUnit` file (conform)
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    junit: Option<PathBuf>,
    /// Write an HTML report (conform, study)
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    html: Option<PathBuf>,
    /// Root of the repository (mutants)
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
}

/// Options that name files which a command writes, or say how it prints: they belong to the merge. A part's file
/// must not name a file that is written where it is merged.
const OUTPUT: [&str; 5] = ["--json", "--out", "--junit", "--html", "--root"];

fn output(words: &[String]) -> Option<&'static str> {
    let is = |word: &String, option: &str| {
        word == option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('='))
    };
    OUTPUT.into_iter().find(|option| words.iter().any(|word| is(word, option)))
}

/// Arguments of this command without `--shard`.
fn words() -> Result<Vec<String>, CliError> {
    let mut words = Vec::new();
    let mut all = std::env::args_os().skip(1);
    while let Some(word) = all.next() {
        let word = word.into_string().map_err(|word| {
            CliError::Usage(format!(
                "`{}`: --shard needs arguments in UTF-8",
                word.to_string_lossy()
            ))
        })?;
        if word == "--shard" {
            all.next();
        } else if !word.starts_with("--shard=") {
            words.push(word);
        }
    }
    Ok(words)
}

/// Runs a command whole, or a part of it.
pub(super) fn run_part(
    args: &ShardArgs,
    out: &mut dyn Write,
    run: impl FnOnce(&Work, &mut dyn Write) -> CliResult,
) -> CliResult {
    let work = Work::new(args.shard);
    let Some(shard) = args.shard else { return run(&work, out) };
    let words = words()?;
    // Other places of the project's files are found by each command alone.
    let written = words.iter().filter(|word| !word.starts_with("--root")).cloned();
    if let Some(option) = output(&written.collect::<Vec<_>>()) {
        return Err(CliError::Usage(format!(
            "{option} does not apply to a part: give it to `merge`"
        )));
    }
    let outcome = run(&work, &mut std::io::sink())?;
    let words = without_root(words);
    let (items, of) = work.write(words, out)?;
    say(format_args!("part {shard}: {items} of {of} items; `awgstar merge` gives the verdict"));
    Ok(outcome)
}

/// Where a checkout is does not belong to a run.
fn without_root(words: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut all = words.into_iter();
    while let Some(word) = all.next() {
        if word == "--root" {
            all.next();
        } else if !word.starts_with("--root=") {
            kept.push(word);
        }
    }
    kept
}

impl From<MergeError> for CliError {
    fn from(error: MergeError) -> Self {
        CliError::Usage(error.to_string())
    }
}

/// Error of a divided run, with `run` for an item without a result.
pub(super) fn failed<E>(error: WorkError<E>, run: impl FnOnce(E) -> CliError) -> CliError {
    match error {
        WorkError::Run(error) => run(error),
        WorkError::Merge(error) => error.into(),
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let mut files = Vec::new();
    for path in &args.files {
        let file = at(path.display(), File::open(path))?;
        files.push((path.display().to_string(), BufReader::new(file)));
    }
    let (mut words, work) = Work::merged(files)?;
    if let Some(option) = output(&words) {
        let name = args.files.first().map(|path| path.display().to_string()).unwrap_or_default();
        return Err(CliError::Usage(format!("{name}: command: {option} is none of a part's")));
    }
    let options = [
        ("--out", &args.out),
        ("--junit", &args.junit),
        ("--html", &args.html),
        ("--root", &args.root),
    ];
    let given = options.into_iter().filter_map(|(name, path)| Some((name, path.as_ref()?)));
    let mut all: Vec<std::ffi::OsString> = vec!["awgstar".into()];
    all.extend(words.drain(..).map(Into::into));
    for (name, path) in given {
        all.extend([name.into(), path.into()]);
    }
    if args.json {
        all.push("--json".into());
    }
    let cli = super::Cli::try_parse_from(&all).map_err(|error| {
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
        Command::Campaign(args) => super::campaign::run(&args, &work, out),
        Command::Mutants(args) => super::mutants::run(&args, &work, out),
        Command::Study(args) => super::study::run(&args.study, &work, out),
        Command::Conform(args) => super::conform::run(&args, &work, out),
        _ => Err(CliError::Usage(
            "command of the parts: expected campaign, mutants, conform or study".into(),
        )),
    }
}
