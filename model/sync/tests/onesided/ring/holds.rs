// SPDX-License-Identifier: MIT OR Apache-2.0
//! The queue lock and updates by the owner of a word, on a ring: with all repairs nothing goes wrong.

use super::FROM;
use crate::document;
use crate::holds::{HEAD, holds};
use crate::systems::{owner, ring, takers};
use awgstar_sync::check::onesided::{
    Call::{self, Acquire, Fence, Read, Release, Until, Word},
    Settings,
};
use awgstar_sync::firmware::onesided::Access::{Add, Fetch, Get, Put};
use awgstar_sync::firmware::onesided::owner::OwnerRepairs;
use awgstar_sync::firmware::onesided::ring::RingRepairs;

/// With losses and early timers.
fn faulty(scripts: Vec<Vec<Call>>, losses: u8, early: u8) -> Settings {
    Settings { losses, early, ..Settings::ring(scripts) }
}

fn name(what: &str, settings: &Settings) -> String {
    let Settings { losses, early, .. } = settings;
    format!("{what}, {losses} lost, {early} early")
}

#[test]
fn repaired() {
    let mut table = HEAD.to_owned();
    // Locks 0 and 2 have one home.
    let nested = |inner| vec![vec![Acquire(0), Acquire(inner), Release(inner), Release(0)]; 2];
    let locks = [
        faulty(takers(1, 2, Some(0)), 0, 0),
        faulty(takers(2, 2, Some(0)), 1, 2),
        faulty(takers(2, 2, Some(1)), 2, 1),
        faulty(nested(1), 1, 1),
        faulty(nested(2), 1, 1),
        faulty(takers(3, 1, Some(0)), 0, 0),
        faulty(takers(3, 1, Some(2)), 1, 1),
    ];
    for settings in locks {
        let name = name("ring lock", &settings);
        holds(&mut table, &name, &ring(settings, RingRepairs::ALL, FROM));
    }
    let (add, flag) = (Word(1, Add(1)), Word(0, Put(1)));
    let users = |ranks: usize| vec![vec![add, Word(1, Fetch(2)), Read(1, 3)]; ranks];
    let puts = vec![vec![Word(1, Put(5)), add, Read(1, 6), add, Word(1, Put(9)), Word(1, Get)]];
    let two_owners = vec![Word(1, Add(1)), Word(2, Add(2)), Fence, flag];
    let reads = vec![Until(0), Read(1, 1), Read(2, 2), Word(2, Add(1))];
    let updates = [
        faulty(users(1), 0, 0),
        faulty(users(2), 1, 2),
        faulty(vec![vec![add, Word(1, Fetch(2))]; 3], 0, 0),
        faulty([puts, vec![vec![]; 2]].concat(), 1, 1),
        faulty(vec![two_owners, reads.clone(), reads], 1, 0),
    ];
    for settings in updates {
        let name = name("owner", &settings);
        holds(&mut table, &name, &owner(settings, OwnerRepairs::ALL, FROM));
    }
    document::section("one-sided-protocols.md", "holds ring", &table);
}

#[test]
#[ignore = "a minute, and some hundred megabytes"]
fn repaired_in_larger_systems() {
    let mut table = HEAD.to_owned();
    for settings in [faulty(takers(3, 2, None), 0, 0), faulty(takers(4, 1, None), 0, 0)] {
        let name = name("ring lock", &settings);
        holds(&mut table, &name, &ring(settings, RingRepairs::ALL, FROM));
    }
    document::section("one-sided-protocols.md", "holds ring, long", &table);
}
