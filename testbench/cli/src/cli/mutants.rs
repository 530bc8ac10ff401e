// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar mutants`: injected bugs in the firmware and in generation 1, one after another.

use super::{CliError, CliResult, Outcome, checkout};
use awgstar_lockstep::mutants::firmware::{Copy, Fate, LISTS};
use awgstar_lockstep::mutants::{self, Mutant};
use awgstar_simulator::SimError;
use std::{io::Write, path::PathBuf, sync::mpsc, thread};

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  awgstar mutants firmware-lock\n  awgstar mutants firmware-barrier --only mw-worker-sends-once"
)]
pub(crate) struct Args {
    /// firmware-lock, firmware-barrier, firmware-paging or current: a list in testbench/mutants
    list: String,
    /// Root of the repository
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// Scratch folder; what is built there is used again
    #[arg(long, default_value = "target/mutants")]
    out: PathBuf,
    /// These only
    #[arg(long, value_delimiter = ',', value_name = "ID,...")]
    only: Vec<String>,
    /// Part K of N of the list, from 0
    #[arg(long, value_name = "K/N", value_parser = part)]
    part: Option<(usize, usize)>,
}

fn part(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    numbers.filter(|(k, n)| k < n).ok_or_else(|| "expected K/N with K below N".into())
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let failed = |e: SimError| CliError::Usage(e.to_string());
    let list = LISTS.iter().find(|list| list.name == args.list).ok_or_else(|| {
        let names: Vec<&str> = LISTS.iter().map(|list| list.name).collect();
        CliError::Usage(format!("list is `{}`: expected {}", args.list, names.join(", ")))
    })?;
    checkout(&args.root, &["testbench/mutants"])?;
    let path = mutants::list_of(&args.root, list.name);
    let mut mutants = mutants::read(&path).map_err(failed)?;
    if let Some(id) = args.only.iter().find(|id| !mutants.iter().any(|m| m.id == **id)) {
        return Err(CliError::Usage(format!("only: `{}` is not in {}", id, path.display())));
    }
    mutants.retain(|mutant| args.only.is_empty() || args.only.contains(&mutant.id));
    let (k, n) = args.part.unwrap_or((0, 1));
    let mut numbers = 0..;
    mutants.retain(|_| numbers.next().is_some_and(|i: usize| i % n == k));
    // Cargo needs a separate folder.
    let folder = std::path::absolute(args.out.join(list.tests)).map_err(CliError::from)?;
    let copy = Copy::new(&args.root, &folder, list).map_err(failed)?;
    let (send, lines) = mpsc::channel();
    let tell = |mutant: &Mutant, fate: &Fate| {
        let what = match fate {
            Fate::Killed(test) => format!("killed by {test}"),
            Fate::Hung(_) => "killed: the tests do not end".into(),
            Fate::Survived => format!("SURVIVED: {}", mutant.story),
            Fate::DoesNotCompile(text) => format!("DOES NOT COMPILE\n{text}"),
            Fate::NoMatch(count) => format!("MATCHES {count} TIMES in {}", mutant.file),
        };
        // The receiver is gone when the output is closed.
        let _ = send.send(format!("{:<36} {what}", mutant.id));
    };
    let fates = thread::scope(|scope| {
        let run = scope.spawn(move || mutants::run(&mutants, &copy, &tell));
        for line in lines {
            writeln!(out, "{line}")?;
            out.flush()?;
        }
        let fates = run.join().map_err(|_| CliError::Usage("a thread ended early".into()))?;
        fates.map_err(failed)
    })?;
    let killed = fates.iter().filter(|fate| fate.killed()).count();
    writeln!(out, "{killed} of {} killed", fates.len())?;
    Ok(if killed == fates.len() { Outcome::Holds } else { Outcome::Failed })
}
