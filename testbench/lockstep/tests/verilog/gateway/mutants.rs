// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every injected bug in the Verilog of a gateway is found by the comparison with the model.

use super::{differences, gate, inject, repository, rings, tap};
use crate::fates::{Said, compared};
use crate::link::Tool;
use crate::node::injected::copy;
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::mutants::{self, Fate, Mutant};
use std::collections::BTreeSet;
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
    let list = mutants::read(&mutants::list_of(&repository(), "gateway")).unwrap();
    let wrong = mutants::unmatched(&list, &repository().join("hdl")).unwrap();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(list.len() >= 40, "{} mutants", list.len());
    let folder = tempfile::tempdir().unwrap();
    let fate = |mutant: &Mutant| {
        let folder = tempfile::tempdir().unwrap();
        let hdl = folder.path().join("hdl");
        copy(&hdl, &(&mutant.file, &mutant.find, &mutant.replace));
        found(&mutant.file, &hdl, folder.path())
            .map_or(Fate::Survived, |first| Fate::Killed(Said(first)))
    };
    let chosen = Selection::from_env().sized(6);
    // Two whole boards take half a minute to compile: in the sample are the parts.
    let part = |m: &&Mutant| !["smb_reflect.v", "ring_gateway.v"].contains(&m.file.as_str());
    let sampled: Vec<Mutant> = match chosen {
        Selection::Sample(_) => list.iter().filter(part).cloned().collect(),
        _ => list,
    };
    let list = chosen.of(&sampled);
    assert!(!list.is_empty());
    // Without a bug nothing is found, by what judges the chosen ones.
    for file in list.iter().map(|m| m.file.as_str()).collect::<BTreeSet<_>>() {
        let found = found(file, &repository().join("hdl"), folder.path());
        assert_eq!(found, None, "{file} without a bug");
    }
    let fates: Vec<_> = list.iter().map(fate).collect();
    let mut said = mutants::missed(&list, &fates);
    said.extend(compared(&list, &fates));
    assert!(said.is_empty(), "{said:#?}");
}
