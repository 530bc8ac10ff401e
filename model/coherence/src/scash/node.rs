// SPDX-License-Identifier: MIT OR Apache-2.0
//! A node of SCASH: its settings and its state.

use super::{Message, News};
use crate::locks::Locks;
use crate::memory::Shape;
use awgstar_frame::quantity::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

awgstar_sync::repairs! {
    /// Repairs of SCASH. Paper 003 only names the protocol; as published is what the public notes on it say.
    pub struct ScashRepairs {
        /// After a barrier a fetch, and the home's own access, wait for the diffs of the notices.
        NEED = 0 "fetches wait for diffs";
        /// Notices are in the release and in the grant; as published the home sends them.
        NOTICES = 1 "notices in the release";
        /// The home's own writes give notice, too.
        HOME_WRITES = 2 "notices of the home's writes";
        /// One node assigns the home of a page that is touched first.
        ASSIGNED = 3 "homes by one node";
        /// The same as [`ScashRepairs::NEED`] after a grant.
        NEED_OF_GRANT = 4 "fetches wait after a grant";
        /// A page with own changes sends its diff before it is closed.
        DIFF_FIRST = 5 "diff before a page is closed";
        /// The twin is renewed where a lock is given up.
        RENEW = 6 "new twin at an unlock";
        /// A lock hands on all notices that its holder knows.
        ALL_KNOWN = 7 "all known notices with a lock";
    }
}

awgstar_sync::states! {
    /// State of a page at a node.
    pub enum Page, /// Cause of a transition.
    PageCause, "page of SCASH at a node" {
        states {
            /// The process may read it.
            Clean "clean",
            /// The process may not access it.
            Closed "closed",
            /// The process may write it; there is a twin.
            Dirty "dirty",
        }
        causes {
            /// The page is as its notices need it.
            Fetched "fetched": Closed => Clean;
            /// The process writes.
            Write "write": Clean => Dirty;
            /// The diff has gone to the home.
            Publish "publish": Dirty => Clean;
            /// A notice says that the copy is old.
            Notice "notice": Clean => Closed, Dirty => Closed;
        }
    }
}

/// Which node is the home of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Homes {
    /// The pages of an area in as many blocks as there are nodes.
    Blocks,
    /// Page modulo nodes (paper 003, section 3.3.2, of FDSM).
    RoundRobin,
    /// The node that is the first to write it.
    FirstTouch,
}

impl Homes {
    /// Name on the command line and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Homes::Blocks => "blocks",
            Homes::RoundRobin => "round-robin",
            Homes::FirstTouch => "first-touch",
        }
    }
}

/// Settings of all nodes of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    pub homes: Homes,
    pub repairs: ScashRepairs,
    /// A writer waits until the home has applied its diffs before it arrives or gives a lock up.
    pub acknowledged: bool,
}

/// What the process of a node waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Waits {
    /// It runs.
    No,
    Page(usize, bool),
    Grant(u32),
    /// For the home; then it gives this lock up, or arrives.
    Home(Option<u32>),
    Release,
}

/// A node of SCASH.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    pub(super) me: NodeId,
    pub(super) shape: Shape,
    /// Areas of pages that homes have in blocks.
    pub(super) areas: Arc<[Range<usize>]>,
    pub(super) settings: Settings,
    pub(super) waits: Waits,
    pub(super) epoch: u32,
    pub(super) held: BTreeSet<u32>,
    /// Those that are not clean.
    pub(super) pages: BTreeMap<usize, Page>,
    pub(super) twins: BTreeMap<usize, Vec<u8>>,
    /// Notices that this node knows, its own among them.
    pub(super) known: News,
    /// Those that all nodes know since the last barrier.
    pub(super) common: News,
    /// Diffs that a page must have.
    pub(super) need: News,
    /// Homes that were assigned, as far as this node knows.
    pub(super) homes: BTreeMap<usize, NodeId>,
    /// At the node that assigns: all homes.
    pub(super) assigned: BTreeMap<usize, NodeId>,
    /// At a home: diffs that its pages have.
    pub(super) applied: News,
    /// At a home: fetches that wait.
    pub(super) fetches: Vec<(NodeId, usize, News)>,
    /// At a home, as published: nodes with a copy, where not all have one.
    pub(super) sharers: BTreeMap<usize, BTreeSet<NodeId>>,
    /// Diffs that homes have not acknowledged.
    pub(super) owed: usize,
    pub(super) locks: Locks<News>,
    /// At the manager of the barrier.
    pub(super) arrived: BTreeMap<NodeId, News>,
    /// Messages of this node to itself, which take no time.
    pub(super) own: Vec<Message>,
}

impl Node {
    /// A node whose memory is that of all others, as after a fork: all pages are clean.
    #[must_use]
    pub fn new(me: NodeId, shape: Shape, settings: Settings) -> Node {
        Node {
            me,
            shape,
            areas: std::iter::once(0..shape.pages()).collect(),
            settings,
            waits: Waits::No,
            epoch: 0,
            held: BTreeSet::new(),
            pages: BTreeMap::new(),
            twins: BTreeMap::new(),
            known: News::default(),
            common: News::default(),
            need: News::default(),
            homes: BTreeMap::new(),
            assigned: BTreeMap::new(),
            applied: News::default(),
            fetches: Vec::new(),
            sharers: BTreeMap::new(),
            owed: 0,
            locks: Locks::new(),
            arrived: BTreeMap::new(),
            own: Vec::new(),
        }
    }

    /// Sets the areas of pages for [`Homes::Blocks`], the same on all nodes before they use one; pages of none have
    /// homes by round robin.
    pub fn set_areas(&mut self, areas: &[Range<usize>]) {
        self.areas = areas.iter().filter(|area| !area.is_empty()).cloned().collect();
    }

    /// The home of a page, if this node knows one.
    #[must_use]
    pub fn home(&self, page: usize) -> Option<NodeId> {
        let nodes = self.shape.nodes();
        match self.settings.homes {
            Homes::Blocks => Some(match self.areas.iter().find(|area| area.contains(&page)) {
                Some(area) => NodeId::at((page - area.start) * nodes / area.len()),
                None => NodeId::at(page % nodes),
            }),
            Homes::RoundRobin => Some(NodeId::at(page % nodes)),
            Homes::FirstTouch => self.homes.get(&page).copied(),
        }
    }

    pub(super) fn state(&self, page: usize) -> Page {
        self.pages.get(&page).copied().unwrap_or(Page::Clean)
    }

    pub(super) fn has(&self, repair: ScashRepairs) -> bool {
        self.settings.repairs.has(repair)
    }

    /// At the home: the page has all diffs of these notices.
    pub(super) fn satisfied(&self, page: usize, need: &News) -> bool {
        need.of(page).beyond(&self.applied).is_empty()
    }

    /// The published bytes of a page are those of its twin, if it has one.
    pub(super) fn published<'a>(&'a self, page: usize, memory: &'a [u8]) -> &'a [u8] {
        self.twins.get(&page).map_or(memory, Vec::as_slice)
    }
}
