// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which node has the latest value of each byte, and which others hold it.

use crate::spans::Spans;
use awgstar_frame::quantity::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Who holds a byte.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Held {
    /// All nodes hold the latest value: no node wrote it since the start, or it was in a record.
    All,
    /// The owner wrote it last; holders, the owner among them, have that value.
    By { owner: NodeId, holders: BTreeSet<NodeId> },
}

impl Held {
    fn by(&self, node: NodeId) -> bool {
        match self {
            Held::All => true,
            Held::By { holders, .. } => holders.contains(&node),
        }
    }
}

/// The map of all bytes: neighbours with the same holders are one run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    bytes: usize,
    /// First address of each run.
    runs: BTreeMap<usize, Held>,
}

impl Map {
    /// All nodes hold all bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Map {
        Map { bytes, runs: BTreeMap::from([(0, Held::All)]) }
    }

    /// Runs within a range.
    pub fn runs(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, &Held)> {
        let first = self.runs.range(..=range.start).next_back().map_or(0, |(&at, _)| at);
        let ends = self.runs.range(first..).skip(1).map(|(&at, _)| at).chain([self.bytes]);
        let all = self.runs.range(first..).zip(ends);
        let all = all.take_while(move |((from, _), _)| **from < range.end);
        let cut = move |(from, to): (usize, usize)| from.max(range.start)..to.min(range.end);
        all.map(move |((&from, held), to)| (cut((from, to)), held)).filter(|one| !one.0.is_empty())
    }

    fn split(&mut self, at: usize) {
        if at < self.bytes
            && let Some((_, held)) = self.runs.range(..=at).next_back()
        {
            let held = held.clone();
            self.runs.insert(at, held);
        }
    }

    fn change(&mut self, spans: &Spans, mut change: impl FnMut(&mut Held)) {
        for range in spans.ranges() {
            self.split(range.start);
            self.split(range.end);
            for (_, held) in self.runs.range_mut(range) {
                change(held);
            }
        }
        let mut before: Option<Held> = None;
        self.runs.retain(|_, held| {
            let same = before.as_ref() == Some(held);
            before = Some(held.clone());
            !same
        });
    }

    /// A node has written these bytes.
    pub fn give(&mut self, spans: &Spans, owner: NodeId) {
        self.change(spans, |held| *held = Held::By { owner, holders: BTreeSet::from([owner]) });
    }

    /// All nodes hold these bytes.
    pub fn everywhere(&mut self, spans: &Spans) {
        self.change(spans, |held| *held = Held::All);
    }

    /// A node holds these bytes, too.
    pub fn hold(&mut self, spans: &Spans, node: NodeId) {
        self.change(spans, |held| {
            if let Held::By { holders, .. } = held {
                holders.insert(node);
            }
        });
    }

    /// The bytes of `wanted` that a node does not hold, by their owners.
    #[must_use]
    pub fn lacked(&self, wanted: &Spans, node: NodeId) -> BTreeMap<NodeId, Spans> {
        let mut lacked: BTreeMap<NodeId, Spans> = BTreeMap::new();
        for range in wanted.ranges() {
            for (run, held) in self.runs(range) {
                if let Held::By { owner, .. } = held
                    && !held.by(node)
                {
                    lacked.entry(*owner).or_default().insert(run);
                }
            }
        }
        lacked
    }
}
