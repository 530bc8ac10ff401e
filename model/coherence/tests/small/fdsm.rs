// SPDX-License-Identifier: MIT OR Apache-2.0
//! FDSM without a home.

use crate::document;
use crate::found::{BLOCKS, EVERY, Found, HOLDS, LOCKS, Wrong, every_program, holds, system};
use crate::script::{free, load, lock, store};
use awgstar_coherence::check::{Op, Property, System};
use awgstar_coherence::fdsm::{FdsmRepairs, HomeRules, Node};

/// Barriers in the program. A block has the name of the last two.
const A: Op = Op::meet(1);
const B: Op = Op::meet(2);
const C: Op = Op::meet(3);
/// Before a serial part.
const S: Op = Op::meet_semi(4);

fn fdsm(scripts: &[&[Op]], repairs: FdsmRepairs) -> System<Node> {
    system(scripts, |me, shape| Node::new(me, shape, repairs))
}

type Scripts<'a> = &'a [&'a [Op]];

fn hole(
    found: &mut Found,
    repair: FdsmRepairs,
    scripts: Scripts<'_>,
    property: Property,
    shown: bool,
) {
    let name = FdsmRepairs::LIST.iter().find(|one| one.0 == repair).unwrap().1;
    let without = fdsm(scripts, FdsmRepairs::ALL.without(repair));
    let with = fdsm(scripts, FdsmRepairs::ALL);
    found.hole(name, &without, &with, (Wrong::Breaks(property), shown));
}

#[test]
fn holes() {
    let mut found = Found::default();
    let mut hole = |repair, scripts: Scripts<'_>, shown| {
        hole(&mut found, repair, scripts, Property::Stale, shown);
    };
    // Block A, B is read by both; before it one or the other writes.
    let first = [A, B, load(0), A, B, load(0), C, A, store(0), B, load(0)];
    let second = [A, store(0), B, load(0), A, store(0), B, load(0), C, A, B, load(0)];
    hole(FdsmRepairs::PLAN_BY_MAP, &[&first, &second], false);
    let read_after = [A, B, store(0), load(1), A, B, store(0), load(1)];
    hole(FdsmRepairs::APART, &[&read_after, &[A, B, A, store(1), B]], false);
    hole(FdsmRepairs::MERGE, &[&[store(0), A, load(1), load(0)], &[store(1), A]], true);
    hole(FdsmRepairs::ALL_BLOCKS, &[&[store(0), A], &[A, load(0)]], false);
    let turn = [lock(0), load(0), store(0), free(0)];
    hole(FdsmRepairs::RECORDS, &[&turn, &turn], false);
    hole(FdsmRepairs::CHECK, &[&[A, A, A, load(0)], &[A, A, store(0), A]], true);
    hole(
        FdsmRepairs::VALID,
        &[&[A, B, A, store(0), B, A], &[A, B, store(0), A, B, A, load(0)]],
        false,
    );
    let more = [A, A, store(0), A, store(0), store(1), A];
    hole(FdsmRepairs::DIFF, &[&more, &[A, A, A, A, load(1)]], false);
    hole(
        FdsmRepairs::REPORT_FIRST,
        &[&[A, A, store(0), A, A, load(0)], &[A, A, A, store(0), A]],
        true,
    );
    let again = [A, A, store(0), A, A, store(0), A];
    hole(FdsmRepairs::ALONE, &[&again, &[A, A, A, store(0), A, A, load(0)]], false);
    let writes = [A, B, lock(0), store(0), free(0), A, B, lock(0), store(0), free(0)];
    let reads = [A, B, lock(0), load(0), free(0), A, B, lock(0), load(0), free(0)];
    hole(FdsmRepairs::PUSH_AFTER_RECORD, &[&[A, B, A, store(0), B], &writes, &reads], false);
    let one = [A, lock(0), store(0), free(0)];
    let other = [A, load(1), lock(0), load(0), free(0)];
    hole(FdsmRepairs::DATA_AFTER_RECORD, &[&[store(0), store(1), A], &one, &other], true);
    let late = [A, lock(1), load(0), free(1)];
    hole(FdsmRepairs::EPOCH, &[&[store(0), A], &[A, lock(1), store(0), free(1)], &late], false);
    hole(FdsmRepairs::CAUSAL, &[&turn, &turn, &[lock(0), load(0), free(0)]], true);
    let far = [lock(2), load(0), store(0), free(2)];
    hole(FdsmRepairs::GRANT_COUNTS, &[&far, &far, &[]], false);
    hole(
        FdsmRepairs::LEAVE_COUNTS,
        &[&[A], &[lock(1), store(0), free(1), A], &[A, load(0)]],
        false,
    );
    assert_eq!(found.lines(), FdsmRepairs::LIST.len());
    found.write("fdsm");
}

const BOTH: HomeRules = HomeRules::BOTH;

fn homed(scripts: Scripts<'_>, rules: HomeRules) -> System<Node> {
    system(scripts, |me, shape| Node::new(me, shape, FdsmRepairs::ALL).with_homes(rules))
}

/// As published there are homes, and the paper does not say when they have the bytes of the latest writers. Page 1 is
/// at home with node 1.
#[test]
fn holes_of_homes() {
    let mut found = Found::default();
    let stale = (Wrong::Breaks(Property::Stale), true);
    let mut hole = |name: &str, scripts: Scripts<'_>, rules| {
        found.hole(name, &homed(scripts, rules), &homed(scripts, BOTH), stale);
    };
    let runs = HomeRules { runs_late: false, ..BOTH };
    let own: Scripts<'_> = &[&[A], &[A, load(2)], &[store(2), A]];
    hole("the process of a home waits", own, runs);
    let answers = HomeRules { answers_late: false, ..BOTH };
    let other: Scripts<'_> = &[&[A, load(2)], &[A], &[store(2), A]];
    hole("a home that answers waits", other, answers);
    found.write("homes");
}

/// With all repairs, programs that are larger than those of the holes.
#[test]
fn repaired() {
    let mut table = HOLDS.to_owned();
    let mut one = |name: &str, scripts: Scripts<'_>| {
        holds(&mut table, name, &fdsm(scripts, FdsmRepairs::ALL), 1_000_000);
    };
    let left = [A, store(0), store(1), B, load(2), load(3), A, store(0), store(1), B, load(2), A];
    let right = [A, store(2), store(3), B, load(0), load(1), A, store(2), store(3), B, load(1), A];
    one("fixed pattern", &[&left, &right]);
    let third = [A, B, load(0), load(3), A, B, load(0), load(3), A];
    one("fixed pattern", &[&left, &right, &third]);
    let inner =
        [A, store(1), B, load(0), store(0), B, load(0), A, store(1), B, load(0), store(0), A];
    let inner_too = [A, store(0), B, load(1), B, load(1), A, store(0), B, load(1), A];
    one("inner loop", &[&inner, &inner_too]);
    let serial = [store(0), S, store(1), A, load(2), S, store(0), A, load(2)];
    one("serial parts", &[&serial, &[S, A, load(0), S, store(2), A, load(0), load(1)]]);
    let same = [A, A, store(0), A, Op::StoreSame(0), store(1), A, A, load(0)];
    one("a write of the old value", &[&same, &[A, A, A, load(2), A, load(0), A, load(1)]]);
    let count = [A, store(3), lock(0), load(0), store(0), free(0), A, load(0), A];
    let count_too = [A, lock(0), load(0), store(0), free(0), load(1), A, load(0), load(3), A];
    one("lock and pattern", &[&count, &count_too]);
    let short = [lock(0), load(0), store(0), free(0), A, load(0), A];
    one("lock", &[&short[..]; 3]);
    let owners: Scripts<'_> = &[&[store(0), A, A], &[store(1), A, A], &[A, load(0), load(1), A]];
    one("a page of two owners", owners);
    // What was in a record is held by all: no node has to get it after the barrier.
    let recorded = [A, lock(0), store(0), free(0), A, load(0), A];
    one("a record of an owned byte", &[&[store(0), A, A, A], &recorded, &[A, A, load(0), A]]);
    let mut one = |name: &str, scripts: Scripts<'_>| {
        holds(&mut table, name, &homed(scripts, BOTH), 1_000_000);
    };
    one("with homes, inner loop", &[&inner, &inner_too]);
    one("with homes, lock and pattern", &[&count, &count_too]);
    one("with homes, fixed pattern", &[&left, &right, &third]);
    document::section("coherence.md", "holds fdsm", &table);
}

/// All programs with so many blocks, all of them with one name, so that each but the first may differ from
/// the pattern; and with names in turns.
fn every(table: &mut String, nodes: usize, blocks: usize) {
    let node = |me, shape| Node::new(me, shape, FdsmRepairs::ALL);
    every_program(table, "one block", nodes, (&[A, A], &vec![A; blocks]), BLOCKS, node);
    let turns: Vec<Op> = [A, B].into_iter().cycle().take(blocks).collect();
    every_program(table, "blocks in turns", nodes, (&[A, B], &turns), BLOCKS, node);
}

#[test]
fn every_program_of_two_blocks() {
    let mut table = EVERY.to_owned();
    every(&mut table, 2, 2);
    let node = |me, shape| Node::new(me, shape, FdsmRepairs::ALL);
    every_program(&mut table, "locks", 2, (&[A, A], &[A]), LOCKS, node);
    let node = |me, shape| Node::new(me, shape, FdsmRepairs::ALL).with_homes(BOTH);
    every_program(&mut table, "one block, with homes", 2, (&[A], &[A; 2]), BLOCKS, node);
    document::section("coherence.md", "every fdsm", &table);
}

#[test]
#[ignore = "minutes"]
fn every_program_of_three_blocks_is_longer() {
    let mut table = EVERY.to_owned();
    every(&mut table, 2, 3);
    let node = |me, shape| Node::new(me, shape, FdsmRepairs::ALL).with_homes(BOTH);
    every_program(&mut table, "one block, with homes", 2, (&[A], &[A; 3]), BLOCKS, node);
    document::section("coherence.md", "longer fdsm", &table);
}

#[test]
#[ignore = "minutes"]
fn every_program_of_locks_is_longer() {
    let mut table = EVERY.to_owned();
    let node = |me, shape| Node::new(me, shape, FdsmRepairs::ALL);
    every_program(&mut table, "locks", 2, (&[A, A], &[A, A]), LOCKS, node);
    document::section("coherence.md", "longer fdsm locks", &table);
}

#[test]
#[ignore = "some ten minutes"]
fn every_program_of_three_nodes_is_longer() {
    let mut table = EVERY.to_owned();
    let node = |me, shape| Node::new(me, shape, FdsmRepairs::ALL);
    every(&mut table, 3, 2);
    every_program(&mut table, "locks", 3, (&[A, A], &[A]), LOCKS, node);
    let node = |me, shape| Node::new(me, shape, FdsmRepairs::ALL).with_homes(BOTH);
    every_program(&mut table, "one block, with homes", 3, (&[A], &[A; 2]), BLOCKS, node);
    document::section("coherence.md", "longer fdsm nodes", &table);
}
