// SPDX-License-Identifier: MIT OR Apache-2.0
//! A barrier: how long the last one to arrive keeps the others waiting.

use crate::study::{Ring, Stats, StudyError, below};
use awgstar::contract::{BoardCounter, Order};
use awgstar::host::{DrivenRing, Happened, HostError, Program, Protocols, Record, Stopped};
use awgstar::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar::request::{Answer, Request};
use awgstar::ring::boards::count;
use serde::{Deserialize, Serialize};

/// Settings of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    pub ring: Ring,
    /// Arrivals are spread at random over this many rotations.
    pub spread: u64,
    /// One node, drawn for each episode, arrives when all other traffic has drained: see
    /// [`Figures::quiet`].
    pub idle: bool,
    /// Every node writes a word before it arrives.
    pub writes: bool,
    pub episodes: usize,
}

/// Results of a measurement, in cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// From the call of the last one to arrive to the last one that goes on.
    pub all: Stats,
    /// The same to each that goes on.
    pub each: Stats,
    /// Signals sent in each episode.
    pub frames: f64,
    /// Signals that boards retransmitted.
    pub resent: u64,
    /// Signals that found a mailbox full.
    pub unread: u64,
    /// Least number of cycles between the last thing that happened to a signal and the last arrival.
    /// 0 in an episode in which signals were under way when the last process arrived.
    pub quiet: Cycle,
}

/// Nothing takes so long, in cycles for each episode, and for each node in it.
const LIMIT: Cycle = Cycle(400_000);
const LIMIT_NODE: Cycle = Cycle(40_000);
const WORDS: ByteAddress = ByteAddress(0x400);

/// Measures.
///
/// # Errors
/// If the scenario is invalid, a process does not end, passes early, or reads an old word after the
/// barrier.
pub fn measure<P: Protocols>(protocols: P, point: &Point) -> Result<Figures, StudyError> {
    let name = || format!("{point:?}");
    let failed = |error| StudyError::Host { point: name(), error };
    let wrong = |wrong| StudyError::Wrong { point: name(), wrong };
    let nodes = point.ring.nodes;
    let mut system = DrivenRing::new(protocols, &point.ring.setup()).map_err(failed)?;
    system.run_until_up(10 * LIMIT).map_err(failed)?;
    let limit = Cycle((LIMIT + LIMIT_NODE * nodes as u64).0.saturating_mul(point.episodes as u64));
    if point.idle {
        run_idle(&mut system, point, limit).map_err(failed)?;
    } else {
        let ends = system.run_programs(limit, programs(point)).map_err(failed)?;
        if let Some(end) = ends.into_iter().find_map(Result::err) {
            return Err(wrong(end.to_string()));
        }
    }
    system.settle(limit).map_err(failed)?;
    let sum = |counter| -> u64 {
        (0..nodes).map(|i| u64::from(count(system.ring().board(i), counter))).sum()
    };
    let (resent, unread) = (sum(BoardCounter::SignalResend), sum(BoardCounter::MailFull));
    let figures = figures(&system.take_records(), nodes, point.episodes).map_err(wrong)?;
    let rotation = point.ring.rotation();
    if point.idle && figures.quiet < rotation {
        let found = figures.quiet;
        return Err(wrong(format!(
            "quiet before the last arrival: {found} cycles, expected a rotation, {rotation} or more"
        )));
    }
    Ok(Figures { resent, unread, ..figures })
}

/// Episodes in which all nodes but one arrive at once, and the last one when the ring is quiet.
fn run_idle<P: Protocols>(
    system: &mut DrivenRing<P>,
    point: &Point,
    limit: Cycle,
) -> Result<(), HostError> {
    let Point { ring, episodes, .. } = *point;
    let mut random = ring.random(ring.nodes);
    for _ in 0..episodes {
        let last = narrow::<usize>(below(&mut random, ring.nodes as u64));
        for node in (0..ring.nodes).filter(|&node| node != last) {
            system.start(NodeId::at(node), Box::new(arrival(Cycle(0))))?;
        }
        run_until_quiet(system, ring.rotation(), limit)?;
        // At any place of the token.
        system.start(
            NodeId::at(last),
            Box::new(arrival(Cycle(below(&mut random, ring.rotation().0)))),
        )?;
        system.run(limit)?;
    }
    Ok(())
}

/// A process that waits for `wait` cycles, passes the barrier once, and ends.
fn arrival(wait: Cycle) -> impl FnMut(&Answer) -> Request {
    let mut asks = [Request::wait(wait), Request::Barrier(0)].into_iter();
    move |_| asks.next().unwrap_or(Request::End)
}

/// Runs until no signal has been under way, and no host has begun an access, for `cycles`.
fn run_until_quiet<P: Protocols>(
    system: &mut DrivenRing<P>,
    cycles: Cycle,
    limit: Cycle,
) -> Result<(), HostError> {
    let end = system.ring().cycle().saturating_add(limit);
    let mut since = system.ring().cycle();
    while system.ring().cycle() < since + cycles {
        let works = system.advance();
        let cycle = system.ring().cycle();
        if cycle >= end {
            return Err(HostError::Timeout { cycle, waiting: system.waiting() });
        }
        if works || !system.ring().hosts_idle() || !system.settled() {
            since = cycle;
        }
    }
    Ok(())
}

fn programs(point: &Point) -> Vec<Program<'static>> {
    let Point { ring, spread, writes, episodes, .. } = *point;
    let program = |i: usize| -> Program<'static> {
        Box::new(move |node| {
            let mut random = ring.random(i);
            for (episode, _) in (1..).zip(0..episodes) {
                node.wait(Cycle(1 + below(&mut random, (spread * ring.rotation()).0)))?;
                let word = |i: usize| WORDS + 4 * narrow::<u32>(i);
                if writes {
                    node.write(word(i), episode)?;
                }
                node.barrier()?;
                // The neighbour ahead: the farthest one.
                let seen = node.read(word((i + 1) % ring.nodes))?;
                if writes && ring.order != Order::None && seen < episode {
                    return Err(Stopped::Check { expected: episode, found: seen });
                }
            }
            Ok(())
        })
    };
    (0..ring.nodes).map(program).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn figures(records: &[Record], nodes: usize, episodes: usize) -> Result<Figures, String> {
    let mut arrived: Vec<Vec<Cycle>> = vec![Vec::new(); episodes];
    let mut passed: Vec<Vec<Cycle>> = vec![Vec::new(); episodes];
    // Cycles without traffic before the latest arrival of each episode.
    let mut quiet = vec![Cycle(0); episodes];
    let (mut at, mut sent) = (vec![0; nodes], 0_usize);
    let (mut under_way, mut signal_at) = (0_usize, Cycle(0));
    for &Record { cycle, node, ref what } in records {
        let node = node.index();
        match what {
            Happened::Asked(Request::Barrier(_)) => {
                arrived[at[node]].push(cycle);
                quiet[at[node]] = if under_way == 0 { cycle - signal_at } else { Cycle(0) };
            }
            Happened::Answered(Request::Barrier(_)) => {
                passed[at[node]].push(cycle);
                at[node] += 1;
            }
            Happened::Sent(_) => {
                (sent, under_way) = (sent + 1, under_way + 1);
                signal_at = cycle;
            }
            Happened::Returned(_) => {
                under_way = under_way.saturating_sub(1);
                signal_at = cycle;
            }
            Happened::Received(_) => signal_at = cycle,
            _ => {}
        }
    }
    let (mut all, mut each) = (Vec::new(), Vec::new());
    for (episode, (arrived, passed)) in arrived.iter().zip(&passed).enumerate() {
        let last = arrived.iter().copied().max().unwrap_or(Cycle(0));
        let first = passed.iter().copied().min().unwrap_or(Cycle(0));
        if arrived.len() != nodes || passed.len() != nodes || first < last {
            return Err(format!("episode {episode}: passed before all had arrived"));
        }
        each.extend(passed.iter().map(|cycle| *cycle - last));
        all.push(passed.iter().copied().max().unwrap_or(Cycle(0)) - last);
    }
    Ok(Figures {
        all: Stats::of(all),
        each: Stats::of(each),
        frames: sent as f64 / episodes.max(1) as f64,
        resent: 0,
        unread: 0,
        quiet: quiet.into_iter().min().unwrap_or_default(),
    })
}
