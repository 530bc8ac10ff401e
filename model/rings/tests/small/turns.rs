// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lock of all rings by words and messages (P4).

use crate::document;
use crate::found::{Found, HOLDS, Wrong, holds};
use crate::systems::{breaks, system};
use awgstar_rings::check::{
    Op::{self, GiveUp, Lock, Put},
    Property, Settings,
};
use awgstar_rings::repairs::{Repairs, TurnRepairs};

/// Rings whose processes take lock 0, which the gateway of ring 0 manages.
fn locks(rings: &[&[&[Op]]]) -> Settings {
    Settings { locks: 1, ..Settings::new(rings, Repairs::ALL) }
}

const ONCE: &[Op] = &[Lock(0), GiveUp(0)];
const TWICE: &[Op] = &[Lock(0), GiveUp(0), Lock(0), GiveUp(0)];

#[test]
fn holes() {
    let mut found = Found::default();
    let mut hole = |repair, settings: Settings, wrong, shown| {
        let name = TurnRepairs::LIST.iter().find(|one| one.0 == repair).unwrap().1;
        let mut without = settings.clone();
        without.repairs.turns = TurnRepairs::ALL.without(repair);
        found.hole(name, &system(without), &system(settings), (wrong, shown));
    };
    let faults =
        |restarts, resets, early, settings| Settings { restarts, resets, early, ..settings };
    let pair = || locks(&[&[ONCE], &[ONCE]]);
    let exclusion = breaks(Property::Exclusion);
    hole(TurnRepairs::KEPT, faults(1, 0, 0, pair()), exclusion, true);
    let other = locks(&[&[], &[TWICE], &[ONCE]]);
    hole(TurnRepairs::NUMBERS, faults(0, 0, 1, other), exclusion, true);
    hole(TurnRepairs::AGAIN, faults(0, 1, 0, pair()), Wrong::Hangs, false);
    hole(TurnRepairs::BACK, faults(0, 1, 0, pair()), Wrong::Hangs, true);
    assert_eq!(found.lines(), TurnRepairs::LIST.len());
    found.write("turns");
}

#[test]
fn repaired() {
    let mut table = HOLDS.to_owned();
    let mut good = |name: &str, settings| holds(&mut table, name, &system(settings), 3_000_000);
    let faults =
        |restarts, resets, early, settings| Settings { restarts, resets, early, ..settings };
    let pair = || locks(&[&[ONCE], &[ONCE]]);
    good("2 rings of 1", pair());
    good("2 rings of 1, a restart, a reset, an early timer", faults(1, 1, 1, pair()));
    good("2 rings of 1, twice, a restart", faults(1, 0, 0, locks(&[&[TWICE], &[TWICE]])));
    good("2 and 1 processes, a restart", faults(1, 0, 0, locks(&[&[ONCE, ONCE], &[ONCE]])));
    let apart = || locks(&[&[], &[ONCE], &[ONCE]]);
    good("3 rings, the manager's without processes, a restart", faults(1, 0, 0, apart()));
    good("3 rings, the manager's without processes, a reset", faults(0, 1, 0, apart()));
    let writes: &[Op] = &[Lock(0), Put(1, 0, 1), GiveUp(0)];
    good(
        "2 rings of 1, a write to the other, a restart",
        faults(1, 0, 0, locks(&[&[writes], &[ONCE]])),
    );
    document::section("ring-of-rings.md", "holds turns", &table);
}

#[test]
#[ignore = "minutes"]
fn repaired_longer() {
    let mut table = HOLDS.to_owned();
    let mut good = |name: &str, settings| holds(&mut table, name, &system(settings), 20_000_000);
    let pairs = locks(&[&[ONCE, ONCE], &[ONCE, ONCE]]);
    good("2 rings of 2, a restart", Settings { restarts: 1, ..pairs });
    let twice = locks(&[&[TWICE], &[TWICE]]);
    good("2 rings of 1, twice, 2 restarts, a reset", Settings { restarts: 2, resets: 1, ..twice });
    let apart = locks(&[&[], &[TWICE], &[ONCE]]);
    let faults = Settings { restarts: 1, resets: 1, early: 1, ..apart };
    good("3 rings, the manager's without processes, a restart, a reset, an early timer", faults);
    document::section("ring-of-rings.md", "longer turns", &table);
}
