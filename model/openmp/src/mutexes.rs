// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutual exclusion by functions of libc: mutexes, spin locks, things that are done once. libc's own functions
//! know nothing of the other processes, and a lost update that gives equal values would be found by nobody.

use crate::{locks, rank, switch, sync, system, wire};
use libc::{c_int, c_void};
use std::ffi::CStr;

/// A lock of libc; `recursive` ones may be taken again.
fn take(at: usize, recursive: bool) -> c_int {
    switch::run(|| {
        if recursive && locks::again(at).is_some() {
            return;
        }
        locks::take(at);
    });
    0
}

fn test(at: usize, recursive: bool) -> c_int {
    let taken = switch::run(|| recursive && locks::again(at).is_some() || locks::test(at));
    if taken { 0 } else { libc::EBUSY }
}

fn release(at: usize) -> c_int {
    switch::run(|| locks::release_nested(at));
    0
}

/// Calls libc's own function.
fn real(name: &CStr, at: *mut c_void) -> c_int {
    type Real = unsafe extern "C" fn(*mut c_void) -> c_int;
    // SAFETY: libc has these functions with this type; the argument is the program's.
    unsafe { std::mem::transmute::<*mut c_void, Real>(system::next(name))(at) }
}

/// Returns true if a mutex is one that its holder may take again.
fn recursive(at: *mut c_void) -> bool {
    // SAFETY: the kind of a mutex is its fifth word (glibc's ABI on x86-64).
    unsafe { at.cast::<c_int>().add(4).read() & 3 == libc::PTHREAD_MUTEX_RECURSIVE }
}

/// Functions with one argument: what is done with it in a program of the launcher.
macro_rules! functions {
    ($($name:ident $c_name:literal |$at:ident| $action:expr;)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $name($at: *mut c_void) -> c_int {
            if !rank::started() {
                return real($c_name, $at);
            }
            $action
        }
    )* };
}

functions! {
    pthread_mutex_lock c"pthread_mutex_lock" |at| take(at as usize, recursive(at));
    pthread_mutex_trylock c"pthread_mutex_trylock" |at| test(at as usize, recursive(at));
    pthread_mutex_unlock c"pthread_mutex_unlock" |at| release(at as usize);
    pthread_spin_lock c"pthread_spin_lock" |at| take(at as usize, false);
    pthread_spin_trylock c"pthread_spin_trylock" |at| test(at as usize, false);
    pthread_spin_unlock c"pthread_spin_unlock" |at| release(at as usize);
    pthread_rwlock_rdlock c"pthread_rwlock_rdlock" |at| take(at as usize, true);
    pthread_rwlock_wrlock c"pthread_rwlock_wrlock" |at| take(at as usize, false);
    pthread_rwlock_tryrdlock c"pthread_rwlock_tryrdlock" |at| test(at as usize, true);
    pthread_rwlock_trywrlock c"pthread_rwlock_trywrlock" |at| test(at as usize, false);
    pthread_rwlock_unlock c"pthread_rwlock_unlock" |at| release(at as usize);
    flockfile c"flockfile" |at| take(at as usize, true);
    ftrylockfile c"ftrylockfile" |at| test(at as usize, true);
    funlockfile c"funlockfile" |at| release(at as usize);
    mtx_trylock c"mtx_trylock" |at| mtx_test(at as usize, recursive(at));
    mtx_lock c"mtx_lock" |at| take(at as usize, recursive(at));
    mtx_unlock c"mtx_unlock" |at| release(at as usize);
}

/// As `test`, with the value of C11: `thrd_busy`.
fn mtx_test(at: usize, recursive: bool) -> c_int {
    c_int::from(test(at, recursive) != 0)
}

/// Functions with a limit of time. On the ring each lock is released some time, so the limit does not pass: where
/// it would, the threads wait for each other, and the run ends with a message.
macro_rules! timed {
    ($($name:ident $c_name:literal ($($arg:ident: $t:ty),*) |$at:ident| $action:expr;)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $name($at: *mut c_void, $($arg: $t),*) -> c_int {
            type Real = unsafe extern "C" fn(*mut c_void, $($t),*) -> c_int;
            if !rank::started() {
                // SAFETY: libc has these functions with this type; the arguments are the program's.
                return unsafe {
                    std::mem::transmute::<*mut c_void, Real>(system::next($c_name))($at, $($arg),*)
                };
            }
            $action
        }
    )* };
}

timed! {
    pthread_mutex_timedlock c"pthread_mutex_timedlock" (end: *const c_void) |at| take(at as usize, recursive(at));
    pthread_mutex_clocklock c"pthread_mutex_clocklock" (clock: c_int, end: *const c_void) |at| take(at as usize, recursive(at));
    pthread_rwlock_timedrdlock c"pthread_rwlock_timedrdlock" (end: *const c_void) |at| take(at as usize, true);
    pthread_rwlock_timedwrlock c"pthread_rwlock_timedwrlock" (end: *const c_void) |at| take(at as usize, false);
    pthread_rwlock_clockrdlock c"pthread_rwlock_clockrdlock" (clock: c_int, end: *const c_void) |at| take(at as usize, true);
    pthread_rwlock_clockwrlock c"pthread_rwlock_clockwrlock" (clock: c_int, end: *const c_void) |at| take(at as usize, false);
    mtx_timedlock c"mtx_timedlock" (end: *const c_void) |at| take(at as usize, recursive(at));
}

/// Value of a `pthread_once_t` whose function has run, as glibc has it.
const DONE: c_int = 2;

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_once(at: *mut c_int, work: extern "C" fn()) -> c_int {
    switch::run(|| sync::enter(wire::lock::ONCE, "pthread_once"));
    // SAFETY: the program's variable.
    unsafe {
        if at.read() != DONE {
            switch::call_program(work as *const () as usize, [0; 3]);
            at.write(DONE);
        }
    }
    switch::run(|| sync::leave(wire::lock::ONCE));
    0
}

/// Begins to make a local static variable of C++; 0 if it is there. The lock is held until it is made.
#[unsafe(no_mangle)]
unsafe extern "C" fn __cxa_guard_acquire(at: *mut u8) -> c_int {
    switch::run(|| locks::take(at as usize));
    // SAFETY: the program's variable; its first byte says that the other one is there.
    if unsafe { at.read() } == 0 {
        return 1;
    }
    switch::run(|| locks::release_nested(at as usize));
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __cxa_guard_release(at: *mut u8) {
    // SAFETY: as above.
    unsafe { at.write(1) };
    switch::run(|| locks::release_nested(at as usize));
}

#[unsafe(no_mangle)]
extern "C" fn __cxa_guard_abort(at: *mut u8) {
    switch::run(|| locks::release_nested(at as usize));
}
