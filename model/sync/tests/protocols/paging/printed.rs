// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paging of the thesis as published: the shortest run to everything that goes wrong; and what each repair
//! is for.

use super::bench::{Bare, LIMIT, Lines, Wrong, goes_wrong, with};
use crate::{
    snapshot,
    wrong::Wrong::{Breaks, Livelock, Stuck},
};
use awgstar_sync::{
    check::paging::{
        Property::{InUse, OneRequest, Update},
        Settings,
    },
    firmware::paging::Repairs,
};

/// As published, but requests reach the master.
const PRINTED: Repairs = Repairs::TO_MASTER;

/// Two pages, room for one, no faults: the master's process accesses page 2, the other page 1.
fn two() -> Settings {
    Settings::new(2, 1, &[&[2], &[1]])
}

/// One worker accesses a page that is not in.
fn miss() -> Settings {
    Settings::new(2, 1, &[&[], &[2]])
}

/// Two processes access the same page, which is not in.
fn same() -> Settings {
    Settings::new(3, 2, &[&[3], &[3]])
}

fn lossy(settings: Settings) -> Settings {
    Settings { losses: 1, ..settings }
}

#[test]
fn as_printed() {
    goes_wrong("paging_printed_nobody", Stuck, &with(&miss(), Repairs::NONE));
    let printed = |s: Settings| with(&s, PRINTED);
    goes_wrong("paging_printed_in_use", Breaks(InUse), &printed(two()));
    goes_wrong("paging_printed_held", Stuck, &printed(two()));
    goes_wrong("paging_printed_polls", Livelock, &printed(two()));
    goes_wrong("paging_printed_update", Breaks(Update), &printed(two()));
    goes_wrong("paging_printed_twice", Breaks(Update), &printed(same()));
    let turns = Settings::new(2, 1, &[&[1], &[2]]);
    goes_wrong("paging_printed_again", Breaks(OneRequest), &printed(turns));
    let bare = Settings { profile: Bare, ..lossy(miss()) };
    goes_wrong("paging_printed_lost_request", Stuck, &printed(bare));
}

#[test]
fn without_each_repair() {
    let without = |s: Settings, repair| with(&s, Repairs::ALL.without(repair));
    let go = |name: &str, wrong, s, repair| {
        goes_wrong(&format!("paging_without_{name}"), wrong, &without(s, repair));
    };
    go("to_master", Stuck, miss(), Repairs::TO_MASTER);
    go("keep", Breaks(OneRequest), Settings::new(2, 1, &[&[1], &[2]]), Repairs::KEEP);
    go("look_again", Breaks(InUse), two(), Repairs::LOOK_AGAIN);
    let seen = Settings::new(2, 1, &[&[], &[2], &[]]);
    go("copy_confirmed", Breaks(Update), lossy(seen), Repairs::COPY_CONFIRMED);
    let behind = Settings::new(2, 1, &[&[], &[2], &[1]]);
    go("clear_confirmed", Breaks(Update), lossy(behind), Repairs::CLEAR_CONFIRMED);
    go("once", Breaks(Update), same(), Repairs::ONCE);
    let bare = Settings { profile: Bare, ..lossy(miss()) };
    go("ask_again", Stuck, bare, Repairs::ASK_AGAIN);
    let held = Settings::new(2, 1, &[&[1], &[2, 1]]);
    go("let_go", Stuck, held, Repairs::LET_GO);
}

/// What is broken in which ring.
#[test]
fn printed_rings() {
    let mut lines = Lines::new();
    // The master reads the flag of a page that stays in use again and again.
    // Where they ask again and again there is no end of states.
    let apart: &[Wrong] = &[Breaks(OneRequest), Breaks(InUse), Breaks(Update), Stuck, Livelock];
    let held: &[Wrong] = &[Breaks(InUse), Breaks(Update), Stuck, Livelock];
    for (s, wrong) in [
        (miss(), &[][..]),
        (Settings::new(2, 1, &[&[1], &[2]]), apart),
        (two(), held),
        (Settings::new(2, 1, &[&[], &[2, 1]]), &[]),
        (Settings::new(3, 2, &[&[], &[3, 1]]), &[]),
    ] {
        lines.add(&with(&s, PRINTED), LIMIT, wrong);
    }
    snapshot::section("paging.md", "printed", &lines.0);
}
