// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shared memory in this process: the addresses of the program, whose pages are protected, and a second mapping of
//! the same bytes, through which the library reads and writes them. Mappings need `unsafe`.

use awgstar_caller::wrong::Wrong;
use awgstar_request::Protection;
use rustix::{
    fs::{MemfdFlags, ftruncate, memfd_create},
    mm::{Advice, MapFlags, MprotectFlags, ProtFlags, madvise, mmap, mprotect},
};
use std::{ops::Range, os::fd::AsFd, os::fd::OwnedFd, ptr};

/// Bytes of a page.
pub(crate) const PAGE: usize = awgstar_request::PAGE as usize;
pub(crate) type Bytes = [u8; PAGE];
/// Address of the shared memory in every process. The system gives away addresses far above and far below.
pub(crate) const BASE: usize = 0x2000_0000_0000;

/// The shared memory.
pub(crate) struct Region {
    bytes: usize,
    /// Address of the library's mapping.
    own: usize,
}

const REFUSED: Wrong = Wrong::Order("the system refuses to map the shared memory");

impl Region {
    /// Zeros that the program may not access.
    pub(crate) fn open(bytes: usize) -> Result<Region, Wrong> {
        let file = memfd_create("fdsm", MemfdFlags::CLOEXEC).map_err(|_| REFUSED)?;
        ftruncate(&file, bytes as u64).map_err(|_| REFUSED)?;
        let own = map(&file, None, bytes, ProtFlags::READ | ProtFlags::WRITE)?;
        if map(&file, Some(BASE), bytes, ProtFlags::empty())? != BASE {
            return Err(Wrong::Order("the address of the shared memory is in use"));
        }
        Ok(Region { bytes, own })
    }

    /// Addresses of the program.
    pub(crate) const fn addresses(&self) -> Range<usize> {
        BASE..BASE + self.bytes
    }

    /// The address in the library's mapping of a page of the program.
    fn at(&self, page: usize) -> *mut Bytes {
        let offset = page.wrapping_sub(BASE).min(self.bytes - PAGE);
        ptr::with_exposed_provenance_mut(self.own + offset)
    }

    pub(crate) fn read(&self, page: usize) -> Bytes {
        // SAFETY: a page of the mapping. The program waits in a call or a fault meanwhile.
        unsafe { self.at(page).read() }
    }

    pub(crate) fn write(&mut self, page: usize, bytes: &Bytes) {
        // SAFETY: as above.
        unsafe { self.at(page).write(*bytes) }
    }

    /// Protects pages of the program; false if the system refuses.
    pub(crate) fn protect(&self, pages: Range<usize>, protection: Protection) -> bool {
        let flags = match protection {
            Protection::None => MprotectFlags::empty(),
            Protection::Read => MprotectFlags::READ,
            Protection::Write => MprotectFlags::READ | MprotectFlags::WRITE,
        };
        let within = BASE <= pages.start && pages.end <= BASE + self.bytes;
        let start = ptr::with_exposed_provenance_mut(pages.start);
        // SAFETY: pages of the program's mapping of the shared memory; the library has no reference to them.
        within && unsafe { mprotect(start, pages.len(), flags) }.is_ok()
    }
}

/// Maps the shared memory, at an address or at any. A child of this process does not inherit it.
fn map(file: &OwnedFd, at: Option<usize>, bytes: usize, access: ProtFlags) -> Result<usize, Wrong> {
    let (at, place) = match at {
        Some(at) => (ptr::with_exposed_provenance_mut(at), MapFlags::FIXED_NOREPLACE),
        None => (ptr::null_mut(), MapFlags::empty()),
    };
    // SAFETY: a new mapping, which replaces none.
    let mapped = unsafe { mmap(at, bytes, access, MapFlags::SHARED | place, file.as_fd(), 0) };
    let mapped = mapped.map_err(|_| REFUSED)?;
    // SAFETY: the mapping just made.
    unsafe { madvise(mapped, bytes, Advice::LinuxDontFork) }.map_err(|_| REFUSED)?;
    Ok(mapped.expose_provenance())
}
