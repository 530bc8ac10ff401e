// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals that are blocked: those of the library never, those of the program while the library works.

use crate::{cell::Value, image, system};
use libc::{c_int, c_void, sigset_t};
use std::ffi::CStr;

type Mask = unsafe extern "C" fn(c_int, *const sigset_t, *mut sigset_t) -> c_int;

/// The library's signals cannot be blocked: a write fault would end the process.
unsafe fn mask(real: Mask, how: c_int, set: *const sigset_t, old: *mut sigset_t) -> c_int {
    // SAFETY: pointers are null or the program's.
    unsafe {
        image::open_all(old as usize, size_of::<sigset_t>());
        if set.is_null() {
            return real(how, set, old);
        }
        let mut set = set.read();
        if how != libc::SIG_UNBLOCK {
            libc::sigdelset(&raw mut set, libc::SIGSEGV);
            libc::sigdelset(&raw mut set, libc::SIGTRAP);
        }
        real(how, &raw const set, old)
    }
}

fn real_mask(name: &CStr) -> Mask {
    // SAFETY: libc has these functions with this type.
    unsafe { std::mem::transmute::<*mut c_void, Mask>(system::next(name)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn sigprocmask(how: c_int, set: *const sigset_t, old: *mut sigset_t) -> c_int {
    // SAFETY: the program's own call.
    unsafe { mask(real_mask(c"sigprocmask"), how, set, old) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_sigmask(
    how: c_int,
    set: *const sigset_t,
    old: *mut sigset_t,
) -> c_int {
    // SAFETY: the program's own call.
    unsafe { mask(real_mask(c"pthread_sigmask"), how, set, old) }
}

/// The program has handlers of its own: they must not run while the library works.
static HANDLERS: Value<bool> = Value::new(false);

/// The program has installed a handler.
pub(crate) fn set_handlers() {
    HANDLERS.set(true);
}

/// Does work of the library without handlers of the program in between.
pub(crate) fn without_handlers<R>(work: impl FnOnce() -> R) -> R {
    if !HANDLERS.get() {
        return work();
    }
    // SAFETY: the sets are valid; the library's own signals stay.
    unsafe {
        let mut all: sigset_t = std::mem::zeroed();
        let mut old: sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        let real = real_mask(c"sigprocmask");
        mask(real, libc::SIG_BLOCK, &raw const all, &raw mut old);
        let result = work();
        real(libc::SIG_SETMASK, &raw const old, std::ptr::null_mut());
        result
    }
}
