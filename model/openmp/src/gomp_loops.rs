// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entry points of loops and sections, as gcc calls them.

use crate::{
    loops::Sharing,
    regions::{self, Body},
    schedule::{Loop, Schedule},
    switch, sync, team,
};
use libc::{c_long, c_uint, c_ulonglong, c_void};

/// Gives the next values to the program; false when there are none.
///
/// # Safety
/// Both pointers are of the program, to a value that can be written.
unsafe fn give(next: Option<(u64, u64)>, first: *mut u64, end: *mut u64) -> bool {
    if let Some((a, b)) = next {
        // SAFETY: the caller's promise.
        unsafe {
            first.write(a);
            end.write(b);
        }
    }
    next.is_some()
}

fn begin(the: Loop, ordered: bool) -> Option<(u64, u64)> {
    switch::run(|| {
        team::share(the, ordered);
        team::with_sharing(Sharing::next).flatten()
    })
}

fn next() -> Option<(u64, u64)> {
    switch::run(|| team::with_sharing(Sharing::next).flatten())
}

fn finish(wait: bool) {
    switch::run(|| {
        if let Some(sharing) = team::take_sharing() {
            sharing.finish();
        }
        if wait {
            sync::barrier();
        }
    });
}

fn fixed(chunk: i64) -> Schedule {
    Schedule::Static(u64::try_from(chunk).unwrap_or(0))
}

fn dynamic(chunk: i64) -> Schedule {
    Schedule::Dynamic(u64::try_from(chunk).unwrap_or(1).max(1))
}

fn guided(chunk: i64) -> Schedule {
    Schedule::Guided(u64::try_from(chunk).unwrap_or(1).max(1))
}

fn runtime(_: i64) -> Schedule {
    team::control().schedule
}

/// Entry points with a chunk: for each the functions that begin a loop over signed and unsigned values, those
/// that go on, and the schedule.
macro_rules! chunked {
    ($($start:ident $ull:ident $next:ident $ull_next:ident $schedule:ident $ordered:literal;)*) => { $(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $start(first: c_long, end: c_long, step: c_long, chunk: c_long, a: *mut u64, b: *mut u64) -> bool {
            let the = Loop::signed($schedule(chunk), first, end, step);
            // SAFETY: the pointers are the program's.
            unsafe { give(begin(the, $ordered), a, b) }
        }
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $ull(up: bool, first: c_ulonglong, end: c_ulonglong, step: c_ulonglong, chunk: c_ulonglong, a: *mut u64, b: *mut u64) -> bool {
            let the = Loop::unsigned($schedule(chunk as i64), up, first, end, step);
            // SAFETY: the pointers are the program's.
            unsafe { give(begin(the, $ordered), a, b) }
        }
        nexts! { $next $ull_next }
    )* };
}

/// Entry points whose schedule is that of `runtime`.
macro_rules! unchunked {
    ($($start:ident $ull:ident $next:ident $ull_next:ident $ordered:literal;)*) => { $(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $start(first: c_long, end: c_long, step: c_long, a: *mut u64, b: *mut u64) -> bool {
            let the = Loop::signed(runtime(0), first, end, step);
            // SAFETY: the pointers are the program's.
            unsafe { give(begin(the, $ordered), a, b) }
        }
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $ull(up: bool, first: c_ulonglong, end: c_ulonglong, step: c_ulonglong, a: *mut u64, b: *mut u64) -> bool {
            let the = Loop::unsigned(runtime(0), up, first, end, step);
            // SAFETY: the pointers are the program's.
            unsafe { give(begin(the, $ordered), a, b) }
        }
        nexts! { $next $ull_next }
    )* };
}

macro_rules! nexts {
    ($($next:ident)*) => { $(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $next(a: *mut u64, b: *mut u64) -> bool {
            // SAFETY: the pointers are the program's.
            unsafe { give(next(), a, b) }
        }
    )* };
}

chunked! {
    GOMP_loop_static_start GOMP_loop_ull_static_start GOMP_loop_static_next GOMP_loop_ull_static_next fixed false;
    GOMP_loop_dynamic_start GOMP_loop_ull_dynamic_start GOMP_loop_dynamic_next GOMP_loop_ull_dynamic_next dynamic false;
    GOMP_loop_guided_start GOMP_loop_ull_guided_start GOMP_loop_guided_next GOMP_loop_ull_guided_next guided false;
    GOMP_loop_nonmonotonic_dynamic_start GOMP_loop_ull_nonmonotonic_dynamic_start GOMP_loop_nonmonotonic_dynamic_next GOMP_loop_ull_nonmonotonic_dynamic_next dynamic false;
    GOMP_loop_nonmonotonic_guided_start GOMP_loop_ull_nonmonotonic_guided_start GOMP_loop_nonmonotonic_guided_next GOMP_loop_ull_nonmonotonic_guided_next guided false;
    GOMP_loop_ordered_static_start GOMP_loop_ull_ordered_static_start GOMP_loop_ordered_static_next GOMP_loop_ull_ordered_static_next fixed true;
    GOMP_loop_ordered_dynamic_start GOMP_loop_ull_ordered_dynamic_start GOMP_loop_ordered_dynamic_next GOMP_loop_ull_ordered_dynamic_next dynamic true;
    GOMP_loop_ordered_guided_start GOMP_loop_ull_ordered_guided_start GOMP_loop_ordered_guided_next GOMP_loop_ull_ordered_guided_next guided true;
}

unchunked! {
    GOMP_loop_runtime_start GOMP_loop_ull_runtime_start GOMP_loop_runtime_next GOMP_loop_ull_runtime_next false;
    GOMP_loop_nonmonotonic_runtime_start GOMP_loop_ull_nonmonotonic_runtime_start GOMP_loop_nonmonotonic_runtime_next GOMP_loop_ull_nonmonotonic_runtime_next false;
    GOMP_loop_maybe_nonmonotonic_runtime_start GOMP_loop_ull_maybe_nonmonotonic_runtime_start GOMP_loop_maybe_nonmonotonic_runtime_next GOMP_loop_ull_maybe_nonmonotonic_runtime_next false;
    GOMP_loop_ordered_runtime_start GOMP_loop_ull_ordered_runtime_start GOMP_loop_ordered_runtime_next GOMP_loop_ull_ordered_runtime_next true;
}

/// Regions that are one loop: with the caller's thread, and as older compilers call them.
macro_rules! parallel {
    ($($name:ident $start:ident $schedule:ident;)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $name(body: Body, data: *mut c_void, threads: c_uint, first: c_long, end: c_long, step: c_long, chunk: c_long, _flags: c_uint) {
            regions::parallel(body, data, threads, Some(Loop::signed($schedule(chunk), first, end, step)));
        }
        #[unsafe(no_mangle)]
        extern "C" fn $start(body: Body, data: *mut c_void, threads: c_uint, first: c_long, end: c_long, step: c_long, chunk: c_long) {
            let the = Loop::signed($schedule(chunk), first, end, step);
            switch::run(|| regions::begin(body, data, threads, Some(the)));
        }
    )* };
}

parallel! {
    GOMP_parallel_loop_static GOMP_parallel_loop_static_start fixed;
    GOMP_parallel_loop_dynamic GOMP_parallel_loop_dynamic_start dynamic;
    GOMP_parallel_loop_guided GOMP_parallel_loop_guided_start guided;
}

macro_rules! parallel_only {
    ($($name:ident $schedule:ident;)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $name(body: Body, data: *mut c_void, threads: c_uint, first: c_long, end: c_long, step: c_long, chunk: c_long, _flags: c_uint) {
            regions::parallel(body, data, threads, Some(Loop::signed($schedule(chunk), first, end, step)));
        }
    )* };
}

parallel_only! {
    GOMP_parallel_loop_nonmonotonic_dynamic dynamic;
    GOMP_parallel_loop_nonmonotonic_guided guided;
}

macro_rules! parallel_runtime {
    ($($name:ident)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $name(body: Body, data: *mut c_void, threads: c_uint, first: c_long, end: c_long, step: c_long, _flags: c_uint) {
            regions::parallel(body, data, threads, Some(Loop::signed(runtime(0), first, end, step)));
        }
    )* };
}

parallel_runtime! {
    GOMP_parallel_loop_runtime GOMP_parallel_loop_nonmonotonic_runtime GOMP_parallel_loop_maybe_nonmonotonic_runtime
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_parallel_loop_runtime_start(
    body: Body,
    data: *mut c_void,
    threads: c_uint,
    first: c_long,
    end: c_long,
    step: c_long,
) {
    let the = Loop::signed(runtime(0), first, end, step);
    switch::run(|| regions::begin(body, data, threads, Some(the)));
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_loop_end() {
    finish(true);
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_loop_end_nowait() {
    finish(false);
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_loop_end_cancel() -> bool {
    finish(true);
    false
}

fn section(next: Option<(u64, u64)>) -> c_uint {
    next.map_or(0, |(first, _)| first as c_uint)
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_sections_start(count: c_uint) -> c_uint {
    section(begin(Loop::sections(count.into()), false))
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_sections_next() -> c_uint {
    section(next())
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_parallel_sections(
    body: Body,
    data: *mut c_void,
    threads: c_uint,
    count: c_uint,
    _flags: c_uint,
) {
    regions::parallel(body, data, threads, Some(Loop::sections(count.into())));
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_parallel_sections_start(
    body: Body,
    data: *mut c_void,
    threads: c_uint,
    count: c_uint,
) {
    switch::run(|| regions::begin(body, data, threads, Some(Loop::sections(count.into()))));
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_sections_end() {
    finish(true);
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_sections_end_nowait() {
    finish(false);
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_sections_end_cancel() -> bool {
    finish(true);
    false
}
