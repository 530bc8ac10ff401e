// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every injected bug in the Verilog of the link is found: by the tables of the standard or by the
//! comparison with the model.

use super::{Tool, codes, crossing, repository, step};
use crate::node::{injected::copy, sizes::differs_with_two_idle_words};
use awgstar_lockstep::mutants::modules::of_board;
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::mutants::{self, Mutant};
use awgstar_simulator::SimError;
use std::collections::BTreeSet;
use std::path::Path;

const STEPS: usize = 20_000;
/// Steps of `axil_crossing`.
const CROSSING: usize = 6_000;

fn finds(differences: Result<Vec<String>, SimError>) -> bool {
    !differences.unwrap_or_else(|error| panic!("{error}")).is_empty()
}

/// What must find a bug in this file.
fn found(file: &str, hdl: &Path, out: &Path) -> bool {
    if of_board(file) {
        return differs_with_two_idle_words(hdl, out, true);
    }
    match file {
        "ring_egress.v" | "ring_node.v" => return differs_with_two_idle_words(hdl, out, false),
        "smb_link.v" => {
            return finds(step::differences_of_board(Tool::Icarus, hdl, out, step::BOARDS));
        }
        "axil_crossing.v" => {
            return finds(crossing::differences(Tool::Icarus, hdl, out, 1, CROSSING));
        }
        _ => {}
    }
    !codes::differences(Tool::Icarus, hdl, out).is_empty()
        || finds(step::differences(Tool::Icarus, hdl, out, 1, STEPS))
}

#[test]
fn no_mutant_of_the_link_survives() {
    let list = mutants::read(&mutants::list_of(&repository(), "link")).unwrap();
    let wrong = mutants::unmatched(&list, &repository().join("hdl")).unwrap();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(list.len() >= 25, "{} mutants", list.len());
    let folder = tempfile::tempdir().unwrap();
    let survives = |mutant: &&Mutant| {
        let folder = tempfile::tempdir().unwrap();
        let hdl = folder.path().join("hdl");
        copy(&hdl, &(&mutant.file, &mutant.find, &mutant.replace));
        !found(&mutant.file, &hdl, folder.path())
    };
    let chosen = Selection::from_env();
    // A whole board takes half a minute and more: in the sample are the parts.
    let quick = |m: &&Mutant| !of_board(&m.file) && m.file != "smb_link.v";
    let sampled: Vec<Mutant> = match chosen {
        Selection::Sample(_) => list.iter().filter(quick).cloned().collect(),
        _ => list,
    };
    let list = chosen.of(&sampled);
    assert!(!list.is_empty());
    // Without a bug nothing is found, by what judges the chosen ones.
    for file in list.iter().map(|m| m.file.as_str()).collect::<BTreeSet<_>>() {
        assert!(!found(file, &repository().join("hdl"), folder.path()), "{file} without a bug");
    }
    let left: Vec<_> = list.iter().filter(survives).map(|m| (&m.id, &m.story)).collect();
    assert!(left.is_empty(), "{left:#?}");
}
