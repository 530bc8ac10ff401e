// SPDX-License-Identifier: MIT OR Apache-2.0
//! Explorations, and the tables and runs of the page.

use crate::document;
use crate::script::{free, load, lock, store};
use awgstar_coherence::check::{Observed, Op, Property, System, races};
use awgstar_coherence::memory::Shape;
use awgstar_frame::quantity::NodeId;
use awgstar_sync::check::{explore, listing};
use std::fmt::Write as _;

/// Two pages of two bytes.
pub(crate) fn shape(nodes: usize) -> Shape {
    Shape::new(nodes, 2, 2).expect("sizes of a system")
}

/// How a run goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    Breaks(Property),
    Hangs,
}

/// A system of two pages, one node for each script; the program has no data race.
pub(crate) fn system<C: Observed>(
    scripts: &[&[Op]],
    node: impl Fn(NodeId, Shape) -> C,
) -> System<C> {
    let scripts: Vec<Vec<Op>> = scripts.iter().map(|script| script.to_vec()).collect();
    assert!(races::free(&scripts), "a data race in {scripts:?}");
    let shape = shape(scripts.len());
    System::new(shape, scripts, |me| node(me, shape))
}

#[derive(Default)]
pub(crate) struct Found {
    table: String,
    runs: String,
}

impl Found {
    /// A run without a repair goes wrong so; with it none does.
    pub(crate) fn hole<C: Observed>(
        &mut self,
        name: &str,
        without: &System<C>,
        with: &System<C>,
        (wrong, shown): (Wrong, bool),
    ) {
        const LIMIT: usize = 3_000_000;
        let repaired = explore(with, LIMIT);
        assert!(
            repaired.holds(),
            "{name}, repaired: {:?} {:?}",
            repaired.broken.first().map(|one| (one.0, listing(&one.1, with.nodes()))),
            repaired.stuck
        );
        let report = explore(without, LIMIT);
        let (run, how) = match wrong {
            Wrong::Breaks(property) => (report.run(property), property.violated()),
            Wrong::Hangs => (report.stuck.as_ref(), "a process waits without end"),
        };
        let others: Vec<Property> = report.broken.iter().map(|one| one.0).collect();
        let run = run
            .unwrap_or_else(|| panic!("{name}: not found in {} states; {others:?}", report.states));
        let _ = writeln!(
            self.table,
            "| {name} | {} | {how} | {} | {} | {} |",
            without.nodes(),
            run.len(),
            report.states,
            repaired.states
        );
        if shown {
            let _ = writeln!(
                self.runs,
                "Without *{name}*: {how}.\n\n```text\n{}```\n",
                listing(run, without.nodes())
            );
        }
    }

    /// Lines of the table, one for each hole.
    pub(crate) fn lines(&self) -> usize {
        self.table.lines().count()
    }

    pub(crate) fn write(&self, section: &str) {
        let head = "| repair left out | nodes | what happens | steps | states | states with all repairs |\n|---|---:|---|---:|---:|---:|\n";
        document::section(
            "coherence.md",
            &format!("holes {section}"),
            &format!("{head}{}", self.table),
        );
        document::section("coherence.md", &format!("runs {section}"), &self.runs);
    }
}

/// What holds in all states of a system, as a line of a table.
pub(crate) fn holds<C: Observed>(table: &mut String, name: &str, system: &System<C>, limit: usize) {
    let report = explore(system, limit);
    let first =
        report.broken.first().map(|(property, run)| (property, listing(run, system.nodes())));
    assert!(report.holds(), "{name}: {first:?}, {:?}, {} states", report.stuck, report.states);
    let _ = writeln!(
        table,
        "| {name} | {} | {} | {} | {} | {} |",
        system.nodes(),
        system.operations(),
        report.states,
        report.steps,
        report.depth
    );
}

pub(crate) const HOLDS: &str =
    "| program | nodes | operations | states | steps | depth |\n|---|---:|---:|---:|---:|---:|\n";

pub(crate) const EVERY: &str =
    "| programs | nodes | blocks | programs without a race | states |\n|---|---:|---:|---:|---:|\n";

/// Every program without a race in which after some barriers, each node does one of `choices` before each of
/// others, and then reads three bytes of two pages: nothing goes wrong.
pub(crate) fn every_program<C: Observed>(
    table: &mut String,
    name: &str,
    nodes: usize,
    (before, barriers): (&[Op], &[Op]),
    choices: &[&[Op]],
    node: impl Fn(NodeId, Shape) -> C,
) {
    let (shape, blocks) = (shape(nodes), barriers.len());
    let (mut programs, mut states) = (0, 0);
    let places = u32::try_from(nodes * blocks).expect("a short program");
    for code in 0..choices.len().pow(places) {
        let choice = |place: usize| {
            choices[code / choices.len().pow(u32::try_from(place).expect("short")) % choices.len()]
        };
        let script = |node: usize| -> Vec<Op> {
            let block = |block: usize| {
                choice(node * blocks + block).iter().copied().chain([barriers[block]])
            };
            let first = before.iter().copied();
            first
                .chain((0..blocks).flat_map(block))
                .chain([0, 1, 2].map(Op::Load))
                .chain([Op::meet(99)])
                .collect()
        };
        let scripts: Vec<Vec<Op>> = (0..nodes).map(script).collect();
        if !races::free(&scripts) {
            continue;
        }
        let system = System::new(shape, scripts.clone(), |me| node(me, shape));
        let report = explore(&system, 1_000_000);
        let first = report.broken.first().map(|(property, run)| (property, listing(run, nodes)));
        assert!(report.holds(), "{name}, {scripts:?}: {first:?}, {:?}", report.stuck);
        programs += 1;
        states += report.states;
    }
    let _ = writeln!(table, "| {name} | {nodes} | {blocks} | {programs} | {states} |");
}

/// What a node may do in a block.
pub(crate) const BLOCKS: &[&[Op]] = &[&[], &[load(0)], &[store(0)], &[store(1)], &[store(2)]];

/// What a node may do in a block with locks: to count up, before and after other writes, by one lock or two.
pub(crate) const LOCKS: &[&[Op]] = &[
    &[],
    &[store(1)],
    &[lock(0), load(0), store(0), free(0)],
    &[store(1), lock(0), store(0), free(0), load(1)],
    &[lock(0), load(0), free(0), store(2)],
    &[lock(1), load(2), store(2), free(1)],
    &[lock(1), store(2), lock(0), load(0), store(0), free(0), load(2), free(1)],
    &[lock(0), store(0), free(0), lock(1), store(2), free(1)],
];
