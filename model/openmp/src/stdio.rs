// SPDX-License-Identifier: MIT OR Apache-2.0
//! Streams of the C library: each process has buffers of its own, outside the memory that travels. What is in
//! them is printed at each commit.

use crate::{arena, rank, system};
use libc::{FILE, c_char, c_int, c_void};

unsafe extern "C" {
    static stdin: *mut FILE;
    static stdout: *mut FILE;
}

/// Bytes of a buffer of the library's.
const SIZE: usize = 4096;

type Setvbuf = unsafe extern "C" fn(*mut FILE, *mut c_char, c_int, usize) -> c_int;

fn real_setvbuf() -> Setvbuf {
    // SAFETY: libc has this function with this type.
    unsafe { std::mem::transmute::<*mut c_void, Setvbuf>(system::next(c"setvbuf")) }
}

/// Prints what is in the buffers of this process.
pub(crate) fn flush() {
    if rank::active() {
        // SAFETY: null stands for all streams.
        unsafe { libc::fflush(std::ptr::null_mut()) };
    }
}

/// Gives standard input and output buffers that belong to this process alone.
pub(crate) fn begin() {
    // SAFETY: libc has set both.
    unsafe {
        own_buffer(stdin);
        own_buffer(stdout);
    }
}

/// Gives a stream a buffer that belongs to this process alone.
pub(crate) fn own_buffer(stream: *mut FILE) {
    // SAFETY: a stream of libc that nobody has used yet. The buffer is never freed.
    unsafe {
        let mode =
            if libc::isatty(libc::fileno(stream)) == 1 { libc::_IOLBF } else { libc::_IOFBF };
        real_setvbuf()(stream, arena::allocate(SIZE, 16).cast(), mode, SIZE);
    }
}

/// The program's buffer is not used: it would be memory that travels.
#[unsafe(no_mangle)]
unsafe extern "C" fn setvbuf(stream: *mut FILE, _: *mut c_char, mode: c_int, size: usize) -> c_int {
    let size = size.clamp(16, 1 << 20);
    let buffer =
        if mode == libc::_IONBF { std::ptr::null_mut() } else { arena::allocate(size, 16).cast() };
    // SAFETY: a stream of libc; the buffer is never freed.
    unsafe { real_setvbuf()(stream, buffer, mode, size) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn setbuf(stream: *mut FILE, buffer: *mut c_char) {
    let mode = if buffer.is_null() { libc::_IONBF } else { libc::_IOFBF };
    // SAFETY: as above.
    unsafe { setvbuf(stream, buffer, mode, 8192) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn setlinebuf(stream: *mut FILE) {
    // SAFETY: as above.
    unsafe { setvbuf(stream, std::ptr::null_mut(), libc::_IOLBF, SIZE) };
}
