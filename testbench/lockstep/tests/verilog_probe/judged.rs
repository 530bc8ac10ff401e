// SPDX-License-Identifier: MIT OR Apache-2.0
//! The judgement of a bug in the Verilog of a machine: the testbench compares.

use crate::node::{CYCLES, NONE, Node, Nodes, verilog, with};
use awgstar_lockstep::mutants::machines::{Fate, Model};
use awgstar_lockstep::mutants::{Mutant, Oracle as _};
use awgstar_simulator::Sources;
use std::path::PathBuf;
use std::sync::LazyLock;

static HDL: LazyLock<PathBuf> = LazyLock::new(|| verilog("judged"));

/// The fate of a bug that makes these faults happen.
fn fate(faults: &[(u64, u64)]) -> Fate {
    let bench = HDL.join("testbench/verilog");
    let sources = Sources { bench, hdl: HDL.clone(), foreign: None };
    let model = Model::new::<Node>(sources, &[Nodes(vec![with(NONE, faults).into()])]).unwrap();
    let bug = Mutant {
        list: String::new(),
        id: "faults".into(),
        file: "probe.v".into(),
        find: "16'hFA17".into(),
        replace: "16'hFA18".into(),
        story: String::new(),
    };
    model.judge(&bug).unwrap()
}

#[test]
fn each_fault_is_found_in_its_cycle() {
    assert_eq!(fate(&[]), Fate::Survived);
    let faults = [
        ((0, 9), "m_axis_tdata", 0),
        ((0, 2), "m_axis_tlast", 1),
        ((0, 5), "u_inner.inner_q", 1),
        ((40, 3), "sum", 41),
        ((40, 4), "full", 41),
        ((40, 5), "u_inner.inner_q", 41),
        ((40, 11), "m_axis_tdata", 41),
        ((CYCLES - 1, 8), "sum", CYCLES - 1),
        ((CYCLES - 1, 10), "m_axis_tkeep", CYCLES - 1),
        ((CYCLES - 1, 6), "few[3]", CYCLES),
        ((CYCLES - 1, 7), "u_inner.many[7]", CYCLES),
    ];
    for (fault, path, cycle) in faults {
        let fate = fate(&[fault]);
        let Fate::Killed((part, first)) = &fate else { panic!("{fault:?}: {fate:?}") };
        assert_eq!((*part, first.path(), first.cycle), (0, path.to_owned(), cycle));
    }
}

#[test]
fn an_end_of_the_simulation_is_no_success() {
    assert!(matches!(fate(&[(40, 12)]), Fate::Hung(_)));
}
