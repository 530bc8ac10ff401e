// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program: where its static data is, and its end.

use awgstar_frame::quantity::narrow;
use awgstar_onesided::{Error, PAGE, World};
use libc::{c_int, c_void, dl_phdr_info};
use std::ops::Range;

extern "C" fn collect(info: *mut dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
    // SAFETY: the loader gives a valid description, and `found` is the vector of `data`.
    let (info, found) = unsafe { (&*info, &mut *found.cast::<Vec<Range<usize>>>()) };
    // SAFETY: so many headers are there.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    // Addresses of this process.
    let size = narrow::<usize>;
    let range = |header: &libc::Elf64_Phdr| {
        let start = size(info.dlpi_addr + header.p_vaddr);
        start..start + size(header.p_memsz)
    };
    let of = |kind| headers.iter().filter(move |header| header.p_type == kind);
    let sealed = of(libc::PT_GNU_RELRO).map(range).next().unwrap_or(0..0);
    for data in of(libc::PT_LOAD).filter(|header| header.p_flags & libc::PF_W != 0).map(range) {
        // What the loader has filled is read-only, in whole pages.
        let from = if sealed.contains(&data.start) { sealed.end } else { data.start };
        let pages = from / PAGE * PAGE..data.end.next_multiple_of(PAGE);
        if !pages.is_empty() {
            found.push(pages);
        }
    }
    // The program is the first: no library is looked at.
    1
}

/// Pages of `.data` and `.bss` of the program.
pub(crate) fn data() -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    // SAFETY: `collect` fits, and the vector outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(collect), (&raw mut found).cast()) };
    found
}

/// Makes pages of static data symmetric.
pub(crate) fn adopt(world: &mut World, pages: &Range<usize>) -> Result<(), Error> {
    let start = std::ptr::with_exposed_provenance_mut(pages.start);
    // SAFETY: whole pages of the program, and its threads make one call after another.
    unsafe { world.adopt(start, pages.len()).map(|_| ()) }
}

/// The function is called when the process ends: it leaves the run if it has not called `shmem_finalize`.
pub(crate) fn at_exit(ended: extern "C" fn()) {
    // SAFETY: a function without arguments. If there is no room for it, the run names the process.
    unsafe { libc::atexit(ended) };
}
