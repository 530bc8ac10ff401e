//! Every deliberate bug in the Verilog is found by a golden vector.

use awgstar_lockstep::mutants;
use awgstar_lockstep::mutants::Setting;
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_simulator::Sources;
use std::path::Path;

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

// checks VEC-1: each vector class catches a bug
#[test]
fn no_mutant_survives() {
    let list = mutants::read(&root().join("testbench/mutants/hdl.toml")).unwrap();
    assert!(list.len() >= 40, "{} mutants", list.len());
    let hdl = Sources::of(&root()).hdl;
    let unmatched: Vec<String> = mutants::unmatched(&list, &hdl)
        .unwrap()
        .into_iter()
        .map(|(m, count)| format!("{}: `find` occurs {count} times", m.id))
        .collect();
    assert!(unmatched.is_empty(), "{unmatched:#?}");

    let list = Selection::from_env().of(&list);
    assert!(!list.is_empty());
    let fates = mutants::run(&list, &Setting::of(&root()), &|mutant, fate| {
        println!("{}: {fate:?}", mutant.id);
    })
    .unwrap();
    assert_eq!(fates.len(), list.len());
    let told = mutants::told(&list, &fates);
    assert!(told.is_empty(), "{told:#?}");
}
