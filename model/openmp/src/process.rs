// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers of processes, and whether the program is ending.

use crate::{cell::Value, rank};
use libc::pid_t;

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
    if rank::started() { FIRST.get().cast_signed() } else { own().cast_signed() }
}
