// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which two events of a board the directed cases bring one cycle apart or into one cycle, in
//! `testbench/fixtures/coincidences.csv`. `UPDATE=1` writes it.

use super::{Watch, Watched};
use crate::board::{directed, engine};
use crate::machine::{Machine, Stimulus};
use crate::shape::{Shape, image};
use crate::vectors::board as golden;
use awgstar::rtl::{Parameters, Smb};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

impl Watched {
    fn name(&self) -> String {
        format!("{}: {}", self.event.group, self.event.name)
    }
}

impl Watch {
    /// Names of all events of a board whose coincidences are looked at.
    fn all(&self) -> BTreeSet<String> {
        let operations = self.stores.iter().flat_map(super::limits::Watched::operations);
        let events = self.watched.iter().filter(|w| w.event.group != "node").map(Watched::name);
        events.chain(operations).collect()
    }

    /// Names of those between two cycles of a node.
    fn now(&self, was: &[u32], is: &[u32]) -> BTreeSet<String> {
        let operations = self.stores.iter().flat_map(|store| store.done(was, is));
        let events = self.watched.iter().filter(|w| {
            let of = |image: &[u32]| w.places.iter().map(|p| p.of(image)).collect::<Vec<_>>();
            let bits = w.places.first().map_or(0, |p| p.bits);
            let event = w.event;
            event.group != "node" && event.kind.count(event.module, bits, &of(was), &of(is)) > 0
        });
        events.map(Watched::name).chain(operations).collect()
    }
}

/// Pairs of events, the first one cycle before the second, and pairs in one cycle: the first case that has them.
#[derive(Default)]
struct Pairs([BTreeMap<(String, String), String>; 2]);

impl Pairs {
    fn see<M: Machine>(&mut self, name: &str, case: &M::Case, shape: &Shape) {
        let watch = Watch::new(shape, case.nodes());
        let mut bench = case.bench_with(&shape.parameters).unwrap();
        let mut before = vec![(BTreeSet::new(), None::<Vec<u32>>); case.nodes()];
        while !bench.done() {
            if !bench.deposit().is_empty() {
                before.fill((BTreeSet::new(), None));
            }
            bench.step(&mut |node, machine, i, _| {
                let mut registers = vec![0; shape.words[2]];
                machine.pack(&mut registers);
                let (last, was) = &before[node];
                let rst = watch.rst.is_some_and(|rst| rst.of(&image(i)) != 0);
                let now = match was {
                    Some(was) if !rst && *was != registers => watch.now(was, &registers),
                    _ => BTreeSet::new(),
                };
                for (pairs, firsts) in self.0.iter_mut().zip([last, &now]) {
                    for a in firsts {
                        for b in &now {
                            let pair = (a.clone(), b.clone());
                            pairs.entry(pair).or_insert_with(|| name.to_owned());
                        }
                    }
                }
                before[node] = (now, (!rst).then_some(registers));
            });
        }
    }

    fn table(&self, all: &BTreeSet<String>) -> String {
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
    let table = pairs.table(&Watch::new(&with_engine, 1).all());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/coincidences.csv");
    if env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(&path, &table).unwrap();
    }
    let before = fs::read_to_string(&path).unwrap();
    let differ = before.lines().zip(table.lines()).find(|(before, now)| before != now);
    assert!(before == table, "{differ:?}; UPDATE=1 writes the table");
}
