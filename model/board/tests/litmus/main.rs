// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory order, exhaustively: the rules of sender and receivers (ACK-2 to ACK-4, SND-2, SND-3,
//! RCV-2, RCV-3) as a small machine, and every order of events that a ring with losses, late frames
//! and early timeouts allows. `docs/memory-order.md` is the page for users.

mod explore;
mod machine;
mod writers;

use awgstar_frame::contract::Order;
use explore::explore;
use machine::{Bounds, Machine};

/// What may go wrong in one run, by size of the test.
const BOUNDS: Bounds = Bounds { data: 2, losses: 2, early: 1 };

#[test]
fn sent_never_overtakes_data() {
    let found = explore(Machine::new(Order::Sent, BOUNDS));
    assert_eq!(found.violation, None, "{found:#?}");
    assert_eq!(found.stuck, None, "{found:#?}");
    assert!(found.states > 2_000, "{} states", found.states);
}

#[test]
fn confirmed_never_overtakes_data() {
    let found = explore(Machine::new(Order::Confirmed, BOUNDS));
    assert_eq!(found.violation, None, "{found:#?}");
    assert_eq!(found.stuck, None, "{found:#?}");
    assert!(found.states > 1_000, "{} states", found.states);
}

/// The signal says nothing about the data: without any fault it may be first.
#[test]
fn none_may_overtake_data() {
    let found = explore(Machine::new(Order::None, Bounds { losses: 0, early: 0, ..BOUNDS }));
    let run = found.violation.expect("an order in which the signal is first");
    assert!(run.len() <= 2, "the shortest: {run:?}");
}

/// SND-3 is needed: a `sent` signal that is not checked against the data overtakes what was lost.
#[test]
fn sent_without_its_number_overtakes_lost_data() {
    let mut system = Machine::new(Order::Sent, BOUNDS);
    system.check_mark = false;
    let run = explore(system).violation.expect("an order in which the signal is first");
    assert!(run.iter().any(|step| step.contains("lost") || step.contains("spoilt")), "{run:?}");
}

/// SND-3: a `sent` signal that returns before its data was dropped by receivers that miss the
/// data. Taken for an acknowledgement, it never arrives. A first version of the rule, which sent the
/// signal again whenever data was, failed here too: with an early timeout of the signal, the
/// return of the first copy, which had been dropped, counted for the second, which was lost.
#[test]
fn sent_that_comes_back_before_its_data_must_not_count() {
    let mut system = Machine::new(Order::Sent, BOUNDS);
    system.redo = false;
    let found = explore(system);
    assert!(found.missing.is_some(), "{found:#?}");
}

/// RCV-2 is needed: without the gap rule a later write is seen before an earlier one.
#[test]
fn data_behind_a_gap_must_wait() {
    let mut system = Machine::new(Order::Sent, BOUNDS);
    system.in_order = false;
    assert!(explore(system).violation.is_some());
}

/// ACK-4: what returns late starts no new round; every run ends, with each write applied once.
#[test]
fn every_run_ends_with_every_write_applied_once() {
    for order in Order::ALL {
        let found = explore(Machine::new(*order, Bounds { early: 2, ..BOUNDS }));
        assert_eq!(found.stuck, None, "{order:?} {found:#?}");
        assert_eq!(found.missing, None, "{order:?} {found:#?}");
    }
}
