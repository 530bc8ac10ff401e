// SPDX-License-Identifier: MIT OR Apache-2.0
//! The testbench of Icarus that prints each cycle.

use crate::node::{CYCLES, FAULT, Inputs, Node, case, verilog, with};
use crate::probe::{self, Probe};
use awgstar::quantity::Cycle;
use awgstar_lockstep::{Difference, check};
use awgstar_simulator::{SimError, four_state};
use awgstar_stimulus::deposit::{self, Deposit};
use awgstar_stimulus::machine::{self, Machine, Track};
use awgstar_stimulus::shape::image;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = verilog("icarus");
    four_state::build(Node::shape(), &folder, &folder.join("out")).unwrap()
});

fn play(track: &Track<Inputs>) -> Result<Vec<Difference>, SimError> {
    let cycles = four_state::play::<Node>(Node::shape(), &PROGRAM, track)?;
    Ok(check::<Node>(Node::shape(), track, &cycles).unwrap())
}

/// All that is shown is that of the machine, once the state of both is the same. This does without the comparison.
#[test]
fn the_verilog_is_the_machine() {
    let at = |path: &str, value| Deposit { cycle: Cycle(2), path: path.into(), value };
    let deposits = vec![
        at("valid_q", 1),
        at("long_q", 0x1_2345_6789),
        at("wide_q", 1 << 64 | 0xfeed),
        at("full", 0xaaaa_5555 << 96 | 7),
        at("u_inner.inner_q", 0x5a),
        at("few", 9),
        at("u_inner.many", 0xdead_beef_0000_0001),
    ];
    let track = Track { inputs: with(FAULT, &[]), deposits };
    let cycles = four_state::play::<Node>(Node::shape(), &PROGRAM, &track).unwrap();
    let mut machine = Probe::default();
    let mut words = BTreeMap::new();
    for (number, (inputs, cycle)) in (0..).zip(track.inputs.iter().zip(&cycles)) {
        machine::deposit(&mut machine, &deposit::due(&track.deposits, Cycle(number)));
        words.extend(cycle.memories.iter().map(|&(m, index, seen)| ((m, index), seen)));
        let mut shown = cycle.sample(Node::shape(), &image(inputs));
        shown.words = words.iter().map(|(&(m, index), &seen)| (m, index, seen)).collect();
        let expected = probe::sample(&machine, inputs);
        if number >= 2 {
            assert_eq!(format!("{shown:?}"), format!("{expected:?}"), "cycle {number}");
        }
        machine.clock(inputs);
    }
    assert_eq!(cycles.len() as u64, CYCLES);
}

#[test]
fn each_fault_is_found_in_its_cycle() {
    assert_eq!(play(&case(&[]).0[0]).unwrap(), []);
    let faults = [
        (1, "valid_q", 0),
        (2, "long_q", 32),
        (5, "u_inner.inner_q", 7),
        (6, "few[3]", 3),
        (7, "u_inner.many[7]", 63),
        (11, "long_q", 0),
    ];
    for (fault, path, bit) in faults {
        for cycle in [40, CYCLES - 2] {
            let found = play(&case(&[(cycle, fault)]).0[0]).unwrap();
            let first = (found[0].path(), found[0].bit(), found[0].cycle, found[0].is_x());
            assert_eq!(first, (path.into(), bit, cycle + 1, fault == 11));
        }
    }
    for (fault, path) in [(9, "m_axis_tdata"), (10, "m_axis_tkeep")] {
        for cycle in [1, 40, CYCLES - 1] {
            let found = play(&case(&[(cycle, fault)]).0[0]).unwrap();
            let first = (found[0].path(), found[0].cycle, found[0].is_x());
            assert_eq!(first, (path.into(), cycle, fault == 10));
        }
    }
    // No reset sets these two.
    for fault in [3, 4, 8] {
        assert_eq!(play(&case(&[(40, fault)]).0[0]).unwrap(), []);
    }
}

#[test]
fn an_end_of_the_simulation_is_no_success() {
    let ended = play(&case(&[(40, 12)]).0[0]).unwrap_err();
    assert!(matches!(ended, SimError::Ended { .. }), "{ended}");
}
