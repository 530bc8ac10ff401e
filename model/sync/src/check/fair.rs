// SPDX-License-Identifier: MIT OR Apache-2.0
//! The graph of an exploration, and the cycles in which a run can stay.
//!
//! A run is *strongly fair* when it takes every action that is enabled infinitely often infinitely
//! often. The check removes from each strongly connected component the states that enable an action
//! which no step within the component takes, and looks at the components of what is left. A
//! component from which nothing has to be removed holds a fair cycle (Streett acceptance).

use std::collections::{BTreeSet, HashMap, VecDeque};

/// Steps without a fault, in rows: a row for each state, in the order of the states.
#[derive(Default)]
pub(super) struct Graph {
    /// Where the rows end.
    ends: Vec<u32>,
    to: Vec<u32>,
    action: Vec<u16>,
}

/// Result of the search.
pub(super) struct Found {
    /// The first state from which no good state can be reached.
    pub(super) stuck: Option<usize>,
    /// The first state of a fair cycle without a good state, and the cycle: positions in the rows of
    /// its states.
    pub(super) cycle: Option<(usize, Vec<usize>)>,
}

impl Graph {
    /// Adds a step to the last row.
    pub(super) fn push(&mut self, to: u32, action: u16) {
        self.to.push(to);
        self.action.push(action);
    }

    /// Ends the last row.
    pub(super) fn end_row(&mut self) {
        self.ends.push(u32::try_from(self.to.len()).expect("fewer than 2^32 steps"));
    }

    fn row(&self, state: u32) -> std::ops::Range<usize> {
        let at = state as usize;
        let first = if at == 0 { 0 } else { self.ends[at - 1] };
        first as usize..self.ends[at] as usize
    }

    /// Looks for states without a way to a good one, and for cycles without a good one. A good state
    /// has an empty row; there is a row for each state.
    pub(super) fn search(&self, good: Vec<bool>) -> Found {
        let states = good.len();
        let mut search = Search {
            graph: self,
            order: vec![0; states],
            region: good.iter().map(|good| if *good { REMOVED } else { 0 }).collect(),
            regions: 0,
        };
        let all: Vec<u32> = (0..).take(states).collect();
        let (mut leads, mut todo) = (good, Vec::new());
        // Components are found after all those that they lead to.
        search.components(&all, 0, |members| {
            let edges = || members.iter().flat_map(|&state| self.row(state));
            if edges().any(|edge| leads[self.to[edge] as usize]) {
                for &state in members {
                    leads[state as usize] = true;
                }
            }
            if self.is_cycle(members) {
                todo.push(members.to_vec());
            }
        });
        let mut first: Option<u32> = None;
        while let Some(members) = todo.pop() {
            let lowest = members.iter().copied().min().unwrap_or(REMOVED);
            if first.is_some_and(|first| first <= lowest) {
                continue;
            }
            let region = search.region[lowest as usize];
            let left = search.without_neglected(&members, region);
            if left.len() == members.len() {
                first = Some(lowest);
            } else {
                search.components(&left, region, |part| {
                    if self.is_cycle(part) {
                        todo.push(part.to_vec());
                    }
                });
            }
        }
        let cycle = first.map(|first| (first as usize, search.cycle(first)));
        Found { stuck: leads.iter().position(|leads| !leads), cycle }
    }

    /// More than one state, or one with a step to itself.
    fn is_cycle(&self, members: &[u32]) -> bool {
        members.len() > 1 || members.iter().any(|state| self.to[self.row(*state)].contains(state))
    }

    fn enabled(&self, state: u32) -> &[u16] {
        &self.action[self.row(state)]
    }
}

/// The region of states that are not looked at any more.
const REMOVED: u32 = u32::MAX;

struct Search<'a> {
    graph: &'a Graph,
    /// When a state was visited, from 1; 0: not yet.
    order: Vec<u32>,
    /// States of one region are looked at together; in the end each component is one.
    region: Vec<u32>,
    regions: u32,
}

/// A state whose steps Tarjan's algorithm follows.
struct Visit {
    state: u32,
    /// The next of its steps.
    next: usize,
    /// The first visited state of the component that it leads back to.
    low: u32,
}

impl Search<'_> {
    /// Gives each strongly connected component of `states`, which are all of `region`, a region.
    fn components(&mut self, states: &[u32], region: u32, mut found: impl FnMut(&[u32])) {
        let (mut path, mut stack, mut visited) = (Vec::new(), Vec::new(), 0);
        for &state in states {
            self.order[state as usize] = 0;
        }
        for &root in states {
            let mut enter = (self.region[root as usize] == region).then_some(root);
            if self.order[root as usize] != 0 {
                enter = None;
            }
            loop {
                if let Some(state) = enter.take() {
                    visited += 1;
                    self.order[state as usize] = visited;
                    stack.push(state);
                    path.push(Visit { state, next: self.graph.row(state).start, low: visited });
                }
                let Some(visit) = path.last_mut() else { break };
                if visit.next < self.graph.row(visit.state).end {
                    let to = self.graph.to[visit.next];
                    visit.next += 1;
                    // A state of the region that was visited is on the stack.
                    if self.region[to as usize] == region {
                        match self.order[to as usize] {
                            0 => enter = Some(to),
                            seen => visit.low = visit.low.min(seen),
                        }
                    }
                    continue;
                }
                let Visit { state, low, .. } = path.pop().expect("the visit is on the path");
                if low == self.order[state as usize] {
                    self.regions += 1;
                    let from = stack.iter().rposition(|one| *one == state).unwrap_or(0);
                    for &one in &stack[from..] {
                        self.region[one as usize] = self.regions;
                    }
                    found(&stack[from..]);
                    stack.truncate(from);
                } else if let Some(before) = path.last_mut() {
                    before.low = before.low.min(low);
                }
            }
        }
    }

    /// The members of a component without those that enable an action which no step within the
    /// component takes.
    fn without_neglected(&mut self, members: &[u32], region: u32) -> Vec<u32> {
        let mut taken = BTreeSet::new();
        for edge in members.iter().flat_map(|&state| self.graph.row(state)) {
            if self.region[self.graph.to[edge] as usize] == region {
                taken.insert(self.graph.action[edge]);
            }
        }
        let (left, neglected): (Vec<u32>, Vec<u32>) = members
            .iter()
            .partition(|&&state| self.graph.enabled(state).iter().all(|one| taken.contains(one)));
        for state in neglected {
            self.region[state as usize] = REMOVED;
        }
        left
    }

    /// A cycle from `first` within its component that takes all that its states enable: each time the
    /// shortest way to an action that is owed.
    fn cycle(&self, first: u32) -> Vec<usize> {
        let (mut at, mut edges) = (first, Vec::new());
        let mut taken = BTreeSet::new();
        let mut owed = BTreeSet::from_iter(self.graph.enabled(at).to_vec());
        loop {
            let wanted = |edge: usize| {
                if owed.is_empty() {
                    self.graph.to[edge] == first
                } else {
                    owed.contains(&self.graph.action[edge])
                }
            };
            for edge in self.way(at, wanted) {
                edges.push(edge - self.graph.row(at).start);
                taken.insert(self.graph.action[edge]);
                at = self.graph.to[edge];
                owed.extend(self.graph.enabled(at));
                owed.retain(|action| !taken.contains(action));
            }
            if owed.is_empty() && at == first {
                return edges;
            }
        }
    }

    /// The shortest way from a state, within its component, whose last step is `wanted`.
    fn way(&self, from: u32, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let region = self.region[from as usize];
        let mut came: HashMap<u32, (u32, usize)> = HashMap::new();
        let mut waiting = VecDeque::from([from]);
        while let Some(mut at) = waiting.pop_front() {
            for edge in self.graph.row(at) {
                let to = self.graph.to[edge];
                if self.region[to as usize] != region {
                    continue;
                }
                if wanted(edge) {
                    let mut way = vec![edge];
                    while at != from {
                        let (before, edge) = came[&at];
                        way.push(edge);
                        at = before;
                    }
                    way.reverse();
                    return way;
                }
                if to != from && !came.contains_key(&to) {
                    came.insert(to, (at, edge));
                    waiting.push_back(to);
                }
            }
        }
        unreachable!("a component is strongly connected and takes all that it enables")
    }
}
