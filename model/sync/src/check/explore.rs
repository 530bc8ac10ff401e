// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every state that can be reached, breadth first.
//!
//! A state that was seen is kept as 128 bits of hash, and the way to it as the number of a step;
//! whole states only while they wait to be looked at. So some ten million states fit into a
//! gigabyte; that two of them have one hash has a chance of less than 10^-24.
//!
//! # Progress
//! Two checks look at the steps without a fault.
//!
//! * *Stuck*: a state from which the end cannot be reached. The end can be reached from all others,
//!   but a run need not reach it.
//! * *Livelock*: a run that is strongly fair and does not reach the end. Each step belongs to an
//!   action ([`Next::action`]): a thread, a channel, a board's retransmission or a timer. In a
//!   strongly fair run an action that is enabled infinitely often is taken infinitely often. So each
//!   channel delivers, each thread goes on, and a timer runs out at last when it is armed again and
//!   again in states where it may run out. Timers of different nodes have no common length: which
//!   of them runs out first is open. A fault belongs to no action and need not happen.

use super::fair::Graph;
use rustc_hash::FxHashMap;
use std::{
    collections::VecDeque,
    hash::{Hash, Hasher},
};

/// A system that can be explored: initial state, steps and properties.
pub trait Checkable {
    type State: Clone + Eq + Hash;
    /// A step between states, as a reader sees it.
    type Step: Clone;
    /// A property that a state can violate.
    type Property: Copy + Eq;

    /// The state before anything happened.
    fn start(&self) -> Self::State;

    /// Puts all that can happen next into `next`, in the same order each time.
    fn steps(&self, state: &Self::State, next: &mut Vec<Next<Self>>);

    /// The property that `state` violates, if any.
    fn broken(&self, state: &Self::State) -> Option<Self::Property>;

    /// All that was to be done is done.
    fn done(&self, state: &Self::State) -> bool;

    /// Completes a step of a run that is shown, with what it led to.
    fn describe(&self, _step: &mut Self::Step, _after: &Self::State) {}
}

/// A step and the state after it.
#[derive(Clone, Debug)]
pub struct Next<S: Checkable + ?Sized> {
    pub step: S::Step,
    /// The state after it.
    pub state: S::State,
    /// The action whose step it is: strong fairness holds for each action. `None` is a fault, on
    /// which nothing may rely.
    pub action: Option<u16>,
}

/// The number of an action at a place, a node or a process; a place has at most 128 kinds of them.
///
/// # Panics
/// If there are more than 511 places.
pub fn action(place: usize, kind: u16) -> u16 {
    u16::try_from(place << 7).expect("an exploration has at most 511 places") | kind
}

/// A run, step by step.
pub type Trace<T> = Vec<T>;

/// A run that does not end: `cycle` follows `prefix`, again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso<T> {
    /// A shortest run to the cycle.
    pub prefix: Trace<T>,
    /// The steps of one turn; the state after them is the state before them.
    pub cycle: Trace<T>,
}

/// Result of an exploration of a system with properties `P` and steps `T`.
#[derive(Clone, Debug)]
pub struct Report<P, T> {
    /// States reached.
    pub states: usize,
    /// Steps between them.
    pub steps: usize,
    /// Steps of the longest of the shortest runs.
    pub depth: usize,
    /// All states were reached; otherwise the limit, or the property looked for, stopped it.
    pub exhausted: bool,
    /// A shortest run to each property that breaks, in the order they were found.
    pub broken: Vec<(P, Trace<T>)>,
    /// A shortest run to a state from which the end cannot be reached without a fault. Looked for
    /// only when all states were reached.
    pub stuck: Option<Trace<T>>,
    /// A strongly fair run without a fault in its cycle that does not reach the end. It is looked for
    /// in the states that were reached.
    pub livelock: Option<Lasso<T>>,
}

impl<P: Copy + Eq, T> Report<P, T> {
    /// The run that breaks `property`.
    pub fn run(&self, property: P) -> Option<&Trace<T>> {
        self.broken.iter().find(|(broken, _)| *broken == property).map(|(_, run)| run)
    }

    /// All states were reached, nothing is broken, the end can be reached from each, and each
    /// strongly fair run reaches it.
    pub fn holds(&self) -> bool {
        self.exhausted && self.broken.is_empty() && self.stuck.is_none() && self.livelock.is_none()
    }
}

/// Explores up to `limit` states of `system`.
///
/// States that follow a state with a violated property are not explored.
pub fn explore<S: Checkable>(system: &S, limit: usize) -> Report<S::Property, S::Step> {
    walk(system, limit, None)
}

/// A shortest run that breaks `property`, looked for in up to `limit` states.
pub fn find<S: Checkable>(
    system: &S,
    limit: usize,
    property: S::Property,
) -> Option<Trace<S::Step>> {
    walk(system, limit, Some(property)).run(property).cloned()
}

fn walk<S: Checkable>(
    system: &S,
    limit: usize,
    wanted: Option<S::Property>,
) -> Report<S::Property, S::Step> {
    let mut seen: FxHashMap<u128, u32> = FxHashMap::default();
    let mut came: Vec<(u32, u32)> = vec![(0, 0)];
    let mut waiting: VecDeque<S::State> = VecDeque::from([system.start()]);
    let mut graph = Graph::default();
    let mut report = Report {
        states: 0,
        steps: 0,
        depth: 0,
        exhausted: true,
        broken: Vec::new(),
        stuck: None,
        livelock: None,
    };
    let mut good: Vec<bool> = Vec::new();
    let mut next = Vec::new();
    // First state of the next depth.
    let mut level = 1;
    seen.insert(fingerprint(&waiting[0]), 0);
    while let Some(state) = waiting.pop_front() {
        let at = good.len();
        if at == level {
            report.depth += 1;
            level = came.len();
        }
        let broken = system.broken(&state);
        good.push(broken.is_some() || system.done(&state));
        if let Some(property) = broken {
            if report.run(property).is_none() {
                report.broken.push((property, trace(system, &came, at).0));
            }
            if wanted == Some(property) {
                report.exhausted = false;
                break;
            }
        } else {
            system.steps(&state, &mut next);
            report.steps += next.len();
            for (ordinal, Next { state, action, .. }) in next.drain(..).enumerate() {
                let new = came.len();
                let index = *seen.entry(fingerprint(&state)).or_insert(word(new));
                if index == word(new) {
                    came.push((word(at), word(ordinal)));
                    waiting.push_back(state);
                }
                if let Some(action) = action.filter(|_| !good[at] && wanted.is_none()) {
                    graph.push(index, action);
                }
            }
        }
        graph.end_row();
        if came.len() > limit {
            report.exhausted = false;
            break;
        }
    }
    report.states = came.len();
    if wanted.is_none() {
        drop(seen);
        // States that the limit left out.
        good.resize_with(came.len(), || {
            graph.end_row();
            false
        });
        let found = graph.search(good);
        report.stuck =
            found.stuck.filter(|_| report.exhausted).map(|at| trace(system, &came, at).0);
        report.livelock = found.cycle.map(|(at, cycle)| lasso(system, &came, at, cycle));
    }
    report
}

fn word(index: usize) -> u32 {
    u32::try_from(index).expect("an exploration has fewer than 2^32 states")
}

/// The run to state `end`, gone through again from the start, and that state.
fn trace<S: Checkable>(system: &S, came: &[(u32, u32)], end: usize) -> (Trace<S::Step>, S::State) {
    let mut ordinals = Vec::new();
    let mut at = end;
    while at != 0 {
        let (before, ordinal) = came[at];
        ordinals.push(ordinal as usize);
        at = before as usize;
    }
    let mut state = system.start();
    let run = ordinals.into_iter().rev().map(|one| take(system, &mut state, |_| true, one));
    (run.collect(), state)
}

/// The run into a cycle and the cycle, of which the positions among steps without a fault are given.
fn lasso<S: Checkable>(
    system: &S,
    came: &[(u32, u32)],
    at: usize,
    cycle: Vec<usize>,
) -> Lasso<S::Step> {
    let (prefix, mut state) = trace(system, came, at);
    let faultless = |one: &Next<S>| one.action.is_some();
    let cycle = cycle.into_iter().map(|one| take(system, &mut state, faultless, one)).collect();
    Lasso { prefix, cycle }
}

/// Takes the step at this position of those that are `meant`.
fn take<S: Checkable>(
    system: &S,
    state: &mut S::State,
    meant: impl Fn(&Next<S>) -> bool,
    position: usize,
) -> S::Step {
    let mut next = Vec::new();
    system.steps(state, &mut next);
    let mut taken = next
        .into_iter()
        .filter(meant)
        .nth(position)
        .expect("a system has the same steps each time");
    system.describe(&mut taken.step, &taken.state);
    *state = taken.state;
    taken.step
}

fn fingerprint(state: &impl Hash) -> u128 {
    let mut lanes = Lanes(0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344);
    state.hash(&mut lanes);
    u128::from(lanes.finish()) << 64 | u128::from(fold(lanes.1, 0xa409_3822_299f_31d1))
}

/// Two hashes of 64 bits by folded multiplication, from unlike starts and factors.
struct Lanes(u64, u64);

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product & 0xffff_ffff_ffff_ffff) as u64 ^ (product >> 64) as u64
}

impl Hasher for Lanes {
    fn finish(&self) -> u64 {
        fold(self.0, 0x9e37_79b9_7f4a_7c15)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            self.write_u64(chunk.iter().fold(1, |value, &byte| value << 8 | u64::from(byte)));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(value.into());
    }

    fn write_u16(&mut self, value: u16) {
        self.write_u64(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = fold(self.0 ^ value, 0x1319_8a2e_0370_7345).wrapping_add(value);
        self.1 = fold(self.1.rotate_left(23) ^ value, 0xc0ac_29b7_c97c_50dd) ^ value;
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}
