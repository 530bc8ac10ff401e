// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entry points of regions and synchronisation, as gcc calls them.

use crate::{commit, die::die, loops::Sharing, regions, switch, sync, system, team, wire};
use libc::{c_int, c_uint, c_void};

#[unsafe(no_mangle)]
extern "C" fn GOMP_parallel(
    body: regions::Body,
    data: *mut c_void,
    threads: c_uint,
    _flags: c_uint,
) {
    regions::parallel(body, data, threads, None);
}

/// As older compilers call it: the caller runs the body itself.
#[unsafe(no_mangle)]
extern "C" fn GOMP_parallel_start(body: regions::Body, data: *mut c_void, threads: c_uint) {
    switch::run(|| regions::begin(body, data, threads, None));
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_parallel_end() {
    switch::run(regions::end);
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_barrier() {
    switch::run(sync::barrier);
}

/// Cancellation is off, as in libgomp without `OMP_CANCELLATION`.
#[unsafe(no_mangle)]
extern "C" fn GOMP_barrier_cancel() -> bool {
    switch::run(sync::barrier);
    false
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_cancel(_which: c_int, do_cancel: bool) -> bool {
    if do_cancel
        && switch::run(|| system::variable(c"OMP_CANCELLATION").is_some_and(|on| on == "true"))
    {
        die!("cancel with OMP_CANCELLATION=true: not supported");
    }
    false
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_cancellation_point(_which: c_int) -> bool {
    false
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_critical_start() {
    switch::run(|| sync::enter(wire::lock::CRITICAL, "a critical section"));
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_critical_end() {
    switch::run(|| sync::leave(wire::lock::CRITICAL));
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_critical_name_start(name: *mut *mut c_void) {
    switch::run(|| sync::enter_name(name as usize));
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_critical_name_end(name: *mut *mut c_void) {
    switch::run(|| sync::leave_name(name as usize));
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_atomic_start() {
    switch::run(|| sync::enter(wire::lock::ATOMIC, "an atomic operation"));
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_atomic_end() {
    switch::run(|| sync::leave(wire::lock::ATOMIC));
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_ordered_start() {
    switch::run(|| team::with_sharing(Sharing::wait_turn));
}

/// The turn passes on with the end of the thread's iterations.
#[unsafe(no_mangle)]
extern "C" fn GOMP_ordered_end() {}

/// Any thread may run a `single`; it is always the first, so that nothing has to be agreed upon.
#[unsafe(no_mangle)]
extern "C" fn GOMP_single_start() -> bool {
    team::thread() == 0
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_single_copy_start() -> *mut c_void {
    if team::thread() == 0 {
        return std::ptr::null_mut();
    }
    switch::run(|| {
        commit::barrier();
        wire::handover() as *mut c_void
    })
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_single_copy_end(data: *mut c_void) {
    switch::run(|| {
        if !team::alone() {
            wire::set_handover(data as usize);
            commit::barrier();
        }
    });
}
