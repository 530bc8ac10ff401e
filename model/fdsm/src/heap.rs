// SPDX-License-Identifier: MIT OR Apache-2.0
//! Allocations: every process has the same. Each begins at a page, and a page that belongs to none follows it.

use crate::region::PAGE;
use awgstar_caller::heap::first_fit;
use std::{collections::BTreeMap, ops::Range};

/// What is allocated.
pub(crate) struct Heap {
    addresses: Range<usize>,
    /// By address, with the bytes of its pages.
    used: BTreeMap<usize, usize>,
    /// No page from here on was allocated before.
    fresh: usize,
}

impl Heap {
    pub(crate) const fn new(addresses: Range<usize>) -> Heap {
        Heap { fresh: addresses.start, addresses, used: BTreeMap::new() }
    }

    /// Pages of so many bytes, and whether some of them were in use before.
    pub(crate) fn allocate(&mut self, bytes: usize) -> Option<(Range<usize>, bool)> {
        let bytes = bytes.checked_next_multiple_of(PAGE)?;
        let whole = bytes.checked_add(PAGE)?;
        let used = self.used.iter().map(|(&address, &bytes)| (address, bytes + PAGE));
        let at = first_fit(self.addresses.start, self.addresses.end, used, whole, PAGE)?;
        self.used.insert(at, bytes);
        let again = at < self.fresh;
        self.fresh = self.fresh.max(at + bytes);
        Some((at..at + bytes, again))
    }

    /// Takes an allocation out: its pages.
    pub(crate) fn free(&mut self, at: usize) -> Option<Range<usize>> {
        self.used.remove(&at).map(|bytes| at..at + bytes)
    }

    /// The pages of the allocation that an address is in.
    pub(crate) fn of(&self, at: usize) -> Option<Range<usize>> {
        let (&start, &bytes) = self.used.range(..=at).next_back()?;
        Some(start..start + bytes).filter(|pages| pages.contains(&at))
    }

    /// Most bytes that an allocation can have now, for a message.
    pub(crate) fn room(&self) -> usize {
        let ends = self.used.iter().map(|(&at, &bytes)| at + bytes + PAGE);
        let starts = self.used.keys().copied().chain([self.addresses.end]);
        let gaps = [self.addresses.start].into_iter().chain(ends).zip(starts);
        let gaps = gaps.map(|(end, start)| start.saturating_sub(end).saturating_sub(PAGE));
        gaps.max().unwrap_or(0)
    }
}
