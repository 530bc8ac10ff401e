// SPDX-License-Identifier: MIT OR Apache-2.0
//! The board, model and Verilog in lockstep (LCK-1 to LCK-5). A missing simulator fails.

use awgstar::rtl::{Parameters, Smb};
use awgstar_lockstep::{Lockstep, Memories, Verdict, campaign, text};
use awgstar_simulator::four_state as icarus;
use awgstar_stimulus::Case;
use awgstar_stimulus::board::{directed, strategy, warm};
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::vector;
use proptest::strategy::{Strategy, ValueTree};
use std::path::PathBuf;

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn lockstep() -> Lockstep<Smb> {
    let out = repository().join("target/cosim");
    let mut lockstep = Lockstep::<Smb>::new(&repository().join("hdl"), &out)
        .unwrap_or_else(|error| panic!("{error}"));
    lockstep.memories = Memories::Fast;
    lockstep
}

fn holds(strategy: &impl Strategy<Value = Case<Smb>>, seed: u64, count: usize) {
    let count = crate::part(count);
    let outcome = campaign::campaign(&mut lockstep(), strategy, seed, count, &|_, _| ()).unwrap();
    if let Some(failure) = outcome.failure {
        panic!("{}", failure);
    }
    assert_eq!(outcome.cases, count);
}

#[test]
fn single_boards() {
    holds(&strategy::board(4000), 1, 75);
}

/// They begin just before a wrap-around, and time leaps in them.
#[test]
fn warm_boards() {
    holds(&warm::warm_board(4000), 1, 75);
}

#[test]
fn rings_of_boards() {
    for (nodes, count) in [(2, 30), (4, 12), (8, 4)] {
        holds(&strategy::ring(nodes, 5000), nodes.into(), count);
    }
}

/// Every store full, wraps of every number, and what else random runs rarely reach.
#[test]
fn directed_runs() {
    let lockstep = lockstep();
    for (number, case) in directed::cases().into_iter().enumerate() {
        if let Verdict::Diverged(d) = lockstep.run(&case).unwrap() {
            panic!("run {number}: {}", text::render(&d));
        }
    }
}

/// LCK-5: no X where the model knows the bit, and no other value, in four states.
#[test]
fn icarus_replays() {
    let program =
        icarus::build(Smb::shape(), &repository().join("hdl"), &repository().join("target/cosim"))
            .unwrap_or_else(|error| panic!("{error}"));
    let cold = campaign::case(&strategy::board(1200), 7, 0).unwrap().current();
    let warm = campaign::case(&warm::warm_board(1200), 7, 0).unwrap().current();
    for case in [cold, warm] {
        let inputs = vector::track_of::<Smb>(&case, 0, &Parameters::DEFAULT).unwrap();
        let cycles = icarus::play::<Smb>(Smb::shape(), &program, &inputs)
            .unwrap_or_else(|error| panic!("{error}"));
        let wrong = awgstar_lockstep::check::<Smb>(Smb::shape(), &inputs, &cycles).unwrap();
        assert!(wrong.is_empty(), "{wrong:#x?}");
    }
}

/// Without a bug the ports of all instances are the same too.
#[test]
fn ports_of_instances_agree() {
    let out = repository().join("target/cosim");
    let program = icarus::build_with_ports(Smb::shape(), &repository().join("hdl"), &out).unwrap();
    let case = campaign::case(&warm::warm_board(900), 7, 0).unwrap().current();
    let track = vector::track_of::<Smb>(&case, 0, &Parameters::DEFAULT).unwrap();
    let cycles = icarus::play_from::<Smb>(Smb::shape(), &program, &track, 0).unwrap();
    let wrong = awgstar_compare::cause::all_differences::<Smb>(&track, &cycles);
    assert!(wrong.is_empty(), "{wrong:#?}");
}
