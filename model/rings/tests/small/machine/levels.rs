// SPDX-License-Identifier: MIT OR Apache-2.0
//! The barrier and the lock of all rings by those of the boards.

use awgstar_board::ring::boards::{Cut, Noise, Slow};
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{Cycle, NodeId};
use awgstar_host::{Choice, Setup};
use awgstar_request::{Answer, Request};
use awgstar_rings::machine::{Levels, MeshError};
use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

fn levels(rings: usize, processes: usize) -> Levels {
    let choice = Choice { order: Order::Sent, ..Choice::new() };
    let choice = choice.with_lock(None).unwrap();
    let (below, above) = (Setup::new(processes + 1, 4), Setup::new(rings, 4));
    Levels { below, above, crossing: Cycle(12), choice }
}

/// When a process of a ring asked, and when it was answered.
#[derive(Clone, Debug, PartialEq)]
struct Call {
    ring: usize,
    node: NodeId,
    request: String,
    asked: Cycle,
    answered: Cycle,
}

/// By gateways that serve the lock, or the barrier.
fn run(levels: &Levels, lock: bool, steps: impl Fn(usize, usize) -> Vec<Request>) -> Vec<Call> {
    let log = Arc::new(Mutex::new(Vec::new()));
    let process = |ring: usize, node: NodeId| {
        let mut steps: VecDeque<Request> = steps(ring, node.index()).into();
        let (mut open, log): (Option<(String, Cycle)>, _) = (None, Arc::clone(&log));
        move |answer: &Answer| {
            let now = answer.now.cycle();
            assert!(answer.got.is_ok(), "{answer:?}");
            if let Some((request, asked)) = open.take() {
                log.lock().unwrap().push(Call { ring, node, request, asked, answered: now });
            }
            let next = steps.pop_front().unwrap_or(Request::End);
            open = Some((next.to_string(), now));
            next
        }
    };
    let built = if lock { levels.with_lock(process) } else { levels.with_barrier(process) };
    let mut rings = built.unwrap();
    rings.run(NonZeroUsize::MIN, Cycle(30_000_000)).unwrap();
    let mut log = std::mem::take(&mut *log.lock().unwrap());
    log.sort_by_key(|call| (call.answered, call.ring, call.node));
    log
}

fn named<'a>(log: &'a [Call], request: &'a str) -> impl Iterator<Item = &'a Call> {
    log.iter().filter(move |call| call.request == request)
}

/// When the lock was taken and given back, and the ring of each holder: no two had it at once.
fn holders(log: &[Call]) -> Vec<(Cycle, Cycle, usize)> {
    let of = |lock: &Call| {
        let own = |call: &&Call| (call.ring, call.node) == (lock.ring, lock.node);
        let unlock = named(log, "its unlock of 0").filter(own);
        let gives = unlock.map(|call| call.asked).filter(|at| *at >= lock.answered).min();
        (lock.answered, gives.unwrap(), lock.ring)
    };
    let mut held: Vec<_> = named(log, "lock 0").map(of).collect();
    held.sort();
    for two in held.windows(2) {
        assert!(two[0].1 < two[1].0, "{two:?}");
    }
    held
}

/// Of each process that many barriers: none has passed one before all have come to it.
fn meetings(log: &[Call], processes: usize, episodes: usize) {
    let mut calls: BTreeMap<(usize, NodeId), Vec<&Call>> = BTreeMap::new();
    for call in named(log, "the barrier") {
        calls.entry((call.ring, call.node)).or_default().push(call);
    }
    assert!(calls.len() == processes && calls.values().all(|own| own.len() == episodes));
    for episode in 0..episodes {
        let last = calls.values().map(|own| own[episode].asked).max().unwrap();
        let first = calls.values().map(|own| own[episode].answered).min().unwrap();
        assert!(last < first, "episode {episode}: {last} {first}");
    }
}

/// The same rings with bit errors on all fibres, fibres below and above that are cut for a time, and slow boards.
fn with_faults(rings: usize, processes: usize, seed: u64) -> Levels {
    let mut levels = levels(rings, processes);
    let up = 24_000 + 300 * (processes.max(rings) as u64);
    for setup in [&mut levels.below, &mut levels.above] {
        let scenario = &mut setup.scenario;
        let boards = scenario.boards as u64;
        // Of 2^32 bits: about one frame of twenty on its way round is hit.
        let rate = u32::try_from(1_000_000 / boards).unwrap();
        scenario.noise = Noise { rate, seed: 1_000 * seed };
        let link = |n: u64| usize::try_from((seed * 7 + n) % boards).unwrap();
        scenario.cuts = (0..3)
            .map(|n| {
                let from = up + 9_000 * n + 977 * seed;
                Cut { link: link(3 * n), from: Cycle(from), until: Cycle(from + 700 + 300 * n) }
            })
            .collect();
        let (from, until) = (Cycle(up + 5_000), Cycle(up + 20_000));
        scenario.slow = vec![Slow { board: link(1), cycles: 40, from, until }];
    }
    levels
}

/// Barriers and the lock under these faults.
fn under_faults(rings: usize, processes: usize, seed: u64, episodes: usize) {
    let faults = with_faults(rings, processes, seed);
    let wait = |ring: usize, node: usize, at: usize| {
        let random = (ring as u64 * 31 + node as u64 * 17 + at as u64 * 7 + seed) * 2_654_435_761;
        Request::wait(Cycle(1 + random % 5_000))
    };
    let steps = |ring, node| {
        (0..episodes).flat_map(|at| [wait(ring, node, at), Request::Barrier(0)]).collect()
    };
    let log = run(&faults, false, steps);
    meetings(&log, rings * processes, episodes);
    let plain = Levels {
        below: levels(rings, processes).below,
        above: levels(rings, processes).above,
        ..faults.clone()
    };
    // The faults did something.
    assert_ne!(log, run(&plain, false, steps));
    // On large rings some want the lock.
    let stride = (processes / 4).max(1);
    let turns = 3;
    let steps = |ring, node: usize| {
        let turn = |at| {
            [wait(ring, node, at), Request::Lock(0), Request::wait(Cycle(90)), Request::Unlock(0)]
        };
        let turns = if node.is_multiple_of(stride) { turns } else { 0 };
        (0..turns).flat_map(turn).collect()
    };
    let log = run(&faults, true, steps);
    let callers = (1..=processes).filter(|node| node.is_multiple_of(stride)).count();
    assert_eq!(holders(&log).len(), rings * callers * turns);
}

#[test]
fn rings_with_faults_meet_and_have_one_lock() {
    for seed in 1..4 {
        under_faults(3, 4, seed, 6);
    }
    under_faults(7, 2, 9, 4);
}

/// 1,024 boards and those of the gateways above: 32 rings of 32, and 8 rings of 128.
#[test]
#[ignore = "minutes: sh testbench/long.sh rings"]
fn a_thousand_boards_with_faults() {
    for seed in 1..4 {
        under_faults(32, 31, seed, 4);
        under_faults(8, 127, seed, 4);
    }
}

/// In each episode another process comes last.
#[test]
fn all_rings_meet() {
    let (rings, processes, episodes) = (3, 4, 6);
    let steps = |ring: usize, node: usize| {
        let late = |episode: usize| {
            let last = (episode % rings, 1 + episode % processes) == (ring, node);
            Request::wait(Cycle(if last { 4_000 } else { 1 + 3 * node as u64 }))
        };
        (0..episodes).flat_map(|episode| [late(episode), Request::Barrier(0)]).collect()
    };
    let log = run(&levels(rings, processes), false, steps);
    let mut calls: Vec<&Call> = named(&log, "the barrier").collect();
    assert_eq!(calls.len(), rings * processes * episodes);
    calls.sort_by_key(|call| call.asked);
    for episode in calls.chunks(rings * processes) {
        let last = episode.iter().map(|call| call.asked).max().unwrap();
        let passed = episode.iter().map(|call| call.answered);
        let (first, end) = (passed.clone().min().unwrap(), passed.max().unwrap());
        // Two barriers of 5 boards, one of 3, and two crossings; what hosts add is less than 100.
        let wires = 2 * 4 * 8 + 2 * 8 + 3 * 37 + 24;
        assert!(first > last, "{episode:?}");
        assert!((wires - 40..wires + 100).contains(&(end - last).0), "{} {wires}", end - last);
    }
}

/// One holder at a time among all rings, and each ring has its turns.
#[test]
fn all_rings_have_one_lock() {
    let (rings, processes, turns) = (3, 3, 8);
    let steps = |ring: usize, node: usize| {
        let turn = |at: usize| {
            let pause = Cycle(1 + 7 * (ring + node + at) as u64);
            [Request::wait(pause), Request::Lock(0), Request::wait(Cycle(300)), Request::Unlock(0)]
        };
        (0..turns).flat_map(turn).collect()
    };
    let log = run(&levels(rings, processes), true, steps);
    let held = holders(&log);
    assert_eq!(held.len(), rings * processes * turns);
    // While all want the lock a ring gets it at most once more in a row than it has processes.
    let busy = &held[..rings * processes * turns / 2];
    let mut row = 0;
    for two in busy.windows(2) {
        row = if two[0].2 == two[1].2 { row + 1 } else { 0 };
        assert!(row <= processes, "{busy:?}");
    }
}

#[test]
fn levels_that_cannot_be_are_refused() {
    let refused = |levels: &Levels| -> String {
        let built = levels.with_barrier(|_, _| |_: &Answer| Request::End);
        built.map(drop).unwrap_err().to_string()
    };
    assert_eq!(refused(&levels(1, 2)), MeshError::Rings(1).to_string());
    assert_eq!(refused(&levels(2, 256)), "boards of a ring: 257; expected 2 to 256");
    let zero = Levels { crossing: Cycle(0), ..levels(2, 2) };
    assert_eq!(refused(&zero), "latency of a link: 0 cycles; expected 1 or more");
}
