// SPDX-License-Identifier: MIT OR Apache-2.0
//! What lock, hand-over and barrier take, as the page has them.

use crate::snapshot;
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::Nanoseconds;
use awgstar_request::{Process, Request};
use awgstar_thesis::gen1::{
    Activity, Gen1, Host, Primitive, Script, Settings,
    record::{Happened, Record},
};
use std::fmt::Write as _;

fn run(settings: &Settings, ops: Vec<Vec<Request>>) -> (Gen1, Vec<Record>) {
    let boxed = |ops| Box::new(Script::new(ops)) as Box<dyn Process>;
    let mut system = Gen1::new(settings, ops.into_iter().map(boxed).collect()).unwrap();
    system.run(&mut |_| {}).unwrap();
    assert!(system.unfinished().is_empty());
    let records = system.records();
    (system, records)
}

fn at(records: &[Record], node: usize, what: &Happened) -> u64 {
    (records.iter().find(|r| r.node == node && r.what == *what).unwrap().at).0
}

/// From asking to having, of the last node when nobody has the lock.
fn acquire(settings: &Settings) -> u64 {
    let nodes = settings.line.nodes();
    let mut ops = vec![vec![]; nodes];
    ops[nodes - 1] = vec![Request::Lock(1)];
    let (system, _) = run(settings, ops);
    system.spans(nodes - 1).iter().map(|s| (s.to - s.from).0).sum()
}

/// From a worker's unlock to the next worker's having the lock.
fn hand_over(settings: &Settings) -> u64 {
    let nodes = settings.line.nodes();
    let mut ops = vec![vec![]; nodes];
    ops[1] = vec![Request::Lock(1), Request::compute(Nanoseconds(5_000_000)), Request::Unlock(1)];
    ops[nodes - 1] = vec![Request::compute(Nanoseconds(1_000_000)), Request::Lock(1)];
    let (_, records) = run(settings, ops);
    let got = at(&records, nodes - 1, &Happened::Answered(Primitive::Lock(1)));
    got - at(&records, 1, &Happened::Asked(Primitive::Unlock(1)))
}

/// From the last arrival, that of the last node, to the last departure.
fn barrier(settings: &Settings) -> u64 {
    let nodes = settings.line.nodes();
    let late = 20_000_000;
    let ops = |node| {
        let wait = if node == nodes - 1 { late } else { 1 };
        vec![Request::compute(Nanoseconds(wait)), Request::Barrier(0)]
    };
    let (system, _) = run(settings, (0..nodes).map(ops).collect());
    let ends = (0..nodes).filter_map(|node| {
        let last = system.spans(node).iter().rfind(|s| s.activity == Activity::Barrier)?;
        Some(last.to - Nanoseconds(late))
    });
    (ends.max().unwrap()).0
}

#[test]
fn the_page_has_the_times() {
    let mut text = String::from(
        "| nodes | pointer read | signals | free lock | hand-over | barrier |\n|---|---|---|---|---|---|\n",
    );
    let us = |ns: u64| format!("{}.{:01}", ns / 1000, ns % 1000 / 100);
    for (name, host) in [("1 Mb/s", Host::default()), ("80 MB/s", Host::best())] {
        for order in [Order::Sent, Order::Confirmed] {
            for nodes in [3, 4, 8, 16, 32] {
                let settings = Settings { host, order, record: true, ..Settings::new(nodes) };
                let all = [acquire(&settings), hand_over(&settings), barrier(&settings)].map(us);
                let [free, over, barrier] = all;
                let _ = writeln!(
                    text,
                    "| {nodes} | {name} | {} | {free} | {over} | {barrier} |",
                    order.name()
                );
            }
        }
    }
    snapshot::section("current.md", "times", &text);
}
