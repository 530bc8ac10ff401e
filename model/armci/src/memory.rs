// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory that others reach: places in it, allocations, accesses.

use crate::{groups::GroupHandle, segments::Part, state::Armci};
use awgstar_caller::{
    memory::{Array, Memory},
    numbers::pair,
    wrong::{Wrong, size},
};
use awgstar_onesided::Place;
use std::ffi::c_long;

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
            let Some(address) = usize::try_from(address).ok().filter(|&at| at != 0) else {
                continue;
            };
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
