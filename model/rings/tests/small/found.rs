// SPDX-License-Identifier: MIT OR Apache-2.0
//! Explorations, and the tables and runs of the page.

use crate::document;
use awgstar_sync::check::{Checkable, Report, Step, explore, listing};
use std::{
    collections::BTreeMap,
    fmt::{Debug, Display, Write as _},
    sync::Mutex,
};

pub(crate) const LIMIT: usize = 3_000_000;

/// How a run goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrong<P> {
    Breaks(P, &'static str),
    /// A state from which the end cannot be reached.
    Hangs,
    /// A fair run that does not reach the end.
    Starves,
}

/// A system, and the nodes of its listings.
pub(crate) struct Small<S>(pub(crate) S, pub(crate) usize);

fn first<P: Debug, W: Display>(report: &Report<P, Step<W>>, nodes: usize) -> String {
    let broken = report.broken.first().map(|one| (&one.0, &one.1));
    if let Some((property, run)) = broken {
        return format!("{property:?}\n{}", listing(run, nodes));
    }
    if let Some(run) = &report.stuck {
        return format!("stuck\n{}", listing(run, nodes));
    }
    let lasso = report.livelock.as_ref();
    lasso.map_or_else(
        || format!("nothing in {} states", report.states),
        |one| {
            format!(
                "{}again and again\n{}",
                listing(&one.prefix, nodes),
                listing(&one.cycle, nodes)
            )
        },
    )
}

/// States, steps and depth of a system that holds. Tables have some systems in common: each is explored once in a run of
/// the tests.
fn held<S, W>(name: &str, small: &Small<S>, limit: usize) -> [usize; 3]
where
    S: Checkable<Step = Step<W>> + Debug,
    S::Property: Debug,
    W: Display + Clone,
{
    static HELD: Mutex<BTreeMap<String, [usize; 3]>> = Mutex::new(BTreeMap::new());
    let system = format!("{:?}", small.0);
    if let Some(&found) = HELD.lock().unwrap().get(&system) {
        return found;
    }
    let report = explore(&small.0, limit);
    assert!(report.holds(), "{name}: {} states: {}", report.states, first(&report, small.1));
    let found = [report.states, report.steps, report.depth];
    HELD.lock().unwrap().insert(system, found);
    found
}

#[derive(Default)]
pub(crate) struct Found {
    table: String,
    runs: String,
}

impl Found {
    /// A run without a repair goes wrong so; with it none does.
    pub(crate) fn hole<S, W>(
        &mut self,
        name: &str,
        without: &Small<S>,
        with: &Small<S>,
        (wrong, shown): (Wrong<S::Property>, bool),
    ) where
        S: Checkable<Step = Step<W>> + Debug,
        S::Property: Debug,
        W: Display + Clone,
    {
        let [states, ..] = held(&format!("{name}, repaired"), with, LIMIT);
        let report = explore(&without.0, LIMIT);
        let (run, how, cycle) = match wrong {
            Wrong::Breaks(property, how) => (report.run(property), how, None),
            Wrong::Hangs => (report.stuck.as_ref(), "a process waits without end", None),
            Wrong::Starves => {
                let lasso = report.livelock.as_ref();
                (lasso.map(|one| &one.prefix), "a process starves", lasso.map(|one| &one.cycle))
            }
        };
        let run = run.unwrap_or_else(|| panic!("{name}: {}", first(&report, without.1)));
        let turns = cycle.map(|cycle| format!(" + {}", cycle.len())).unwrap_or_default();
        let _ = writeln!(
            self.table,
            "| {name} | {how} | {}{turns} | {} | {} |",
            run.len(),
            report.states,
            states
        );
        if shown {
            let _ = write!(
                self.runs,
                "Without *{name}*: {how}.\n\n```text\n{}```\n\n",
                listing(run, without.1)
            );
            if let Some(cycle) = cycle {
                let again = listing(cycle, without.1);
                let _ = write!(self.runs, "Then, again and again:\n\n```text\n{again}```\n\n");
            }
        }
    }

    /// Lines of the table, one for each hole.
    pub(crate) fn lines(&self) -> usize {
        self.table.lines().count()
    }

    pub(crate) fn write(&self, section: &str) {
        let head = "| repair left out | what happens | steps | states | states with all repairs |\n|---|---|---:|---:|---:|\n";
        let table = format!("{head}{}", self.table);
        document::section("ring-of-rings.md", &format!("holes {section}"), &table);
        document::section("ring-of-rings.md", &format!("runs {section}"), &self.runs);
    }
}

pub(crate) const HOLDS: &str = "| system | states | steps | depth |\n|---|---:|---:|---:|\n";

/// What holds in all states of a system, as a line of a table.
pub(crate) fn holds<S, W>(table: &mut String, name: &str, small: &Small<S>, limit: usize)
where
    S: Checkable<Step = Step<W>> + Debug,
    S::Property: Debug,
    W: Display + Clone,
{
    let [states, steps, depth] = held(name, small, limit);
    let _ = writeln!(table, "| {name} | {states} | {steps} | {depth} |");
}
