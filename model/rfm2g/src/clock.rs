// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of the C library that tell the time or sleep. In a process that has joined the ring they mean
//! the time on the ring: a program that slept in the time of this computer would hold the whole ring.

use crate::board;
use awgstar_frame::quantity::{Nanoseconds, narrow};
use libc::{c_int, c_uint, clockid_t, timespec, timeval};
use rustix::time::{ClockId, clock_gettime as real};

const SECOND: u64 = 1_000_000_000;

fn split(time: Nanoseconds) -> timespec {
    timespec { tv_sec: narrow(time.0 / SECOND), tv_nsec: narrow(time.0 % SECOND) }
}

/// The duration in a structure; `None` if it is none.
fn duration(time: &timespec) -> Option<Nanoseconds> {
    let ns = u64::try_from(time.tv_nsec).ok().filter(|&ns| ns < SECOND)?;
    let seconds = u64::try_from(time.tv_sec).ok()?;
    seconds.checked_mul(SECOND)?.checked_add(ns).map(Nanoseconds)
}

/// Sleeps in the time of this computer.
fn really(time: Nanoseconds) {
    let time = rustix::time::Timespec {
        tv_sec: narrow(time.0 / SECOND),
        tv_nsec: narrow(time.0 % SECOND),
    };
    // A signal ends it, as it ends every sleep.
    let _ = rustix::thread::nanosleep(&time);
}

fn sleeps(time: Nanoseconds) {
    if !board::sleep(time) {
        really(time);
    }
}

/// As of the C library; clocks of the time of day and of the system are that of the ring.
///
/// # Safety
/// `to` must be null or point to a structure.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn clock_gettime(clock: clockid_t, to: *mut timespec) -> c_int {
    let of_ring = matches!(
        clock,
        libc::CLOCK_REALTIME
            | libc::CLOCK_MONOTONIC
            | libc::CLOCK_MONOTONIC_RAW
            | libc::CLOCK_BOOTTIME
            | libc::CLOCK_REALTIME_COARSE
            | libc::CLOCK_MONOTONIC_COARSE
    );
    if let Some(now) = of_ring.then(board::now).flatten() {
        // SAFETY: the caller's promise.
        return unsafe { crate::put(to, split(now), crate::Status::BAD_PARAMETER_2) }
            .map_or(-1, |()| 0);
    }
    // SAFETY: the arguments are the caller's.
    let done = unsafe { libc::syscall(libc::SYS_clock_gettime, clock, to) };
    if done == 0 { 0 } else { -1 }
}

/// As of the C library.
///
/// # Safety
/// `to` must be null or point to a structure.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gettimeofday(to: *mut timeval, _zone: *mut libc::c_void) -> c_int {
    let time = board::now().unwrap_or_else(|| {
        let now = real(ClockId::Realtime);
        Nanoseconds(narrow::<u64>(now.tv_sec) * SECOND + narrow::<u64>(now.tv_nsec))
    });
    let time = timeval { tv_sec: narrow(time.0 / SECOND), tv_usec: narrow(time.0 % SECOND / 1000) };
    // SAFETY: the caller's promise.
    unsafe { crate::put(to, time, crate::Status::BAD_PARAMETER_1) }.map_or(-1, |()| 0)
}

/// As of the C library; nothing ends it early.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn sleep(seconds: c_uint) -> c_uint {
    sleeps(Nanoseconds(u64::from(seconds) * SECOND));
    0
}

/// As of the C library.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn usleep(us: c_uint) -> c_int {
    sleeps(Nanoseconds(u64::from(us) * 1000));
    0
}

/// As of the C library; nothing is left.
///
/// # Safety
/// `time` must be null or point to a structure.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn nanosleep(time: *const timespec, _left: *mut timespec) -> c_int {
    // SAFETY: the caller's promise.
    let Some(time) = (unsafe { time.as_ref() }).and_then(duration) else { return -1 };
    sleeps(time);
    0
}

/// As of the C library: for a time, or with `TIMER_ABSTIME` until one.
///
/// # Safety
/// `time` must be null or point to a structure.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn clock_nanosleep(
    clock: clockid_t,
    flags: c_int,
    time: *const timespec,
    left: *mut timespec,
) -> c_int {
    // SAFETY: the caller's promise.
    let Some(time_wanted) = (unsafe { time.as_ref() }).and_then(duration) else {
        return libc::EINVAL;
    };
    let Some(now) = board::now() else {
        // SAFETY: the arguments are the caller's.
        let done = unsafe { libc::syscall(libc::SYS_clock_nanosleep, clock, flags, time, left) };
        return if done == 0 { 0 } else { libc::EINTR };
    };
    let absolute = flags & libc::TIMER_ABSTIME != 0;
    sleeps(if absolute { time_wanted.saturating_sub(now) } else { time_wanted });
    0
}
