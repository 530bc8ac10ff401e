// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board that joins while others write, in every order of events (JOIN-1 to JOIN-5, DRV-11); what is left out is found.

use awgstar_sync::check::{
    explore,
    join::{Joining, Mutant, Property},
};

/// States at most: more than any of these rings has.
const LIMIT: usize = 20_000_000;

fn ring(writer_first: bool) -> Joining {
    Joining { writer_first, losses: 0, resets: 1, early: 0, mutant: None }
}

/// Both places of the writer; nothing is lost but in the reset. States are those of `docs/joining.md`.
#[test]
fn a_reset() {
    holds(&[(false, 0, 0, 13_979), (true, 0, 0, 14_466)]);
}

/// A frame is lost, or one is sent again although it is under way.
#[test]
#[ignore = "long: 400,000 states each"]
fn a_reset_and_a_loss() {
    holds(&[
        (false, 1, 0, 403_807),
        (true, 1, 0, 399_702),
        (false, 0, 1, 383_210),
        (true, 0, 1, 382_114),
    ]);
}

fn holds(rings: &[(bool, u8, u8, usize)]) {
    for &(writer_first, losses, early, states) in rings {
        let report = explore(&Joining { losses, early, ..ring(writer_first) }, LIMIT);
        if let Some((property, run)) = report.broken.first() {
            panic!("{property}:\n{}", run.join("\n"));
        }
        assert!(report.stuck.is_none(), "{:#?}", report.stuck);
        assert!(report.holds(), "{:#?}", report.livelock.map(|run| run.cycle));
        assert_eq!(report.states, states, "{writer_first} {losses} {early}");
    }
}

/// A shortest run to what goes wrong without a rule: its last property, and its steps.
fn shortest(mutant: Mutant, (writer_first, early, resets): (bool, u8, u8)) -> (Property, usize) {
    let ring = Joining { early, resets, mutant: Some(mutant), ..ring(writer_first) };
    let report = explore(&ring, LIMIT);
    let (property, run) = report.broken.first().expect("not found");
    (*property, run.len())
}

/// Each rule is needed.
#[test]
fn what_is_left_out_is_found() {
    let one = (false, 0, 1);
    assert_eq!(shortest(Mutant::NoHold, one), (Property::Lost, 52));
    assert_eq!(shortest(Mutant::NoDrain, one), (Property::Lost, 52));
    assert_eq!(shortest(Mutant::NoKnown, one), (Property::Lost, 52));
    assert_eq!(shortest(Mutant::NoSettle, one), (Property::Back, 39));
    assert_eq!(shortest(Mutant::NoWait, one), (Property::Lost, 41));
}

/// These need a frame that is under way twice, or two resets.
#[test]
#[ignore = "long: up to a million states each"]
fn what_is_left_out_is_found_later() {
    assert_eq!(shortest(Mutant::NoGate, (true, 1, 1)), (Property::Lost, 67));
    assert_eq!(shortest(Mutant::OldCopies, (false, 0, 2)), (Property::Lost, 77));
    assert_eq!(shortest(Mutant::OldNumbers, (false, 0, 2)), (Property::Lost, 80));
}
