// SPDX-License-Identifier: MIT OR Apache-2.0
//! The barrier and the lock of all rings by those of the boards.

use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{Cycle, NodeId};
use awgstar_host::Choice;
use awgstar_request::{Answer, Request};
use awgstar_rings::machine::{Levels, MeshError};
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

fn levels(rings: usize, processes: usize) -> Levels {
    let choice = Choice { order: Order::Sent, ..Choice::new() };
    let choice = choice.with_lock(None).unwrap();
    Levels { rings, processes, fibre: 4, upper_fibre: 4, crossing: Cycle(12), choice }
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
fn run(levels: Levels, lock: bool, steps: impl Fn(usize, usize) -> Vec<Request>) -> Vec<Call> {
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
    rings.run(NonZeroUsize::MIN, Cycle(3_000_000)).unwrap();
    let mut log = std::mem::take(&mut *log.lock().unwrap());
    log.sort_by_key(|call| (call.answered, call.ring, call.node));
    log
}

fn named<'a>(log: &'a [Call], request: &'a str) -> impl Iterator<Item = &'a Call> {
    log.iter().filter(move |call| call.request == request)
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
    let log = run(levels(rings, processes), false, steps);
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
    let log = run(levels(rings, processes), true, steps);
    let locks: Vec<&Call> = named(&log, "lock 0").collect();
    assert_eq!(locks.len(), rings * processes * turns);
    let mut held: Vec<(Cycle, Cycle, usize)> = locks
        .iter()
        .map(|lock| {
            let own = |call: &&Call| (call.ring, call.node) == (lock.ring, lock.node);
            let unlock = named(&log, "its unlock of 0").filter(own);
            let gives = unlock.map(|call| call.asked).filter(|at| *at >= lock.answered).min();
            (lock.answered, gives.unwrap(), lock.ring)
        })
        .collect();
    held.sort();
    for two in held.windows(2) {
        assert!(two[0].1 < two[1].0, "{two:?}");
    }
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
    let refused = |levels: Levels| -> String {
        let built = levels.with_barrier(|_, _| |_: &Answer| Request::End);
        built.map(drop).unwrap_err().to_string()
    };
    assert_eq!(refused(levels(1, 2)), MeshError::Rings(1).to_string());
    assert_eq!(refused(levels(2, 256)), "boards of a ring: 257; expected 2 to 256");
    let zero = Levels { crossing: Cycle(0), ..levels(2, 2) };
    assert_eq!(refused(zero), "latency of a link: 0 cycles; expected 1 or more");
}
