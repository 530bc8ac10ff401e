// SPDX-License-Identifier: MIT OR Apache-2.0
//! Allocations of a process.

use super::Process;
use crate::heap::{Collective, at as memory_at};
use awgstar_caller::{heap::ALIGNED, memory::Memory, wrong::Wrong};

impl Process {
    /// Waits for all, and checks that they give the same numbers for arguments.
    fn alike(
        &mut self,
        of: Collective,
        arguments: [(&'static str, usize); 2],
    ) -> Result<(), Wrong> {
        let numbers = [of as u64, arguments[0].1 as u64, arguments[1].1 as u64];
        let mine = numbers.map(u64::to_le_bytes).concat();
        for (pe, other) in self.world.gather_all(&self.all, &mine)?.iter().enumerate() {
            if other[..8] != mine[..8] {
                return Err(Wrong::Order("another process calls another function of the heap"));
            }
            for (at, (name, found)) in arguments.into_iter().enumerate() {
                let given = &other[8 + 8 * at..16 + 8 * at];
                if given != (found as u64).to_le_bytes() {
                    let given =
                        given.iter().rev().fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte));
                    return Err(Wrong::argument(
                        name,
                        found,
                        format!("{given} as in process {pe}"),
                    ));
                }
            }
        }
        Ok(())
    }

    /// After a change of the heap: only what is in use is looked at for stores.
    fn changed(&mut self) -> Result<(), Wrong> {
        self.world.use_heap(self.heap.top() - self.first);
        Ok(self.world.barrier()?)
    }

    /// Allocates; null if there is no room, or for no bytes.
    pub(crate) fn allocate(
        &mut self,
        argument: &'static str,
        bytes: usize,
        aligned: usize,
    ) -> Result<Memory, Wrong> {
        if bytes == 0 {
            return Ok(Memory::NULL);
        }
        if !aligned.is_power_of_two() || aligned < size_of::<usize>() {
            let expected = format!("a power of two, {} or more", size_of::<usize>());
            return Err(Wrong::argument("alignment", aligned, expected));
        }
        self.alike(Collective::Allocate, [(argument, bytes), ("alignment", aligned)])?;
        let at = self.heap.allocate(bytes, aligned.max(ALIGNED));
        self.changed()?;
        Ok(memory_at(at))
    }

    /// Allocates zeros.
    pub(crate) fn allocate_zeros(&mut self, count: usize, size: usize) -> Result<Memory, Wrong> {
        let bytes = count.saturating_mul(size);
        let memory = self.allocate("size", bytes, ALIGNED)?;
        if !memory.is_null() {
            memory.bytes_mut("size", bytes)?.fill(0);
        }
        self.world.barrier()?;
        Ok(memory)
    }

    /// The bytes of an allocation that is taken out of the heap.
    fn take(&mut self, memory: Memory) -> Result<usize, Wrong> {
        self.heap.used.remove(&memory.address()).ok_or_else(|| {
            let found = format!("{:p}", memory.pointer());
            Wrong::argument("ptr", found, "an address of the symmetric heap that was allocated")
        })
    }

    pub(crate) fn free(&mut self, memory: Memory) -> Result<(), Wrong> {
        if memory.is_null() {
            return Ok(());
        }
        let offset = memory.address().wrapping_sub(self.first);
        self.alike(Collective::Free, [("ptr", offset), ("ptr", offset)])?;
        // No put of any process is under way to it.
        self.world.barrier()?;
        self.take(memory)?;
        self.world.use_heap(self.heap.top() - self.first);
        Ok(())
    }

    /// Another length for an allocation, which may move; null if there is no room.
    pub(crate) fn reallocate(&mut self, memory: Memory, bytes: usize) -> Result<Memory, Wrong> {
        if memory.is_null() {
            return self.allocate("size", bytes, ALIGNED);
        }
        if bytes == 0 {
            return self.free(memory).map(|()| Memory::NULL);
        }
        let offset = memory.address().wrapping_sub(self.first);
        self.alike(Collective::Reallocate, [("ptr", offset), ("size", bytes)])?;
        self.world.barrier()?;
        let before = self.take(memory)?;
        let new = self.heap.allocate(bytes, ALIGNED);
        if new.is_none() {
            self.heap.used.insert(memory.address(), before);
        }
        let to = memory_at(new);
        if !to.is_null() {
            to.copy_from(memory, before.min(bytes));
        }
        self.changed()?;
        Ok(to)
    }
}
