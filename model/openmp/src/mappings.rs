// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mmap` of the program: before the fork the mapping is tracked from then on; afterwards memory comes from
//! the heap, which all processes have.

use crate::{cell::Guarded, census, die::die, layout::PAGE, rank, slices, switch};
use libc::{MAP_ANONYMOUS, MAP_FIXED, MAP_PRIVATE, c_int, c_long, c_void};
use std::collections::BTreeMap;

/// Bytes of each mapping that this rank has made of a block of the heap.
static LENGTHS: Guarded<BTreeMap<usize, usize>> = Guarded::new(BTreeMap::new());

fn map(at: usize, len: usize, prot: c_int, flags: c_int, fd: c_int, offset: c_long) -> *mut c_void {
    if rank::started() {
        if flags & (MAP_ANONYMOUS | MAP_PRIVATE | MAP_FIXED) != MAP_ANONYMOUS | MAP_PRIVATE {
            die!(
                "mmap of a file, of shared memory or at a fixed address after the first parallel region: not supported"
            );
        }
        return switch::run(|| match slices::allocate(len, PAGE) {
            Some((at, old)) => {
                if old {
                    // SAFETY: a free block of so many bytes.
                    unsafe { (at as *mut u8).write_bytes(0, len) };
                }
                LENGTHS.borrow().insert(at, len);
                at as *mut c_void
            }
            None => libc::MAP_FAILED,
        });
    }
    // SAFETY: the program's own call.
    let found = unsafe { libc::syscall(libc::SYS_mmap, at, len, prot, flags, fd, offset) };
    if rank::active() && found > 0 {
        switch::run(|| census::mapped(found as usize, len));
    }
    if found < 0 { libc::MAP_FAILED } else { found as *mut c_void }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mmap(
    at: *mut c_void,
    len: usize,
    prot: c_int,
    flags: c_int,
    fd: c_int,
    offset: c_long,
) -> *mut c_void {
    map(at as usize, len, prot, flags, fd, offset)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mmap64(
    at: *mut c_void,
    len: usize,
    prot: c_int,
    flags: c_int,
    fd: c_int,
    offset: c_long,
) -> *mut c_void {
    map(at as usize, len, prot, flags, fd, offset)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn munmap(at: *mut c_void, len: usize) -> c_int {
    if slices::size(at as usize).is_some() {
        // The rest of one that is unmapped in part stays, and so does one of another rank: it is not used again.
        switch::run(|| {
            let all = LENGTHS.borrow().remove(&(at as usize));
            if all.is_some_and(|all| len.next_multiple_of(PAGE) >= all) {
                slices::release(at as usize);
            }
        });
        return 0;
    }
    if rank::started() {
        // Other processes would keep it: it stays in all.
        return 0;
    }
    if rank::active() {
        switch::run(|| census::unmapped(at as usize, len));
    }
    // SAFETY: the program's own call.
    unsafe { libc::syscall(libc::SYS_munmap, at, len) as c_int }
}
