// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of state machines and processes, and the properties that it violates.

use crate::counterexample::frames::{Content, Written};
use crate::counterexample::paging::Case;
use awgstar::quantity::{ByteAddress, Cycle};
use awgstar::{
    check::paging::Property,
    contract::{PageTable, page_table::word},
    firmware::paging::{Access, Copy, Master},
    host::Record,
};
use awgstar_scenario::spacetime::Hop;
use awgstar_scenario::wave::paging::Seen;
use std::collections::BTreeMap;

/// Answer that a state machine waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    None,
    Read(ByteAddress),
    /// Until it is not 0.
    Until(ByteAddress),
    /// All data up to this number to be back.
    Confirm(u8),
    Out(Copy),
    In(Copy),
}

/// State of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    Nothing,
    Waits(u16),
    Has(u16, ByteAddress),
    Leaves,
}

pub(super) struct Node {
    pub(super) access: Access,
    pub(super) replica: Vec<u8>,
    pub(super) job: Job,
    pub(super) doing: Doing,
    /// Last value that the process wrote, by page.
    pub(super) wrote: BTreeMap<u16, u8>,
    /// Writes handed to the board; `back` of them have returned.
    pub(super) sent: Vec<Written>,
    pub(super) back: u8,
    /// Number of the last data frame taken over, by source.
    pub(super) taken: Vec<u8>,
    /// Requests since it wants its page.
    pub(super) asked: u32,
}

/// States of all state machines as text, and all replicas.
pub(super) type Image = (Vec<String>, Vec<Vec<u8>>);

/// A run that is played.
pub struct Play {
    pub(super) case: &'static Case,
    pub(super) at: PageTable,
    pub(super) nodes: Vec<Node>,
    pub(super) master: Master,
    pub(super) job: Job,
    pub(super) areas: Vec<Vec<u8>>,
    pub(super) wrong: Option<Property>,
    /// Something was lost.
    pub(super) disturbed: bool,
    pub(super) cycle: u64,
    /// Last place of each frame.
    pub(super) way: Vec<(Content, (u64, usize))>,
    pub(super) records: Vec<Record>,
    pub(super) seen: Vec<Seen>,
    pub(super) hops: Vec<Hop>,
    pub(super) texts: Vec<(u64, String)>,
    /// State machines and replicas after each step.
    pub(super) past: Vec<Image>,
}

pub(super) type Result<T> = std::result::Result<T, String>;

impl Play {
    pub(super) fn image(&self) -> Image {
        let machines = self.nodes.iter().map(|node| node.access.summary());
        let machines = machines.chain([self.master.summary()]).collect();
        (machines, self.nodes.iter().map(|node| node.replica.clone()).collect())
    }

    /// State machines and replicas are as they were at some step before.
    pub(super) fn circles(&self) -> bool {
        self.past.split_last().is_some_and(|(last, before)| before.contains(last))
    }

    /// No data is on the ring, and no state machine gets what it waits for without another frame.
    pub(super) fn rests(&self) -> bool {
        let still = |job: Job, at: usize| match job {
            Job::None => true,
            Job::Until(addr) => self.word(at, addr) == Ok(0),
            _ => false,
        };
        let quiet = |node: &Node| usize::from(node.back) == node.sent.len();
        self.nodes.iter().all(quiet)
            && still(self.job, 0)
            && self.nodes.iter().enumerate().all(|(at, node)| still(node.job, at))
    }

    /// A word of a replica, its lane 0 the byte with the lowest address.
    pub(super) fn word(&self, at: usize, addr: ByteAddress) -> Result<u32> {
        let bytes = self.nodes[at].replica.get(addr.index()..).and_then(|from| from.first_chunk());
        bytes.copied().map(u32::from_le_bytes).ok_or_else(|| format!("there is no word {addr}"))
    }

    /// The table in a replica, if it is another one.
    pub(super) fn look(&mut self, node: usize) {
        let byte =
            |addr: ByteAddress| self.nodes[node].replica.get(addr.index()).copied().unwrap_or(0);
        let mut seen = Seen { cycle: Cycle(self.cycle), node, valid: 0, flags: Vec::new() };
        for page in 1..=self.at.pages {
            seen.valid |= u64::from(byte(self.at.valid(page) + 3) != 0) << (page - 1);
            let flag = |process: u8| u64::from(byte(self.at.flag(page, process)) & 1) << process;
            seen.flags.push((0..self.at.processes).map(flag).sum());
        }
        let last = self.seen.iter().rev().find(|one| one.node == node);
        if last.is_none_or(|last| (last.valid, &last.flags) != (seen.valid, &seen.flags)) {
            self.seen.push(seen);
        }
    }

    /// Processes that wait for a page.
    #[must_use]
    pub fn waits(&self) -> Vec<usize> {
        let waits = |node: &usize| matches!(self.nodes[*node].doing, Doing::Waits(_));
        (0..self.nodes.len()).filter(waits).collect()
    }

    /// The property that is violated: in some step, or at the end, when no process waits.
    #[must_use]
    pub fn broken(&self) -> Option<Property> {
        let rest = self.waits().is_empty() && !self.whole();
        self.wrong.or_else(|| rest.then_some(Property::Update))
    }

    /// Where each page is there is what was written to it last: in the master's local memory, or in every
    /// replica at the place that its table says.
    fn whole(&self) -> bool {
        (1..=self.at.pages).all(|page| {
            let mut expected = vec![0; self.at.page_bytes as usize];
            for (byte, node) in expected.iter_mut().zip(&self.nodes) {
                *byte = node.wrote.get(&page).copied().unwrap_or(0);
            }
            if let Some(area) = self.master.area(page) {
                return self.areas[usize::from(area)] == expected;
            }
            (0..self.nodes.len()).all(|at| {
                let read = |addr| self.word(at, addr).map_or(0, word);
                let offset = read(self.at.offset(page)) as usize;
                let found = self.nodes[at].replica.get(offset..offset + expected.len());
                read(self.at.valid(page)) == 1 && found == Some(&expected[..])
            })
        })
    }
}

/// Writes bytes from an address on.
pub(super) fn put(replica: &mut [u8], (addr, bytes): (ByteAddress, Vec<u8>)) {
    for (old, new) in replica.iter_mut().skip(addr.index()).zip(bytes) {
        *old = new;
    }
}
