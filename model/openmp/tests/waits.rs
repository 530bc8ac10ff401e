// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loops that wait are found, and the timer does nothing while the library works.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]
#![expect(dead_code, reason = "not all of the modules is used")]

#[path = "../src/cell.rs"]
mod cell;
#[path = "../src/waits.rs"]
mod waits;

mod die {
    use std::panic::Location;

    pub(crate) fn second_borrow(first: &Location<'_>, second: &Location<'_>) -> ! {
        panic!("{first} {second}");
    }
}

use cell::{Guarded, work};
use waits::{Seen, Waits};

fn seen(state: u64) -> Seen {
    Seen { work: 0, state }
}

/// How many of `looks` looks it takes until a program waits.
fn found(waits: &mut Waits, looks: u64, see: impl Fn(u64) -> Option<Seen>) -> Option<u64> {
    (1..=looks).find(|&number| waits.look(|| see(number)))
}

/// One test, as the work under way is that of the process.
#[test]
fn a_look_does_nothing_while_the_library_works() {
    static STATE: Guarded<u32> = Guarded::new(0);
    let entered = || -> Option<Seen> { panic!("the library was entered") };
    let mut waits = Waits::NEW;
    assert_eq!(found(&mut waits, 39, |_| Some(seen(1))), None);
    let call = work();
    assert!(!waits.look(entered));
    drop(call);
    // What was seen before is forgotten.
    assert_eq!(waits, Waits::NEW);
    let state = STATE.borrow();
    assert_eq!(found(&mut waits, 1000, |_| entered()), None);
    drop(state);
    // A loop of twelve states waits, one of more does not, nor does one that calls the library.
    assert_eq!(found(&mut waits, 100, |number| Some(seen(number % 12))), Some(40));
    assert_eq!(found(&mut waits, 1000, |number| Some(seen(number % 13))), None);
    assert_eq!(found(&mut waits, 1000, |work| Some(Seen { work, state: 1 })), None);
}
