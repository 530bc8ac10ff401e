// SPDX-License-Identifier: MIT OR Apache-2.0
//! The locks of the thesis as published: the shortest run to everything that goes wrong.

use super::bench::{Acknowledged, Bare, LIMIT, Lines, Wrong, base, dist, goes_wrong, mw};
use crate::{
    snapshot,
    wrong::Wrong::{Breaks, Stuck},
};
use awgstar_frame::contract::Order::Confirmed;
use awgstar_sync::{
    check::{
        Call, Checkable, Network, Profile,
        Property::{Exclusion, Fair, OneLeader, Unaided},
        Settings, Step, What,
        explore::Next,
    },
    firmware::{
        Event,
        lock::{DistRepairs, Distributed, MwRepairs},
    },
};
use std::collections::HashSet;

const TWO: Settings = Settings { rounds: 2, ..base(2, Acknowledged) };
const THREE: Settings = Settings { rounds: 2, ..base(3, Acknowledged) };

#[test]
fn master_worker_as_printed() {
    let printed = |s| mw(s, Confirmed, MwRepairs::NONE);
    // Nothing is lost and no timer is early.
    goes_wrong("lock_mw_printed_answer", Breaks(Exclusion), &printed(THREE));
    goes_wrong(
        "lock_mw_printed_timer",
        Breaks(Unaided),
        &printed(Settings { unaided: true, ..THREE }),
    );
    goes_wrong("lock_mw_printed_fair", Breaks(Fair), &printed(Settings { fair: true, ..THREE }));
    let lost = Settings { losses: 1, ..base(2, Bare) };
    goes_wrong("lock_mw_printed_lost_request", Stuck, &printed(lost));
    let again = Settings { losses: 1, ..TWO };
    goes_wrong("lock_mw_printed_grant_again", Breaks(Exclusion), &printed(again));
    goes_wrong("lock_mw_printed_request_again", Stuck, &printed(again));
    let unlock = Settings { rounds: 1, losses: 1, ..THREE };
    goes_wrong("lock_mw_printed_unlock_again", Breaks(Exclusion), &printed(unlock));
}

#[test]
fn distributed_as_printed() {
    let none = Settings { unaided: true, ..base(2, Acknowledged) };
    let printed = |s| dist(s, Confirmed, DistRepairs::NONE);
    goes_wrong("lock_dist_printed_nobody", Breaks(Unaided), &printed(none));
    // What is wrong besides.
    let printed = |s| dist(s, Confirmed, DistRepairs::FIRST);
    goes_wrong(
        "lock_dist_printed_timer",
        Breaks(Unaided),
        &printed(Settings { unaided: true, ..THREE }),
    );
    goes_wrong("lock_dist_printed_stuck", Stuck, &printed(THREE));
    let once = Settings { rounds: 1, losses: 1, ..THREE };
    goes_wrong("lock_dist_printed_two_rights", Breaks(OneLeader), &printed(once));
    let early = Settings { early: 1, ..THREE };
    goes_wrong("lock_dist_printed_two_inside", Breaks(Exclusion), &printed(early));
}

type Ring = Network<Distributed>;

/// What each node says of itself in a state.
fn summaries(network: &Ring, state: &<Ring as Checkable>::State) -> Vec<String> {
    let summary = |node| {
        let mut step = Step {
            node,
            what: What::Local(Call::Process(0, Event::Acquire)),
            after: String::new(),
        };
        network.describe(&mut step, state);
        step.after
    };
    (0..network.settings.nodes).map(summary).collect()
}

/// All that can happen next.
fn after(network: &Ring, state: &<Ring as Checkable>::State) -> Vec<Next<Ring>> {
    let mut next = Vec::new();
    network.steps(state, &mut next);
    next
}

/// The state after the run that is kept as `name`.
fn run_through(network: &Ring, name: &str) -> <Ring as Checkable>::State {
    let text = std::fs::read_to_string(format!("tests/protocols/runs/{name}.txt")).unwrap();
    let lines = text.lines().skip_while(|line| !line.starts_with("  #")).skip(1);
    let mut state = network.start();
    for line in lines.take_while(|line| !line.is_empty()) {
        let here = |one: &Next<Ring>| {
            let (mark, what) = (5 + 2 * one.step.node, 6 + 2 * network.settings.nodes);
            let written = line[what..].split("  ").next();
            line.as_bytes()[mark] == b'*' && written == Some(&one.step.what.to_string())
        };
        let step = after(network, &state).into_iter().find(here);
        state = step.unwrap_or_else(|| panic!("{name}: no step {line}")).state;
    }
    state
}

/// However a run that is kept as *stuck* goes on without another fault: the right ends with a process
/// that does not want it, and a process that does waits for an unlock. The run
/// `lock_dist_printed_timer` is one that has arrived there.
#[test]
fn the_right_stays_with_a_process_that_does_not_want_it() {
    let printed = dist(THREE, Confirmed, DistRepairs::FIRST);
    let in_place = Settings { losses: 1, in_place: true, ..base(3, Bare) };
    let in_place = dist(in_place, Confirmed, DistRepairs::FIRST);
    let unwanted = |network: &Ring, state: &<Ring as Checkable>::State| {
        let nodes = summaries(network, state);
        nodes.iter().any(|s| s.starts_with("idle ") && s.contains("right here"))
            && nodes.iter().any(|s| s.starts_with("held_back "))
    };
    for (network, name) in
        [(&printed, "lock_dist_printed_stuck"), (&in_place, "lock_dist_in_place_lost")]
    {
        let (mut waiting, mut seen) = (vec![run_through(network, name)], HashSet::new());
        assert!(!unwanted(network, &waiting[0]), "{name}");
        let mut ends = 0;
        while let Some(state) = waiting.pop() {
            let mut next = after(network, &state);
            next.retain(|one| one.action.is_some());
            if next.is_empty() {
                assert!(unwanted(network, &state), "{name}: {:?}", summaries(network, &state));
                ends += 1;
            }
            let states = next.into_iter().map(|one| one.state);
            waiting.extend(states.filter(|state| seen.insert(state.clone())));
        }
        assert!(ends > 0, "{name}");
    }
    assert!(unwanted(&printed, &run_through(&printed, "lock_dist_printed_timer")));
}

const EXCLUDES: Wrong = Breaks(Exclusion);
const LEADS: Wrong = Breaks(OneLeader);
const WAITS: Wrong = Breaks(Unaided);

/// What goes wrong in the rows of [`states_as_printed`]: without faults, then two nodes and three nodes
/// with a loss, an early timer and a full mailbox each.
const MW_PRINTED: [&[Wrong]; 9] = [
    &[],
    &[],
    &[EXCLUDES, WAITS],
    &[EXCLUDES, Stuck],
    &[EXCLUDES, Stuck],
    &[Stuck],
    &[EXCLUDES, Stuck],
    &[EXCLUDES, Stuck],
    &[Stuck],
];

const fn dist_printed(profile: Profile) -> [&'static [Wrong]; 9] {
    const ALL: &[Wrong] = &[LEADS, EXCLUDES, Stuck];
    // A board that sends a lost request again lets two nodes enter.
    let loss: &[Wrong] = if matches!(profile, Bare) { &[LEADS, Stuck] } else { ALL };
    [&[], &[], &[WAITS], &[], &[], &[Stuck], loss, ALL, &[LEADS, Stuck]]
}

/// All states of both as published: what is broken, and how far from the start. Behind what is broken
/// nothing is looked at.
#[test]
fn states_as_printed() {
    let (mut of_mw, mut of_dist) = (Lines::new(), Lines::new());
    for profile in [Acknowledged, Bare] {
        let base = |nodes| Settings { unaided: true, ..base(nodes, profile) };
        let two = Settings { rounds: 2, ..base(2) };
        let faults = |s| {
            [Settings { losses: 1, ..s }, Settings { early: 1, ..s }, Settings { full: 1, ..s }]
        };
        let clean = [two, Settings { slow: 1, ..two }, Settings { rounds: 2, ..base(3) }];
        let rows = clean.into_iter().chain(faults(two)).chain(faults(base(3)));
        for ((s, mw_wrong), dist_wrong) in rows.zip(MW_PRINTED).zip(dist_printed(profile)) {
            of_mw.add("master-worker", &mw(s, Confirmed, MwRepairs::NONE), LIMIT, mw_wrong);
            let ring = dist(s, Confirmed, DistRepairs::FIRST);
            of_dist.add("distributed", &ring, LIMIT, dist_wrong);
        }
    }
    snapshot::section("protocols-lock.md", "mw printed", &of_mw.0);
    snapshot::section("protocols-lock.md", "dist printed", &of_dist.0);
}
