// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every deliberate bug in the Verilog is found by a golden vector.

use awgstar_lockstep::mutants;
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::mutants::vectors::Vectors;
use std::path::Path;

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

// checks VEC-1: each vector class catches a bug
#[test]
fn no_mutant_survives() {
    let list = mutants::read(&mutants::list_of(&root(), "hdl")).unwrap();
    let wrong = mutants::unmatched(&list, &root().join("hdl")).unwrap();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(list.len() >= 40, "{} mutants", list.len());
    let list = Selection::from_env().of(&list);
    assert!(!list.is_empty());
    let told = mutants::survivors(&list, &Vectors::of(&root()).unwrap()).unwrap();
    assert!(told.is_empty(), "{told:#?}");
}
