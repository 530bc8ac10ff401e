// SPDX-License-Identifier: MIT OR Apache-2.0
//! Layout of the page table of the virtual shared memory (PAG-1; thesis 5.4.1).
//!
//! The table is in the static area of the shared memory, so every process reads it from the local
//! replica. Pages are numbered from 1. The entry of a page is a valid flag, an offset, and one byte
//! for each process; no two writers share a byte (WRT-2).

use crate::quantity::ByteAddress;
use thiserror::Error;

/// Bytes of an entry before its access flags.
pub const FLAGS_AT: u32 = 8;

/// An entry's parts: name, first byte, bytes, writer, meaning. `n` is the number of processes.
pub const ENTRY: &[(&str, &str, &str, &str, &str)] = &[
    ("valid", "0", "4", "master", "1: the page is in the physical shared memory; 0: it is not"),
    ("offset", "4", "4", "master", "where it is: bytes from the top of the shared memory"),
    (
        "access flags",
        "8",
        "n, then up to a multiple of 4",
        "byte i: process i",
        "1: the process accesses the page, or waits for it; 0: it does not",
    ),
];

/// Layout of the pages and their table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PageTable {
    /// Byte address of page 1's entry, a multiple of 4.
    pub table: ByteAddress,
    /// Byte address of the first page in the physical shared memory, a multiple of 4.
    pub physical: ByteAddress,
    /// Bytes of a page, a multiple of 4.
    pub page_bytes: u32,
    /// Pages of the virtual shared memory.
    pub pages: u16,
    /// Pages that the physical shared memory has room for.
    pub frames: u16,
    pub processes: u8,
}

/// Error in a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("page table, {field}: expected {expected}, found {found}")]
pub struct PageTableError {
    /// The value.
    pub field: &'static str,
    /// Expected value.
    pub expected: &'static str,
    /// Value found.
    pub found: u64,
}

impl PageTable {
    /// The table at address 0 and the pages after it.
    ///
    /// ```
    /// use awgstar_frame::contract::PageTable;
    /// let at = PageTable::new(256, 6, 2, 5);
    /// assert_eq!((at.entry_bytes(), at.physical.0), (16, 96));
    /// assert_eq!([at.valid(1), at.offset(2), at.flag(2, 4)].map(|addr| addr.0), [0, 20, 28]);
    /// assert_eq!([at.frame(1), at.end()].map(|addr| addr.0), [352, 608]);
    /// ```
    #[must_use]
    pub const fn new(page_bytes: u32, pages: u16, frames: u16, processes: u8) -> PageTable {
        let table = ByteAddress(0);
        let mut new = PageTable { table, physical: table, page_bytes, pages, frames, processes };
        new.physical = ByteAddress(new.entry_bytes() * pages as u32);
        new
    }

    /// Checks that the layout fits `processes` processes in a shared memory of `memory` bytes.
    ///
    /// # Errors
    /// The first value that does not fit: alignment, no page, more room than pages, more processes
    /// than flags, or an end beyond the memory.
    pub fn check(&self, processes: usize, memory: u32) -> Result<(), PageTableError> {
        let wrong = |field, expected, found| Err(PageTableError { field, expected, found });
        let size = u64::from(self.page_bytes) * u64::from(self.frames);
        let table = u64::from(self.entry_bytes()) * u64::from(self.pages) + u64::from(self.table.0);
        if self.page_bytes == 0 || !self.page_bytes.is_multiple_of(4) {
            wrong("page_bytes", "a multiple of 4 above 0", self.page_bytes.into())
        } else if !self.table.is_aligned() {
            wrong("table", "a multiple of 4", self.table.0.into())
        } else if !self.physical.is_aligned() || u64::from(self.physical.0) < table {
            wrong("physical", "a multiple of 4 after the table", self.physical.0.into())
        } else if self.frames == 0 || self.frames > self.pages {
            wrong("frames", "1 to the number of pages", self.frames.into())
        } else if processes > usize::from(self.processes) {
            wrong("processes", "a flag for each node", self.processes.into())
        } else if u64::from(self.physical.0) + size > u64::from(memory) {
            let end = u64::from(self.physical.0) + size;
            wrong("frames", "pages that end within the shared memory", end)
        } else {
            Ok(())
        }
    }

    /// Words of access flags in an entry.
    #[must_use]
    pub const fn flag_words(&self) -> u32 {
        (self.processes as u32).div_ceil(4)
    }

    #[must_use]
    pub const fn entry_bytes(&self) -> u32 {
        FLAGS_AT + 4 * self.flag_words()
    }

    /// Byte address of a page's valid flag; pages begin with 1.
    #[must_use]
    pub const fn valid(&self, page: u16) -> ByteAddress {
        ByteAddress(self.table.0 + self.entry_bytes() * (page as u32).saturating_sub(1))
    }

    /// Byte address of a page's offset.
    #[must_use]
    pub const fn offset(&self, page: u16) -> ByteAddress {
        ByteAddress(self.valid(page).0 + 4)
    }

    /// Byte address of a word of a page's access flags.
    #[must_use]
    pub const fn flags(&self, page: u16, word: u32) -> ByteAddress {
        ByteAddress(self.valid(page).0 + FLAGS_AT + 4 * word)
    }

    /// Byte address of a process' access flag.
    #[must_use]
    pub const fn flag(&self, page: u16, process: u8) -> ByteAddress {
        ByteAddress(self.valid(page).0 + FLAGS_AT + process as u32)
    }

    /// Byte address of the n-th page of the physical shared memory, from 0.
    #[must_use]
    pub const fn frame(&self, n: u16) -> ByteAddress {
        ByteAddress(self.physical.0 + self.page_bytes * n as u32)
    }

    /// The first byte address after all pages.
    #[must_use]
    pub const fn end(&self) -> ByteAddress {
        self.frame(self.frames)
    }

    /// Areas of a page each that the master keeps in its local memory: one for each page that is not
    /// in the physical shared memory, and one more to swap over (thesis 5.4.2).
    #[must_use]
    pub const fn areas(&self) -> u16 {
        self.pages.saturating_sub(self.frames) + 1
    }

    /// The page with this number, as a signal carries it; `None` if there is no such page.
    ///
    /// ```
    /// let at = awgstar_frame::contract::PageTable::new(256, 6, 2, 5);
    /// assert_eq!([0, 1, 6, 7, 65_539].map(|number| at.page(number)), [None, Some(1), Some(6), None, None]);
    /// ```
    #[must_use]
    pub fn page(&self, number: u32) -> Option<u16> {
        u16::try_from(number).ok().filter(|page| (1..=self.pages).contains(page))
    }

    /// Page and bytes within it of a virtual address; `None` beyond the last page.
    #[must_use]
    pub fn locate(&self, address: ByteAddress) -> Option<(u16, u32)> {
        let bytes = self.page_bytes.max(1);
        self.page((address.0 / bytes).checked_add(1)?).map(|page| (page, address.0 % bytes))
    }
}

/// A number of the table as a word of the host port: big-endian in the memory.
#[must_use]
pub const fn word(value: u32) -> u32 {
    u32::from_le_bytes(value.to_be_bytes())
}
