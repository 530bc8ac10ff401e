// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks of `omp_init_lock`. A lock is known by the address of its variable, which is the same in all threads.
//! A word in the ring's memory says that it is held, for `omp_test_lock`.

use crate::{cell::Solo, commit, die::die, switch, team, wire};
use libc::{c_int, c_void};
use std::collections::BTreeMap;

/// Locks that this thread holds, and how often.
static HELD: Solo<BTreeMap<usize, u32>> = Solo::new(BTreeMap::new());

/// Returns true if this thread holds a lock.
pub(crate) fn any_held() -> bool {
    !HELD.get().is_empty()
}

/// Lock of the ring for the variable at `addr`, and the index of its word.
fn number(addr: usize) -> (u32, u32) {
    let (first, count) = wire::lock::LOCKS;
    let index = (addr / 4 % count as usize) as u32;
    (first + index, index)
}

/// Takes the lock of the variable at `addr`.
pub(crate) fn take(addr: usize) {
    let (lock, flag) = number(addr);
    if HELD.get().contains_key(&addr) {
        die!("a lock is taken by the thread that holds it already: a deadlock");
    }
    if team::in_region() {
        wire::take(lock, "a lock with the same number as another one");
        wire::set_flag(flag, 1);
        // All nodes know before this one looks at another lock's word.
        wire::take(wire::lock::TEST, "internal: the lock of tests");
        wire::with(|node| node.unlock(wire::lock::TEST));
        commit::update(lock);
    }
    HELD.get().insert(addr, 1);
}

fn release(addr: usize) {
    let (lock, flag) = number(addr);
    if HELD.get().remove(&addr).is_none() {
        die!("a lock is released by a thread that does not hold it");
    }
    if team::in_region() {
        commit::publish(lock);
        wire::set_flag(flag, 0);
        wire::with(|node| node.unlock(lock));
    }
}

/// Takes a lock that nobody holds; false if somebody does.
pub(crate) fn test(addr: usize) -> bool {
    let busy =
        HELD.get().contains_key(&addr) || team::in_region() && wire::flag(number(addr).1) != 0;
    if !busy {
        take(addr);
    }
    !busy
}

/// Counts one more entry of a nested lock that this thread holds.
pub(crate) fn again(addr: usize) -> Option<u32> {
    let depth = HELD.get().get_mut(&addr)?;
    *depth += 1;
    Some(*depth)
}

/// Releases a lock, or counts one entry less.
pub(crate) fn release_nested(addr: usize) {
    match HELD.get().get_mut(&addr) {
        Some(depth) if *depth > 1 => *depth -= 1,
        _ => release(addr),
    }
}

/// A function of a lock: name in C, name in Fortran, action with its address.
macro_rules! locks {
    ($($c:ident $fortran:ident |$at:ident| $action:expr;)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $c(lock: *mut c_void) -> c_int {
            let $at = lock as usize;
            switch::run(|| $action)
        }
        #[unsafe(no_mangle)]
        extern "C" fn $fortran(lock: *mut c_void) -> c_int {
            $c(lock)
        }
    )* };
}

locks! {
    omp_init_lock omp_init_lock_ |_at| 0;
    omp_destroy_lock omp_destroy_lock_ |_at| 0;
    omp_set_lock omp_set_lock_ |at| { take(at); 0 };
    omp_unset_lock omp_unset_lock_ |at| { release(at); 0 };
    omp_test_lock omp_test_lock_ |at| test(at).into();
    omp_init_nest_lock omp_init_nest_lock_ |_at| 0;
    omp_destroy_nest_lock omp_destroy_nest_lock_ |_at| 0;
    omp_set_nest_lock omp_set_nest_lock_ |at| { if again(at).is_none() { take(at); } 0 };
    omp_unset_nest_lock omp_unset_nest_lock_ |at| { release_nested(at); 0 };
    omp_test_nest_lock omp_test_nest_lock_ |at| {
        again(at).map_or_else(|| test(at).into(), |depth| depth as c_int)
    };
}
