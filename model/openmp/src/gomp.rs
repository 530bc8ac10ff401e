// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entry points of regions and synchronisation, as gcc calls them.

use crate::{sync, switch, team, wire};
use libc::{c_uint, c_void};

#[unsafe(no_mangle)]
extern "C" fn GOMP_parallel(body: team::Body, data: *mut c_void, threads: c_uint, _flags: c_uint) {
    team::parallel(body, data, threads, || {});
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_barrier() {
    switch::run(sync::barrier);
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
    switch::run(|| sync::enter(sync::lock_of_name(name as usize), "a critical section"));
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_critical_name_end(name: *mut *mut c_void) {
    switch::run(|| sync::leave(sync::lock_of_name(name as usize)));
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_atomic_start() {
    switch::run(|| sync::enter(wire::lock::ATOMIC, "an atomic operation"));
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_atomic_end() {
    switch::run(|| sync::leave(wire::lock::ATOMIC));
}
