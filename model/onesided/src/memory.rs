// SPDX-License-Identifier: MIT OR Apache-2.0
//! The own segment as memory of this process. Mappings need `unsafe`; no other file has more of it than a call.
//!
//! On a machine with replicas the segment is mapped privately from the replica of this node: the system copies a page
//! when the process stores to it. Only the process changes a copy, and only the machine changes the replica, while
//! the process waits. So at the beginning of a wait a byte of a copy that differs from the replica was stored.

use crate::Error;
use awgstar_frame::quantity::ByteAddress;
use awgstar_program::{Node, Replica};
use rustix::mm::{Advice, MapFlags, MremapFlags, ProtFlags, madvise, mmap, mremap_fixed};
use std::{fs::File, os::fd::AsFd, os::unix::fs::FileExt, ptr};

/// Bytes of a page.
pub const PAGE: usize = awgstar_request::PAGE as usize;
/// Address of the segment in every process. The system gives away addresses far above and far below.
const BASE: usize = 0x2000_0000_0000;

/// Bits of an entry of the page map of a process: the page is there, or in the swap; it is one of a file.
const PRESENT: u64 = 0b11 << 62;
const OF_FILE: u64 = 1 << 61;

/// Pages of the segment that follow one another in this process.
#[derive(Clone, Copy, Debug)]
struct Part {
    address: usize,
    offset: usize,
    bytes: usize,
}

/// Bytes that the process has stored, and their offset.
pub(crate) type Stored = Vec<(usize, Vec<u8>)>;

/// The own segment.
#[derive(Debug)]
pub(crate) struct Memory {
    bytes: usize,
    /// The adopted parts, then the rest.
    parts: Vec<Part>,
    /// Pages from here on are not used.
    end: usize,
    /// On a machine with replicas: what has arrived.
    replica: Option<Replica>,
    /// Address of the segment in the shared memory.
    first: usize,
    /// Byte of the file at which the segment begins.
    from: u64,
    pagemap: Option<File>,
}

impl Memory {
    /// Maps the segment of so many bytes that begins at `first` of the shared memory.
    pub(crate) fn open(node: &mut Node, first: usize, bytes: usize) -> Result<Memory, Error> {
        let replica = if node.homes() { None } else { Some(node.replica()?) };
        let from = node.replica_offset() + first as u64;
        let whole = Part { address: BASE, offset: 0, bytes };
        let pagemap = File::open("/proc/self/pagemap").ok();
        let memory =
            Memory { bytes, parts: vec![whole], end: bytes, replica, first, from, pagemap };
        let at = memory.map(node, Some(BASE), 0, bytes)?;
        if at == BASE { Ok(memory) } else { Err(Error::Map("its address is in use")) }
    }

    /// Maps bytes of the segment, at an address or at any.
    fn map(
        &self,
        node: &Node,
        at: Option<usize>,
        offset: usize,
        bytes: usize,
    ) -> Result<usize, Error> {
        let file = node.replicas()?;
        let kind = if self.replica.is_some() { MapFlags::PRIVATE } else { MapFlags::SHARED };
        let (at, place) = match at {
            Some(at) => (ptr::with_exposed_provenance_mut(at), MapFlags::FIXED_NOREPLACE),
            None => (ptr::null_mut(), MapFlags::empty()),
        };
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping, which replaces none.
        let mapped =
            unsafe { mmap(at, bytes, prot, kind | place, file.as_fd(), self.from + offset as u64) };
        mapped.map(<*mut _>::expose_provenance).map_err(|_| Error::Map("the system refuses it"))
    }

    fn part(&self, offset: usize) -> Option<&Part> {
        self.parts.iter().find(|part| (part.offset..part.offset + part.bytes).contains(&offset))
    }

    /// Address of a byte of the segment; null beyond it.
    pub(crate) fn address(&self, offset: usize) -> *mut u8 {
        let address = |part: &Part| part.address + (offset - part.offset);
        self.part(offset)
            .map_or(ptr::null_mut(), |part| ptr::with_exposed_provenance_mut(address(part)))
    }

    /// Byte of the segment that is at an address.
    pub(crate) fn offset(&self, pointer: *const u8) -> Option<usize> {
        let at = pointer.expose_provenance();
        let within = |part: &&Part| (part.address..part.address + part.bytes).contains(&at);
        self.parts.iter().find(within).map(|part| part.offset + (at - part.address))
    }

    /// The pieces of a range of the segment: address, and bytes.
    fn pieces(&self, mut offset: usize, bytes: usize) -> Vec<(usize, usize)> {
        let end = (offset + bytes).min(self.bytes);
        let mut all = Vec::new();
        while offset < end
            && let Some(part) = self.part(offset)
        {
            let to = end.min(part.offset + part.bytes);
            all.push((part.address + (offset - part.offset), to - offset));
            offset = to;
        }
        all
    }

    /// Stores bytes, as the program does.
    pub(crate) fn store(&mut self, offset: usize, mut from: &[u8]) {
        for (at, bytes) in self.pieces(offset, from.len()) {
            let (now, later) = from.split_at(bytes);
            let to = ptr::with_exposed_provenance_mut::<u8>(at);
            // SAFETY: bytes of a mapping of the segment, which can be written. `from` may be in it, too.
            unsafe { ptr::copy(now.as_ptr(), to, bytes) };
            from = later;
        }
    }

    /// Loads bytes, as the program does.
    pub(crate) fn load(&self, offset: usize, mut to: &mut [u8]) {
        for (at, bytes) in self.pieces(offset, to.len()) {
            let (now, later) = to.split_at_mut(bytes);
            // SAFETY: bytes of a mapping of the segment. `to` may be in it, too.
            unsafe { ptr::copy(ptr::with_exposed_provenance::<u8>(at), now.as_mut_ptr(), bytes) };
            to = later;
        }
    }

    /// The process uses nothing from this byte on.
    pub(crate) fn set_end(&mut self, end: usize) {
        self.end = end.min(self.bytes);
    }

    /// A word of the shared memory as it has arrived here; 0 without replicas.
    pub(crate) fn arrived(&self, at: ByteAddress) -> u32 {
        self.replica.as_ref().map_or(0, |replica| u32::from_le_bytes(replica.word(at)))
    }

    /// Pages of a part of which the process has copies; all if the system does not say which.
    fn copies(&self, part: &Part) -> Vec<usize> {
        let used = self.end.saturating_sub(part.offset).min(part.bytes);
        let pages = used.div_ceil(PAGE);
        let mut entries = vec![0; 8 * pages];
        let at = (part.address / PAGE * 8) as u64;
        let read = self.pagemap.as_ref().map(|map| map.read_exact_at(&mut entries, at));
        let known = matches!(read, Some(Ok(())));
        let copied = |page: &usize| {
            let entry =
                entries[8 * page..].first_chunk().map_or(0, |bytes| u64::from_ne_bytes(*bytes));
            !known || entry & PRESENT != 0 && entry & OF_FILE == 0
        };
        (0..pages).filter(copied).collect()
    }

    /// What the process has stored since its pages were dropped last, and the addresses of these pages. The process
    /// must not store before the machine advances.
    pub(crate) fn stored(&self) -> (Stored, Vec<usize>) {
        let (mut stored, mut pages) = (Stored::new(), Vec::new());
        let Some(replica) = &self.replica else { return (stored, pages) };
        let there = replica.address().expose_provenance() + self.first;
        for part in &self.parts {
            for page in self.copies(part) {
                let (at, offset) = (part.address + PAGE * page, part.offset + PAGE * page);
                let bytes = |at| {
                    // SAFETY: a page of the segment, and of the replica. Neither changes: the process is here, and the
                    // machine waits for it.
                    unsafe {
                        std::slice::from_raw_parts(ptr::with_exposed_provenance::<u8>(at), PAGE)
                    }
                };
                changes(bytes(at), bytes(there + offset), offset, &mut stored);
                pages.push(at);
            }
        }
        (stored, pages)
    }

    /// Drops copies of pages: the process sees the replica there.
    pub(crate) fn forget(pages: &[usize]) -> Result<(), Error> {
        for &page in pages {
            // SAFETY: a page of a mapping of the segment. What was stored there is in the replica.
            let done = unsafe {
                madvise(ptr::with_exposed_provenance_mut(page), PAGE, Advice::LinuxDontNeed)
            };
            done.map_err(|_| Error::Map("a page cannot be dropped"))?;
        }
        Ok(())
    }
    /// Replaces pages of the process by pages of the segment from `offset` on, which is where its last part begins or
    /// after that. What they hold counts as stored.
    ///
    /// # Safety
    /// As of [`crate::World::adopt`].
    pub(crate) unsafe fn adopt(
        &mut self,
        node: &Node,
        offset: usize,
        start: *mut u8,
        bytes: usize,
    ) -> Result<(), Error> {
        let new = self.map(node, None, offset, bytes)?;
        // SAFETY: the new mapping has as many bytes and is elsewhere; the caller says that the data can be read. The
        // move then replaces the pages by their copy in one step: nothing runs between that could change them.
        let moved = unsafe {
            let to = ptr::with_exposed_provenance_mut::<u8>(new);
            ptr::copy_nonoverlapping(start, to, bytes);
            mremap_fixed(to.cast(), bytes, bytes, MremapFlags::MAYMOVE, start.cast())
        };
        moved.map_err(|_| Error::Map("static data cannot be replaced"))?;
        if let Some(whole) = self.parts.pop() {
            let before = Part { bytes: offset - whole.offset, ..whole };
            self.parts.extend((before.bytes > 0).then_some(before));
            self.parts.push(Part { address: start.expose_provenance(), offset, bytes });
            let (from, end) = (offset + bytes, whole.offset + whole.bytes);
            self.parts.push(Part { address: BASE + from, offset: from, bytes: end - from });
        }
        Ok(())
    }
}

/// The runs of bytes in which a page differs from the replica: no byte between them is written, another process may
/// have put it.
fn changes(own: &[u8], there: &[u8], offset: usize, stored: &mut Stored) {
    if own == there {
        return;
    }
    let mut run: Option<(usize, Vec<u8>)> = None;
    for (at, (&new, &old)) in own.iter().zip(there).enumerate() {
        if new == old {
            stored.extend(run.take());
        } else {
            run.get_or_insert_with(|| (offset + at, Vec::new())).1.push(new);
        }
    }
    stored.extend(run);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bytes_that_differ_are_stored() {
        let mut stored = Stored::new();
        changes(&[1, 2, 3, 4, 5, 6], &[1, 0, 0, 4, 0, 6], 100, &mut stored);
        changes(&[7, 8], &[7, 8], 200, &mut stored);
        changes(&[9, 9], &[0, 0], 300, &mut stored);
        assert_eq!(stored, [(101, vec![2, 3]), (104, vec![5]), (300, vec![9, 9])]);
    }
}
