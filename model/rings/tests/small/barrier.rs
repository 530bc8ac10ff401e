// SPDX-License-Identifier: MIT OR Apache-2.0
//! The barrier of all rings (P3).

use crate::document;
use crate::found::{Found, HOLDS, Wrong, holds};
use crate::systems::{breaks, system, with_barrier};
use awgstar_rings::check::{Op::Meet, Property, Settings};
use awgstar_rings::repairs::{BarrierRepairs, Repairs};

#[test]
fn holes() {
    let mut found = Found::default();
    let twice: &[&[&[_]]] = &[&[&[Meet, Meet]], &[&[Meet, Meet]]];
    let mut hole = |repair, settings: Settings, wrong, shown| {
        let name = BarrierRepairs::LIST.iter().find(|one| one.0 == repair).unwrap().1;
        let mut without = settings.clone();
        without.repairs.barrier = BarrierRepairs::ALL.without(repair);
        found.hole(name, &system(without), &system(settings), (wrong, shown));
    };
    let all = || with_barrier(twice, BarrierRepairs::ALL);
    let restart = Settings { restarts: 1, ..all() };
    hole(BarrierRepairs::EPISODES, restart, breaks(Property::Together), true);
    hole(BarrierRepairs::AGAIN, Settings { resets: 1, ..all() }, Wrong::Hangs, false);
    assert_eq!(found.lines(), BarrierRepairs::LIST.len());
    found.write("barrier");
}

#[test]
fn repaired() {
    let mut table = HOLDS.to_owned();
    let mut good = |name: &str, settings| holds(&mut table, name, &system(settings), 3_000_000);
    let one: &[&[_]] = &[&[Meet, Meet]];
    let two: &[&[_]] = &[&[Meet], &[Meet]];
    let single: &[&[_]] = &[&[Meet]];
    let barrier = |rings: &[_]| with_barrier(rings, BarrierRepairs::ALL);
    good("2 rings of 1, twice, 2 restarts", Settings { restarts: 2, ..barrier(&[one, one]) });
    good("2 rings of 2, a restart", Settings { restarts: 1, ..barrier(&[two, two]) });
    let levels = Settings::levels(&[single; 3], &[3, 3, 4], Repairs::ALL);
    good("3 levels, 3 rings of 1", levels);
    document::section("ring-of-rings.md", "holds barrier", &table);
}

#[test]
#[ignore = "minutes"]
fn repaired_longer() {
    let mut table = HOLDS.to_owned();
    let mut good = |name: &str, settings| holds(&mut table, name, &system(settings), 20_000_000);
    let one: &[&[_]] = &[&[Meet, Meet]];
    let barrier = |rings: &[_]| with_barrier(rings, BarrierRepairs::ALL);
    good("2 rings of 1, twice, 3 restarts", Settings { restarts: 3, ..barrier(&[one, one]) });
    let single: &[&[_]] = &[&[Meet]];
    good("3 rings of 1, a restart", Settings { restarts: 1, ..barrier(&[single; 3]) });
    let levels = Settings::levels(&[single; 3], &[3, 3, 4], Repairs::ALL);
    good("3 levels, 3 rings of 1, a restart", Settings { restarts: 1, ..levels });
    let levels = Settings::levels(&[single; 4], &[4, 4, 5, 5], Repairs::ALL);
    good("3 levels, 4 rings of 1", levels);
    document::section("ring-of-rings.md", "longer barrier", &table);
}
