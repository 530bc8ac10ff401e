// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lock of all rings (P4).

use crate::document;
use crate::found::{Found, HOLDS, Small, Wrong, holds};
use awgstar_rings::check::locks::{Locks, Property, Taker};
use awgstar_rings::repairs::LockRepairs;

/// Two rings below a third one without processes.
const RINGS: &[usize] = &[2, 2];

fn locks(above: &[usize], takers: &[(usize, Option<u8>)], restarts: u8) -> Small<Locks> {
    let takers = takers.iter().map(|&(ring, rounds)| Taker { ring, rounds }).collect();
    let locks = Locks { above: above.to_vec(), takers, repairs: LockRepairs::ALL, restarts };
    Small(locks, above.len())
}

#[test]
fn holes() {
    let mut found = Found::default();
    let mut hole = |repair, small: Small<Locks>, wrong| {
        let name = LockRepairs::LIST.iter().find(|one| one.0 == repair).unwrap().1;
        let repairs = LockRepairs::ALL.without(repair);
        let without = Small(Locks { repairs, ..small.0.clone() }, small.1);
        found.hole(name, &without, &small, (wrong, true));
    };
    let once = [(0, Some(1)), (0, Some(1)), (1, Some(1))];
    let two = Wrong::Breaks(Property::Exclusion, Property::Exclusion.violated());
    hole(LockRepairs::KEPT, locks(RINGS, &once, 1), two);
    // The first process wants the lock once, the others without end.
    let others = [(0, Some(1)), (0, None), (1, None), (1, None)];
    hole(LockRepairs::TURNS, locks(RINGS, &others, 0), Wrong::Starves);
    hole(LockRepairs::FRESH, locks(RINGS, &others, 0), Wrong::Starves);
    assert_eq!(found.lines(), LockRepairs::LIST.len());
    found.write("lock");
}

#[test]
fn repaired() {
    let mut table = HOLDS.to_owned();
    let mut good = |name: &str, small: &Small<Locks>| holds(&mut table, name, small, 3_000_000);
    let pairs = |rings| (0..rings).flat_map(|ring| [(ring, Some(2)); 2]).collect::<Vec<_>>();
    good("2 rings of 2, twice, 2 restarts", &locks(RINGS, &pairs(2), 2));
    let once = |rings| (0..rings).flat_map(|ring| [(ring, Some(1)); 2]).collect::<Vec<_>>();
    good("3 rings of 2, a restart", &locks(&[3; 3], &once(3), 1));
    let endless = [(0, Some(1)), (0, None), (1, None), (1, None), (2, None)];
    good("3 rings, one process once, 4 without end, 2 restarts", &locks(&[3; 3], &endless, 2));
    // Rings 0 and 1 below 4, rings 2 and 3 below 5, and those below the highest.
    let levels = [4, 4, 5, 5, 6, 6];
    let four = [(0, Some(1)), (1, Some(1)), (2, Some(1)), (3, Some(1))];
    good("3 levels, 4 rings of 1, a restart", &locks(&levels, &four, 1));
    let endless = [(0, Some(1)), (0, None), (1, None), (2, None)];
    good("3 levels, one process once, 3 without end, 2 restarts", &locks(&levels, &endless, 2));
    document::section("ring-of-rings.md", "holds lock", &table);
}
