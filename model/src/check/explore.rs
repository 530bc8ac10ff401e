//! Every state that can be reached, breadth first.
//!
//! A state that was seen is kept as 128 bits of hash, and the way to it as the number of a step;
//! whole states only while they wait to be looked at. So some ten million states fit into a
//! gigabyte; that two of them have one hash has a chance of less than 10^-24.

use rustc_hash::FxHashMap;
use std::{
    collections::VecDeque,
    hash::{Hash, Hasher},
};

/// What can be explored.
pub trait System {
    /// A state.
    type State: Clone + Eq + Hash;
    /// A step between states, as a reader sees it.
    type Step: Clone;
    /// What can be broken.
    type Property: Copy + Eq;

    /// The state before anything happened.
    fn start(&self) -> Self::State;

    /// Puts all that can happen next into `next`, in the same order each time.
    fn steps(&self, state: &Self::State, next: &mut Vec<Next<Self>>);

    /// What is broken in a state.
    fn broken(&self, state: &Self::State) -> Option<Self::Property>;

    /// All that was to be done is done.
    fn done(&self, state: &Self::State) -> bool;

    /// Completes a step of a run that is shown, with what it led to.
    fn describe(&self, _step: &mut Self::Step, _after: &Self::State) {}
}

/// A step and the state behind it.
#[derive(Clone, Debug)]
pub struct Next<S: System + ?Sized> {
    /// The step.
    pub step: S::Step,
    /// The state behind it.
    pub state: S::State,
    /// It is a fault: nothing may rely on it to happen.
    pub fault: bool,
}

/// A run, step by step.
pub type Trace<T> = Vec<T>;

/// What an exploration of a system with properties `P` and steps `T` found.
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
}

impl<P: Copy + Eq, T> Report<P, T> {
    /// The run that breaks `property`.
    pub fn run(&self, property: P) -> Option<&Trace<T>> {
        self.broken.iter().find(|(broken, _)| *broken == property).map(|(_, run)| run)
    }

    /// All states were reached, nothing is broken, and the end can be reached from each.
    pub fn holds(&self) -> bool {
        self.exhausted && self.broken.is_empty() && self.stuck.is_none()
    }
}

/// Explores up to `limit` states of `system`.
///
/// What lies behind a broken state is not looked at.
pub fn explore<S: System>(system: &S, limit: usize) -> Report<S::Property, S::Step> {
    walk(system, limit, None)
}

/// A shortest run that breaks `property`, looked for in up to `limit` states.
pub fn find<S: System>(system: &S, limit: usize, property: S::Property) -> Option<Trace<S::Step>> {
    walk(system, limit, Some(property)).run(property).cloned()
}

fn walk<S: System>(
    system: &S,
    limit: usize,
    wanted: Option<S::Property>,
) -> Report<S::Property, S::Step> {
    let mut seen: FxHashMap<u128, u32> = FxHashMap::default();
    let mut came: Vec<(u32, u32)> = vec![(0, 0)];
    let mut waiting: VecDeque<S::State> = VecDeque::from([system.start()]);
    // Steps without a fault, to be walked backwards.
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut report =
        Report { states: 0, steps: 0, depth: 0, exhausted: true, broken: Vec::new(), stuck: None };
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
                report.broken.push((property, trace(system, &came, at)));
            }
            if wanted == Some(property) {
                report.exhausted = false;
                break;
            }
        } else {
            system.steps(&state, &mut next);
            report.steps += next.len();
            for (ordinal, Next { state, fault, .. }) in next.drain(..).enumerate() {
                let new = came.len();
                let index = *seen.entry(fingerprint(&state)).or_insert(word(new));
                if index == word(new) {
                    came.push((word(at), word(ordinal)));
                    waiting.push_back(state);
                }
                if !fault {
                    edges.push((index, word(at)));
                }
            }
        }
        if came.len() > limit {
            report.exhausted = false;
            break;
        }
    }
    report.states = came.len();
    if report.exhausted {
        let ends = reach_back(good, edges);
        report.stuck = ends.iter().position(|end| !end).map(|at| trace(system, &came, at));
    }
    report
}

fn word(index: usize) -> u32 {
    u32::try_from(index).expect("an exploration has fewer than 2^32 states")
}

/// Which states lead to one of `good`, over `edges` of (to, from).
fn reach_back(mut good: Vec<bool>, mut edges: Vec<(u32, u32)>) -> Vec<bool> {
    edges.sort_unstable();
    let mut todo: Vec<usize> =
        good.iter().enumerate().filter(|(_, good)| **good).map(|(at, _)| at).collect();
    while let Some(to) = todo.pop() {
        let first = edges.partition_point(|edge| (edge.0 as usize) < to);
        for &(_, from) in edges[first..].iter().take_while(|edge| edge.0 as usize == to) {
            let from = from as usize;
            if !good[from] {
                good[from] = true;
                todo.push(from);
            }
        }
    }
    good
}

/// The run to state `end`, gone through again from the start.
fn trace<S: System>(system: &S, came: &[(u32, u32)], end: usize) -> Trace<S::Step> {
    let mut ordinals = Vec::new();
    let mut at = end;
    while at != 0 {
        let (before, ordinal) = came[at];
        ordinals.push(ordinal as usize);
        at = before as usize;
    }
    let mut state = system.start();
    let mut run = Vec::new();
    let mut next = Vec::new();
    for ordinal in ordinals.into_iter().rev() {
        system.steps(&state, &mut next);
        let mut taken = next.swap_remove(ordinal);
        system.describe(&mut taken.step, &taken.state);
        run.push(taken.step);
        state = taken.state;
        next.clear();
    }
    run
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
    let low = u64::try_from(product & u128::from(u64::MAX)).unwrap_or_default();
    low ^ u64::try_from(product >> 64).unwrap_or_default()
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
