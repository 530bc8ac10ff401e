// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards that can join, model and Verilog in lockstep: every output, register and memory word in every cycle. Checks
//! JOIN-1 to JOIN-6; JOIN-6 without `JOIN`: all other tests of boards run so. A missing simulator fails.

use crate::link::mutants::none_survives;
use awgstar::rtl::Smb;
use awgstar_lockstep::{Lockstep, Memories, Verdict, campaign, text};
use awgstar_simulator::four_state as icarus;
use awgstar_stimulus::board::join::{self, Reached};
use awgstar_stimulus::shape::Shape;
use awgstar_stimulus::vector;
use proptest::strategy::ValueTree;
use std::path::{Path, PathBuf};

fn lockstep() -> Lockstep<Smb> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (hdl, out) = (root.join("hdl"), root.join("target/cosim"));
    let mut lockstep = Lockstep::<Smb>::with_parameters(&hdl, &out, &join::parameters())
        .unwrap_or_else(|error| panic!("{error}"));
    lockstep.memories = Memories::Fast;
    lockstep
}

/// Rings of boards that join while others write, on links that err.
#[test]
fn rings() {
    let mut lockstep = lockstep();
    let mut all = Reached::default();
    for (nodes, count) in [(2, 16), (3, 10), (4, 6)] {
        let strategy = join::ring(nodes, 9000);
        let (seed, count) = (u64::from(nodes), crate::part(count));
        for number in 0..count {
            let case = campaign::case(&strategy, seed, number).unwrap().current();
            all = all + join::reached(&case).unwrap();
        }
        let outcome =
            campaign::campaign(&mut lockstep, &strategy, seed, count, &|_, _| ()).unwrap();
        if let Some(failure) = outcome.failure {
            panic!("{}", failure);
        }
        assert_eq!(outcome.cases, count);
    }
    for written in join::fills_meet_the_ring().chain([join::answers_meet_accesses()]) {
        if let Verdict::Diverged(d) = lockstep.run(&written).unwrap() {
            panic!("{}", text::render(&d));
        }
        all = all + join::reached(&written).unwrap();
    }
    let Reached { fences, answers, blocked, held, partly, met } = all;
    let least = [fences / 10, answers / 10, blocked / 5, held, partly, met];
    assert!(least.iter().all(|&n| n > 0), "{all:?}");
}

/// A board with fences, answers and data of others that no board would send.
#[test]
fn one_board() {
    let count = crate::part(60);
    let strategy = join::board_of(join::parameters(), 4000);
    let outcome = campaign::campaign(&mut lockstep(), &strategy, 1, count, &|_, _| ()).unwrap();
    if let Some(failure) = outcome.failure {
        panic!("{}", failure);
    }
    assert_eq!(outcome.cases, count);
}

/// LCK-5: no X where the model knows the bit, and no other value, in four states.
#[test]
fn icarus_replays() {
    let parameters = join::parameters();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shape = Shape::of::<Smb>(&parameters);
    let program = icarus::build(&shape, &root.join("hdl"), &root.join("target/cosim"))
        .unwrap_or_else(|error| panic!("{error}"));
    let case = campaign::case(&join::ring(2, 4000), 7, 0).unwrap().current();
    for node in 0..2 {
        let inputs = vector::track_of::<Smb>(&case, node, &parameters).unwrap();
        let cycles = icarus::play::<Smb>(&shape, &program, &inputs)
            .unwrap_or_else(|error| panic!("{error}"));
        let wrong = awgstar_lockstep::check::<Smb>(&shape, &inputs, &cycles).unwrap();
        assert!(wrong.is_empty(), "{wrong:#x?}");
    }
}

/// The first difference of a board with this Verilog.
fn first_difference(hdl: &Path, out: &Path) -> Option<String> {
    let mut lockstep = Lockstep::<Smb>::with_parameters(hdl, out, &join::parameters())
        .unwrap_or_else(|error| panic!("{error}"));
    lockstep.memories = Memories::Fast;
    let rings = |nodes: u8| {
        let strategy = join::ring(nodes, 9000);
        (0..12).map(move |k| campaign::case(&strategy, nodes.into(), k).unwrap().current())
    };
    let one = join::board_of(join::parameters(), 4000);
    let alone = (0..60).map(|k| campaign::case(&one, 1, k).unwrap().current());
    let written = join::fills_meet_the_ring().chain([join::answers_meet_accesses()]);
    let cases = written.chain(rings(2)).chain(rings(3));
    cases.chain(alone).find_map(|case| match lockstep.run(&case).unwrap() {
        Verdict::Diverged(d) => Some(text::render(&d).lines().next().unwrap_or("").to_owned()),
        Verdict::Equal(_) => None,
    })
}

/// Every injected bug is found.
#[test]
#[ignore = "long: a whole board is compiled for each bug"]
fn no_mutant_of_joining_survives() {
    none_survives("join", (30, 4), |_| false, |_, hdl, out| first_difference(hdl, out));
}
