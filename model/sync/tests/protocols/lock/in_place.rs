// SPDX-License-Identifier: MIT OR Apache-2.0
//! The distributed lock with the acknowledgement in the request's own frame (thesis 5.2.2, "by adding
//! an acknowledgment to the broadcast signal"). Nodes between the requester and the holder never see
//! the acknowledgement, those after the holder never see the request.

use super::bench::{Bare, LIMIT, Lines, Wrong, base, dist, goes_wrong};
use crate::{
    snapshot,
    wrong::Wrong::{Breaks, Livelock, Stuck},
};
use awgstar_frame::contract::Order::Confirmed;
use awgstar_sync::{
    check::{
        Property::{Exclusion, Fair, OneLeader},
        Settings, explore,
    },
    firmware::lock::DistRepairs,
};

const THREE: Settings = Settings { in_place: true, ..base(3, Bare) };
const FAULTS: [Settings; 3] = [
    Settings { losses: 1, ..THREE },
    Settings { early: 1, ..THREE },
    Settings { full: 1, ..THREE },
];

/// Node 0 holds the right: a frame of its own for each acknowledgement needs longer runs
/// (`lock_dist_printed_*`), or none breaks.
#[test]
fn an_acknowledgement_in_place() {
    let ring = |s, repairs| dist(s, Confirmed, repairs);
    goes_wrong("lock_dist_in_place_lost", Stuck, &ring(FAULTS[0], DistRepairs::FIRST));
    let early = ring(FAULTS[1], DistRepairs::FIRST);
    goes_wrong("lock_dist_in_place_early", Breaks(Exclusion), &early);
    // No fault, and all repairs.
    let twice = Settings { rounds: 2, fair: true, ..THREE };
    goes_wrong("lock_dist_in_place_fair", Breaks(Fair), &ring(twice, DistRepairs::ALL));
}

/// The number of a lock was taken for its place: with numbers 0 and 65,536 the checker computed the bit of
/// a timer that does not exist. Numbers do not matter to what it finds.
#[test]
fn numbers_of_locks_do_not_matter_in_place() {
    let ring = |lock_step| {
        let two = Settings { locks: 2, lock_step, ..Settings { in_place: true, ..base(2, Bare) } };
        let report = explore(&dist(two, Confirmed, DistRepairs::ALL), LIMIT);
        (report.states, report.steps, report.exhausted)
    };
    assert_eq!(ring(1 << 16), ring(1));
}

/// What goes wrong as published with each of [`FAULTS`], in place and with a frame of its own alike.
const PUBLISHED: [&[Wrong]; 3] = [
    &[Breaks(OneLeader), Stuck],
    &[Breaks(OneLeader), Breaks(Exclusion), Stuck],
    &[Breaks(OneLeader), Stuck],
];

/// With all repairs nothing breaks, but the ring does not come to rest: a node that the acknowledgement
/// does not pass keeps the answered request on its list.
const RESTLESS: &[Wrong] = &[Stuck, Livelock];

/// The same rings, with a frame of its own for each acknowledgement and with one in place.
#[test]
fn states_in_place() {
    let mut lines = Lines::new();
    let listed = [("as published", DistRepairs::FIRST), ("repaired", DistRepairs::ALL)];
    for (number, (name, repairs)) in listed.into_iter().enumerate() {
        for (s, wrong) in FAULTS.into_iter().zip(PUBLISHED) {
            let (in_place, wrong) = if number == 0 { (wrong, wrong) } else { (RESTLESS, &[][..]) };
            let ring = dist(s, Confirmed, repairs);
            lines.add(&format!("in place, {name}"), &ring, LIMIT, in_place);
            let ring = dist(Settings { in_place: false, ..s }, Confirmed, repairs);
            lines.add(&format!("own frame, {name}"), &ring, LIMIT, wrong);
        }
    }
    snapshot::section("protocols-lock.md", "dist in place", &lines.0);
}
