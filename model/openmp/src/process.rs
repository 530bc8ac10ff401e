// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ends of the program, and its signal handlers.

use crate::{cell::Value, die::die, signals, start, switch, system};
use libc::{c_int, c_void, pid_t, sigaction as Action, sighandler_t, sigset_t};

fn real_exit(name: &std::ffi::CStr) -> usize {
    system::next(name) as usize
}

macro_rules! exits {
    ($($name:ident $c_name:literal;)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $name(code: c_int) -> ! {
            switch::run(|| start::finish(code));
            // Handlers of the program have its stack.
            let code = code.cast_unsigned() as usize;
            switch::call_program(real_exit($c_name), [code, 0, 0]);
            die!("internal: {} has returned", stringify!($name))
        }
    )* };
}

exits! { exit c"exit"; _exit c"_exit"; _Exit c"_Exit"; quick_exit c"quick_exit"; }

/// Handlers of the program for signals of the library are kept, and called for what is not the library's.
#[unsafe(no_mangle)]
unsafe extern "C" fn sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int {
    if !signals::kept(signal) {
        if !new.is_null() {
            HANDLERS.set(true);
        }
        crate::image::open_all(old as usize, size_of::<Action>());
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

type Mask = unsafe extern "C" fn(c_int, *const sigset_t, *mut sigset_t) -> c_int;

/// The library's signals cannot be blocked: a write fault would end the process.
unsafe fn mask(real: Mask, how: c_int, set: *const sigset_t, old: *mut sigset_t) -> c_int {
    // SAFETY: pointers are null or the program's.
    unsafe {
        crate::image::open_all(old as usize, size_of::<sigset_t>());
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

fn real_mask(name: &std::ffi::CStr) -> Mask {
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

/// The program is ending: no region can begin.
pub(crate) static ENDING: Value<bool> = Value::new(false);

/// Process of node 0, once there are others.
static FIRST: Value<u32> = Value::new(0);

/// Number of this process.
pub(crate) fn own() -> u32 {
    // SAFETY: a plain system call.
    unsafe { libc::syscall(libc::SYS_getpid) as u32 }
}

/// Remembers the process of node 0, before the fork.
pub(crate) fn begin() {
    FIRST.set(own());
}

/// All threads of a program are in one process: that of node 0.
#[unsafe(no_mangle)]
extern "C" fn getpid() -> pid_t {
    if crate::rank::started() { FIRST.get().cast_signed() } else { own().cast_signed() }
}
