// SPDX-License-Identifier: MIT OR Apache-2.0
//! The modules of a gateway between two rings: model and Verilog in lockstep, and what must come out, which
//! follows from what goes in. A missing simulator fails.

mod gate;
mod inject;
mod mutants;
mod rings;
mod tap;

use crate::committed::committed;
use crate::link::step::compared;
use crate::link::{Tool, repository};
use awgstar::rtl::state::State as _;
use awgstar::rtl::{Parameters, RingGateway};
use awgstar_simulator::{SimError, elaborate};
use awgstar_stimulus::Case;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::vectors::gateway as golden;
use std::path::Path;

/// The first differences of the Verilog in `hdl` from the model.
fn differences<M: Machine>(
    tool: Tool,
    hdl: &Path,
    out: &Path,
    case: Case<M>,
) -> Result<Vec<String>, SimError> {
    compared::<M>(tool, &Parameters::DEFAULT, (hdl, out), &[case])
}

/// No difference of the Verilog of the repository.
#[track_caller]
fn agrees<M: Machine>(tool: Tool, case: Case<M>) {
    let root = repository();
    let found = differences(tool, &root.join("hdl"), &root.join("target/cosim"), case);
    let wrong = found.unwrap_or_else(|error| panic!("{error}"));
    assert!(wrong.is_empty(), "{tool:?}: {wrong:#?}");
}

// checks LCK-2
#[test]
fn names_of_the_gateway_agree() {
    let root = repository();
    let usual = Parameters::DEFAULT;
    let verilog = elaborate::elaborate(&root.join("hdl"), "ring_gateway", &usual)
        .unwrap_or_else(|error| panic!("{error}"));
    let found = elaborate::differences(&verilog, &RingGateway::layout());
    assert!(found.is_empty(), "{found:#?}");
}

/// The answers of both hosts are those written by hand.
// checks GWY-5, GWY-6, GWY-7
#[test]
fn committed_vectors_hold() {
    let all = golden::all().unwrap_or_else(|error| panic!("{error}"));
    let made = all.iter().map(|story| (story.name.as_str(), story.vector().unwrap()));
    committed::<RingGateway>(golden::FOLDER, made, golden::answers);
}
