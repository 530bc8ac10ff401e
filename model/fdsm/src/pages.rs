// SPDX-License-Identifier: MIT OR Apache-2.0
//! The copies of the shared pages in this process. What the program changes is found by twins. All begin with zeros, so
//! bytes travel as they are.

use crate::{
    heap::Heap,
    region::{Bytes, PAGE, Region},
};
use awgstar_caller::wrong::Wrong;
use awgstar_frame::quantity::narrow;
use awgstar_onesided::Error;
use awgstar_program::{CallError, Node};
use awgstar_request::{Changes, Coherent, News, Piece, Protection, Shared};
use std::{collections::BTreeMap, ops::Range};

/// The copies, and the node that they belong to.
pub(crate) struct Pages {
    pub(crate) node: Node,
    pub(crate) heap: Heap,
    region: Region,
    /// Protection before the protocol says another one.
    first: Protection,
    /// What was last published of each page that can be written, by address.
    twins: BTreeMap<usize, Box<Bytes>>,
    /// Protections that the protocol has said of other pages, by address.
    protections: BTreeMap<usize, Protection>,
}

/// An error of the machine, or of the run.
pub(crate) fn of_node(error: CallError) -> Wrong {
    Wrong::World(Error::Call(error))
}

const MANY: Wrong =
    Wrong::Order("too many separate pages are used: the system refuses to split its mappings");

fn address(page: u64) -> usize {
    narrow::<usize>(page) * PAGE
}

const fn start_of_page(at: usize) -> usize {
    at & !(PAGE - 1)
}

impl Shared for Pages {
    type Error = Wrong;

    fn changes(&mut self, _: Coherent) -> Changes {
        let mut pieces = Vec::new();
        for (&at, twin) in &mut self.twins {
            let now = self.region.read(at);
            for ((index, twin), now) in (0..).zip(twin.iter_mut()).zip(now) {
                if *twin != now {
                    Piece::push(&mut pieces, at as u64 + index, now);
                    *twin = now;
                }
            }
        }
        Changes { pieces, note: Vec::new() }
    }

    fn ask(&mut self, call: Coherent, changes: &Changes) -> Result<News, Wrong> {
        self.node.coherent(call, changes).map_err(of_node)
    }

    fn replace(&mut self, page: &Piece) -> Result<(), Wrong> {
        let (at, _) = page.place();
        let at = address(at);
        let Ok(theirs) = Bytes::try_from(&page.bytes[..]) else {
            return Err(of_node(CallError::Version));
        };
        let Some(twin) = self.twins.get_mut(&at) else {
            self.region.write(at, &theirs);
            return Ok(());
        };
        let mut now = self.region.read(at);
        for (index, (twin, theirs)) in twin.iter_mut().zip(theirs).enumerate() {
            if theirs == *twin {
                continue;
            }
            let mine = now[index];
            if mine != *twin && mine != theirs {
                return Err(Wrong::Found(format!(
                    "a data race: this process has written {mine:#04x} to the byte at {:#x} and another process \
                     {theirs:#04x}, with no lock and no barrier between",
                    at + index
                )));
            }
            (now[index], *twin) = (theirs, theirs);
        }
        self.region.write(at, &now);
        Ok(())
    }

    fn told(&mut self, news: &News) -> Result<(), Wrong> {
        let Some(race) = news.races.first() else { return Ok(()) };
        Err(Wrong::Found(format!(
            "a data race: this process has written {:#04x} to the byte at {:#x} and process {} {:#04x}, with no lock and \
             no barrier between",
            race.mine, race.at, race.node, race.theirs
        )))
    }

    fn protection(&self, page: u64) -> Protection {
        let at = address(page);
        if self.twins.contains_key(&at) {
            return Protection::Write;
        }
        self.protections.get(&at).copied().unwrap_or(self.first)
    }

    fn protect(&mut self, page: u64, protection: Protection) -> Result<bool, Wrong> {
        let at = address(page);
        if self.protection(page) == protection {
            return Ok(true);
        }
        // A page that was given back stays closed.
        let allocated = self.heap.of(at).is_some();
        if allocated && !self.region.protect(at..at + PAGE, protection) {
            return if protection == Protection::None { Ok(false) } else { Err(MANY) };
        }
        if protection == Protection::Write {
            self.twins.insert(at, Box::new(self.region.read(at)));
        } else {
            self.twins.remove(&at);
            self.protections.insert(at, protection);
        }
        Ok(true)
    }
}

impl Pages {
    /// Joins the run.
    pub(crate) fn join() -> Result<Pages, Wrong> {
        let node = Node::join().map_err(of_node)?;
        let first = node.first_protection().ok_or(Wrong::Order(
            "this machine has no coherent pages: start the program with \
             `awgstar run --coherence fdsm` or `scash`",
        ))?;
        let region = Region::open(node.memory() as usize)?;
        let heap = Heap::new(region.addresses());
        let (twins, protections) = (BTreeMap::new(), BTreeMap::new());
        Ok(Pages { node, heap, region, first, twins, protections })
    }

    pub(crate) const fn addresses(&self) -> Range<usize> {
        self.region.addresses()
    }

    /// Makes pages ready for accesses, for which no fault need come.
    pub(crate) fn ready(&mut self, bytes: Range<usize>, write: bool) -> Result<(), Wrong> {
        for at in (start_of_page(bytes.start)..bytes.end).step_by(PAGE) {
            self.open((at / PAGE) as u64, write)?;
        }
        Ok(())
    }

    /// Opens pages of a new allocation, as far as the protocol says.
    pub(crate) fn show(&mut self, pages: Range<usize>, again: bool) -> Result<(), Wrong> {
        let whole = if again { None } else { Some(self.first) };
        let shown = match whole {
            Some(first) => self.region.protect(pages, first),
            None => pages.step_by(PAGE).all(|at| {
                let protection = self.protection((at / PAGE) as u64);
                self.region.protect(at..at + PAGE, protection)
            }),
        };
        if shown { Ok(()) } else { Err(MANY) }
    }

    /// Closes pages whatever the protocol says.
    pub(crate) fn hide(&mut self, pages: Range<usize>) -> Result<(), Wrong> {
        if self.region.protect(pages, Protection::None) { Ok(()) } else { Err(MANY) }
    }

    /// Writes zeros.
    pub(crate) fn clear(&mut self, pages: Range<usize>) -> Result<(), Wrong> {
        self.ready(pages.clone(), true)?;
        for at in pages.step_by(PAGE) {
            self.region.write(at, &[0; PAGE]);
        }
        Ok(())
    }
}
