// SPDX-License-Identifier: MIT OR Apache-2.0
//! Streams of the C library: each process has buffers of its own, outside the memory that travels. What is in
//! them is printed at each commit.

use crate::{arena, die::die, interpose, rank, system};
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

/// Standard input.
pub(crate) fn input() -> usize {
    // SAFETY: libc has set it.
    unsafe { stdin as usize }
}

/// Standard output.
pub(crate) fn output() -> usize {
    // SAFETY: libc has set it.
    unsafe { stdout as usize }
}

/// Fields of a stream, and flags of its first word: glibc's ABI on x86-64.
mod field {
    pub(super) const READ: usize = 1;
    pub(super) const READ_END: usize = 2;
    /// Descriptor, in the lower half.
    pub(super) const DESCRIPTOR: usize = 14;
    /// Position of the descriptor, if the stream knows it.
    pub(super) const OFFSET: usize = 18;
    pub(super) const NO_READS: usize = 4;
    pub(super) const NO_WRITES: usize = 8;
}

fn word(stream: usize, index: usize) -> usize {
    // SAFETY: a stream of libc has 27 words, and this process has one thread.
    unsafe { (stream as *const usize).add(index).read() }
}

fn set_word(stream: usize, index: usize, value: usize) {
    // SAFETY: as above.
    unsafe { (stream as *mut usize).add(index).write(value) };
}

/// Returns true for a stream that is read and written.
pub(crate) fn is_for_both(stream: usize) -> bool {
    word(stream, 0) & (field::NO_READS | field::NO_WRITES) == 0
}

/// Gives a stream another descriptor.
pub(crate) fn change_descriptor(stream: usize, change: impl FnOnce(c_int) -> c_int) {
    let old = word(stream, field::DESCRIPTOR);
    let new = change(old as c_int);
    set_word(stream, field::DESCRIPTOR, old & !0xffff_ffff | new as u32 as usize);
}

/// Forgets what is in the buffer of a stream for input: it is node 0's.
pub(crate) fn forget_input(stream: usize) {
    set_word(stream, field::READ, word(stream, field::READ_END));
}

/// Writes what is in the buffer of a stream for output, and forgets the position of its descriptor.
pub(crate) fn forget_position(stream: usize) {
    if word(stream, 0) & field::NO_WRITES == 0 {
        // SAFETY: a stream of libc.
        unsafe { libc::fflush(stream as *mut FILE) };
        set_word(stream, field::OFFSET, usize::MAX);
    }
}

/// Gives a stream of wide characters a buffer that belongs to this process alone.
pub(crate) fn before_wide(stream: usize) {
    unsafe extern "C" {
        fn fwide(stream: *mut FILE, mode: c_int) -> c_int;
        fn _IO_wdoallocbuf(stream: *mut FILE);
    }
    let stream = stream as *mut FILE;
    // SAFETY: a stream of libc. The second call makes a buffer unless there is one.
    unsafe {
        if fwide(stream, 1) > 0 {
            interpose::inside(|| _IO_wdoallocbuf(stream));
        }
    }
}

/// Prints what is in the buffers of this process.
pub(crate) fn flush() {
    if rank::active() {
        // SAFETY: null stands for all streams.
        let done = unsafe { libc::fflush(std::ptr::null_mut()) };
        // Another thread would not find out: `ferror` and `fclose` look at a stream of one process.
        if done != 0 && rank::ranks() > 1 {
            die!("output cannot be written: {}", std::io::Error::last_os_error());
        }
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

#[unsafe(no_mangle)]
unsafe extern "C" fn setbuffer(stream: *mut FILE, buffer: *mut c_char, size: usize) {
    let mode = if buffer.is_null() { libc::_IONBF } else { libc::_IOFBF };
    // SAFETY: as above.
    unsafe { setvbuf(stream, buffer, mode, size) };
}
