// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which two events of a board the directed cases bring one cycle apart or into one cycle, in
//! `testbench/fixtures/coincidences.csv`. `UPDATE=1` writes it.

use super::Watch;
use crate::board::{directed, engine};
use crate::machine::{Machine, Stimulus};
use crate::shape::{Shape, image, value};
use crate::vectors::board as golden;
use awgstar::rtl::state::State as _;
use awgstar::rtl::{Parameters, Smb, smb};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

type Events = BTreeSet<String>;

/// Outputs `ev_*` of instances that are 1 in a cycle; all of them, if `all`.
fn told<M: Machine>(machine: &M, inputs: &M::Inputs, all: bool) -> Events {
    let (mut events, mut last) = (Events::new(), String::new());
    machine.look(inputs, &mut |name, ports, image| {
        // Inputs come first.
        if last != name {
            name.clone_into(&mut last);
            return;
        }
        let mut at = 0;
        for port in ports {
            if port.name.starts_with("ev_") && (all || value(image, at, port.bits) != 0) {
                events.insert(format!("{name}.{}", port.name));
            }
            at += port.words();
        }
    });
    events
}

impl Watch {
    /// Names of the operations on all FIFOs and tables.
    fn operations(&self) -> impl Iterator<Item = String> {
        self.stores.iter().flat_map(super::limits::Watched::operations)
    }

    /// Names of those between two cycles of a node.
    fn done(&self, was: &[u32], is: &[u32]) -> Events {
        self.stores.iter().flat_map(|store| store.done(was, is)).collect()
    }
}

/// A node in the cycle before.
#[derive(Clone, Default)]
struct Before {
    /// What happened in the cycle before that one.
    events: Events,
    /// Outputs in it.
    told: Events,
    /// Registers in it, if no reset or deposit follows.
    registers: Option<Vec<u32>>,
}

/// Pairs of events, the first one cycle before the second, and pairs in one cycle: the first case that has them.
#[derive(Default)]
struct Pairs([BTreeMap<(String, String), String>; 2]);

impl Pairs {
    fn see<M: Machine>(&mut self, name: &str, case: &M::Case, shape: &Shape) {
        let watch = Watch::new(shape, case.nodes());
        let mut bench = case.bench_with(&shape.parameters).unwrap();
        let mut before = vec![Before::default(); case.nodes()];
        while !bench.done() {
            if !bench.deposit().is_empty() {
                before.fill(Before::default());
            }
            bench.step(&mut |node, machine, i, _| {
                let mut registers = vec![0; shape.words[2]];
                machine.pack(&mut registers);
                let rst = watch.rst.is_some_and(|rst| rst.of(&image(i)) != 0);
                let last = std::mem::take(&mut before[node]);
                let mut events = last.told;
                if let Some(was) = last.registers.filter(|was| *was != registers) {
                    events.extend(watch.done(&was, &registers));
                }
                for (pairs, firsts) in self.0.iter_mut().zip([&last.events, &events]) {
                    for a in firsts {
                        for b in &events {
                            let pair = (a.clone(), b.clone());
                            pairs.entry(pair).or_insert_with(|| name.to_owned());
                        }
                    }
                }
                if !rst {
                    let told = told(machine, i, false);
                    before[node] = Before { events, told, registers: Some(registers) };
                }
            });
        }
    }

    fn table(&self, all: &Events) -> String {
        let mut text =
            String::from("event,other,one cycle before it,in one cycle,one cycle after it\n");
        for (i, a) in all.iter().enumerate() {
            for b in all.iter().skip(i) {
                let of = |pairs: usize, a: &str, b: &str| {
                    let pair = (a.to_owned(), b.to_owned());
                    self.0[pairs].get(&pair).cloned().unwrap_or_default()
                };
                let cells = [of(0, a, b), of(1, a, b), of(0, b, a)].join(",");
                let _ = writeln!(text, "{a},{b},{cells}");
            }
        }
        text
    }
}

#[test]
fn coincidences_are_those_of_the_table() {
    let mut pairs = Pairs::default();
    let usual = Shape::of::<Smb>(&Parameters::DEFAULT);
    let with_engine = Shape::of::<Smb>(&engine::parameters());
    for named in directed::named() {
        pairs.see::<Smb>(&named.name, &named.case, &usual);
    }
    for story in golden::with_engine() {
        let case = crate::board::BoardCase::Board(story.stimulus());
        pairs.see::<Smb>(&format!("engine/{}", story.name), &case, &with_engine);
    }
    let board = Smb::new(&engine::parameters());
    let mut all = told(&board, &smb::Inputs::default(), true);
    all.extend(Watch::new(&with_engine, 1).operations());
    let table = pairs.table(&all);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/coincidences.csv");
    if env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(&path, &table).unwrap();
    }
    let before = fs::read_to_string(&path).unwrap();
    let differ = before.lines().zip(table.lines()).find(|(before, now)| before != now);
    assert!(before == table, "{differ:?}; UPDATE=1 writes the table");
}
