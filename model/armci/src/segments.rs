// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a process knows of memory: its own and that of others, and local memory.

use awgstar_caller::{
    heap::{ALIGNED, first_fit},
    memory::Memory,
    wrong::{Wrong, size},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::c_long,
};

/// A part of a process of an allocation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) bytes: usize,
    /// Number of the allocation in this process.
    pub(crate) allocation: u64,
}

/// The memory that others reach: what is free of the own segment, and all parts of all processes that this process
/// has allocated together with them.
pub(crate) struct Segments {
    /// First address and bytes of the heap, the same in every process.
    pub(crate) heap: *mut u8,
    pub(crate) bytes: usize,
    /// By process and address.
    pub(crate) parts: BTreeMap<(usize, usize), Part>,
    pub(crate) allocations: u64,
    /// Allocations whose own part the process accesses.
    pub(crate) accessed: BTreeSet<u64>,
}

// SAFETY: the heap belongs to the process, whichever of its threads uses it.
unsafe impl Send for Segments {}

impl Segments {
    pub(crate) const fn new(heap: *mut u8, bytes: usize) -> Segments {
        Segments { heap, bytes, parts: BTreeMap::new(), allocations: 0, accessed: BTreeSet::new() }
    }

    /// Distance from the begin of the heap at which so many bytes are free in the segment of a process.
    pub(crate) fn room(&self, rank: usize, bytes: usize) -> Option<usize> {
        let start = self.heap.addr();
        let of_rank = self.parts.range((rank, 0)..(rank + 1, 0));
        let used = of_rank.map(|(&(_, address), part)| (address, part.bytes));
        first_fit(start, start + self.bytes, used, bytes, ALIGNED).map(|at| at - start)
    }

    /// The part of a process that has these bytes.
    pub(crate) fn part(&self, rank: usize, address: usize, bytes: usize) -> Option<Part> {
        let (&(of, from), &part) = self.parts.range(..=(rank, address)).next_back()?;
        let within = address.checked_sub(from)?.checked_add(bytes)? <= part.bytes;
        (of == rank && within).then_some(part)
    }
}

/// Local memory of this process, by address.
#[derive(Default)]
pub(crate) struct Local(BTreeMap<usize, Vec<u128>>);

impl Local {
    /// Memory of so many bytes; null for none.
    pub(crate) fn allocate(&mut self, bytes: c_long) -> Result<Memory, Wrong> {
        let bytes = size("size", bytes)?;
        if bytes == 0 {
            return Ok(Memory::NULL);
        }
        let mut memory = Vec::new();
        let words = bytes.div_ceil(size_of::<u128>());
        if memory.try_reserve_exact(words).is_err() {
            return Err(Wrong::argument("size", bytes, "bytes that this computer has"));
        }
        memory.resize(words, 0);
        let pointer: *mut u8 = memory.as_mut_ptr().cast();
        self.0.insert(pointer.addr(), memory);
        Ok(Memory::at(pointer))
    }

    pub(crate) fn free(&mut self, memory: Memory) -> Result<(), Wrong> {
        if !memory.is_null() && self.0.remove(&memory.address()).is_none() {
            let found = format!("{:p}", memory.pointer());
            return Err(Wrong::argument("ptr", found, "an address that was allocated"));
        }
        Ok(())
    }
}
