// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions with which the program installs signal handlers.

use crate::{image, masks, signals};
use libc::{c_int, sigaction as Action, sighandler_t};

/// Handlers of the program for signals of the library are kept, and called for what is not the library's.
#[unsafe(no_mangle)]
unsafe extern "C" fn sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int {
    if !signals::kept(signal) {
        if !new.is_null() {
            masks::set_handlers();
        }
        image::open_all(old as usize, size_of::<Action>());
        // SAFETY: the program's own call.
        return unsafe { signals::real_sigaction()(signal, new, old) };
    }
    // SAFETY: pointers are null or the program's; a zero action is the default one.
    unsafe {
        let before = signals::program(signal).unwrap_or_else(|| std::mem::zeroed());
        if !new.is_null() {
            signals::set_program(signal, new.read());
        }
        if !old.is_null() {
            old.write(before);
        }
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn signal(signal: c_int, handler: sighandler_t) -> sighandler_t {
    // SAFETY: as above.
    unsafe { handle(signal, handler, libc::SA_RESTART) }
}

unsafe fn handle(signal: c_int, handler: sighandler_t, flags: c_int) -> sighandler_t {
    // SAFETY: as above.
    unsafe {
        let mut new: Action = std::mem::zeroed();
        let mut old: Action = std::mem::zeroed();
        new.sa_sigaction = handler;
        new.sa_flags = flags;
        if sigaction(signal, &raw const new, &raw mut old) == 0 {
            old.sa_sigaction
        } else {
            libc::SIG_ERR
        }
    }
}

/// What `signal` is in a program of strict C: the handler is for one signal.
#[unsafe(no_mangle)]
unsafe extern "C" fn __sysv_signal(number: c_int, handler: sighandler_t) -> sighandler_t {
    // SAFETY: as above.
    unsafe { handle(number, handler, libc::SA_RESETHAND | libc::SA_NODEFER) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn bsd_signal(number: c_int, handler: sighandler_t) -> sighandler_t {
    // SAFETY: as above.
    unsafe { signal(number, handler) }
}
