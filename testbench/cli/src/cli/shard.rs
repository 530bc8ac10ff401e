// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--shard`: a part of a run that is divided among computers.

use super::{CliError, CliResult, old, say};
use awgstar_cli::work::{MergeError, Work, WorkError};
use awgstar_simulator::Shard;
use std::io::Write;

/// Option of commands whose items can be divided.
#[derive(clap::Args)]
pub(super) struct ShardArgs {
    /// Run part I of N only and write its results to standard output, for `awgstar merge`
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
}

/// Options that name files which a command writes, or say how it prints: they belong to the merge. A part's file
/// must not name a file that is written where it is merged.
const OUTPUT: [&str; 5] = ["--json", "--out", "--junit", "--html", "--root"];

/// An option of these among the words of a command.
pub(super) fn output(words: &[String]) -> Option<&'static str> {
    let is = |word: &String, option: &str| {
        word == option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('='))
    };
    OUTPUT.into_iter().find(|option| words.iter().any(|word| is(word, option)))
}

/// Arguments of this command without `--shard`.
fn words() -> Result<Vec<String>, CliError> {
    let mut words = Vec::new();
    let given = old::renewed(std::env::args_os()).arguments;
    let mut all = given.into_iter().skip(1);
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
