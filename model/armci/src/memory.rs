// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory that others reach, and local memory.

use crate::{
    caller::{Array, Memory},
    groups::GroupHandle,
    state::Armci,
    wrong::{Wrong, size},
};
use awgstar_onesided::Place;
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::c_long,
};

/// Every allocation begins at a multiple: no two of them share a line of a cache.
const ALIGNED: usize = 64;

/// A part of a process of an allocation.
#[derive(Clone, Copy, Debug)]
struct Part {
    bytes: usize,
    /// Number of the allocation in this process.
    allocation: u64,
}

/// The memory that others reach: what is free of the own segment, and all parts of all processes that this process
/// has allocated together with them.
pub(crate) struct Segments {
    /// First address and bytes of the heap, the same in every process.
    heap: *mut u8,
    bytes: usize,
    /// By process and address.
    parts: BTreeMap<(usize, usize), Part>,
    allocations: u64,
    /// Allocations whose own part the process accesses.
    accessed: BTreeSet<u64>,
}

// SAFETY: the heap belongs to the process, whichever of its threads uses it.
unsafe impl Send for Segments {}

impl Segments {
    pub(crate) const fn new(heap: *mut u8, bytes: usize) -> Segments {
        Segments { heap, bytes, parts: BTreeMap::new(), allocations: 0, accessed: BTreeSet::new() }
    }

    /// Bytes of a segment.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Distance from the begin of the heap at which so many bytes are free in the segment of a process.
    fn room(&self, rank: usize, bytes: usize) -> Option<usize> {
        let start = self.heap.addr();
        let mut at = 0;
        for (&(_, address), part) in self.parts.range((rank, 0)..(rank + 1, 0)) {
            if bytes <= address - start - at {
                break;
            }
            at = (address - start + part.bytes).next_multiple_of(ALIGNED);
        }
        at.checked_add(bytes).filter(|&end| end <= self.bytes).map(|_| at)
    }

    /// The part of a process that has these bytes.
    fn part(&self, rank: usize, address: usize, bytes: usize) -> Option<Part> {
        let (&(of, from), &part) = self.parts.range(..=(rank, address)).next_back()?;
        let within = address.checked_sub(from)?.checked_add(bytes)? <= part.bytes;
        (of == rank && within).then_some(part)
    }
}

impl Armci {
    /// The place of bytes of another process, which must be in one allocation.
    pub(crate) fn place(
        &self,
        argument: &'static str,
        memory: Memory,
        bytes: usize,
        rank: usize,
    ) -> Result<Place, Wrong> {
        let known = self.segments.part(rank, memory.address(), bytes);
        let place = known.and_then(|_| self.world.place(memory.pointer(), rank));
        place.ok_or_else(|| {
            let found = format!("{bytes} bytes at {:p} of process {rank}", memory.pointer());
            Wrong::argument(argument, found, "bytes of one allocation of ARMCI_Malloc")
        })
    }

    /// The place of a value of another process, at a multiple of its size.
    pub(crate) fn word(
        &self,
        argument: &'static str,
        memory: Memory,
        (bytes, aligned): (usize, usize),
        rank: usize,
    ) -> Result<Place, Wrong> {
        let place = self.place(argument, memory, bytes, rank)?;
        if place.offset % aligned as u64 != 0 {
            let found = format!("{:p}", memory.pointer());
            return Err(Wrong::argument(argument, found, format!("a multiple of {aligned}")));
        }
        Ok(place)
    }

    /// Allocates memory together with the members of a group, and gives the addresses of all.
    pub(crate) fn allocate(
        &mut self,
        to: Array<Memory>,
        bytes: c_long,
        group: Array<GroupHandle>,
    ) -> Result<(), Wrong> {
        let bytes = size("bytes", bytes)?;
        let group = self.groups.of("group", group)?;
        let me = self.world.rank();
        let room = self.segments.room(me, bytes);
        let mine = [room.map_or(u64::MAX, |at| at as u64), bytes as u64];
        let all = self.world.gather_all(&group, &mine.map(u64::to_le_bytes).concat())?;
        self.segments.allocations += 1;
        let mut addresses = Vec::new();
        for (&rank, answer) in group.ranks.iter().zip(&all) {
            let [at, bytes] = pair(answer);
            if at == u64::MAX {
                let found = format!("{bytes} bytes for process {rank}");
                let expected = format!("room in a segment of {} bytes", self.segments.bytes);
                return Err(Wrong::argument("bytes", found, expected));
            }
            let (Ok(at), Ok(bytes)) = (usize::try_from(at), usize::try_from(bytes)) else {
                continue;
            };
            if bytes == 0 {
                addresses.push(Memory::NULL);
                continue;
            }
            let address = self.segments.heap.wrapping_add(at);
            let part = Part { bytes, allocation: self.segments.allocations };
            self.segments.parts.insert((rank, address.addr()), part);
            addresses.push(Memory::at(address));
        }
        to.set("ptr_arr", addresses)
    }

    /// Frees an allocation together with the members of a group. A member that has no part gives null.
    pub(crate) fn free(&mut self, memory: Memory, group: Array<GroupHandle>) -> Result<(), Wrong> {
        let group = self.groups.of("group", group)?;
        // A put of this process must not come into a later allocation.
        self.world.fence(None)?;
        let mine = memory.address() as u64;
        let all = self.world.gather_all(&group, &[mine, 0].map(u64::to_le_bytes).concat())?;
        let mut allocation = None;
        for (&rank, answer) in group.ranks.iter().zip(&all) {
            let [address, _] = pair(answer);
            if address == 0 {
                continue;
            }
            let address = usize::try_from(address).unwrap_or(usize::MAX);
            let part = self.segments.parts.remove(&(rank, address));
            let part =
                part.filter(|part| *allocation.get_or_insert(part.allocation) == part.allocation);
            if part.is_none() {
                let found = format!("{address:#x} of process {rank}");
                let expected = "the addresses that one ARMCI_Malloc gave to this group";
                return Err(Wrong::argument("ptr", found, expected));
            }
        }
        if let Some(allocation) = allocation {
            self.segments.accessed.remove(&allocation);
        }
        Ok(())
    }

    /// Begins or ends the access of the owner to its part of an allocation.
    pub(crate) fn access(&mut self, memory: Memory, begin: bool) -> Result<(), Wrong> {
        let part = self.segments.part(self.world.rank(), memory.address(), 1);
        let Some(Part { allocation, .. }) = part else {
            let found = format!("{:p}", memory.pointer());
            return Err(Wrong::argument("ptr", found, "own memory of ARMCI_Malloc"));
        };
        let accessed = &mut self.segments.accessed;
        let done = if begin { accessed.insert(allocation) } else { accessed.remove(&allocation) };
        if !done {
            let found = format!("{:p}", memory.pointer());
            let expected = if begin { "memory without an access" } else { "memory with an access" };
            return Err(Wrong::argument("ptr", found, expected));
        }
        // What arrived is there afterwards, and what was stored is under way.
        Ok(self.world.progress()?)
    }
}

/// Two numbers of a message.
pub(crate) fn pair(bytes: &[u8]) -> [u64; 2] {
    let mut numbers = [0; 2];
    for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(8)) {
        *number = bytes.try_into().map_or(0, u64::from_le_bytes);
    }
    numbers
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
