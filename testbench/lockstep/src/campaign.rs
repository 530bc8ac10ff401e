// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases made by hand and random ones from a seed; the first that fails, shrunk.

use crate::run::{Lockstep, Verdict};
use awgstar::quantity::{Cycle, narrow};
use awgstar::rtl::RingNode;
use awgstar_compare::{Difference, Divergence, text};
use awgstar_simulator::SimError;
use awgstar_stimulus::Case;
use awgstar_stimulus::case_text;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::node::directed::Named;
use awgstar_stimulus::shrink::shrink;
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use std::fmt;
use std::time::{Duration, Instant};

/// Time for each of the two ways of shrinking.
pub const LIMIT: Duration = Duration::from_secs(60);

/// Result of a campaign.
#[derive(Debug)]
pub struct Outcome<C = Case<RingNode>> {
    /// Cases run.
    pub cases: usize,
    /// Node cycles compared: cycles times nodes.
    pub cycles: u64,
    /// The first failing case, shrunk.
    pub failure: Option<Failure<C>>,
}

#[derive(Debug)]
pub struct Failure<C = Case<RingNode>> {
    /// Difference in the shrunk case.
    pub divergence: Divergence<C>,
    /// Group and name or number of the case: `directed/shapes`, `random/0003`.
    pub case: String,
    /// Difference before shrinking: cycle and path.
    pub original: (u64, String),
    /// Nothing smaller fails; else shrinking ran out of time.
    pub minimal: bool,
}

/// The report.
impl<C: fmt::Debug> fmt::Display for Failure<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cycle, path) = &self.original;
        write!(
            f,
            "{}\n  found by case {}; before shrinking it was cycle {cycle}, {path}\n",
            text::render(&self.divergence),
            self.case
        )?;
        if !self.minimal {
            f.write_str("  shrinking ran out of time: a smaller case may fail too\n")?;
        }
        f.write_str("\n  shrunk to:\n")?;
        let case = case_text(&self.divergence.case);
        case.lines().try_for_each(|line| writeln!(f, "    {line}"))?;
        f.write_str("\n")
    }
}

fn runner(seed: u64, number: usize) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&(number as u64).to_le_bytes());
    let config = Config { failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// Case `number` of the campaign with this seed.
///
/// # Errors
/// If the strategy gives none.
pub fn case<S: Strategy>(strategy: &S, seed: u64, number: usize) -> Result<S::Tree, SimError> {
    let tree = strategy.new_tree(&mut runner(seed, number));
    tree.map_err(|e| SimError::format("strategy", e.to_string()))
}

/// Runs `count` random cases and stops at the first that fails.
///
/// # Errors
/// If a run gives no answer.
pub fn campaign<M: Machine>(
    lockstep: &mut Lockstep<M>,
    strategy: &impl Strategy<Value = Case<M>>,
    seed: u64,
    count: usize,
    progress: &dyn Fn(usize, u64),
) -> Result<Outcome<Case<M>>, SimError> {
    group(lockstep, ("random", strategy), seed, count, progress)
}

/// [`campaign`] with cases of the group of this name.
///
/// # Errors
/// If a run gives no answer.
pub fn group<M: Machine>(
    lockstep: &mut Lockstep<M>,
    (name, strategy): (&str, &impl Strategy<Value = Case<M>>),
    seed: u64,
    count: usize,
    progress: &dyn Fn(usize, u64),
) -> Result<Outcome<Case<M>>, SimError> {
    let mut cycles = 0;
    for number in 0..count {
        let mut tree = case(strategy, seed, number)?;
        let current = tree.current();
        // Each case starts from other random values.
        lockstep.seed = ((seed & 0xffff) as u32) << 12 ^ narrow::<u32>(number);
        cycles += current.cycles().0 * current.nodes() as u64;
        if let Verdict::Diverged(first) = lockstep.run(&current)? {
            let best = simplify(lockstep, &mut tree);
            let failure = Failure::of(lockstep, &first, best, format!("{name}/{number:04}"))?;
            return Ok(Outcome { cases: number + 1, cycles, failure: Some(failure) });
        }
        progress(number + 1, cycles);
    }
    Ok(Outcome { cases: count, cycles, failure: None })
}

/// Runs the cases made by hand, in their order, and stops at the first that fails.
///
/// # Errors
/// If a run gives no answer.
pub fn directed<M: Machine>(
    lockstep: &Lockstep<M>,
    cases: Vec<Named<Case<M>>>,
    progress: &dyn Fn(usize, u64),
) -> Result<Outcome<Case<M>>, SimError> {
    let (count, mut cycles) = (cases.len(), 0);
    for (number, Named { name, case, .. }) in cases.into_iter().enumerate() {
        cycles += case.cycles().0 * case.nodes() as u64;
        if let Verdict::Diverged(first) = lockstep.run(&case)? {
            let failure = Failure::of(lockstep, &first, case, format!("directed/{name}"))?;
            return Ok(Outcome { cases: number + 1, cycles, failure: Some(failure) });
        }
        progress(number + 1, cycles);
    }
    Ok(Outcome { cases: count, cycles, failure: None })
}

impl<M: Machine> Failure<Case<M>> {
    /// The case `best`, in which something differs, made smaller; `first` is the difference
    /// before.
    fn of(
        lockstep: &Lockstep<M>,
        first: &Divergence<Case<M>>,
        best: Case<M>,
        case: String,
    ) -> Result<Self, SimError> {
        let original = (first.cycle, first.first().map(Difference::path).unwrap_or_default());
        let (divergence, minimal) = reduce(lockstep, best, LIMIT)?;
        Ok(Failure { divergence, case, original, minimal })
    }
}

fn diverges<M: Machine>(lockstep: &Lockstep<M>, case: &Case<M>) -> Option<Divergence<Case<M>>> {
    match lockstep.run(case) {
        Ok(Verdict::Diverged(d)) => Some(*d),
        _ => None,
    }
}

/// proptest's way.
fn simplify<M: Machine>(
    lockstep: &Lockstep<M>,
    tree: &mut impl ValueTree<Value = Case<M>>,
) -> Case<M> {
    let start = Instant::now();
    let mut best = tree.current();
    let mut more = tree.simplify();
    while more && start.elapsed() < LIMIT {
        let now = tree.current();
        if diverges(lockstep, &now).is_some() {
            best = now;
            more = tree.simplify();
        } else {
            more = tree.complicate();
        }
    }
    best
}

/// Ours: until nothing smaller fails. The divergence of the result, and whether it got there.
///
/// # Errors
/// If `case` does not fail.
pub fn reduce<M: Machine>(
    lockstep: &Lockstep<M>,
    case: Case<M>,
    limit: Duration,
) -> Result<(Divergence<Case<M>>, bool), SimError> {
    let mut smaller =
        |case: &Case<M>| diverges(lockstep, case).map(|d| case.with_cycles(Cycle(d.cycle + 1)));
    let case = smaller(&case).unwrap_or(case);
    let (case, minimal) = shrink::<M>(case, limit, &mut smaller);
    let divergence = diverges(lockstep, &case)
        .ok_or_else(|| SimError::format("shrink", "the case does not fail"))?;
    Ok((divergence, minimal))
}
