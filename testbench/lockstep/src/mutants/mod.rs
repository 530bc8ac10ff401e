// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutants: injected bugs that the checks must find, and the engine that tries them.
//!
//! A list in `testbench/mutants` gives for each a text in one file and what replaces it. [`run`] tries
//! every mutant; an [`Oracle`] tells what finds it: the golden vectors ([`vectors`]), the model beside
//! a machine ([`machines`]) or a module of the board ([`modules`]), or tests ([`firmware`]).

pub mod firmware;
mod list;
pub mod machines;
mod mirror;
pub mod modules;
pub mod selection;
pub mod vectors;

pub use list::{Mutant, list_of, read, unmatched};

use awgstar_simulator::cosim::parallel;
use awgstar_simulator::{Scratch, SimError, Sources};
use selection::Selection;
use std::{fmt::Debug, path::Path};

/// Result of a mutant; `By` describes the check that found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate<By> {
    /// Found.
    Killed(By),
    /// Found as well: a run did not end, or ended without a result.
    Hung(String),
    /// Nothing found it: the checks have a hole.
    Survived,
    /// The mutant does not compile: a mistake in the list.
    DoesNotCompile(String),
    /// `find` does not occur exactly once (how often it does): a mistake in the list.
    NoMatch(usize),
}

impl<By> Fate<By> {
    /// Found.
    #[must_use]
    pub fn killed(&self) -> bool {
        matches!(self, Fate::Killed(_) | Fate::Hung(_))
    }
}

/// Where a check found a bug.
pub trait Found {
    /// Part of the stimuli, cycle in it, and signal; empty where the check has no such thing.
    fn place(&self) -> [String; 3];
}

/// A sentence for each that is not found.
#[must_use]
pub fn missed<By: Debug>(mutants: &[Mutant], fates: &[Fate<By>]) -> Vec<String> {
    let left = mutants.iter().zip(fates).filter(|(_, fate)| !fate.killed());
    left.map(|(mutant, fate)| {
        let why = match fate {
            Fate::DoesNotCompile(log) => format!("does not compile: {log}"),
            other => format!("{other:?}"),
        };
        format!("{} ({}): {why}", mutant.id, mutant.story)
    })
    .collect()
}

/// Test that decides whether a bug is found.
pub trait Oracle: Sync {
    /// Description of the check that found a bug.
    type By: Debug + Send;
    /// Mutants tried at a time.
    const THREADS: usize = 2;

    /// Folder of the files that the mutants change.
    fn sources(&self) -> &Path;

    /// The state without a bug, before the first mutant: `Err` is how it fails. An oracle leaves it out if it
    /// repeats each run that finds a bug without the bug: no other run can make a mutant count as found.
    ///
    /// # Errors
    /// If a program is missing, or a file cannot be read or written.
    fn baseline(&self) -> Result<Result<(), String>, SimError> {
        Ok(Ok(()))
    }

    /// Runs the test on one mutant.
    ///
    /// # Errors
    /// As of [`Oracle::baseline`]; if the run that finds the bug fails without it, too.
    fn judge(&self, mutant: &Mutant) -> Result<Fate<Self::By>, SimError>;
}

/// Tries every mutant. Fates come in the order of the mutants; `progress` gets each when it is known.
///
/// # Errors
/// As of the oracle; if the text of a mutant does not occur exactly once; if the state without a bug
/// fails, for every mutant would count as found then.
pub fn run<O: Oracle>(
    mutants: &[Mutant],
    oracle: &O,
    progress: &(dyn Fn(&Mutant, &Fate<O::By>) + Sync),
) -> Result<Vec<Fate<O::By>>, SimError> {
    let folder = oracle.sources();
    if let Some((mutant, count)) = unmatched(mutants, folder)?.first() {
        let why = format!("{}: `find` occurs {count} times", mutant.id);
        return Err(SimError::format(folder.join(&mutant.file), why));
    }
    if let Err(how) = oracle.baseline()? {
        return Err(SimError::format(folder, format!("without a bug: {how}")));
    }
    parallel(O::THREADS, mutants, &|mutant| {
        let fate = oracle.judge(mutant)?;
        progress(mutant, &fate);
        Ok(fate)
    })
}

/// The selected mutants of a list in the checkout at `root`.
///
/// # Errors
/// If the list cannot be read or has a mistake, or nothing is selected.
pub fn chosen(root: &Path, list: &str, selection: &Selection) -> Result<Vec<Mutant>, SimError> {
    let path = list_of(root, list);
    let all = selection.of(&read(&path)?);
    if all.is_empty() {
        return Err(SimError::format(&path, format!("no mutant fits {selection:?}")));
    }
    Ok(all)
}

/// Puts the bug into a copy of the Verilog and lets `judge` say what finds it there.
fn injected<By>(
    mutant: &Mutant,
    sources: &Sources,
    judge: impl FnOnce(&Sources, &Path) -> Result<Fate<By>, SimError>,
) -> Result<Fate<By>, SimError> {
    let scratch = Scratch::new()?;
    match mutant.plant(sources, scratch.path())? {
        Ok(changed) => judge(&changed, scratch.path()),
        Err(count) => Ok(Fate::NoMatch(count)),
    }
}
