// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts of events, and what they say of a run.

use super::limits::GROUP;
use super::table::{ENGINE, JOIN};
use crate::board::join::CLEARED;
use crate::machine::Machine;
use awgstar::rtl::Parameters;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts of events, by group and name. An event that the design has and that never came is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reached(BTreeMap<String, BTreeMap<String, u64>>);

impl Reached {
    pub(super) fn add(&mut self, group: &str, name: &str, count: u64) {
        let group = self.0.entry(group.to_owned()).or_default();
        *group.entry(name.to_owned()).or_default() += count;
    }

    /// Adds what the inputs of a module reach, where the module counts that by its inputs.
    pub fn add_inputs<M: Machine>(
        &mut self,
        module: &str,
        inputs: &[M::Inputs],
        parameters: &Parameters,
    ) {
        for (name, count) in M::reached(inputs, parameters) {
            self.add(module, name, count);
        }
    }

    /// Events of a group that never came.
    #[must_use]
    pub fn never(&self, group: &str) -> Option<String> {
        let names = self.0.get(group).into_iter().flatten();
        let never: Vec<&str> =
            names.filter(|(_, count)| **count == 0).map(|(name, _)| name.as_str()).collect();
        (!never.is_empty()).then(|| format!("not reached: {}", never.join(", ")))
    }

    /// Adds the counts of another run.
    pub fn merge(&mut self, other: &Reached) {
        for (group, names) in &other.0 {
            for (name, count) in names {
                self.add(group, name, *count);
            }
        }
    }

    /// Count of an event; 0 for one that the design does not have.
    #[must_use]
    pub fn count(&self, group: &str, name: &str) -> u64 {
        self.0.get(group).and_then(|names| names.get(name)).copied().unwrap_or(0)
    }

    /// Reason why a run with these parameters is no pass: a part that they enable never acted.
    #[must_use]
    pub fn idle(&self, parameters: &Parameters) -> Option<String> {
        let idle = |on: bool, group: &str, all: &[&'static str], what: String| {
            let never: Vec<&str> =
                all.iter().copied().filter(|name| self.count(group, name) == 0).collect();
            (on && !never.is_empty()).then(|| format!("{what}: no {}", never.join(", no ")))
        };
        let (width, join) = (parameters.engine_node_w(), parameters.join());
        let engine = format!("ENGINE_NODE_W is {width}, but the engine never acted");
        let joined = format!("JOIN is {join}, but no board joined");
        // A map of more bytes is not cleared in the time of a case: such a board answers others.
        let all: &[&str] =
            if parameters.mem_addr_w() <= CLEARED { &JOIN } else { &["answers returned"] };
        idle(width != 0, "engine", &ENGINE, engine).or_else(|| idle(join != 0, "join", all, joined))
    }

    /// A line for each group with an event that came, without those that never came: of a single case.
    #[must_use]
    pub fn came(&self) -> Vec<String> {
        let mut some = self.clone();
        some.0.values_mut().for_each(|names| names.retain(|_, count| *count > 0));
        some.0.retain(|_, names| !names.is_empty());
        some.lines()
    }

    /// A line for each group.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let one = |(name, count): (&String, &u64)| format!("{name} {count}");
        let line = |(group, names): (&String, &BTreeMap<String, u64>)| {
            if group == GROUP {
                let met = names.values().filter(|count| **count > 0).count();
                let never = self.never(group).map_or(String::new(), |text| format!("; {text}"));
                return format!("{group}: {met} of {} events{never}", names.len());
            }
            format!("{group}: {}", names.iter().map(one).collect::<Vec<_>>().join(", "))
        };
        self.0.iter().map(line).collect()
    }
}
