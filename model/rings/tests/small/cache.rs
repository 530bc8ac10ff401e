// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cache of words of other rings.

use crate::document;
use crate::found::{Found, HOLDS, Wrong, holds};
use crate::systems::{breaks, system};
use awgstar_rings::Cache;
use awgstar_rings::check::{
    Op,
    Op::{Get, Meet, Put, Set},
    Property, Settings,
};
use awgstar_rings::repairs::{CacheRepairs, Repairs};

/// Lines of one word in one place.
fn cached(rings: &[&[&[Op]]]) -> Settings {
    let cache = Some(Cache { lines: 1, words: 1 });
    Settings { cache, ..Settings::new(rings, Repairs::ALL) }
}

const READ: Op = Get(1, 0, 1);
const WRITE: Op = Put(1, 0, 1);

/// A process reads a word of ring 1 twice, and another one of its ring writes there.
fn write_beside() -> Settings {
    cached(&[&[&[READ, READ], &[WRITE]], &[]])
}

/// A process of ring 1 writes the word, and a third ring reads it.
fn third_ring() -> Settings {
    cached(&[&[&[READ, READ]], &[&[Set(0)]], &[&[READ]]])
}

/// A process of ring 1 writes the word and meets the others, and another one reads it before and after.
fn barrier() -> Settings {
    cached(&[&[&[READ, Meet, READ]], &[&[Set(0), Meet]]])
}

/// Two lines in one place.
fn two_lines() -> Settings {
    cached(&[&[&[READ, READ], &[Get(1, 1, 1)]], &[]])
}

/// The same through a gateway above both.
fn above() -> Settings {
    let cache = Some(Cache { lines: 1, words: 1 });
    let scripts: [&[&[Op]]; 2] = [&[&[READ, Meet, READ]], &[&[Set(0), Meet]]];
    Settings { cache, ..Settings::levels(&scripts, &[2, 2], Repairs::ALL) }
}

/// A cache without the repair goes wrong.
fn hole(
    found: &mut Found,
    repair: CacheRepairs,
    settings: Settings,
    wrong: Wrong<Property>,
    shown: bool,
) {
    let name = CacheRepairs::LIST.iter().find(|one| one.0 == repair).unwrap().1;
    let mut without = settings.clone();
    without.repairs.cache = CacheRepairs::ALL.without(repair);
    found.hole(name, &system(without), &system(settings), (wrong, shown));
}

const OLDER: Wrong<Property> = breaks(Property::Older);

/// Of 100,000 states and more.
const LARGE: usize = 2;

#[test]
fn holes() {
    let mut found = Found::default();
    let mut hole =
        |repair, settings, wrong, shown| hole(&mut found, repair, settings, wrong, shown);
    let writes = || cached(&[&[&[READ, READ], &[WRITE, WRITE]], &[]]);
    let reread = cached(&[&[&[READ, READ], &[WRITE, READ]], &[]]);
    hole(CacheRepairs::NOTED, write_beside(), OLDER, true);
    hole(CacheRepairs::STILL_NOTED, writes(), OLDER, true);
    hole(CacheRepairs::WATCHED, barrier(), OLDER, false);
    hole(CacheRepairs::WRITES_WAIT, write_beside(), OLDER, true);
    hole(CacheRepairs::READS_WAIT, third_ring(), OLDER, true);
    hole(CacheRepairs::FLUSHED, write_beside(), OLDER, false);
    hole(CacheRepairs::AGAIN, Settings { resets: 1, ..write_beside() }, Wrong::Hangs, false);
    hole(CacheRepairs::UNKNOWN, Settings { restarts: 1, ..write_beside() }, OLDER, false);
    hole(CacheRepairs::EMPTIED, two_lines(), breaks(Property::Stale), false);
    hole(CacheRepairs::HEAD_LAST, reread, OLDER, true);
    hole(CacheRepairs::LOOKED_AGAIN, two_lines(), breaks(Property::Stale), true);
    assert_eq!(found.lines(), CacheRepairs::LIST.len() - LARGE);
    found.write("cache");
}

#[test]
#[ignore = "half a minute"]
fn holes_of_large_systems() {
    let mut found = Found::default();
    let early = cached(&[&[&[READ, READ, READ], &[WRITE, WRITE]], &[]]);
    let reset = Settings { resets: 1, ..above() };
    hole(&mut found, CacheRepairs::ARRIVALS_WAIT, reset, OLDER, false);
    hole(&mut found, CacheRepairs::NUMBER, Settings { early: 1, ..early }, OLDER, true);
    assert_eq!(found.lines(), LARGE);
    found.write("cache large");
}

#[test]
fn repaired() {
    let mut table = HOLDS.to_owned();
    let mut good = |name: &str, settings| {
        holds(&mut table, name, &system(settings), 3_000_000);
    };
    let faults =
        |restarts, resets, early, settings| Settings { restarts, resets, early, ..settings };
    good("one client reads twice", cached(&[&[&[READ, READ]], &[]]));
    good("a write of its ring", write_beside());
    good("a write of its ring, a restart", faults(1, 0, 0, write_beside()));
    good("a write of its ring, an early timer", faults(0, 0, 1, write_beside()));
    good("a write of the home ring, a third ring reads", third_ring());
    good("a write of the home ring and the barrier, a restart", faults(1, 0, 0, barrier()));
    let pair = |settings| Settings { cache: Some(Cache { lines: 2, words: 2 }), ..settings };
    let block = |read| pair(cached(&[&[&[read, read], &[Put(1, 1, 2)]], &[]]));
    good("a write in 2 lines of 2 words, the first one is read", block(Get(1, 0, 2)));
    good("a write in 2 lines of 2 words, the second one is read", block(Get(1, 2, 1)));
    good("a write in 2 lines of 2 words, both are read", block(Get(1, 1, 2)));
    let homes = cached(&[&[&[READ, Get(2, 0, 1), READ]], &[], &[]]);
    good("lines of two rings in one place", homes);
    let third = cached(&[&[&[READ, READ]], &[], &[&[WRITE, READ]]]);
    good("a write of a third ring", third);
    good("the barrier through a gateway above, an early timer", faults(0, 0, 1, above()));
    document::section("ring-of-rings.md", "holds cache", &table);
}

#[test]
#[ignore = "minutes"]
fn repaired_longer() {
    let mut table = HOLDS.to_owned();
    let mut good = |name: &str, settings| holds(&mut table, name, &system(settings), 20_000_000);
    let faults =
        |restarts, resets, early, settings| Settings { restarts, resets, early, ..settings };
    good("a write of its ring, a reset, an early timer", faults(0, 1, 1, write_beside()));
    good("two lines in one place, a restart", faults(1, 0, 0, two_lines()));
    good("a write of its ring, a restart, a reset", faults(1, 1, 0, write_beside()));
    let third = cached(&[&[&[READ, READ]], &[], &[&[WRITE, READ]]]);
    good("a write of a third ring, a restart", faults(1, 0, 0, third));
    document::section("ring-of-rings.md", "longer cache", &table);
}
