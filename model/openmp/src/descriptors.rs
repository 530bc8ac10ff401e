// SPDX-License-Identifier: MIT OR Apache-2.0
//! File descriptors: after the fork each process has its own. One that a rank has opened or closed since is
//! not what the others have under the same number.

use crate::{
    cell::Guarded, coherent, die::die, image, interpose, layout::RANKS_MAX, rank, stdio, switch,
    system, team,
};
use libc::{FILE, c_char, c_int, c_void};
use std::{
    collections::BTreeSet,
    ffi::CStr,
    sync::atomic::{AtomicU64, Ordering},
};

/// For each descriptor a bit for each rank that has opened or closed it. Shared by all processes.
const TABLE: usize = 0x0520_0000_0000;
/// Descriptors in the table.
pub(crate) const COUNT: usize = 4096;

const _: () = assert!(RANKS_MAX <= 64);

/// Streams that are open, and pipes to programs.
static STREAMS: Guarded<BTreeSet<usize>> = Guarded::new(BTreeSet::new());
static PIPES: Guarded<BTreeSet<usize>> = Guarded::new(BTreeSet::new());

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

fn both() -> Vec<usize> {
    STREAMS.borrow().iter().copied().filter(|&stream| stdio::is_for_both(stream)).collect()
}

/// Before the fork: what is read of a file that is also written is where the system has its position.
pub(crate) fn before_fork() {
    if !PIPES.borrow().is_empty() {
        die!(
            "a pipe of popen is open when the first parallel region begins: not supported, as each process would hold its end"
        );
    }
    for stream in both() {
        // SAFETY: a stream of libc.
        unsafe { libc::fflush(stream as *mut FILE) };
    }
}

/// In the process of another rank than 0: what is in the buffers of input is rank 0's.
pub(crate) fn begin_worker() {
    STREAMS.borrow().iter().copied().chain([stdio::input()]).for_each(stdio::forget_input);
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

/// Descriptors that numbers of ranks begin with.
const FIRST_NUMBER: u64 = 64;

/// Gives a descriptor that a rank has opened a number that no other rank has, so that threads can have files of
/// their own; the old number if there is none. Rank 0 keeps the numbers of the system.
fn own_number(descriptor: c_int) -> c_int {
    if descriptor < 3 || !rank::started() || rank::rank() == 0 || interpose::is_inside() {
        return descriptor;
    }
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    let real = |command: c_int, argument: u64| {
        // SAFETY: a plain system call for a descriptor of this process.
        unsafe { libc::syscall(libc::SYS_fcntl, descriptor, command, argument) as c_int }
    };
    // SAFETY: the limit is valid.
    unsafe { libc::syscall(libc::SYS_getrlimit, libc::RLIMIT_NOFILE, &raw mut limit) };
    let room = limit.rlim_cur.min(COUNT as u64).saturating_sub(FIRST_NUMBER);
    let count = room / rank::ranks() as u64;
    let first = FIRST_NUMBER + rank::rank() as u64 * count;
    let closes = real(libc::F_GETFD, 0) & libc::FD_CLOEXEC != 0;
    let command = if closes { libc::F_DUPFD_CLOEXEC } else { libc::F_DUPFD };
    let number = real(command, first);
    let own = u64::try_from(number).is_ok_and(|number| (first..first + count).contains(&number));
    let (kept, closed) = if own { (number, descriptor) } else { (descriptor, number) };
    if closed >= 0 {
        // SAFETY: a descriptor that the program does not know.
        unsafe { libc::syscall(libc::SYS_close, closed) };
    }
    kept
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
    ($number:ident $($name:ident $c_name:literal ($($arg:ident: $t:ty),*);)*) => { $(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($arg: $t),*) -> c_int {
            type Real = unsafe extern "C" fn($($t),*) -> c_int;
            $(coherent::touch_text($arg as usize);)*
            // SAFETY: libc has this function with this type, but for arguments that it ignores.
            let descriptor = unsafe {
                std::mem::transmute::<*mut c_void, Real>(system::next($c_name))($($arg),*)
            };
            let descriptor = $number(descriptor);
            changed(descriptor);
            descriptor
        }
    )* };
}

opening! {
    own_number
    open c"open" (path: *const c_char, flags: c_int, mode: c_int);
    open64 c"open64" (path: *const c_char, flags: c_int, mode: c_int);
    openat c"openat" (at: c_int, path: *const c_char, flags: c_int, mode: c_int);
    openat64 c"openat64" (at: c_int, path: *const c_char, flags: c_int, mode: c_int);
    creat c"creat" (path: *const c_char, mode: c_int);
    creat64 c"creat64" (path: *const c_char, mode: c_int);
    dup c"dup" (old: c_int);
    socket c"socket" (domain: c_int, kind: c_int, protocol: c_int);
    mkstemp c"mkstemp" (path: *mut c_char);
    mkstemp64 c"mkstemp64" (path: *mut c_char);
    mkostemp c"mkostemp" (path: *mut c_char, flags: c_int);
    mkostemp64 c"mkostemp64" (path: *mut c_char, flags: c_int);
    mkstemps c"mkstemps" (path: *mut c_char, end: c_int);
    __open_2 c"__open_2" (path: *const c_char, flags: c_int);
    __open64_2 c"__open64_2" (path: *const c_char, flags: c_int);
    __openat_2 c"__openat_2" (at: c_int, path: *const c_char, flags: c_int);
    __openat64_2 c"__openat64_2" (at: c_int, path: *const c_char, flags: c_int);
}

/// The program chooses the number.
fn same_number(descriptor: c_int) -> c_int {
    descriptor
}

opening! {
    same_number
    dup2 c"dup2" (old: c_int, new: c_int);
    dup3 c"dup3" (old: c_int, new: c_int, flags: c_int);
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
            $(coherent::touch_text($arg as usize);)*
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
        STREAMS.borrow().insert(stream as usize);
        stdio::change_descriptor(stream as usize, own_number);
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
            coherent::touch_text($arg as usize);
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
    STREAMS.borrow().remove(&(stream as usize));
    // SAFETY: a stream of libc, and libc has this function with this type.
    unsafe {
        changed(libc::fileno(stream));
        std::mem::transmute::<*mut c_void, Real>(system::next(c"fclose"))(stream)
    }
}

/// Functions that open another file in a stream: its buffer is made anew.
macro_rules! reopening {
    ($($name:ident $c_name:literal;)*) => { $(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(
            path: *const c_char,
            mode: *const c_char,
            stream: *mut FILE,
        ) -> *mut FILE {
            type Real = unsafe extern "C" fn(*const c_char, *const c_char, *mut FILE) -> *mut FILE;
            if rank::started() {
                die!(
                    "{} after the first parallel region: not supported, as only one thread would see its effect",
                    stringify!($name)
                );
            }
            let real = system::next($c_name);
            // SAFETY: libc has this function with this type.
            let real = unsafe { std::mem::transmute::<*mut c_void, Real>(real) };
            // SAFETY: the program's own call.
            let stream = interpose::inside(|| unsafe { real(path, mode, stream) });
            if !stream.is_null() && rank::active() {
                switch::run(|| stdio::own_buffer(stream));
            }
            stream
        }
    )* };
}

reopening! {
    freopen c"freopen";
    freopen64 c"freopen64";
}

#[unsafe(no_mangle)]
unsafe extern "C" fn popen(command: *const c_char, mode: *const c_char) -> *mut FILE {
    type Real = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut FILE;
    if team::in_region() {
        die!("popen in a parallel region: not supported, as its state belongs to one thread");
    }
    let stream = opened(c"popen", |real| {
        // SAFETY: libc has this function with this type.
        unsafe { std::mem::transmute::<*mut c_void, Real>(real)(command, mode) }
    });
    if !stream.is_null() {
        PIPES.borrow().insert(stream as usize);
    }
    stream
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pclose(stream: *mut FILE) -> c_int {
    type Real = unsafe extern "C" fn(*mut FILE) -> c_int;
    STREAMS.borrow().remove(&(stream as usize));
    PIPES.borrow().remove(&(stream as usize));
    // SAFETY: a stream of libc, and libc has this function with this type.
    unsafe {
        changed(libc::fileno(stream));
        std::mem::transmute::<*mut c_void, Real>(system::next(c"pclose"))(stream)
    }
}

/// The third argument is a number or a pointer.
#[unsafe(no_mangle)]
unsafe extern "C" fn fcntl(descriptor: c_int, command: c_int, argument: usize) -> c_int {
    type Real = unsafe extern "C" fn(c_int, c_int, usize) -> c_int;
    if rank::active() {
        switch::run(|| {
            check("fcntl", usize::try_from(descriptor).unwrap_or(COUNT));
            if matches!(command, libc::F_GETLK | libc::F_OFD_GETLK) {
                image::open_all(argument, size_of::<libc::flock>());
            }
        });
    }
    // SAFETY: libc has this function; it takes the third argument as a word.
    let result = unsafe {
        std::mem::transmute::<*mut c_void, Real>(system::next(c"fcntl"))(
            descriptor, command, argument,
        )
    };
    if matches!(command, libc::F_DUPFD | libc::F_DUPFD_CLOEXEC) {
        changed(result);
    }
    result
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fcntl64(descriptor: c_int, command: c_int, argument: usize) -> c_int {
    // SAFETY: as above.
    unsafe { fcntl(descriptor, command, argument) }
}
