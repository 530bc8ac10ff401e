//! Every state that can be reached, breadth first.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::{fmt::Display, hash::Hash};

/// What can be explored.
pub trait System {
    /// A state.
    type State: Clone + Eq + Hash;
    /// A step between states, as a reader sees it.
    type Step: Clone + Display;
    /// What can be broken.
    type Property: Copy + Eq;

    /// The state before anything happened.
    fn start(&self) -> Self::State;

    /// Puts all that can happen next into `next`.
    fn steps(&self, state: &Self::State, next: &mut Vec<Next<Self>>);

    /// What is broken in a state.
    fn broken(&self, state: &Self::State) -> Option<Self::Property>;

    /// All that was to be done is done.
    fn done(&self, state: &Self::State) -> bool;
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
    /// All states were reached; otherwise the limit stopped it.
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
    let mut states: IndexSet<S::State, FxBuildHasher> = IndexSet::default();
    let mut came: Vec<Option<(u32, S::Step)>> = vec![None];
    let mut depths: Vec<u32> = vec![0];
    // Steps without a fault, to be walked backwards.
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut report =
        Report { states: 0, steps: 0, depth: 0, exhausted: true, broken: Vec::new(), stuck: None };
    let mut good: Vec<bool> = Vec::new();
    let mut next = Vec::new();
    states.insert(system.start());
    let mut at = 0;
    while let Some(state) = states.get_index(at) {
        let broken = system.broken(state);
        good.push(broken.is_some() || system.done(state));
        if let Some(property) = broken {
            if report.run(property).is_none() {
                report.broken.push((property, trace(&came, at)));
            }
        } else {
            next.clear();
            system.steps(state, &mut next);
            report.steps += next.len();
            for Next { step, state, fault } in next.drain(..) {
                let (index, new) = states.insert_full(state);
                if new {
                    came.push(Some((word(at), step)));
                    depths.push(depths[at] + 1);
                }
                if !fault {
                    edges.push((word(index), word(at)));
                }
            }
        }
        at += 1;
        if states.len() > limit {
            report.exhausted = false;
            break;
        }
    }
    report.states = states.len();
    report.depth = depths.last().copied().unwrap_or(0) as usize;
    if report.exhausted {
        let ends = reach_back(good, edges);
        report.stuck = ends.iter().position(|end| !end).map(|at| trace(&came, at));
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

fn trace<T: Clone>(came: &[Option<(u32, T)>], end: usize) -> Trace<T> {
    let mut run = Vec::new();
    let mut at = end;
    while let Some((before, step)) = &came[at] {
        run.push(step.clone());
        at = *before as usize;
    }
    run.reverse();
    run
}
