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

use cell::{Solo, in_use};
use std::panic::catch_unwind;

static ONE: Solo<Vec<u32>> = Solo::new(Vec::new());
static OTHER: Solo<u32> = Solo::new(0);

/// One test, as the number of uses is one for the process.
#[test]
fn a_second_use_is_found() {
    ONE.borrow().push(1);
    assert!(!in_use());
    let first = ONE.borrow();
    let first_line = line!() - 1;
    assert!(in_use());
    // Another state is free.
    *OTHER.borrow() += 1;
    let error = catch_unwind(|| ONE.borrow().push(2)).unwrap_err();
    let second_line = line!() - 1;
    assert_eq!(error.downcast_ref::<String>().unwrap(), &format!("{first_line} {second_line}"));
    assert_eq!(*first, [1]);
}

/// After its end a use is none.
#[test]
fn uses_one_after_another() {
    static STATE: Solo<u32> = Solo::new(0);
    for _ in 0..3 {
        *STATE.borrow() += 1;
        let twice = 2 * *STATE.borrow();
        *STATE.borrow() = twice;
    }
    assert_eq!(*STATE.borrow(), 14);
}
