// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of time that give a pointer to a result of libc: it would be in the process of one thread, so the
//! library keeps one that travels.

use crate::{cell::Value, die::die, interpose};
use libc::{c_char, time_t, tm};

unsafe extern "C" {
    fn tzset();
    fn asctime_r(time: *const tm, text: *mut c_char) -> *mut c_char;
    fn ctime_r(time: *const time_t, text: *mut c_char) -> *mut c_char;
}

#[repr(C)]
struct Shared {
    time: tm,
    text: [c_char; 64],
}

static SHARED: Value<usize> = Value::new(0);

/// Makes the results, before the fork.
pub(crate) fn begin() {
    let at = interpose::shared_zero(1, size_of::<Shared>());
    if at.is_null() {
        die!("no memory for the results of gmtime");
    }
    SHARED.set(at as usize);
}

fn time() -> *mut tm {
    // SAFETY: the block is there from the start of the program.
    unsafe { &raw mut (*(SHARED.get() as *mut Shared)).time }
}

fn text() -> *mut c_char {
    // SAFETY: as above.
    unsafe { (&raw mut (*(SHARED.get() as *mut Shared)).text).cast() }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn gmtime(at: *const time_t) -> *mut tm {
    // SAFETY: the program's own call.
    unsafe { libc::gmtime_r(at, time()) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn localtime(at: *const time_t) -> *mut tm {
    // SAFETY: as above. This function reads the time zone, and the one with `_r` need not.
    unsafe {
        tzset();
        libc::localtime_r(at, time())
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn asctime(of: *const tm) -> *mut c_char {
    // SAFETY: as above.
    unsafe { asctime_r(of, text()) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ctime(at: *const time_t) -> *mut c_char {
    // SAFETY: as above.
    unsafe {
        tzset();
        ctime_r(at, text())
    }
}
