// SPDX-License-Identifier: MIT OR Apache-2.0
//! Far reads and writes (P1), and the room for them (P2).

use crate::document;
use crate::found::{Found, HOLDS, Small, Wrong, holds};
use crate::systems::{CLIENT, breaks, system, two};
use awgstar_rings::check::room::Stations;
use awgstar_rings::check::{
    Op,
    Op::{Get, Meet, Put, See, Set},
    Property, Settings,
};
use awgstar_rings::repairs::{Repairs, RequestRepairs};
use awgstar_rings::station::Parcel;
use awgstar_sync::check::explore;

#[test]
fn holes() {
    let mut found = Found::default();
    let mut hole = |repair: RequestRepairs, settings: Settings, wrong, shown| {
        let name = RequestRepairs::LIST.iter().find(|one| one.0 == repair).unwrap().1;
        let mut without = settings.clone();
        without.repairs.requests = RequestRepairs::ALL.without(repair);
        found.hole(name, &system(without), &system(settings), (wrong, shown));
    };
    let all = RequestRepairs::ALL;
    let restart = |settings| Settings { restarts: 1, ..settings };
    let early = |settings| Settings { early: 1, ..settings };
    let put = || two(&[&[Put(1, 0, 1)]], &[], all);
    let gets = || two(&[&[Get(1, 0, 1), Get(1, 1, 1)]], &[], all);
    // In the ring of the memory another process sees what was put, and changes it.
    let changed = || two(&[&[Put(1, 0, 1)]], &[&[See(0, CLIENT, 0), Set(0)]], all);
    let both = || two(&[&[Put(1, 0, 1)]], &[&[Get(0, 0, 1)]], all);
    hole(RequestRepairs::KEPT, restart(put()), Wrong::Hangs, true);
    hole(RequestRepairs::AGAIN, Settings { resets: 1, ..put() }, Wrong::Hangs, false);
    hole(RequestRepairs::ANSWER_NUMBER, early(gets()), breaks(Property::Stale), true);
    hole(RequestRepairs::NUMBER_LAST, gets(), breaks(Property::Stale), false);
    hole(RequestRepairs::ONCE, early(put()), breaks(Property::Twice), true);
    hole(RequestRepairs::DONE_AFTER, restart(put()), breaks(Property::Lost), false);
    hole(RequestRepairs::INTENT, restart(put()), breaks(Property::Twice), false);
    hole(RequestRepairs::COUNTED, restart(changed()), breaks(Property::Twice), true);
    hole(RequestRepairs::ONE_FRAME, restart(put()), breaks(Property::Lost), false);
    hole(RequestRepairs::ALONE, restart(both()), breaks(Property::Lost), true);
    hole(RequestRepairs::CONFIRMED, changed(), breaks(Property::Unseen), true);
    hole(RequestRepairs::ONE_WAY, gets(), breaks(Property::Stale), false);
    let two_each =
        two(&[&[Get(1, 0, 1)], &[Get(1, 1, 1)]], &[&[Get(0, 0, 1)], &[Get(0, 1, 1)]], all);
    hole(RequestRepairs::NEVER_WAITS, two_each, Wrong::Hangs, true);
    let crowd = two(&[&[Get(1, 0, 1)], &[Get(1, 1, 1)]], &[], all);
    let crowd = Settings { credits: 1, room: 1, ..crowd };
    hole(RequestRepairs::CREDIT, crowd, breaks(Property::Room), false);
    assert_eq!(found.lines(), RequestRepairs::LIST.len());
    found.write("requests");
}

/// As published: what the paper does not say is done in the nearest way that is right without a fault.
fn published() -> RequestRepairs {
    RequestRepairs::NONE
        .with(RequestRepairs::NUMBER_LAST)
        .with(RequestRepairs::ONE_WAY)
        .with(RequestRepairs::CONFIRMED)
        .with(RequestRepairs::DONE_AFTER)
}

/// The form of the paper does its work while nothing fails.
#[test]
fn as_published_without_faults() {
    let settings = two(&[&[Put(1, 0, 1), Get(1, 0, 1)]], &[&[Get(0, 1, 1)]], published());
    let report = explore(&system(settings).0, 100_000);
    assert!(report.holds(), "{:?} {:?}", report.broken, report.stuck);
}

#[test]
fn repaired() {
    let mut table = HOLDS.to_owned();
    let all = RequestRepairs::ALL;
    let faults =
        |restarts, resets, early, settings| Settings { restarts, resets, early, ..settings };
    let mut good = |name: &str, settings| holds(&mut table, name, &system(settings), 3_000_000);
    let put_get = || two(&[&[Put(1, 0, 1), Get(1, 0, 1)]], &[], all);
    good("one client", put_get());
    good("one client, 2 restarts, a reset, an early timer", faults(2, 1, 1, put_get()));
    let changed = two(&[&[Put(1, 0, 1), Get(1, 0, 1)]], &[&[See(0, CLIENT, 0), Set(0)]], all);
    good("another process changes the word, 2 restarts, an early timer", faults(2, 0, 1, changed));
    let cross = two(&[&[Put(1, 0, 1)]], &[&[Put(0, 0, 1)]], all);
    good("two rings to each other, a restart, an early timer", faults(1, 0, 1, cross));
    let clients = two(&[&[Put(1, 0, 1)], &[Get(1, 0, 1)]], &[], all);
    good("two clients, a restart, an early timer", faults(1, 0, 1, clients.clone()));
    let one = Settings { credits: 1, room: 2, ..clients };
    good("two clients and one credit, a restart, an early timer", faults(1, 0, 1, one));
    let block = two(&[&[Put(1, 0, 2), Get(1, 0, 2)]], &[], all);
    good("blocks of 2 words, 2 restarts, an early timer", faults(2, 0, 1, block));
    let long = two(&[&[Put(1, 0, 4)]], &[&[See(0, CLIENT, 0), Set(0)]], all);
    good("a block of 4 words, another process changes it, 2 restarts", faults(2, 0, 0, long));
    let meets = two(&[&[Put(1, 0, 1), Meet]], &[&[Meet]], all);
    good("a write and the barrier, a restart", faults(1, 0, 0, meets));
    document::section("ring-of-rings.md", "holds requests", &table);
}

/// Gateways 4 and 5 are above rings 0, 1 and 2, 3, and peers.
fn levels(scripts: &[&[&[Op]]]) -> Settings {
    Settings::levels(scripts, &[4, 4, 5, 5], Repairs::ALL)
}

#[test]
fn three_levels() {
    let mut table = HOLDS.to_owned();
    let mut good = |name: &str, settings| holds(&mut table, name, &system(settings), 3_000_000);
    let far = levels(&[&[&[Put(3, 0, 1), Get(3, 0, 1)]], &[], &[], &[]]);
    good("through two gateways", far.clone());
    good("through two gateways, a restart", Settings { restarts: 1, ..far.clone() });
    good("through two gateways, a reset", Settings { resets: 1, ..far.clone() });
    good("through two gateways, an early timer", Settings { early: 1, ..far });
    document::section("ring-of-rings.md", "holds levels", &table);
}

#[test]
#[ignore = "minutes"]
fn repaired_longer() {
    let mut table = HOLDS.to_owned();
    let all = RequestRepairs::ALL;
    let mut good = |name: &str, settings| holds(&mut table, name, &system(settings), 20_000_000);
    let put_get = two(&[&[Put(1, 0, 1), Get(1, 0, 1)]], &[], all);
    let faults = Settings { restarts: 3, resets: 1, early: 2, ..put_get };
    good("one client, 3 restarts, a reset, 2 early timers", faults);
    let cross = two(&[&[Put(1, 0, 1)]], &[&[Put(0, 0, 1)]], all);
    good(
        "two rings to each other, 2 restarts, an early timer",
        Settings { restarts: 2, early: 1, ..cross },
    );
    let block = two(&[&[Put(1, 0, 4), Get(1, 0, 4)]], &[&[See(0, CLIENT, 0), Set(0)]], all);
    good(
        "blocks of 4 words, another process changes a word, 2 restarts, an early timer",
        Settings { restarts: 2, early: 1, ..block },
    );
    let far = levels(&[&[&[Put(3, 0, 1)]], &[], &[], &[&[See(0, 1, 0), Set(0)]]]);
    let far = Settings { restarts: 1, early: 1, ..far };
    good("three levels, another process changes the word, a restart, an early timer", far);
    let across = levels(&[&[&[Put(3, 0, 1)]], &[], &[], &[&[Get(0, 0, 1)]]]);
    good("three levels, both ways, a restart", Settings { restarts: 1, ..across });
    document::section("ring-of-rings.md", "longer requests", &table);
}

/// A gateway of a ring of gateways that fills its buffer leaves no room for messages that pass.
#[test]
fn holes_of_a_ring_of_gateways() {
    let mut found = Found::default();
    let parcels = |to| vec![Parcel { to }; 2];
    let stations = |keeps_free| {
        let parcels = vec![parcels(2), parcels(0), parcels(1)];
        Small(Stations { parcels, slots: 2, keeps_free }, 3)
    };
    found.hole("a slot kept free", &stations(false), &stations(true), (Wrong::Hangs, true));
    found.write("stations");
}
