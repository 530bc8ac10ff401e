// SPDX-License-Identifier: MIT OR Apache-2.0
//! What nodes read and write in a block, and what is sent at its beginning.

use super::{FdsmRepairs, Map};
use crate::memory::Shape;
use crate::spans::Spans;
use awgstar_frame::quantity::NodeId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a node did in a block beyond its pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Report {
    /// Pages that it used.
    pub pages: BTreeSet<usize>,
    /// Bytes that it wrote.
    pub writes: Spans,
}

impl Report {
    /// Bytes in a message.
    #[must_use]
    pub fn size(&self) -> usize {
        8 * self.pages.len() + self.writes.size()
    }
}

/// What each node does in a block, as far as it was reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pattern(BTreeMap<NodeId, Report>);

/// Bytes that each receiver gets from each owner.
pub type Plan = BTreeMap<NodeId, BTreeMap<NodeId, Spans>>;

impl Pattern {
    /// A node did this, too. Returns true if that is new.
    pub fn learn(&mut self, node: NodeId, report: &Report) -> bool {
        let known = self.0.entry(node).or_default();
        let before = known.clone();
        known.pages.extend(&report.pages);
        known.writes.insert_all(&report.writes);
        *known != before
    }

    /// Bytes that a node writes.
    #[must_use]
    pub fn writes(&self, node: NodeId) -> Spans {
        self.0.get(&node).map(|known| known.writes.clone()).unwrap_or_default()
    }

    /// Pages of which a node writes bytes.
    #[must_use]
    pub fn written(&self, node: NodeId, shape: Shape) -> BTreeSet<usize> {
        let parts = self.writes(node);
        let parts = parts.ranges().flat_map(|range| shape.by_page(range));
        parts.map(|part| part.0).collect()
    }

    /// Pages that a node uses without a write.
    #[must_use]
    pub fn pages(&self, node: NodeId) -> BTreeSet<usize> {
        self.0.get(&node).map(|known| known.pages.clone()).unwrap_or_default()
    }

    /// Bytes that a node writes and no other does: it is their owner without a report.
    #[must_use]
    pub fn claim(&self, node: NodeId, alone: bool) -> Spans {
        let mut claim = self.writes(node);
        for (_, other) in self.0.iter().filter(|(one, _)| alone && **one != node) {
            claim = claim.without(&other.writes);
        }
        claim
    }

    /// What nodes lack of what they use in the block.
    #[must_use]
    pub fn plan(&self, map: &Map, shape: Shape, repairs: FdsmRepairs) -> Plan {
        let mut plan = Plan::new();
        for &node in self.0.keys() {
            let pages = self.pages(node).into_iter().map(|page| shape.page(page));
            let mut wanted: Spans = pages.collect();
            if repairs.has(FdsmRepairs::VALID) {
                wanted.insert_all(&self.writes(node));
            } else {
                wanted = wanted.without(&self.writes(node));
            }
            let lacked = map.lacked(&wanted, node);
            if !lacked.is_empty() {
                plan.insert(node, lacked);
            }
        }
        plan
    }
}
