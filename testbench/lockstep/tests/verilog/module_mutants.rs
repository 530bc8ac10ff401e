// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every deliberate bug in the Verilog is found by a golden vector.

use crate::fates::survivors;
use crate::node::injected::copy;
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
    let told = survivors(&list, &Vectors::of(&root()).unwrap()).unwrap();
    assert!(told.is_empty(), "{told:#?}");
}

/// A mutant does not count as found by a run that fails without it, too.
#[test]
fn a_design_that_fails_anyway_kills_nothing() {
    let folder = tempfile::tempdir().unwrap();
    copy(
        &folder.path().join("hdl"),
        &("frame_tx.v", "{s_hdr_node_id, ", "{s_hdr_node_id ^ 8'd4, "),
    );
    for name in ["vectors", "testbench"] {
        std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).unwrap();
    }
    let list = mutants::read(&mutants::list_of(&root(), "hdl")).unwrap();
    let list: Vec<_> = list.into_iter().filter(|m| m.id == "tx-mac-byte-order").collect();
    assert_eq!(list.len(), 1);
    let refused = survivors(&list, &Vectors::of(folder.path()).unwrap()).unwrap_err();
    assert!(refused.to_string().contains("without a bug: Killed"), "{refused}");
}
