// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls of the system, without the functions of libc that the library replaces.

use crate::layout::PAGE;
use awgstar_request::Protection;
use libc::{c_int, c_long, c_void};
use std::ffi::CStr;

/// Maps fresh memory at a fixed address; false if the system refuses.
pub(crate) fn map(at: usize, size: usize) -> bool {
    map_as(at, size, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE)
}

/// Maps a stack, on which instructions can run.
pub(crate) fn map_stack(at: usize, size: usize) -> bool {
    map_as(at, size, libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC, libc::MAP_PRIVATE)
}

/// Maps fresh memory that processes share after a fork.
pub(crate) fn map_shared(at: usize, size: usize) -> bool {
    map_as(at, size, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED)
}

fn map_as(at: usize, size: usize, prot: c_int, kind: c_int) -> bool {
    let flags = kind | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
    // SAFETY: the address is one of the library's own, and nothing that is mapped is replaced.
    unsafe { libc::syscall(libc::SYS_mmap, at, size, prot, flags, -1, 0) == at as c_long }
}

/// Changes the protection of pages of the program.
pub(crate) fn protect(at: usize, size: usize, protection: Protection) -> bool {
    let prot = match protection {
        Protection::None => libc::PROT_NONE,
        Protection::Read => libc::PROT_READ,
        Protection::Write => libc::PROT_READ | libc::PROT_WRITE,
    };
    // SAFETY: an access to what is protected comes to the library's handler.
    unsafe { libc::syscall(libc::SYS_mprotect, at, size, prot) == 0 }
}

/// Says that memory is used in small pieces, so that a page is not made a large one.
pub(crate) fn small_pages(at: usize, size: usize) {
    // SAFETY: advice only.
    unsafe { libc::syscall(libc::SYS_madvise, at, size, libc::MADV_NOHUGEPAGE) };
}

/// Writes all bytes to a file descriptor, as far as it takes them.
pub(crate) fn write(fd: c_int, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        // SAFETY: pointer and length are those of the slice.
        let done = unsafe { libc::syscall(libc::SYS_write, fd, bytes.as_ptr(), bytes.len()) };
        let Ok(done @ 1..) = usize::try_from(done) else { return };
        bytes = &bytes[done.min(bytes.len())..];
    }
}

/// Reads a whole file; empty if that is not possible.
pub(crate) fn file(path: &CStr) -> Vec<u8> {
    let mut bytes = Vec::new();
    // SAFETY: path and buffer are valid; the descriptor is this function's own.
    unsafe {
        let flags = libc::O_RDONLY | libc::O_CLOEXEC;
        let fd = libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path.as_ptr(), flags);
        if fd < 0 {
            return bytes;
        }
        loop {
            bytes.reserve(1 << 16);
            let to = bytes.spare_capacity_mut();
            let done = libc::syscall(libc::SYS_read, fd, to.as_mut_ptr(), to.len());
            let Ok(done @ 1..) = usize::try_from(done) else { break };
            let len = bytes.len() + done;
            bytes.set_len(len);
        }
        libc::syscall(libc::SYS_close, fd);
    }
    bytes
}

/// Ends this process.
pub(crate) fn exit(code: u8) -> ! {
    loop {
        // SAFETY: never returns.
        unsafe { libc::syscall(libc::SYS_exit_group, c_int::from(code)) };
    }
}

/// Waits until the word at `at` is no longer `value`, or a while.
pub(crate) fn wait_word(at: *const u32, value: u32) {
    let time = libc::timespec { tv_sec: 1, tv_nsec: 0 };
    // SAFETY: the word is the library's own.
    unsafe { libc::syscall(libc::SYS_futex, at, libc::FUTEX_WAIT, value, &raw const time) };
}

/// Wakes who waits for a word.
pub(crate) fn wake_word(at: *const u32) {
    // SAFETY: the word is the library's own.
    unsafe { libc::syscall(libc::SYS_futex, at, libc::FUTEX_WAKE, c_int::MAX) };
}

/// For each page from `at` on, whether it is in memory.
pub(crate) fn resident(at: usize, size: usize) -> Vec<u8> {
    let mut pages = vec![0_u8; size / PAGE];
    // SAFETY: the vector has a byte for each page.
    if unsafe { libc::syscall(libc::SYS_mincore, at, size, pages.as_mut_ptr()) } != 0 {
        pages.fill(1);
    }
    pages
}

/// The next definition of a function after the library's own: that of libc.
pub(crate) fn next(name: &CStr) -> *mut c_void {
    // SAFETY: the name ends with a zero.
    unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) }
}

/// A variable of the environment.
pub(crate) fn variable(name: &CStr) -> Option<String> {
    // SAFETY: the name ends with a zero, and nobody changes the environment yet.
    let value = unsafe { libc::getenv(name.as_ptr()) };
    // SAFETY: not null, a string of the environment.
    (!value.is_null()).then(|| unsafe { CStr::from_ptr(value) }.to_string_lossy().into_owned())
}
