// SPDX-License-Identifier: MIT OR Apache-2.0
//! The symmetric heap: every process has the same allocations.

use awgstar_caller::{heap::first_fit, memory::Memory};
use std::collections::BTreeMap;

/// What is allocated, by address, with its bytes.
pub(crate) struct Heap {
    start: usize,
    end: usize,
    pub(crate) used: BTreeMap<usize, usize>,
}

impl Heap {
    pub(crate) const fn new(start: usize, end: usize) -> Heap {
        Heap { start, end, used: BTreeMap::new() }
    }

    pub(crate) fn allocate(&mut self, bytes: usize, aligned: usize) -> Option<usize> {
        let used = self.used.iter().map(|(&address, &bytes)| (address, bytes));
        let at = first_fit(self.start, self.end, used, bytes, aligned)?;
        self.used.insert(at, bytes);
        Some(at)
    }

    /// The bytes are of one allocation.
    pub(crate) fn has(&self, address: usize, bytes: usize) -> bool {
        let part = self.used.range(..=address).next_back();
        part.is_some_and(|(&from, &length)| bytes <= length && address - from <= length - bytes)
    }

    /// The end of what is in use.
    pub(crate) fn top(&self) -> usize {
        self.used.last_key_value().map_or(self.start, |(&from, &length)| from + length)
    }
}

/// A call that all processes make alike.
#[derive(Clone, Copy)]
#[repr(u64)]
pub(crate) enum Collective {
    Allocate,
    Free,
    Reallocate,
}

/// Memory of the heap; null for no address.
pub(crate) fn at(address: Option<usize>) -> Memory {
    let memory = |address| Memory::at(std::ptr::with_exposed_provenance_mut(address));
    address.map_or(Memory::NULL, memory)
}
