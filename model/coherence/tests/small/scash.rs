// SPDX-License-Identifier: MIT OR Apache-2.0
//! SCASH.

use crate::document;
use crate::found::{BLOCKS, EVERY, Found, HOLDS, LOCKS, Wrong, every_program, holds, system};
use crate::script::{free, load, lock, store};
use awgstar_coherence::check::{Op, Property, System};
use awgstar_coherence::scash::{Homes, Node, ScashRepairs, Settings};

const B: Op = Op::meet(0);

fn scash(
    scripts: &[&[Op]],
    homes: Homes,
    repairs: ScashRepairs,
    acknowledged: bool,
) -> System<Node> {
    system(scripts, |me, shape| Node::new(me, shape, Settings { homes, repairs, acknowledged }))
}

/// With round robin, page 0 is at home with node 0, which manages the barrier, and page 1 with node 1.
#[test]
fn holes() {
    let mut found = Found::default();
    let stale = Wrong::Breaks(Property::Stale);
    let lost = Wrong::Breaks(Property::Lost);
    let mut hole = |repair: ScashRepairs, homes, acknowledged, scripts: &[&[Op]], wrong, shown| {
        let mut name = ScashRepairs::LIST.iter().find(|one| one.0 == repair).unwrap().1.to_owned();
        if acknowledged {
            name += ", the writer waits for the home";
        }
        let without = scash(scripts, homes, ScashRepairs::ALL.without(repair), acknowledged);
        let with = scash(scripts, homes, ScashRepairs::ALL, acknowledged);
        found.hole(&name, &without, &with, (wrong, shown));
    };
    let robin = Homes::RoundRobin;
    // Node 2 writes; the home is node 1, the manager node 0.
    hole(ScashRepairs::NEED, robin, false, &[&[B], &[B, load(2)], &[store(2), B]], stale, true);
    hole(ScashRepairs::NOTICES, robin, false, &[&[store(2), B], &[B], &[B, load(2)]], stale, true);
    hole(ScashRepairs::NOTICES, robin, true, &[&[store(2), B], &[B], &[B, load(2)]], stale, false);
    hole(ScashRepairs::HOME_WRITES, robin, false, &[&[store(0), B], &[B, load(0)]], stale, false);
    let touch = [&[store(0), B, load(1)][..], &[store(1), B]];
    hole(ScashRepairs::ASSIGNED, Homes::FirstTouch, false, &touch, Wrong::Hangs, true);
    // Lock 0 is at node 0, page 1 at home with node 1.
    let counter = [lock(0), load(2), store(2), free(0)];
    hole(ScashRepairs::NEED_OF_GRANT, robin, false, &[&counter, &[], &counter], stale, false);
    let own = [&[store(3), lock(0), load(2), free(0), B][..], &[lock(0), store(2), free(0), B]];
    hole(ScashRepairs::DIFF_FIRST, robin, false, &own, lost, true);
    let twice = [lock(0), store(0), free(0), B];
    hole(ScashRepairs::RENEW, robin, false, &[&[B], &twice, &twice], lost, true);
    let chain = [
        &[lock(0), store(0), free(0)][..],
        &[lock(0), Op::Unless(0, 5), free(0), lock(1), store(2), free(1), lock(0), free(0)],
        &[lock(1), Op::Unless(2, 1), load(0), free(1)],
    ];
    hole(ScashRepairs::ALL_KNOWN, robin, false, &chain, stale, true);
    assert_eq!(found.lines(), ScashRepairs::LIST.len() + 1);
    found.write("scash");
}

/// With all repairs, programs that are larger than those of the holes.
#[test]
fn repaired() {
    let mut table = HOLDS.to_owned();
    for (name, homes) in HOMES {
        let one = |scripts: &[&[Op]]| scash(scripts, homes, ScashRepairs::ALL, false);
        let turns = [
            &[store(0), B, load(2), store(1), B, load(3), B][..],
            &[load(1), store(2), B, load(0), B, load(1), store(2), B],
        ];
        holds(&mut table, &format!("barriers, {name}"), &one(&turns), 1_000_000);
        let three = [
            &[store(0), B, load(2), B][..],
            &[store(1), B, load(0), store(3), B],
            &[store(2), B, load(1), B],
        ];
        holds(&mut table, &format!("barriers, {name}"), &one(&three), 1_000_000);
        let count = |own: usize| {
            vec![store(own), lock(0), load(2), store(2), free(0), B, load(own), load(2), B]
        };
        holds(&mut table, &format!("lock, {name}"), &one(&[&count(0), &count(3)]), 1_000_000);
        let short = [lock(0), load(2), store(2), free(0), B, load(2), B];
        holds(&mut table, &format!("lock, {name}"), &one(&[&short[..]; 3]), 1_000_000);
    }
    document::section("coherence.md", "holds scash", &table);
}

/// All programs with so many blocks, and then a block in which each node reads three bytes.
fn every(table: &mut String, nodes: usize, blocks: usize) {
    for (name, homes) in HOMES {
        let node = |me, shape| {
            Node::new(
                me,
                shape,
                Settings { homes, repairs: ScashRepairs::ALL, acknowledged: false },
            )
        };
        every_program(table, name, nodes, (&[], &vec![B; blocks]), BLOCKS, node);
        if blocks == 2 {
            every_program(table, &format!("{name}, locks"), nodes, (&[], &[B]), LOCKS, node);
        }
    }
}

#[test]
fn every_program_of_two_blocks() {
    let mut table = EVERY.to_owned();
    every(&mut table, 2, 2);
    document::section("coherence.md", "every scash", &table);
}

/// Diff and arrival, or diff and release, take one channel, or the home is the writer.
#[test]
fn two_nodes_do_without_need_after_a_barrier() {
    let repairs = ScashRepairs::ALL.without(ScashRepairs::NEED);
    for (name, homes) in HOMES {
        let node =
            |me, shape| Node::new(me, shape, Settings { homes, repairs, acknowledged: false });
        every_program(&mut String::new(), name, 2, (&[], &[B; 2]), BLOCKS, node);
    }
}

#[test]
#[ignore = "minutes"]
fn every_program_that_is_longer() {
    let mut table = EVERY.to_owned();
    every(&mut table, 2, 3);
    every(&mut table, 3, 2);
    document::section("coherence.md", "longer scash", &table);
}

/// In two pages, homes in blocks are the same as by round robin.
const HOMES: [(&str, Homes); 2] =
    [("homes by round robin", Homes::RoundRobin), ("homes by first touch", Homes::FirstTouch)];
