// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every injected bug in the Verilog of the link is found: by the tables of the standard or by the
//! comparison with the model.

use super::{Tool, codes, crossing, repository, reset, step};
use crate::fates::{Said, compared};
use crate::node::{injected::copy, sizes::differs_with_two_idle_words};
use awgstar_lockstep::mutants::modules::of_board;
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::mutants::{self, Fate, Mutant};
use awgstar_simulator::SimError;
use std::collections::BTreeSet;
use std::path::Path;

const STEPS: usize = 20_000;
/// Steps of `axil_crossing`.
const CROSSING: usize = 6_000;

fn first(differences: Result<Vec<String>, SimError>) -> Option<String> {
    differences.unwrap_or_else(|error| panic!("{error}")).into_iter().next()
}

/// The first difference of what must find a bug in this file.
fn found(file: &str, hdl: &Path, out: &Path) -> Option<String> {
    let idle = |board| {
        let found = differs_with_two_idle_words(hdl, out, board);
        found.then(|| "with two idle words".to_owned())
    };
    if of_board(file) {
        return idle(true);
    }
    match file {
        "ring_egress.v" | "ring_node.v" => return idle(false),
        "smb_link.v" => {
            let found = first(reset::differences(Tool::Icarus, hdl, out));
            let board = || first(step::differences_of_board(Tool::Icarus, hdl, out, step::BOARDS));
            return found.or_else(board);
        }
        "axil_crossing.v" => {
            return first(crossing::differences(Tool::Icarus, hdl, out, 1, CROSSING));
        }
        _ => {}
    }
    let mut codes = codes::differences(Tool::Icarus, hdl, out).into_iter();
    codes.next().or_else(|| first(step::differences(Tool::Icarus, hdl, out, 1, STEPS)))
}

#[test]
fn no_mutant_of_the_link_survives() {
    // A whole board takes half a minute and more.
    none_survives("link", (25, 2), |m| of_board(&m.file) || m.file == "smb_link.v", found);
}

/// Every mutant of a list of at least so many, or of a sample of so many parts, is found, and nothing without a mutant.
/// `found` gives the first difference of the Verilog with a mutant in a file. In the sample are none of `whole`.
pub(crate) fn none_survives(
    name: &str,
    (least, sample): (usize, usize),
    whole: impl Fn(&Mutant) -> bool,
    found: impl Fn(&str, &Path, &Path) -> Option<String>,
) {
    let list = mutants::read(&mutants::list_of(&repository(), name)).unwrap();
    let wrong = mutants::unmatched(&list, &repository().join("hdl")).unwrap();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(list.len() >= least, "{} mutants", list.len());
    let folder = tempfile::tempdir().unwrap();
    let fate = |mutant: &Mutant| {
        let folder = tempfile::tempdir().unwrap();
        let hdl = folder.path().join("hdl");
        copy(&hdl, &(&mutant.file, &mutant.find, &mutant.replace));
        found(&mutant.file, &hdl, folder.path())
            .map_or(Fate::Survived, |first| Fate::Killed(Said(first)))
    };
    let chosen = Selection::from_env().sized(sample);
    let sampled: Vec<Mutant> = match chosen {
        Selection::Sample(_) => list.iter().filter(|one| !whole(one)).cloned().collect(),
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
    let mut told = mutants::missed(&list, &fates);
    told.extend(compared(&list, &fates));
    assert!(told.is_empty(), "{told:#?}");
}
