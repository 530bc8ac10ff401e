// SPDX-License-Identifier: MIT OR Apache-2.0
//! File descriptors: after the fork each process has its own. One that a rank has opened or closed since is
//! not what the others have under the same number.

use crate::{die::die, interpose, layout::RANKS_MAX, rank, stdio, switch, system};
use libc::{FILE, c_char, c_int, c_void};
use std::{
    ffi::CStr,
    sync::atomic::{AtomicU64, Ordering},
};

/// For each descriptor a bit for each rank that has opened or closed it. Shared by all processes.
const TABLE: usize = 0x0520_0000_0000;
/// Descriptors in the table.
const COUNT: usize = 4096;

const _: () = assert!(RANKS_MAX <= 64);

/// Maps the table, before the fork.
pub(crate) fn map() {
    if !system::map_shared(TABLE, COUNT * 8) {
        die!("the system refuses memory for the table of file descriptors");
    }
}

fn word(descriptor: usize) -> Option<&'static AtomicU64> {
    // SAFETY: the table has so many words.
    (descriptor < COUNT && rank::started() && !interpose::is_inside())
        .then(|| unsafe { &*(TABLE as *const AtomicU64).add(descriptor) })
}

/// This rank has opened or closed a descriptor.
pub(crate) fn changed(descriptor: c_int) {
    if let Some(word) = usize::try_from(descriptor).ok().and_then(word) {
        if (0..3).contains(&descriptor) {
            die!(
                "standard input, output or error is opened or closed after the first parallel region: not supported"
            );
        }
        word.fetch_or(1 << rank::rank(), Ordering::Relaxed);
    }
}

/// Ends the run if another rank has changed a descriptor that this rank is about to use.
pub(crate) fn check(name: &str, descriptor: usize) {
    let others =
        word(descriptor).map_or(0, |word| word.load(Ordering::Relaxed)) & !(1 << rank::rank());
    if others != 0 {
        let node = others.trailing_zeros();
        die!(
            "{name} of file descriptor {descriptor}, which node {node} has opened or closed after the first parallel region: not supported"
        );
    }
}

/// Functions that give a descriptor, or -1.
macro_rules! opening {
    ($($name:ident $c_name:literal ($($arg:ident: $t:ty),*);)*) => { $(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($arg: $t),*) -> c_int {
            type Real = unsafe extern "C" fn($($t),*) -> c_int;
            // SAFETY: libc has this function with this type, but for arguments that it ignores.
            let descriptor = unsafe {
                std::mem::transmute::<*mut c_void, Real>(system::next($c_name))($($arg),*)
            };
            changed(descriptor);
            descriptor
        }
    )* };
}

opening! {
    open c"open" (path: *const c_char, flags: c_int, mode: c_int);
    open64 c"open64" (path: *const c_char, flags: c_int, mode: c_int);
    openat c"openat" (at: c_int, path: *const c_char, flags: c_int, mode: c_int);
    openat64 c"openat64" (at: c_int, path: *const c_char, flags: c_int, mode: c_int);
    creat c"creat" (path: *const c_char, mode: c_int);
    creat64 c"creat64" (path: *const c_char, mode: c_int);
    dup c"dup" (old: c_int);
    dup2 c"dup2" (old: c_int, new: c_int);
    dup3 c"dup3" (old: c_int, new: c_int, flags: c_int);
    socket c"socket" (domain: c_int, kind: c_int, protocol: c_int);
    mkstemp c"mkstemp" (path: *mut c_char);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn close(descriptor: c_int) -> c_int {
    type Real = unsafe extern "C" fn(c_int) -> c_int;
    changed(descriptor);
    // SAFETY: libc has this function with this type.
    unsafe { std::mem::transmute::<*mut c_void, Real>(system::next(c"close"))(descriptor) }
}

/// Functions that give a stream. Its memory belongs to the process that has opened it.
macro_rules! streams {
    ($($name:ident $c_name:literal ($($arg:ident: $t:ty),*);)*) => { $(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($arg: $t),*) -> *mut FILE {
            opened($c_name, |real| {
                type Real = unsafe extern "C" fn($($t),*) -> *mut FILE;
                // SAFETY: libc has this function with this type.
                unsafe { std::mem::transmute::<*mut c_void, Real>(real)($($arg),*) }
            })
        }
    )* };
}

fn opened(name: &CStr, open: impl FnOnce(*mut c_void) -> *mut FILE) -> *mut FILE {
    let real = system::next(name);
    let stream = interpose::inside(|| open(real));
    if !stream.is_null() && rank::active() {
        switch::run(|| stdio::own_buffer(stream));
        // SAFETY: a stream of libc.
        changed(unsafe { libc::fileno(stream) });
    }
    stream
}

streams! {
    fopen c"fopen" (path: *const c_char, mode: *const c_char);
    fopen64 c"fopen64" (path: *const c_char, mode: *const c_char);
    fdopen c"fdopen" (descriptor: c_int, mode: *const c_char);
    tmpfile c"tmpfile" ();
    tmpfile64 c"tmpfile64" ();
}

/// Functions that open a folder: the system writes to its memory, too.
macro_rules! folders {
    ($($name:ident $c_name:literal ($arg:ident: $t:ty);)*) => { $(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($arg: $t) -> *mut c_void {
            type Real = unsafe extern "C" fn($t) -> *mut c_void;
            // SAFETY: libc has this function with this type.
            interpose::inside(|| unsafe {
                std::mem::transmute::<*mut c_void, Real>(system::next($c_name))($arg)
            })
        }
    )* };
}

folders! {
    opendir c"opendir" (path: *const c_char);
    fdopendir c"fdopendir" (descriptor: c_int);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fclose(stream: *mut FILE) -> c_int {
    type Real = unsafe extern "C" fn(*mut FILE) -> c_int;
    // SAFETY: a stream of libc, and libc has this function with this type.
    unsafe {
        changed(libc::fileno(stream));
        std::mem::transmute::<*mut c_void, Real>(system::next(c"fclose"))(stream)
    }
}
