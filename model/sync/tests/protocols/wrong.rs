// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an exploration is expected to find. Expectations are written in the tests; `UPDATE=1` changes
//! only what the documents say about numbers of states and lengths of runs.

use awgstar_sync::check::{Checkable, Report, Trace, explore, find};
use std::fmt::Debug;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrong<P> {
    /// A property breaks.
    Breaks(P),
    /// The end cannot be reached any more.
    Stuck,
    /// A strongly fair run goes round and does not reach the end.
    Livelock,
}

/// What went wrong, with the length of the shortest run; of a livelock also that of its cycle.
fn all<P: Copy + Debug, T>(report: &Report<P, T>) -> Vec<(Wrong<P>, String)> {
    let broken = report
        .broken
        .iter()
        .map(|(property, run)| (Wrong::Breaks(*property), format!("{property:?} {}", run.len())));
    let stuck = report.stuck.iter().map(|run| (Wrong::Stuck, format!("stuck {}", run.len())));
    let livelock = report.livelock.iter().map(|lasso| {
        let text = format!("livelock {} + {}", lasso.prefix.len(), lasso.cycle.len());
        (Wrong::Livelock, text)
    });
    broken.chain(stuck).chain(livelock).collect()
}

/// All that went wrong, in words.
pub(crate) fn words<P: Copy + Debug, T>(report: &Report<P, T>) -> String {
    let words: Vec<String> = all(report).into_iter().map(|one| one.1).collect();
    if words.is_empty() { "-".to_string() } else { words.join(", ") }
}

/// All states were reached, and exactly this goes wrong; otherwise `case` is shown, and a run to what
/// was not expected.
pub(crate) fn expect<P: Copy + Eq + Debug, T: Clone>(
    case: &str,
    report: &Report<P, T>,
    expected: &[Wrong<P>],
    show: impl Fn(&[T]) -> String,
) {
    assert!(report.exhausted, "the limit left states out: {case}");
    for (wrong, words) in all(report) {
        let run = || show(&shown(report, wrong));
        assert!(expected.contains(&wrong), "{words} is not expected: {case}\n{}", run());
    }
    let found: Vec<Wrong<P>> = all(report).into_iter().map(|one| one.0).collect();
    for wrong in expected {
        assert!(found.contains(wrong), "{wrong:?} is expected and was not found: {case}");
    }
}

/// The run of the report in which this goes wrong; a livelock's cycle follows its prefix.
fn shown<P: Copy + Eq, T: Clone>(report: &Report<P, T>, wrong: Wrong<P>) -> Trace<T> {
    let run = match wrong {
        Wrong::Breaks(property) => report.run(property).cloned(),
        Wrong::Stuck => report.stuck.clone(),
        Wrong::Livelock => {
            report.livelock.as_ref().map(|lasso| [&lasso.prefix[..], &lasso.cycle].concat())
        }
    };
    run.unwrap_or_default()
}

/// A shortest run in which this goes wrong, and the sentence that ends it.
pub(crate) fn run<S: Checkable>(
    name: &str,
    system: &S,
    limit: usize,
    wrong: Wrong<S::Property>,
) -> (Trace<S::Step>, String)
where
    S::Property: Debug,
{
    if let Wrong::Breaks(property) = wrong {
        let run = find(system, limit, property);
        let run = run.unwrap_or_else(|| panic!("{name}: expected {property:?}, found nothing"));
        return (run, format!("{property:?} is broken."));
    }
    let report = explore(system, limit);
    let found = all(&report);
    assert!(
        found.iter().any(|one| one.0 == wrong),
        "{name}: expected {wrong:?}, found {}",
        words(&report)
    );
    let run = shown(&report, wrong);
    let end = match &report.livelock {
        Some(lasso) if wrong == Wrong::Livelock && lasso.cycle.len() == 1 => format!(
            "Step {} repeats: each thread, channel and timer takes its turn, and the end is not reached.",
            run.len()
        ),
        Some(lasso) if wrong == Wrong::Livelock => format!(
            "Steps {} to {} repeat: each thread, channel and timer takes its turn, and the end is not reached.",
            lasso.prefix.len() + 1,
            run.len()
        ),
        _ => "From here the end cannot be reached.".to_string(),
    };
    (run, end)
}
