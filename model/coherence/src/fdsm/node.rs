// SPDX-License-Identifier: MIT OR Apache-2.0
//! A node of FDSM: its state.

use super::{Counts, FdsmRepairs, Map, Message, Pattern, Plan, Report};
use crate::interface::Site;
use crate::locks::Locks;
use crate::memory::Shape;
use crate::spans::Spans;
use awgstar_frame::quantity::NodeId;
use awgstar_request::Protection;
use std::collections::{BTreeMap, BTreeSet};

awgstar_sync::states! {
    /// State of a node.
    pub enum Phase, /// Cause of a transition.
    PhaseCause, "node of FDSM" {
        states {
            /// The process runs in a block.
            In "in",
            /// It waits for bytes of a page.
            Asking "asking",
            /// It waits for a lock, or for the records that go with it.
            Locking "locking",
            /// It waits at the barrier, or for records.
            Arrived "arrived",
            /// It waits for pushes.
            Collecting "collecting",
        }
        causes {
            /// A fault at a page of which bytes are lacked.
            Ask "ask": In => Asking;
            /// All bytes are here.
            Answered "answered": Asking => In;
            /// The process wants a lock.
            Want "want": In => Locking;
            /// The lock and its records are here.
            Granted "granted": Locking => In;
            /// The process calls the barrier.
            Arrive "arrive": In => Arrived;
            /// The release and its records are here.
            Released "released": Arrived => Collecting;
            /// All pushes are here.
            Begin "begin": Collecting => In;
        }
    }
}

/// Homes for blocks without a pattern (paper 003, section 3.3.2): the latest writers send their bytes to
/// the home of each page, by round robin, as the block begins, and faults get them there. Both rules are
/// repairs of what the paper leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HomeRules {
    /// The process of a home runs when the home has the bytes.
    pub runs_late: bool,
    /// A home answers when it has the bytes.
    pub answers_late: bool,
}

impl HomeRules {
    pub const BOTH: HomeRules = HomeRules { runs_late: true, answers_late: true };
}

/// Who has the bytes of a block that is inspected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inspection {
    /// Their owners, who wrote them last.
    Owners,
    /// The home of each page by round robin, as in paper 003, section 3.3.2, with both [`HomeRules`].
    Homes,
}

/// The release that a node waits to carry out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Release {
    pub(super) block: u64,
    pub(super) semi: bool,
    pub(super) reports: BTreeMap<NodeId, Report>,
    pub(super) counts: Counts,
}

/// A node of FDSM.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    pub(super) me: NodeId,
    pub(super) shape: Shape,
    pub(super) repairs: FdsmRepairs,
    /// None: faults get bytes from their owners.
    pub(super) homes: Option<HomeRules>,
    pub(super) phase: Phase,
    pub(super) epoch: u32,
    pub(super) block: u64,
    /// The block is no loop that is shared.
    pub(super) semi: bool,
    pub(super) map: Map,
    pub(super) patterns: BTreeMap<u64, Pattern>,
    /// The last plan of a block, and the map that it is for.
    pub(super) plans: BTreeMap<u64, (Map, Plan)>,
    pub(super) open: BTreeMap<usize, Protection>,
    pub(super) twins: BTreeMap<usize, Vec<u8>>,
    /// Pages that the process uses in this block beyond the pattern.
    pub(super) beyond: BTreeSet<usize>,
    /// Bytes that records of this epoch have changed.
    pub(super) recorded: Spans,
    /// Records that were sent and applied.
    pub(super) counts: Counts,
    /// The page and kind of access of a fault that waits.
    pub(super) fault: Option<(usize, bool)>,
    /// Owners whose pushes have to come.
    pub(super) awaited: BTreeSet<NodeId>,
    /// Nodes whose answers to a fault have to come.
    pub(super) asked: BTreeSet<NodeId>,
    /// At a home: questions that wait for its bytes.
    pub(super) gets: Vec<(NodeId, Message)>,
    pub(super) lock: Option<(u32, Option<Counts>)>,
    pub(super) release: Option<Release>,
    /// Records and pushes that came early.
    pub(super) early: Vec<(NodeId, Message)>,
    pub(super) held: BTreeSet<u32>,
    pub(super) locks: Locks<Counts>,
    /// At the manager of the barrier: who has arrived, and the sites of the last time.
    pub(super) arrived: BTreeMap<NodeId, (Site, Report, u32)>,
    pub(super) sites: Vec<u64>,
    /// Messages of this node to itself, which take no time.
    pub(super) own: Vec<Message>,
}

impl Node {
    /// A node whose memory is that of all others, as after a fork. Its first block is the serial part.
    #[must_use]
    pub fn new(me: NodeId, shape: Shape, repairs: FdsmRepairs) -> Node {
        Node {
            me,
            shape,
            repairs,
            homes: None,
            phase: Phase::In,
            epoch: 0,
            block: 0,
            semi: true,
            map: Map::new(shape.bytes()),
            patterns: BTreeMap::new(),
            plans: BTreeMap::new(),
            open: BTreeMap::new(),
            twins: BTreeMap::new(),
            beyond: BTreeSet::new(),
            recorded: Spans::new(),
            counts: Counts::default(),
            fault: None,
            awaited: BTreeSet::new(),
            asked: BTreeSet::new(),
            gets: Vec::new(),
            lock: None,
            release: None,
            early: Vec::new(),
            held: BTreeSet::new(),
            locks: Locks::new(),
            arrived: BTreeMap::new(),
            sites: Vec::new(),
            own: Vec::new(),
        }
    }

    /// The form with homes.
    #[must_use]
    pub fn with_homes(mut self, rules: HomeRules) -> Node {
        self.homes = Some(rules);
        self
    }

    /// Who holds which byte; the same on all nodes in an epoch.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// Blocks that were executed.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    pub(super) fn has(&self, repair: FdsmRepairs) -> bool {
        self.repairs.has(repair)
    }

    /// The pattern of this block, if it was executed before.
    pub(super) fn pattern(&self) -> Option<&Pattern> {
        self.patterns.get(&self.block)
    }

    /// The home of a page, where faults get bytes in this block.
    pub(super) fn home(&self, page: usize) -> Option<NodeId> {
        let inspects = self.homes.is_some() && self.pattern().is_none();
        inspects.then(|| NodeId::at(page % self.shape.nodes()))
    }

    /// The published bytes of a page are those of its twin, if it has one.
    pub(super) fn published<'a>(&'a self, page: usize, memory: &'a [u8]) -> &'a [u8] {
        self.twins.get(&page).map_or(memory, Vec::as_slice)
    }
}
