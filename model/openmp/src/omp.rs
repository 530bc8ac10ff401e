// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions `omp_*` for C, and those with a trailing underscore for Fortran.

use crate::{
    die::die,
    interpose, rank,
    schedule::Schedule,
    switch,
    team::{self, Control, control, set_control},
    wire,
};
use libc::{c_double, c_int, c_void};

/// Functions without arguments: name in C, name in Fortran, value.
macro_rules! values {
    ($($c:ident $fortran:ident $value:expr;)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $c() -> c_int {
            $value
        }
        #[unsafe(no_mangle)]
        extern "C" fn $fortran() -> c_int {
            $value
        }
    )* };
}

/// Number of regions around this thread that have more than one thread.
fn active_level() -> usize {
    team::levels().iter().filter(|level| level.1 > 1).count()
}

values! {
    omp_get_thread_num omp_get_thread_num_ team::thread() as c_int;
    omp_get_num_threads omp_get_num_threads_ team::threads() as c_int;
    omp_get_max_threads omp_get_max_threads_ control().threads as c_int;
    omp_get_num_procs omp_get_num_procs_ rank::ranks() as c_int;
    omp_in_parallel omp_in_parallel_ team::in_region().into();
    omp_get_dynamic omp_get_dynamic_ control().dynamic.into();
    omp_get_nested omp_get_nested_ (control().levels > 1).into();
    omp_get_thread_limit omp_get_thread_limit_ rank::ranks() as c_int;
    omp_get_max_active_levels omp_get_max_active_levels_ control().levels;
    omp_get_supported_active_levels omp_get_supported_active_levels_ 1;
    omp_get_level omp_get_level_ (team::levels().len() - 1) as c_int;
    omp_get_active_level omp_get_active_level_ active_level() as c_int;
    omp_in_final omp_in_final_ (team::finals() > 0).into();
    omp_get_cancellation omp_get_cancellation_ 0;
    omp_get_proc_bind omp_get_proc_bind_ 0;
    omp_get_num_places omp_get_num_places_ 0;
    omp_get_place_num omp_get_place_num_ -1;
    omp_get_partition_num_places omp_get_partition_num_places_ 0;
    omp_get_default_device omp_get_default_device_ 0;
    omp_get_num_devices omp_get_num_devices_ 0;
    omp_get_initial_device omp_get_initial_device_ 0;
    omp_get_device_num omp_get_device_num_ 0;
    omp_is_initial_device omp_is_initial_device_ 1;
    omp_get_num_teams omp_get_num_teams_ 1;
    omp_get_team_num omp_get_team_num_ 0;
    omp_get_max_teams omp_get_max_teams_ 0;
    omp_get_teams_thread_limit omp_get_teams_thread_limit_ 0;
    omp_get_max_task_priority omp_get_max_task_priority_ 0;
}

/// Functions with one number: name in C, names in Fortran for numbers of 4 and 8 bytes, action.
macro_rules! setters {
    ($($c:ident $fortran:ident $fortran_8:ident $action:expr;)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $c(value: c_int) {
            $action(value);
        }
        /// # Safety
        /// Fortran gives a pointer to the argument.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fortran(value: *const i32) {
            // SAFETY: the caller's promise.
            $c(unsafe { value.read() });
        }
        /// # Safety
        /// As above.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fortran_8(value: *const i64) {
            // SAFETY: the caller's promise.
            $c(unsafe { value.read() } as c_int);
        }
    )* };
}

fn set_threads(count: c_int) {
    let count = usize::try_from(count).unwrap_or(1).max(1);
    if count > rank::ranks() {
        die!("omp_set_num_threads({count}): run with -n {count}, or fewer threads");
    }
    set_control(Control { threads: count, ..control() });
}

/// Greatest number of active levels in libgomp.
const LEVELS_MAX: c_int = 255;

fn set_levels(levels: c_int) {
    // As libgomp has it.
    if levels >= 0 {
        set_control(Control { levels: levels.min(LEVELS_MAX), ..control() });
    }
}

fn set_nested(on: c_int) {
    set_levels(if on == 0 { 1 } else { c_int::MAX });
}

fn set_dynamic(on: c_int) {
    set_control(Control { dynamic: on != 0, ..control() });
}

fn nothing(_: c_int) {}

setters! {
    omp_set_num_threads omp_set_num_threads_ omp_set_num_threads_8_ set_threads;
    omp_set_dynamic omp_set_dynamic_ omp_set_dynamic_8_ set_dynamic;
    omp_set_nested omp_set_nested_ omp_set_nested_8_ set_nested;
    omp_set_max_active_levels omp_set_max_active_levels_ omp_set_max_active_levels_8_ set_levels;
    omp_set_default_device omp_set_default_device_ omp_set_default_device_8_ nothing;
    omp_set_num_teams omp_set_num_teams_ omp_set_num_teams_8_ nothing;
    omp_set_teams_thread_limit omp_set_teams_thread_limit_ omp_set_teams_thread_limit_8_ nothing;
}

#[unsafe(no_mangle)]
extern "C" fn omp_set_schedule(kind: c_int, chunk: c_int) {
    let chunk = u32::try_from(chunk).unwrap_or(0);
    let schedule = Schedule::from_words([kind as u32, chunk]);
    set_control(Control { schedule, ..control() });
}

/// # Safety
/// Fortran gives pointers to the arguments.
#[unsafe(no_mangle)]
unsafe extern "C" fn omp_set_schedule_(kind: *const i32, chunk: *const i32) {
    // SAFETY: the caller's promise.
    unsafe { omp_set_schedule(kind.read(), chunk.read()) };
}

/// # Safety
/// As above.
#[unsafe(no_mangle)]
unsafe extern "C" fn omp_set_schedule_8_(kind: *const i32, chunk: *const i64) {
    // SAFETY: the caller's promise.
    unsafe { omp_set_schedule(kind.read(), chunk.read() as c_int) };
}

/// # Safety
/// Both pointers can be written.
#[unsafe(no_mangle)]
unsafe extern "C" fn omp_get_schedule(kind: *mut c_int, chunk: *mut c_int) {
    let [one, other] = control().schedule.words();
    // SAFETY: the caller's promise.
    unsafe {
        kind.write(one as c_int);
        chunk.write(other as c_int);
    }
}

/// # Safety
/// Both pointers can be written.
#[unsafe(no_mangle)]
unsafe extern "C" fn omp_get_schedule_(kind: *mut c_int, chunk: *mut c_int) {
    // SAFETY: the caller's promise.
    unsafe { omp_get_schedule(kind, chunk) };
}

/// # Safety
/// Both pointers can be written.
#[unsafe(no_mangle)]
unsafe extern "C" fn omp_get_schedule_8_(kind: *mut c_int, chunk: *mut i64) {
    let [one, other] = control().schedule.words();
    // SAFETY: the caller's promise.
    unsafe {
        kind.write(one as c_int);
        chunk.write(other.into());
    }
}

fn at_level(level: i64) -> Option<(usize, usize)> {
    team::levels().get(usize::try_from(level).ok()?).copied()
}

/// Functions of a level: name in C, names in Fortran, what of the level.
macro_rules! of_level {
    ($($c:ident $fortran:ident $fortran_8:ident $index:tt;)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $c(level: c_int) -> c_int {
            at_level(level.into()).map_or(-1, |at| at.$index as c_int)
        }
        /// # Safety
        /// Fortran gives a pointer to the argument.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fortran(level: *const i32) -> c_int {
            // SAFETY: the caller's promise.
            $c(unsafe { level.read() })
        }
        /// # Safety
        /// As above.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fortran_8(level: *const i64) -> c_int {
            // SAFETY: the caller's promise.
            $c(unsafe { level.read() } as c_int)
        }
    )* };
}

of_level! {
    omp_get_ancestor_thread_num omp_get_ancestor_thread_num_ omp_get_ancestor_thread_num_8_ 0;
    omp_get_team_size omp_get_team_size_ omp_get_team_size_8_ 1;
}

/// Time on the ring in s.
#[unsafe(no_mangle)]
extern "C" fn omp_get_wtime() -> c_double {
    #[expect(clippy::cast_precision_loss, reason = "as OpenMP has it")]
    let ns = switch::run(wire::now) as f64;
    ns / 1e9
}

#[unsafe(no_mangle)]
extern "C" fn omp_get_wtime_() -> c_double {
    omp_get_wtime()
}

#[unsafe(no_mangle)]
extern "C" fn omp_get_wtick() -> c_double {
    1e-9
}

#[unsafe(no_mangle)]
extern "C" fn omp_get_wtick_() -> c_double {
    1e-9
}

#[unsafe(no_mangle)]
extern "C" fn omp_alloc(size: usize, _allocator: usize) -> *mut c_void {
    interpose::shared(size, 16)
}

#[unsafe(no_mangle)]
extern "C" fn omp_aligned_alloc(align: usize, size: usize, _allocator: usize) -> *mut c_void {
    interpose::shared(size, align.max(16))
}

#[unsafe(no_mangle)]
extern "C" fn omp_calloc(count: usize, size: usize, _allocator: usize) -> *mut c_void {
    interpose::shared_zero(count, size)
}

#[unsafe(no_mangle)]
extern "C" fn omp_free(block: *mut c_void, _allocator: usize) {
    interpose::shared_free(block);
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_alloc(align: usize, size: usize, _allocator: usize) -> *mut c_void {
    interpose::shared(size, align.max(16))
}

#[unsafe(no_mangle)]
extern "C" fn GOMP_free(block: *mut c_void, _allocator: usize) {
    interpose::shared_free(block);
}
