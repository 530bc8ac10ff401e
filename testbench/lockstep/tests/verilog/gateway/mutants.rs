// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every injected bug in the Verilog of a gateway is found by the comparison with the model.

use super::{differences, gate, inject, rings, tap};
use crate::link::Tool;
use crate::link::mutants::none_survives;
use awgstar_lockstep::mutants::Mutant;
use std::path::Path;

/// The first difference of what must find a bug in this file.
fn found(file: &str, hdl: &Path, out: &Path) -> Option<String> {
    let found = match file {
        "window_gate.v" => differences(Tool::Icarus, hdl, out, gate::inputs(1, 30_000)),
        "window_tap.v" => differences(Tool::Icarus, hdl, out, tap::inputs(1, 10_000)),
        "window_inject.v" => differences(Tool::Icarus, hdl, out, inject::inputs(1, 10_000)),
        "smb_reflect.v" | "ring_gateway.v" => {
            differences(Tool::Verilator, hdl, out, rings::inputs())
        }
        other => panic!("no comparison for {other}"),
    };
    found.unwrap_or_else(|error| panic!("{error}")).into_iter().next()
}

#[test]
fn no_mutant_of_the_gateway_survives() {
    // Two whole boards take half a minute to compile.
    let whole = |m: &Mutant| ["smb_reflect.v", "ring_gateway.v"].contains(&m.file.as_str());
    none_survives("gateway", (40, 6), whole, found);
}
