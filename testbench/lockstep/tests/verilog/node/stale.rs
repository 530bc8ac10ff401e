// SPDX-License-Identifier: MIT OR Apache-2.0
//! A library or program that was compiled from other text, or by other programs, is not used.

use super::repository;
use awgstar::rtl::{OrderGate, Parameters};
use awgstar_simulator::SimError;
use awgstar_simulator::verilated::Verilated;
use awgstar_stimulus::shape::Shape;
use std::fs;

/// `order_gate` with an include file whose name the project does not use. It is in a folder that
/// `make` does not take.
#[test]
fn an_included_file_counts() {
    let folder = tempfile::tempdir().unwrap();
    let hdl = folder.path().join("with space, é/hdl");
    fs::create_dir_all(hdl.join("include")).unwrap();
    let text = fs::read_to_string(repository().join("hdl/order_gate.v")).unwrap();
    let line = "assign pending = pending_q;";
    assert_eq!(text.matches(line).count(), 1);
    let with = format!("`include \"my.svh\"\n{text}").replace(line, "assign pending = `MY;");
    fs::write(hdl.join("order_gate.v"), with).unwrap();
    let my = hdl.join("include/my.svh");
    fs::write(&my, "`define MY pending_q\n").unwrap();
    let shape = Shape::of::<OrderGate>(&Parameters::DEFAULT);
    let load = || Verilated::load(&shape, &hdl, &folder.path().join("with space, é/target"));
    load().unwrap_or_else(|e| panic!("{e}"));
    // Text that does not compile shows that it was read, without a second run of the compiler.
    fs::write(&my, "`define MY no_such_signal\n").unwrap();
    match load() {
        Err(SimError::Build { log, .. }) => assert!(log.contains("no_such_signal"), "{log}"),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("an old library is used"),
    }
}
