// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks of `omp_init_lock`. A lock is known by the address of its variable, which is the same in all threads.
//! A word in the ring's memory says that it is held, for `omp_test_lock`.

use crate::{cell::Guarded, coherent, commit, die::die, switch, team, wire};
use libc::{c_int, c_void};
use std::collections::BTreeMap;

/// A lock that this thread holds.
struct Held {
    depth: u32,
    /// It was taken in a region: the lock of the ring and the index of its words.
    ring: Option<(u32, u32)>,
}

/// Locks that this thread holds, by address.
static HELD: Guarded<BTreeMap<usize, Held>> = Guarded::new(BTreeMap::new());

/// Indices of locks that this process knows, by address.
static INDICES: Guarded<BTreeMap<usize, u32>> = Guarded::new(BTreeMap::new());

/// Returns true if this thread holds a lock.
pub(crate) fn any_held() -> bool {
    !HELD.borrow().is_empty()
}

fn is_held(addr: usize) -> bool {
    HELD.borrow().contains_key(&addr)
}

/// Locks of the ring that this thread holds.
pub(crate) fn held() -> Vec<u32> {
    HELD.borrow().values().filter_map(|held| held.ring).map(|(lock, _)| lock).collect()
}

/// Locks of the ring of variables that this process knows.
pub(crate) fn known() -> Vec<u32> {
    INDICES.borrow().values().map(|index| wire::lock::LOCKS.0 + index).collect()
}

/// Looks for the words of a lock in this node's replica: its index, or that of the place for it.
fn find(addr: usize, name: [u32; 2]) -> Result<u32, u32> {
    let (_, count) = wire::lock::LOCKS;
    let first = (addr / 4 % count as usize) as u32;
    for step in 0..count {
        let index = (first + step) % count;
        let found = wire::lock_name(index);
        if found == name {
            return Ok(index);
        }
        if found.contains(&0) {
            return Err(index);
        }
    }
    die!("the program has more than {count} locks and names of critical sections: not supported");
}

/// Lock of the ring for the variable at `addr`, and the index of its words. Each variable has a lock of its own:
/// who uses it first enters it into a table in the ring's memory.
pub(crate) fn number(addr: usize) -> (u32, u32) {
    // Neither word is zero, so half of an entry is no other one.
    let name = [addr as u32 | 1 << 31, (addr >> 31) as u32 | 1 << 31];
    let known = INDICES.borrow().get(&addr).copied();
    let index = known.unwrap_or_else(|| {
        let index = find(addr, name).unwrap_or_else(|_| {
            wire::take(wire::lock::TABLE, "internal: the table of locks");
            let index = find(addr, name).unwrap_or_else(|index| {
                wire::set_lock_name(index, name);
                index
            });
            wire::with(|node| node.unlock(wire::lock::TABLE));
            index
        });
        INDICES.borrow().insert(addr, index);
        index
    });
    (wire::lock::LOCKS.0 + index, index)
}

/// Takes the lock of the variable at `addr`.
pub(crate) fn take(addr: usize) {
    if is_held(addr) {
        die!("a lock is taken by the thread that holds it already: a deadlock");
    }
    let ring = team::in_region().then(|| {
        let (lock, flag) = number(addr);
        coherent::take(lock, "internal: a lock");
        wire::set_flag(flag, 1);
        // All nodes know before this one looks at another lock's word.
        wire::take(wire::lock::TEST, "internal: the lock of tests");
        wire::with(|node| node.unlock(wire::lock::TEST));
        commit::update(lock);
        (lock, flag)
    });
    HELD.borrow().insert(addr, Held { depth: 1, ring });
}

fn release(addr: usize) {
    let held = HELD.borrow().remove(&addr);
    let Some(held) = held else {
        die!("a lock is released by a thread that does not hold it");
    };
    // One that was taken in a region may be released after its end.
    if let Some((lock, flag)) = held.ring {
        commit::publish(lock);
        wire::set_flag(flag, 0);
        coherent::give(lock);
    }
}

/// Takes a lock that nobody holds; false if somebody does.
pub(crate) fn test(addr: usize) -> bool {
    let busy = is_held(addr) || team::in_region() && wire::flag(number(addr).1) != 0;
    if !busy {
        take(addr);
    }
    !busy
}

/// Counts one more entry of a nested lock that this thread holds.
pub(crate) fn again(addr: usize) -> Option<u32> {
    let mut all = HELD.borrow();
    let held = all.get_mut(&addr)?;
    held.depth += 1;
    Some(held.depth)
}

/// Releases a lock, or counts one entry less.
pub(crate) fn release_nested(addr: usize) {
    if let Some(held) = HELD.borrow().get_mut(&addr).filter(|held| held.depth > 1) {
        held.depth -= 1;
        return;
    }
    release(addr);
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
