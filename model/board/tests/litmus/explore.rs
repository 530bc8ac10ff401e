// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every state that can be reached, breadth first: the first run found is a shortest one.

use super::machine::Machine;
use std::collections::{HashMap, VecDeque};

/// What an exploration found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// States reached.
    pub(crate) states: usize,
    /// The shortest run to a state in which the order is broken.
    pub(crate) violation: Option<Vec<String>>,
    /// The shortest run to a state from which nothing can happen though something is to be done.
    pub(crate) stuck: Option<Vec<String>>,
    /// The shortest run whose end misses a write or the signal, or has it twice.
    pub(crate) missing: Option<Vec<String>>,
}

/// Explores all of `start`'s states.
pub(crate) fn explore(start: Machine) -> Found {
    let mut found = Found::default();
    let mut came: HashMap<Machine, Option<(Machine, String)>> =
        HashMap::from([(start.clone(), None)]);
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        found.states += 1;
        let run = || trace(&came, &state);
        if found.violation.is_none() && state.violated {
            found.violation = Some(run());
        }
        let steps = state.steps();
        if steps.is_empty() {
            if !state.done() && found.stuck.is_none() {
                found.stuck = Some(run());
            }
            if !state.complete() && found.missing.is_none() {
                found.missing = Some(run());
            }
        }
        for (name, next) in steps {
            if !came.contains_key(&next) {
                came.insert(next.clone(), Some((state.clone(), name)));
                queue.push_back(next);
            }
        }
    }
    found
}

fn trace(came: &HashMap<Machine, Option<(Machine, String)>>, end: &Machine) -> Vec<String> {
    let mut run = Vec::new();
    let mut at = end;
    while let Some(Some((before, name))) = came.get(at) {
        run.push(name.clone());
        at = before;
    }
    run.reverse();
    run
}
