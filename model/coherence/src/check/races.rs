// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a program has a data race: every run on one memory, with a vector clock for each node.

use super::Op;
use std::collections::{BTreeMap, BTreeSet};

type Clock = Vec<u32>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    done: Vec<usize>,
    /// At the barrier.
    met: Vec<bool>,
    clocks: Vec<Clock>,
    /// Holder of a lock, and the clock of the last one.
    locks: BTreeMap<u32, (Option<usize>, Clock)>,
    /// The last write of a byte, and the reads since: when each node made them.
    writes: BTreeMap<usize, Clock>,
    reads: BTreeMap<usize, Clock>,
}

fn join(clock: &mut Clock, other: &Clock) {
    for (one, other) in clock.iter_mut().zip(other) {
        *one = (*one).max(*other);
    }
}

fn before(clock: &Clock, other: &Clock) -> bool {
    clock.iter().zip(other).all(|(one, other)| one <= other)
}

impl State {
    /// An access; false: another one is not ordered with it.
    fn access(&mut self, at: usize, byte: usize, write: bool) -> bool {
        let (clock, none) = (&self.clocks[at], Clock::new());
        let ordered = |all: &BTreeMap<usize, Clock>| before(all.get(&byte).unwrap_or(&none), clock);
        let good = ordered(&self.writes) && (!write || ordered(&self.reads));
        let mut own = vec![0; clock.len()];
        own[at] = clock[at];
        if write {
            self.writes.insert(byte, own);
            self.reads.remove(&byte);
        } else {
            join(self.reads.entry(byte).or_insert_with(|| vec![0; own.len()]), &own);
        }
        good
    }

    /// Takes an operation; `None` if it waits, false for a race.
    fn take(&mut self, at: usize, op: Op) -> Option<bool> {
        self.done[at] += 1;
        match op {
            Op::Acquire(lock) => {
                let lock = self.locks.entry(lock).or_default();
                if lock.0.is_some() {
                    return None;
                }
                lock.0 = Some(at);
                join(&mut self.clocks[at], &lock.1);
            }
            Op::Release(lock) => {
                self.locks.insert(lock, (None, self.clocks[at].clone()));
                self.clocks[at][at] += 1;
            }
            Op::Meet(_) => {
                self.met[at] = true;
                if self.met.iter().all(|met| *met) {
                    let mut all = self.clocks[0].clone();
                    self.clocks.iter().for_each(|clock| join(&mut all, clock));
                    for (at, clock) in self.clocks.iter_mut().enumerate() {
                        clock.clone_from(&all);
                        clock[at] += 1;
                    }
                    self.met.fill(false);
                }
            }
            op => {
                let (byte, write) = op.access()?;
                let written = self.writes.contains_key(&byte);
                if !self.access(at, byte, write) {
                    return Some(false);
                }
                if let Op::Unless(_, skip) = op
                    && !written
                {
                    self.done[at] += skip;
                }
            }
        }
        Some(true)
    }
}

/// No run of the scripts on one memory has two accesses to a byte, one of them a write, that locks and
/// barriers do not order. So by the theorem for programs without data races each read has one right value.
#[must_use]
pub fn free(scripts: &[Vec<Op>]) -> bool {
    let nodes = scripts.len();
    let mut start = State {
        done: vec![0; nodes],
        met: vec![false; nodes],
        clocks: vec![vec![0; nodes]; nodes],
        locks: BTreeMap::new(),
        writes: BTreeMap::new(),
        reads: BTreeMap::new(),
    };
    for (at, clock) in start.clocks.iter_mut().enumerate() {
        clock[at] = 1;
    }
    let (mut seen, mut waiting) = (BTreeSet::from([start.clone()]), vec![start]);
    while let Some(state) = waiting.pop() {
        for (at, script) in scripts.iter().enumerate() {
            let Some(&op) = script.get(state.done[at]).filter(|_| !state.met[at]) else { continue };
            let mut next = state.clone();
            match next.take(at, op) {
                Some(false) => return false,
                Some(true) if seen.insert(next.clone()) => waiting.push(next),
                None | Some(true) => {}
            }
        }
    }
    true
}
