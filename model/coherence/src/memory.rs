// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shared memory of a node, in pages, and what changes in a page.

use awgstar_frame::quantity::{NodeId, narrow};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use thiserror::Error;

/// Sizes of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    nodes: usize,
    pages: usize,
    page_size: usize,
}

/// Sizes that no system has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ShapeError {
    #[error("nodes: {0}; expected 1 to 256")]
    Nodes(usize),
    #[error("page size: {0}; expected 1 to 65536 bytes")]
    PageSize(usize),
    #[error("pages: {0}; expected 1 to 68719476736")]
    Pages(usize),
}

impl Shape {
    /// So many nodes, which share so many pages of so many bytes.
    ///
    /// # Errors
    /// [`ShapeError`] if a size is 0 or too large.
    pub const fn new(nodes: usize, pages: usize, page_size: usize) -> Result<Shape, ShapeError> {
        if nodes < 1 || nodes > 256 {
            return Err(ShapeError::Nodes(nodes));
        }
        if page_size < 1 || page_size > 1 << 16 {
            return Err(ShapeError::PageSize(page_size));
        }
        if pages < 1 || pages > 1 << 36 {
            return Err(ShapeError::Pages(pages));
        }
        Ok(Shape { nodes, pages, page_size })
    }

    #[must_use]
    pub const fn nodes(&self) -> usize {
        self.nodes
    }

    #[must_use]
    pub const fn pages(&self) -> usize {
        self.pages
    }

    #[must_use]
    pub const fn page_size(&self) -> usize {
        self.page_size
    }

    /// Bytes of the shared memory.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.pages * self.page_size
    }

    /// Addresses of the bytes of a page.
    #[must_use]
    pub const fn page(&self, page: usize) -> Range<usize> {
        page * self.page_size..(page + 1) * self.page_size
    }

    /// The parts of a range of addresses in each page.
    pub fn by_page(self, range: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> {
        let pages = range.start / self.page_size..range.end.div_ceil(self.page_size);
        pages.map(move |page| {
            let of = self.page(page);
            (page, range.start.max(of.start)..range.end.min(of.end))
        })
    }

    /// The nodes, from 0.
    pub fn all(&self) -> impl Iterator<Item = NodeId> + use<> {
        NodeId::all(self.nodes)
    }
}

/// The memory of a node, as its state machine uses it: whatever the protection of a page for the process is.
pub trait Memory {
    /// The bytes of a page.
    fn page(&self, page: usize) -> &[u8];
    /// The bytes of a page, to be changed.
    fn page_mut(&mut self, page: usize) -> &mut [u8];
}

/// A memory that is a list of bytes, all 0 in the beginning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pages {
    page_size: usize,
    bytes: Vec<u8>,
}

impl Pages {
    #[must_use]
    pub fn new(shape: Shape) -> Pages {
        Pages { page_size: shape.page_size, bytes: vec![0; shape.bytes()] }
    }

    /// The byte at an address.
    #[must_use]
    pub fn byte(&self, at: usize) -> u8 {
        self.bytes[at]
    }

    /// Changes the byte at an address.
    pub fn set(&mut self, at: usize, value: u8) {
        self.bytes[at] = value;
    }
}

impl Memory for Pages {
    fn page(&self, page: usize) -> &[u8] {
        &self.bytes[page * self.page_size..][..self.page_size]
    }

    fn page_mut(&mut self, page: usize) -> &mut [u8] {
        &mut self.bytes[page * self.page_size..][..self.page_size]
    }
}

/// Bytes from a place in a page on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Run {
    pub at: u32,
    pub bytes: Vec<u8>,
}

impl Run {
    /// Places in the page.
    #[must_use]
    pub fn places(&self) -> Range<usize> {
        self.at as usize..self.at as usize + self.bytes.len()
    }
}

/// Runs of bytes of a page, in the order of their places.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Diff {
    pub runs: Vec<Run>,
}

impl Diff {
    /// The bytes of `new` that differ from `old`.
    ///
    /// ```
    /// use awgstar_coherence::memory::Diff;
    /// let diff = Diff::between(b"abcd", b"xbyz");
    /// assert_eq!(diff.runs.len(), 2);
    /// assert_eq!(diff.runs[1].places(), 2..4);
    /// let mut other = *b"1234";
    /// diff.apply(&mut other);
    /// assert_eq!(&other, b"x2yz");
    /// ```
    #[must_use]
    pub fn between(old: &[u8], new: &[u8]) -> Diff {
        let mut runs: Vec<Run> = Vec::new();
        for (at, (_, new)) in old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new) {
            match runs.last_mut() {
                Some(run) if run.places().end == at => run.bytes.push(*new),
                _ => runs.push(Run { at: narrow(at), bytes: vec![*new] }),
            }
        }
        Diff { runs }
    }

    /// These places of a page.
    #[must_use]
    pub fn copy(page: &[u8], places: impl Iterator<Item = Range<usize>>) -> Diff {
        let run =
            |places: Range<usize>| Run { at: narrow(places.start), bytes: page[places].to_vec() };
        Diff { runs: places.map(run).collect() }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// All runs are within a page of this size.
    #[must_use]
    pub fn fits(&self, page_size: usize) -> bool {
        self.runs.iter().all(|run| run.places().end <= page_size)
    }

    /// Writes the runs to a page; what is beyond it is left out.
    pub fn apply(&self, page: &mut [u8]) {
        for run in &self.runs {
            if let Some(place) = page.get_mut(run.places()) {
                place.copy_from_slice(&run.bytes);
            }
        }
    }

    /// Bytes in a message: each run has a place and a length.
    #[must_use]
    pub fn size(&self) -> usize {
        self.runs.iter().map(|run| 8 + run.bytes.len()).sum()
    }
}
