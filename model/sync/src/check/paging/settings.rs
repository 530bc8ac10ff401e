// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of the paging check: accesses of the processes, faults, and properties.

use crate::{
    check::Profile,
    firmware::paging::{Place, Repairs},
};
use awgstar_frame::contract::{PageTable, page_table::PageTableError};
use awgstar_frame::quantity::{NodeId, narrow};

/// A page is one word.
const PAGE_BYTES: u32 = 4;

/// A small ring with virtual shared memory. Node 0 is the master; a page is one word, of which byte i
/// is process i's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Pages of the virtual memory.
    pub pages: u16,
    /// Pages that the shared memory has room for.
    pub frames: u16,
    /// The pages, from 1, that each process accesses, one after the other; one script for each node,
    /// for 1 to 4 nodes, because a page has a byte for each process.
    pub scripts: Vec<Vec<u16>>,
    /// A process lets its page go after every access, not only at its end.
    pub lets_go: bool,
    /// Frames lost, at most.
    pub losses: u8,
    /// Timers that run out early, at most.
    pub early: u8,
    /// Requests that find the master's mailbox full, at most: they go on and return to their source.
    pub full: u8,
    /// The master's node is slow: it handles requests at any later time.
    pub slow: bool,
    /// Reaction to lost signals; data is retransmitted in any case (ACK-5).
    pub profile: Profile,
    /// Repairs of the protocol.
    pub repairs: Repairs,
}

impl Settings {
    /// A ring without faults whose boards resend.
    #[must_use]
    pub fn new(pages: u16, frames: u16, scripts: &[&[u16]]) -> Settings {
        Settings {
            pages,
            frames,
            scripts: scripts.iter().map(|script| script.to_vec()).collect(),
            lets_go: false,
            losses: 0,
            early: 0,
            full: 0,
            slow: false,
            profile: Profile::Acknowledged,
            repairs: Repairs::ALL,
        }
    }

    pub(super) fn check(&self) -> Result<(), PageTableError> {
        let wrong = |field, expected, found| Err(PageTableError { field, expected, found });
        let nodes = self.nodes() as u64;
        if !(1..=PAGE_BYTES.into()).contains(&nodes) {
            return wrong("processes", "1 to 4, a byte of a page for each", nodes);
        }
        self.table().check(self.nodes(), u32::MAX)?;
        for script in &self.scripts {
            let accesses = script.len() as u64;
            if accesses > u8::MAX.into() {
                return wrong("script", "at most 255 accesses", accesses);
            }
            if let Some(page) = script.iter().find(|page| !(1..=self.pages).contains(*page)) {
                return wrong("script", "pages from 1 to the number of pages", (*page).into());
            }
        }
        Ok(())
    }

    #[must_use]
    pub fn nodes(&self) -> usize {
        self.scripts.len()
    }

    #[must_use]
    pub fn table(&self) -> PageTable {
        PageTable::new(PAGE_BYTES, self.pages, self.frames, narrow(self.nodes()))
    }

    pub(super) fn place(&self, node: usize) -> Place {
        Place { node: NodeId::at(node), master: NodeId(0), at: self.table() }
    }
}

/// A property that must hold in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// No page that a process accesses is swapped out.
    InUse,
    /// A process finds what it wrote; when all is at rest, so do all replicas and the master's local
    /// memory.
    Update,
    /// As long as nothing went wrong, one request is enough for an access.
    OneRequest,
}
