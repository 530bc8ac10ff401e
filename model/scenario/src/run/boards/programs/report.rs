// SPDX-License-Identifier: MIT OR Apache-2.0
//! Report of programs: lock holders, episodes of the barrier and words, from the events on the
//! nodes alone.

use crate::run::boards::plan::Programs;
use crate::run::boards::programs::ProgramRun;
use crate::run::script::{Read, Trouble};
use awgstar::quantity::{ByteAddress, Cycle};
use awgstar::{
    host::{Choice, Happened, Record},
    request::Request,
    ring::{BoardRing, boards::bytes},
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A board that wanted a lock; cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Hold {
    pub lock: u32,
    pub board: usize,
    /// Cycle of the request.
    pub asked: Cycle,
    /// Cycle of the acquisition.
    pub got: Option<Cycle>,
    /// Cycle of the release.
    pub gave: Option<Cycle>,
    /// Another board had it at the same time: the protocol failed.
    pub shared: bool,
}

/// An episode of the barrier: boards and cycles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Episode {
    /// Boards that arrived, in order.
    pub arrived: Vec<(usize, Cycle)>,
    /// Boards that passed, in order.
    pub passed: Vec<(usize, Cycle)>,
    /// A board passed before all had arrived: the protocol failed.
    pub early: bool,
}

/// A word that programs read or wrote, with its values in the live replicas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Word {
    pub addr: ByteAddress,
    /// Value, and the live boards that have it.
    pub values: BTreeMap<u32, Vec<usize>>,
}

/// A board whose program has not come to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StuckProgram {
    pub board: usize,
    /// The request that it waits for.
    pub what: String,
    /// Since which cycle.
    pub since: Cycle,
    /// The board is dead.
    pub dead: bool,
}

/// Result of the programs.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Protocol of locks.
    pub lock: &'static str,
    /// Protocol of the barrier.
    pub barrier: &'static str,
    /// `repaired` or `as-published`.
    pub variant: &'static str,
    /// Order of unlocks and arrivals.
    pub order: &'static str,
    /// Cycles until firmware asks again.
    pub retry_timeout: Cycle,
    /// All live boards came to know each other.
    pub up: bool,
    /// Locks, by the cycle in which they were had.
    pub holds: Vec<Hold>,
    /// Episodes of the barrier.
    pub episodes: Vec<Episode>,
    /// Words that programs read in explicit steps.
    pub reads: Vec<Read>,
    /// Accesses that boards refused.
    pub refused: Vec<Trouble>,
    /// Words that programs touched.
    pub words: Vec<Word>,
    /// Cycle in which the program of each board ended.
    pub ended: Vec<Option<Cycle>>,
    /// Boards that wait without end.
    pub stuck: Vec<StuckProgram>,
    #[serde(skip)]
    pub(super) boards: usize,
}

impl Report {
    /// Makes the report of `programs` from the run `ran`.
    #[must_use]
    pub fn new(programs: &Programs, ran: &ProgramRun, ring: &BoardRing) -> Report {
        let Choice { barrier, order, retry_timeout, as_published, .. } = programs.choice;
        let live: BTreeSet<usize> = ring.live().collect();
        let touched = programs.scripts.iter().flatten().flatten();
        let touched: BTreeSet<ByteAddress> = touched.filter_map(|(_, step)| step.word()).collect();
        let stuck = ran.waiting.iter().map(|w| StuckProgram {
            board: w.node.index(),
            what: match &w.asked {
                Some(asked) => asked.to_string(),
                None => "its board".into(),
            },
            since: w.since,
            dead: !live.contains(&w.node.index()),
        });
        Report {
            lock: programs.choice.lock_name(),
            barrier: barrier.name(),
            variant: if as_published { "as-published" } else { "repaired" },
            order: order.name(),
            retry_timeout,
            up: ran.up,
            holds: holds(&ran.records),
            episodes: episodes(&ran.records, ring.boards()),
            reads: ran.log.reads.clone(),
            refused: ran.log.refused.clone(),
            words: touched.into_iter().map(|addr| word(ring, addr)).collect(),
            ended: ran.log.ended.clone(),
            stuck: stuck.collect(),
            boards: ring.boards(),
        }
    }

    /// Returns true if all programs ended, each lock had one holder at a time, no board passed a
    /// barrier early, and every word read was the expected one.
    #[must_use]
    pub fn holds(&self) -> bool {
        let wrong = |read: &Read| read.expected.is_some_and(|expected| expected != read.value);
        self.up
            && self.stuck.is_empty()
            && self.refused.is_empty()
            && !self.holds.iter().any(|hold| hold.shared)
            && !self.episodes.iter().any(|episode| episode.early)
            && !self.reads.iter().any(wrong)
    }
}

fn holds(records: &[Record]) -> Vec<Hold> {
    let mut all: Vec<Hold> = Vec::new();
    for &Record { cycle, node, ref what } in records {
        let node = node.index();
        match *what {
            Happened::Asked(Request::Lock(lock)) => {
                let (got, gave, shared) = (None, None, false);
                all.push(Hold { lock, board: node, asked: cycle, got, gave, shared });
            }
            Happened::Answered(Request::Lock(lock)) => {
                let inside = |h: &&mut Hold| h.lock == lock && h.got.is_some() && h.gave.is_none();
                let mut shared = false;
                for other in all.iter_mut().filter(inside) {
                    other.shared = true;
                    shared = true;
                }
                let this = |h: &&mut Hold| h.lock == lock && h.board == node && h.got.is_none();
                if let Some(hold) = all.iter_mut().rev().find(this) {
                    (hold.got, hold.shared) = (Some(cycle), shared);
                }
            }
            Happened::Asked(Request::Unlock(lock)) => {
                let this = |h: &&mut Hold| h.lock == lock && h.board == node && h.gave.is_none();
                if let Some(hold) = all.iter_mut().rev().find(this) {
                    hold.gave = Some(cycle);
                }
            }
            _ => {}
        }
    }
    all.sort_by_key(|hold| (hold.got.unwrap_or(Cycle::MAX), hold.asked, hold.board));
    all
}

fn episodes(records: &[Record], boards: usize) -> Vec<Episode> {
    let mut all: Vec<Episode> = Vec::new();
    let (mut arrivals, mut passes) = (vec![0; boards], vec![0; boards]);
    for &Record { cycle, node, ref what } in records {
        let node = node.index();
        match what {
            Happened::Asked(Request::Barrier(_)) => {
                if all.len() == arrivals[node] {
                    all.push(Episode::default());
                }
                all[arrivals[node]].arrived.push((node, cycle));
                arrivals[node] += 1;
            }
            Happened::Answered(Request::Barrier(_)) => {
                let episode = &mut all[passes[node]];
                episode.passed.push((node, cycle));
                passes[node] += 1;
            }
            _ => {}
        }
    }
    for episode in &mut all {
        let last = episode.arrived.iter().map(|(_, cycle)| *cycle).max();
        let first = episode.passed.iter().map(|(_, cycle)| *cycle).min();
        episode.early = first.is_some() && (episode.arrived.len() < boards || first < last);
    }
    all
}

fn word(ring: &BoardRing, addr: ByteAddress) -> Word {
    let mut values: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for board in ring.live() {
        let word = bytes(ring.board(board), addr, 4);
        let value = word.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
        values.entry(value).or_default().push(board);
    }
    Word { addr, values }
}
