// SPDX-License-Identifier: MIT OR Apache-2.0
//! A lock: how long it takes to get it, to hand it over and to give it back.

use crate::study::{Ring, Stats, StudyError, below};
use awgstar::contract::{BoardCounter, Order};
use awgstar::host::{DrivenRing, Handle, Happened, Program, Protocols, Record, Stopped};
use awgstar::quantity::{ByteAddress, Cycle, narrow};
use awgstar::request::Request;
use awgstar::ring::boards::count;
use serde::{Deserialize, Serialize};

/// Settings of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    pub ring: Ring,
    /// Nodes that request the lock. 1 means one at a time, each time another one, with pauses after
    /// which the ring is idle.
    pub callers: usize,
    /// Cycles in the critical section, between reading a word and writing it.
    pub inside: Cycle,
    /// The critical section adds 1 to a word of the shared memory; otherwise it touches none.
    pub writes: bool,
    pub acquisitions: usize,
}

/// Results of a measurement, in cycles from the process's call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// From asking for the lock to having it.
    pub acquire: Stats,
    /// From one process's unlock to another's lock that had to wait for it.
    pub hand_over: Stats,
    /// From giving the lock back to going on.
    pub unlock: Stats,
    /// Nodes between who gives and who gets, on the way of the frame.
    pub hops: f64,
    /// Signals sent for each acquisition.
    pub frames: f64,
    /// Signals that boards retransmitted.
    pub resent: u64,
    /// Additions that are not in every replica: with order `none` nothing else can be expected.
    pub lost: u64,
    /// Signals that found a mailbox full.
    pub unread: u64,
}

/// The word that the lock guards.
const WORD: ByteAddress = ByteAddress(0x40);
const LOCK: u32 = 3;
/// Nothing takes so long, in cycles for each acquisition.
const LIMIT: Cycle = Cycle(400_000);

/// Measures.
///
/// # Errors
/// If the scenario is invalid, a process does not end, or an update of the guarded word is lost.
pub fn measure<P: Protocols>(protocols: P, point: &Point) -> Result<Figures, StudyError> {
    let name = || format!("{point:?}");
    let failed = |error| StudyError::Host { point: name(), error };
    let nodes = point.ring.nodes;
    let mut system = DrivenRing::new(protocols, &point.ring.setup()).map_err(failed)?;
    system.run_until_up(10 * LIMIT).map_err(failed)?;
    let limit = Cycle(LIMIT.0.saturating_mul(point.acquisitions as u64));
    let programs = if point.callers <= 1 { in_turn(point) } else { at_once(point) };
    let ends = system.run_programs(limit, programs).map_err(failed)?;
    if let Some(end) = ends.into_iter().find_map(Result::err) {
        return Err(StudyError::Wrong { point: name(), wrong: end.to_string() });
    }
    system.settle(limit).map_err(failed)?;
    let value = |i: usize| u64::from(system.ring().board(i).u_memory.mem[WORD.word()]);
    let lost = (0..nodes).map(|i| (point.acquisitions as u64).abs_diff(value(i))).max();
    let lost = if point.writes { lost.unwrap_or(0) } else { 0 };
    if lost > 0 && point.ring.order != Order::None {
        let wrong = format!("{lost} of {} additions are not in a replica", point.acquisitions);
        return Err(StudyError::Wrong { point: name(), wrong });
    }
    let sum = |counter| -> u64 {
        (0..nodes).map(|i| u64::from(count(system.ring().board(i), counter))).sum()
    };
    let (resent, unread) = (sum(BoardCounter::SignalResend), sum(BoardCounter::MailFull));
    let records = system.take_records();
    Ok(Figures { resent, lost, unread, ..figures(&records, nodes, point.acquisitions) })
}

/// Once through the critical section.
fn pass(node: &mut Handle, inside: Cycle, writes: bool) -> Result<(), Stopped> {
    node.lock(LOCK)?;
    let value = if writes { node.read(WORD)? } else { 0 };
    if inside > Cycle(0) {
        node.wait(inside)?;
    }
    if writes {
        node.write(WORD, value + 1)?;
    }
    node.unlock(LOCK)
}

/// All callers, as fast as they can.
fn at_once(point: &Point) -> Vec<Program<'static>> {
    let Point { ring, callers, inside, writes, acquisitions } = *point;
    let program = move |i: usize| -> Program<'static> {
        // Callers are spread over the ring.
        let caller = (0..callers).find(|k| k * ring.nodes / callers == i);
        let mine = caller.map_or(0, |k| (acquisitions + callers - 1 - k) / callers);
        Box::new(move |node| {
            let mut random = ring.random(i);
            node.wait(Cycle(1 + below(&mut random, 2 * ring.rotation().0)))?;
            (0..mine).try_for_each(|_| pass(node, inside, writes))
        })
    };
    (0..ring.nodes).map(program).collect()
}

/// One after the other, in a random order, each when the ring is idle again.
fn in_turn(point: &Point) -> Vec<Program<'static>> {
    let Point { ring, inside, writes, acquisitions, .. } = *point;
    let mut random = ring.random(ring.nodes);
    let mut order: Vec<usize> = Vec::new();
    for _ in 0..acquisitions {
        let draw = below(&mut random, ring.nodes as u64);
        let mut next = narrow::<usize>(draw);
        // The one that had it last would have it at once.
        if order.last() == Some(&next) {
            next = (next + 1) % ring.nodes;
        }
        order.push(next);
    }
    let pause = 8 * ring.rotation() + Cycle(4_000);
    let program = |i: usize| -> Program<'static> {
        let slots: Vec<u64> =
            (0..).zip(&order).filter(|(_, node)| **node == i).map(|(slot, _)| slot).collect();
        let mut random = ring.random(i);
        let jitter: Vec<u64> =
            slots.iter().map(|_| below(&mut random, ring.rotation().0)).collect();
        Box::new(move |node| {
            node.wait(Cycle(1))?;
            let start = node.cycle();
            for (slot, jitter) in slots.iter().zip(jitter) {
                let at = start + *slot * pause + Cycle(jitter);
                node.wait(at.saturating_sub(node.cycle()).max(Cycle(1)))?;
                pass(node, inside, writes)?;
            }
            Ok(())
        })
    };
    (0..ring.nodes).map(program).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn figures(records: &[Record], nodes: usize, acquisitions: usize) -> Figures {
    let mut asked = vec![Cycle(0); nodes];
    let (mut acquire, mut unlock, mut hand_over) = (Vec::new(), Vec::new(), Vec::new());
    let (mut hops, mut sent) = (0, 0_usize);
    // Who gave it back last, and when.
    let mut given: Option<(usize, Cycle)> = None;
    for &Record { cycle, node, ref what } in records {
        let node = node.index();
        match what {
            Happened::Asked(Request::Lock(_)) => asked[node] = cycle,
            Happened::Answered(Request::Lock(_)) => {
                acquire.push(cycle - asked[node]);
                if let Some((from, at)) = given
                    && from != node
                    && asked[node] < at
                {
                    hand_over.push(cycle - at);
                    hops += (node + nodes - from) % nodes;
                }
            }
            Happened::Asked(Request::Unlock(_)) => {
                asked[node] = cycle;
                given = Some((node, cycle));
            }
            Happened::Answered(Request::Unlock(_)) => unlock.push(cycle - asked[node]),
            Happened::Sent(_) => sent += 1,
            _ => {}
        }
    }
    Figures {
        hops: hops as f64 / hand_over.len().max(1) as f64,
        acquire: Stats::of(acquire),
        hand_over: Stats::of(hand_over),
        unlock: Stats::of(unlock),
        frames: sent as f64 / acquisitions.max(1) as f64,
        resent: 0,
        lost: 0,
        unread: 0,
    }
}
