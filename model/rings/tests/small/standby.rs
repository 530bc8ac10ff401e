// SPDX-License-Identifier: MIT OR Apache-2.0
//! A standby that takes over: reflected frames (P5), and requests (P1 with P5).

use crate::document;
use crate::found::{Found, HOLDS, Small, Wrong, holds};
use crate::systems::{breaks, system, with_standby};
use awgstar_frame::quantity::ByteAddress;
use awgstar_rings::check::reflection::{self, Reflection};
use awgstar_rings::check::{
    Op::{self, Compare, Get, Meet, Put, See, Set},
    Property, Settings, System,
};
use awgstar_rings::repairs::{ReflectRepairs, Repairs, TakeOverRepairs, WindowRepairs};
use awgstar_rings::{RingNumber, Window};
use awgstar_sync::check::explore::explore;

fn reflection(repairs: ReflectRepairs, window: usize, losses: u8) -> Small<Reflection> {
    let sources = vec![2, 1];
    let all = Reflection { sources, repairs, window, receivers: 1, losses, dies: true };
    Small(all, 3)
}

#[test]
fn reflected_holes() {
    let mut found = Found::default();
    for &(repair, name) in ReflectRepairs::LIST {
        let lost = reflection::Property::Lost;
        let twice = reflection::Property::Twice;
        let (wrong, shown) = match repair {
            ReflectRepairs::LOG => (Wrong::Hangs, true),
            ReflectRepairs::SAME_NUMBER => (Wrong::Breaks(twice, twice.violated()), true),
            ReflectRepairs::MARK => (Wrong::Breaks(lost, lost.violated()), true),
            ReflectRepairs::NEXT_BOARD | ReflectRepairs::STORE => {
                (Wrong::Breaks(lost, lost.violated()), false)
            }
            _ => (Wrong::Hangs, false),
        };
        let without = reflection(ReflectRepairs::ALL.without(repair), 1, 1);
        let with = reflection(ReflectRepairs::ALL, 1, 1);
        found.hole(name, &without, &with, (wrong, shown));
    }
    found.write("reflected");
}

#[test]
fn reflected() {
    let mut table = HOLDS.to_owned();
    let mut good =
        |name: &str, small: &Small<Reflection>| holds(&mut table, name, small, 3_000_000);
    let all = ReflectRepairs::ALL;
    good("2 + 1 frames, log of 1, 2 losses", &reflection(all, 1, 2));
    good("2 + 1 frames, log of 2, a loss", &reflection(all, 2, 1));
    let two = Reflection { receivers: 2, ..reflection(all, 1, 1).0 };
    good("2 + 1 frames, log of 1, 2 receivers, a loss", &Small(two, 4));
    document::section("ring-of-rings.md", "holds reflected", &table);
}

#[test]
#[ignore = "minutes"]
fn reflected_longer() {
    let mut table = HOLDS.to_owned();
    let mut good =
        |name: &str, small: &Small<Reflection>| holds(&mut table, name, small, 20_000_000);
    let all = ReflectRepairs::ALL;
    good("2 + 1 frames, log of 2, 2 losses", &reflection(all, 2, 2));
    let more = Reflection { sources: vec![2, 2], ..reflection(all, 2, 1).0 };
    good("2 + 2 frames, log of 2, a loss", &Small(more, 3));
    document::section("ring-of-rings.md", "longer reflected", &table);
}

#[test]
fn take_over_holes() {
    let mut found = Found::default();
    let mut hole = |repair, settings: Settings, wrong, shown| {
        let name = TakeOverRepairs::LIST.iter().find(|one| one.0 == repair).unwrap().1;
        let mut without = settings.clone();
        without.repairs.take_over = TakeOverRepairs::ALL.without(repair);
        found.hole(name, &system(without), &system(settings), (wrong, shown));
    };
    let all = TakeOverRepairs::ALL;
    let at_home = || with_standby(&[&[Put(1, 0, 1)]], &[], 1, all);
    let gets = with_standby(&[&[Get(1, 0, 1), Get(1, 1, 1)]], &[], 1, all);
    hole(TakeOverRepairs::GAP, gets, Wrong::Hangs, true);
    let clients = with_standby(&[&[Put(1, 0, 1)], &[Put(1, 1, 1)]], &[], 1, all);
    hole(TakeOverRepairs::RECORDS, clients, breaks(Property::Twice), true);
    hole(TakeOverRepairs::INTENTS, at_home(), breaks(Property::Twice), true);
    let near = with_standby(&[&[Put(1, 0, 1)]], &[], 0, all);
    hole(TakeOverRepairs::LOG, near, Wrong::Hangs, true);
    let looks = with_standby(&[&[Put(1, 0, 1)]], &[&[See(0, 1, 0), Set(0)]], 1, all);
    hole(TakeOverRepairs::NEXT_BOARD, looks, breaks(Property::Twice), true);
    assert_eq!(found.lines(), TakeOverRepairs::LIST.len());
    found.write("take over");
}

#[test]
fn take_over() {
    let mut table = HOLDS.to_owned();
    let all = TakeOverRepairs::ALL;
    let mut good = |name: &str, settings| holds(&mut table, name, &system(settings), 3_000_000);
    let put_get = |ring| with_standby(&[&[Put(1, 0, 1), Get(1, 0, 1)]], &[], ring, all);
    good("near gateway dies", put_get(0));
    good(
        "near gateway dies, a restart, an early timer",
        Settings { restarts: 1, early: 1, ..put_get(0) },
    );
    good("home gateway dies", put_get(1));
    good(
        "home gateway dies, a restart, an early timer",
        Settings { restarts: 1, early: 1, ..put_get(1) },
    );
    let block = with_standby(&[&[Put(1, 0, 2), Get(1, 0, 2)]], &[], 1, all);
    good("home gateway dies, blocks of 2 words, a restart", Settings { restarts: 1, ..block });
    let changed = with_standby(&[&[Put(1, 0, 1)]], &[&[See(0, 1, 0), Set(0)]], 1, all);
    good("home gateway dies, another process changes the word", changed);
    let meet = with_standby(&[&[Meet, Meet]], &[&[Meet, Meet]], 0, all);
    good("gateway dies at the barrier, twice", meet);
    document::section("ring-of-rings.md", "holds take over", &table);
}

/// Words 0 and 1 of ring 0 are in ring 1, too; word 7 there says whether they are whole. A process writes one after the
/// other, and one of ring 1 compares them so many times and sees the last one in the end. These rings have a standby.
fn window(sets: usize, looks: usize, standbys: &[usize]) -> Settings {
    let writes: Vec<Op> = [Set(0), Set(1)].into_iter().cycle().take(sets).collect();
    let node = 1 + usize::from(standbys.contains(&0));
    let last = See((sets - 1) % 2, node, sets - 1);
    let reads: Vec<Op> = vec![Compare(1, 0); looks].into_iter().chain([last]).collect();
    let mut settings = Settings::new(&[&[&writes], &[&reads]], Repairs::ALL);
    for ring in standbys {
        settings.rings[*ring].standby = true;
    }
    let (first, whole) = (ByteAddress(0), Some(ByteAddress(28)));
    let to = [RingNumber(1)].into();
    settings.windows = vec![Window { ring: RingNumber(0), first, bytes: 8, to, whole }];
    settings
}

#[test]
fn window_holes() {
    let mut found = Found::default();
    for &(repair, name) in WindowRepairs::LIST {
        let settings = Settings { restarts: 1, ..window(2, 1, &[]) };
        let mut without = settings.clone();
        without.repairs.windows = WindowRepairs::ALL.without(repair);
        found.hole(name, &system(without), &system(settings), (breaks(Property::Old), true));
    }
    found.write("windows");
}

/// The standby of the ring that writes a window may lack a word that the dead gateway had sent: the machine refuses it.
#[test]
fn a_window_goes_back_at_a_standby() {
    let settings = Settings { deaths: 1, ..window(2, 2, &[0]) };
    let report = explore(&System::new(settings), 5_000_000);
    assert!(report.run(Property::Old).is_some());
}

#[test]
fn windows() {
    let mut table = HOLDS.to_owned();
    let mut good = |name: &str, settings| holds(&mut table, name, &system(settings), 5_000_000);
    good("a restart", Settings { restarts: 1, ..window(2, 2, &[]) });
    good("a reset", Settings { resets: 1, ..window(2, 2, &[]) });
    good("gateway of the reader dies", Settings { deaths: 1, ..window(2, 2, &[1]) });
    document::section("ring-of-rings.md", "holds windows", &table);
}

#[test]
#[ignore = "minutes"]
fn take_over_longer() {
    let mut table = HOLDS.to_owned();
    let all = TakeOverRepairs::ALL;
    let mut good = |name: &str, settings| holds(&mut table, name, &system(settings), 20_000_000);
    let mut both = with_standby(&[&[Put(1, 0, 2), Get(1, 0, 2)]], &[], 1, all);
    both.rings[0].standby = true;
    good("both gateways die, blocks of 2 words", Settings { deaths: 2, ..both });
    let changed = with_standby(&[&[Put(1, 0, 2)]], &[&[See(0, 1, 0), Set(0)]], 1, all);
    good(
        "home gateway dies, another process changes a block of 2 words, a restart",
        Settings { restarts: 1, ..changed },
    );
    let meet = with_standby(&[&[Meet, Meet]], &[&[Meet, Meet]], 0, all);
    good("gateway dies at the barrier, twice, a restart", Settings { restarts: 1, ..meet });
    document::section("ring-of-rings.md", "longer take over", &table);
}
