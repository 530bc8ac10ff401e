// SPDX-License-Identifier: MIT OR Apache-2.0
//! The loop with Verilator's library.

use crate::node::{CYCLES, FAULT, Node, Nodes, case, verilog, with};
use crate::probe::{self, Probe, RARE, Registers};
use awgstar_lockstep::start::{self, stored};
use awgstar_lockstep::vote::{Oddity, Voter, vote};
use awgstar_lockstep::{Divergence, Lockstep, Memories, Verdict};
use awgstar_simulator::four_state;
use awgstar_stimulus::Case;
use awgstar_stimulus::known::starts;
use awgstar_stimulus::machine::{Machine, memories};
use std::path::PathBuf;
use std::sync::LazyLock;

static HDL: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = verilog("library");
    Lockstep::<Node>::new(&folder, &folder.join("out")).unwrap();
    folder
});

fn lockstep(memories: Memories) -> Lockstep<Node> {
    let mut lockstep = Lockstep::new(&HDL, &HDL.join("out")).unwrap();
    lockstep.memories = memories;
    lockstep
}

fn diverged(case: &Case<Node>, memories: Memories) -> Divergence<Case<Node>> {
    match lockstep(memories).run(case).unwrap() {
        Verdict::Diverged(found) => *found,
        equal @ Verdict::Equal(_) => panic!("{equal:?}"),
    }
}

/// Path, bit and cycle of the first difference.
fn first(found: &Divergence<Case<Node>>) -> (String, u32, u64) {
    let first = found.first().unwrap();
    assert_eq!(first.cycle, found.cycle);
    (first.path(), first.bit(), first.cycle)
}

#[test]
fn a_right_design_is_equal_from_any_start() {
    for memories in [Memories::Strict, Memories::Fast] {
        let mut lockstep = lockstep(memories);
        for seed in 1..6 {
            lockstep.seed = seed;
            let verdict = lockstep.run(&case(&[])).unwrap();
            assert!(matches!(verdict, Verdict::Equal(CYCLES)), "{seed}: {verdict:?}");
        }
    }
}

/// The last bit of each signal, in the first cycle that is compared, in one in the middle and in the last.
#[test]
fn each_fault_is_found_in_its_cycle() {
    let registers = [
        (1, "valid_q", 0),
        (2, "long_q", 32),
        (3, "wide_q", 64),
        (4, "full", 127),
        (5, "u_inner.inner_q", 7),
        (6, "few[3]", 3),
        (7, "u_inner.many[7]", 63),
    ];
    for (fault, path, bit) in registers {
        for cycle in [1, 40, CYCLES - 2] {
            let found = diverged(&case(&[(cycle, fault)]), Memories::Strict);
            assert_eq!(first(&found), (path.into(), bit, cycle + 1));
        }
    }
    for (fault, path, bit) in [(8, "sum", 64), (9, "m_axis_tdata", 0)] {
        for cycle in [1, 40, CYCLES - 1] {
            let found = diverged(&case(&[(cycle, fault)]), Memories::Strict);
            assert_eq!(first(&found), (path.into(), bit, cycle));
        }
    }
}

/// Word 7 is written in cycles 8 n + 1 that are no multiples of 3, and memories are looked at in cycle 64.
#[test]
fn a_memory_is_found_in_its_cycle_in_fast_mode() {
    for cycle in [58, CYCLES - 2] {
        let found = diverged(&case(&[(cycle, 7)]), Memories::Fast);
        assert_eq!(first(&found), ("u_inner.many[7]".into(), 63, cycle + 1));
    }
}

#[test]
fn each_node_is_compared() {
    let nodes = |faults: [&[(u64, u64)]; 3]| {
        Case::ring(Nodes(faults.map(|f| with(FAULT, f).into()).into()))
    };
    for node in 0..3 {
        let mut faults: [&[(u64, u64)]; 3] = [&[]; 3];
        faults[node] = &[(40, 2)];
        let found = diverged(&nodes(faults), Memories::Strict);
        assert_eq!((first(&found), found.node), (("long_q".into(), 32, 41), node));
        assert!(found.others.is_empty());
    }
    // Of two nodes the one whose registers differ.
    let found = diverged(&nodes([&[(41, 9)], &[], &[(40, 2)]]), Memories::Strict);
    assert_eq!((found.node, found.others), (2, vec![0]));
}

#[test]
fn an_end_of_the_simulation_is_no_success() {
    for cycle in [40, CYCLES - 1] {
        let ended = lockstep(Memories::Strict).run(&case(&[(cycle, 12)])).unwrap_err().to_string();
        assert!(ended.contains(&format!("in cycle {cycle}")), "{ended}");
    }
}

/// What the reset sets is not taken over from the design, unless the design's start explains it.
#[test]
fn a_reset_that_is_missing_is_found() {
    let found = diverged(&case(&[(0, 15)]), Memories::Strict);
    let (path, _, cycle) = first(&found);
    assert_eq!((path.as_str(), cycle), ("long_q", 1));
    let shape = Node::shape();
    let reset = probe::inputs(0);
    let known = &start::known(&starts::<Node>(shape, start::RANDOM), &[reset])[0];
    let model: Node = start::after_reset(shape, 7, &reset);
    for (full, wrong) in [(RARE, false), (0, true)] {
        let registers = Registers { full, wide_q: 5, ..Registers::default() };
        let origin = Node(Probe { registers, few: [9; 4], ..Probe::default() });
        let mut design = origin.clone();
        design.clock(&reset);
        design.0.registers.long_q = 1;
        let states = [&stored(&origin), &stored(&design)];
        let (state, told) = start::start(&model, states, shape, &reset, known);
        assert_eq!(told, wrong);
        let mut expected = model.clone();
        expected.0.registers.long_q = wrong.into();
        assert_eq!(state, stored(&expected), "only a known bit that is wrong stays the design's");
    }
}

/// What no reset sets differs between seeds, in registers and in memories.
#[test]
fn what_no_reset_sets_is_random() {
    let after = |seed| start::after_reset::<Node>(Node::shape(), seed, &probe::inputs(0));
    let (one, other) = (after(1), after(2));
    assert_ne!(one.0.registers.wide_q, other.0.registers.wide_q);
    assert_ne!(memories(&one), memories(&other));
    assert_eq!(one, after(1));
}

/// The design is late with its data, and early with its valid.
#[test]
fn a_vote_tells_late_from_early() {
    let program = four_state::build(Node::shape(), &HDL, &HDL.join("vote")).unwrap();
    let cases = [
        (64, "m_axis_tdata", Oddity::Early),
        (65, "m_axis_tvalid", Oddity::Late),
        (9, "m_axis_tdata", Oddity::Value),
    ];
    for (fault, path, how) in cases {
        let found = diverged(&case(&[(40, fault)]), Memories::Strict);
        let vote = vote(&found, &lockstep(Memories::Strict), &program).unwrap().unwrap();
        assert_eq!((vote.path.as_str(), vote.odd, vote.how), (path, Voter::Model, how));
    }
}
