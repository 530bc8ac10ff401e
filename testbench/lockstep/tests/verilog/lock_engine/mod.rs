// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lock_engine` alone, model and Verilog in lockstep. A missing simulator fails.

mod mutants;
mod stimuli;

use crate::link::Tool;
use crate::link::step::compared;
use awgstar::rtl::state::{Ports as _, State as _};
use awgstar::rtl::{LockEngine, lock_engine};
use awgstar_stimulus::Case;
use awgstar_stimulus::engine::sized;
use std::path::{Path, PathBuf};
use stimuli::{ALL, anything, drive};

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The first differences of the Verilog in `hdl`.
fn differences(tool: Tool, hdl: &Path, out: &Path, case: &Case<LockEngine>) -> Vec<String> {
    compared::<LockEngine>(tool, &case.parameters, (hdl, out), std::slice::from_ref(case))
        .unwrap_or_else(|error| panic!("{error}"))
}

fn holds(tool: Tool, node_w: u8, seed: u64, parts: usize) {
    let drive = drive(node_w, seed, parts);
    let case = drive.case();
    println!("NODE_W {node_w}: {} cycles, {:?}", case.inputs().len(), drive.reached);
    let root = repository();
    let wrong = differences(tool, &root.join("hdl"), &root.join("target/cosim"), &case);
    assert!(wrong.is_empty(), "NODE_W {node_w}: {wrong:#?}");
    let missing: Vec<_> =
        ALL.iter().filter(|&&name| drive.reached.get(name).is_none_or(|&n| n == 0)).collect();
    assert!(missing.is_empty(), "NODE_W {node_w}: not reached: {missing:?}");
}

// checks ENG-1, ENG-2, ENG-3
#[test]
#[ignore = "long: two bits are in Icarus, eight in Verilator"]
fn two_bits_of_a_node() {
    holds(Tool::Verilator, 2, 1, 96);
}

// checks ENG-1
#[test]
fn two_bits_of_a_node_in_icarus() {
    holds(Tool::Icarus, 2, 2, 24);
}

// checks ENG-1
#[test]
#[ignore = "long: two bits are in Icarus, eight in Verilator"]
fn four_bits_of_a_node() {
    holds(Tool::Verilator, 4, 3, 60);
}

// checks ENG-1
#[test]
fn eight_bits_of_a_node() {
    holds(Tool::Verilator, 8, 4, 12);
}

/// Without an engine every register keeps its reset value, whatever comes.
// checks ENG-1
#[test]
fn without_an_engine_nothing_changes() {
    let root = repository();
    let case = Case::fed(anything(400)).on(sized(0));
    let wrong = differences(Tool::Icarus, &root.join("hdl"), &root.join("target/cosim"), &case);
    assert!(wrong.is_empty(), "{wrong:#?}");
    let mut engine = LockEngine::new(&case.parameters);
    let mut first = None;
    for inputs in case.inputs() {
        let mut image = vec![0; lock_engine::Outputs::WORDS + LockEngine::WORDS];
        let (outputs, registers) = image.split_at_mut(lock_engine::Outputs::WORDS);
        engine.outputs(inputs).pack(outputs);
        engine.pack(registers);
        assert_eq!(first.get_or_insert_with(|| image.clone()), &image);
        engine.clock(inputs);
    }
}
