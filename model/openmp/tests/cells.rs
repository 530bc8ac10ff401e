// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of the library: a second use of a state in use is found. The library ends the run there; here the end is
//! a panic that names both places.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]
#![expect(dead_code, reason = "not all of the module is used")]

#[path = "../src/cell.rs"]
mod cell;

mod die {
    use std::panic::Location;

    pub(crate) fn second_borrow(first: &Location<'_>, second: &Location<'_>) -> ! {
        panic!("{} {}", first.line(), second.line());
    }
}

use cell::{Guarded, at_work, work};
use std::{
    panic::catch_unwind,
    sync::{Mutex, PoisonError},
};

/// The work under way is that of the process: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

static ONE: Guarded<Vec<u32>> = Guarded::new(Vec::new());
static OTHER: Guarded<u32> = Guarded::new(0);

#[test]
fn a_second_use_is_found() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    ONE.borrow().push(1);
    assert!(!at_work());
    let first = ONE.borrow();
    let first_line = line!() - 1;
    assert!(at_work());
    // Another state is free.
    *OTHER.borrow() += 1;
    let error = catch_unwind(|| ONE.borrow().push(2)).unwrap_err();
    let second_line = line!() - 1;
    assert_eq!(error.downcast_ref::<String>().unwrap(), &format!("{first_line} {second_line}"));
    assert_eq!(*first, [1]);
    drop(first);
    assert!(!at_work());
    // Work without a state, and work within it: what a timer asks for.
    let outer = work();
    drop(work());
    assert!(at_work());
    drop(outer);
    assert!(!at_work());
}

/// After its end a use is none.
#[test]
fn uses_one_after_another() {
    static STATE: Guarded<u32> = Guarded::new(0);
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for _ in 0..3 {
        *STATE.borrow() += 1;
        let twice = 2 * *STATE.borrow();
        *STATE.borrow() = twice;
    }
    assert_eq!(*STATE.borrow(), 14);
}
