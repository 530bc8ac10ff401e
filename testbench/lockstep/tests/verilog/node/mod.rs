// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model and Verilog in lockstep (LCK-1 to LCK-5). A missing simulator fails, never skips.

use awgstar::quantity::Cycle;
use awgstar::rtl::{Parameters, RingNode};
use awgstar_lockstep::{Lockstep, Memories, Verdict, campaign, text};
use awgstar_simulator::four_state as icarus;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::node::{directed, strategy};
use awgstar_stimulus::vector::Vector;
use awgstar_stimulus::{Case, vector};
use proptest::strategy::{Strategy, ValueTree};
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn out() -> PathBuf {
    repository().join("target/cosim")
}

fn lockstep(hdl: &Path) -> Lockstep<RingNode> {
    Lockstep::new(hdl, &out()).unwrap_or_else(|error| panic!("{error}"))
}

fn holds(strategy: &impl Strategy<Value = Case<RingNode>>, seed: u64, count: usize) {
    let count = crate::part(count);
    let mut lockstep = lockstep(&repository().join("hdl"));
    let outcome = campaign::campaign(&mut lockstep, strategy, seed, count, &|_, _| ()).unwrap();
    if let Some(failure) = outcome.failure {
        panic!("{}", failure);
    }
    assert_eq!(outcome.cases, count);
}

#[test]
fn single_nodes() {
    holds(&strategy::node(1500), 1, 150);
}

/// They begin just before a wrap-around.
#[test]
fn warm_nodes() {
    holds(&strategy::warm_node(1500), 1, 150);
}

/// Every buffer full, and what else random cases rarely reach.
#[test]
fn directed_cases() {
    let lockstep = lockstep(&repository().join("hdl"));
    for directed::Named { name, case, .. } in directed::cases() {
        if let Verdict::Diverged(d) = lockstep.run(&case).unwrap() {
            panic!("{name}: {}", text::render(&d));
        }
    }
}

#[test]
fn rings_of_2() {
    holds(&strategy::ring(2, 2000), 2, 40);
}

#[test]
fn rings_of_4() {
    holds(&strategy::ring(4, 2000), 4, 20);
}

#[test]
fn rings_of_8() {
    holds(&strategy::ring(8, 2000), 8, 10);
}

#[test]
fn rings_of_16() {
    holds(&strategy::ring(16, 2000), 16, 5);
}

/// LCK-3: a word of a memory that nothing reads yet is compared all the same, in both modes.
#[test]
fn fast_and_strict_find_the_same() {
    let hdl = tempfile::tempdir().unwrap();
    injected::copy(hdl.path(), &injected::MEMORY);
    let case = Case::ring(awgstar::ring::Scenario::saturated(2, 1, 64, Cycle(600)));
    let mut lockstep = lockstep(hdl.path());
    let strict = first(&lockstep, &case);
    lockstep.memories = Memories::Fast;
    assert_eq!(first(&lockstep, &case), strict);
    assert!(strict.1.starts_with("u_rx_buffer.hdr_mem["), "{strict:?}");
}

fn first(lockstep: &Lockstep, case: &Case<RingNode>) -> (u64, String) {
    match lockstep.run(case).unwrap() {
        Verdict::Diverged(d) => (d.cycle, d.first().unwrap().path()),
        Verdict::Equal(_) => panic!("the injected bug is not found"),
    }
}

/// LCK-5: no X where the model knows the bit, and no other value, in four states.
#[test]
fn icarus_replays() {
    let program = icarus::build(RingNode::shape(), &repository().join("hdl"), &out())
        .unwrap_or_else(|error| panic!("{error}"));
    let cold = (0..2).map(|n| campaign::case(&strategy::node(800), 7, n).unwrap().current());
    let warm = (0..2).map(|n| campaign::case(&strategy::warm_node(800), 7, n).unwrap().current());
    for case in cold.chain(warm) {
        let inputs = vector::track_of::<RingNode>(&case, 0, &Parameters::DEFAULT).unwrap();
        let cycles = icarus::play::<RingNode>(RingNode::shape(), &program, &inputs)
            .unwrap_or_else(|error| panic!("{error}"));
        let wrong =
            awgstar_lockstep::check::<RingNode>(RingNode::shape(), &inputs, &cycles).unwrap();
        assert!(wrong.is_empty(), "{wrong:#x?}");
    }
}

/// Without a bug the ports of all instances are the same too, so that one that differs is a cause.
#[test]
fn ports_of_instances_agree() {
    let hdl = repository().join("hdl");
    let program = icarus::build_with_ports(RingNode::shape(), &hdl, &out()).unwrap();
    let cold = campaign::case(&strategy::node(800), 7, 0).unwrap().current();
    let warm = campaign::case(&strategy::warm_node(800), 7, 1).unwrap().current();
    for case in [cold, warm] {
        let track = vector::track_of::<RingNode>(&case, 0, &Parameters::DEFAULT).unwrap();
        let cycles = icarus::play_from::<RingNode>(RingNode::shape(), &program, &track, 0).unwrap();
        let wrong = awgstar_compare::cause::all_differences::<RingNode>(&track, &cycles);
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

/// LCK-5: a memory word that nobody reads is seen in four states too.
#[test]
fn icarus_looks_at_memories() {
    let hdl = tempfile::tempdir().unwrap();
    injected::copy(hdl.path(), &injected::MEMORY);
    let case = Case::ring(awgstar::ring::Scenario::saturated(2, 1, 64, Cycle(300)));
    let Verdict::Diverged(d) = lockstep(hdl.path()).run(&case).unwrap() else {
        panic!("the injected bug is not found")
    };
    let program = icarus::build(RingNode::shape(), hdl.path(), &out()).unwrap();
    let inputs = vector::track_of::<RingNode>(&case, d.node, &Parameters::DEFAULT).unwrap();
    let cycles = icarus::play::<RingNode>(RingNode::shape(), &program, &inputs).unwrap();
    let wrong = awgstar_lockstep::check::<RingNode>(RingNode::shape(), &inputs, &cycles).unwrap();
    assert_eq!((wrong[0].cycle, wrong[0].path()), (d.cycle, d.first().unwrap().path()));
    assert!(wrong[0].path().starts_with("u_rx_buffer.hdr_mem[") && !wrong[0].is_x(), "{wrong:#x?}");
}

/// What the lockstep once found stays found: every committed vector on model, Verilator, Icarus.
#[test]
fn committed_vectors_hold() {
    let hdl = repository().join("hdl");
    let lockstep = lockstep(&hdl);
    let program =
        icarus::build(RingNode::shape(), &hdl, &out()).unwrap_or_else(|error| panic!("{error}"));
    let folders = vector::list(&repository().join("vectors/node"));
    assert!(folders.len() >= 3);
    for folder in folders {
        let name = folder.display();
        let vector = Vector::<RingNode>::load(&folder).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(vector.drift(), None, "{name}: the model does not give expect.hex");
        if let Verdict::Diverged(d) = lockstep.run(&vector.case()).unwrap() {
            panic!("{name}: {}", text::render(&d));
        }
        let cycles = icarus::play::<RingNode>(RingNode::shape(), &program, &vector.track).unwrap();
        let wrong =
            awgstar_lockstep::check::<RingNode>(RingNode::shape(), &vector.track, &cycles).unwrap();
        assert!(wrong.is_empty(), "{name}: {wrong:#x?}");
    }
}

/// Which far ends the random cases come past.
mod ends;
#[path = "../../../../cli/tests/common/gtkw.rs"]
mod gtkw;
/// Bugs put into a copy of the Verilog.
pub(crate) mod injected;

/// Another file for the shared memory.
mod memory;
/// Other parameters than the contract's.
pub(crate) mod sizes;
/// Builds that are out of date.
mod stale;
