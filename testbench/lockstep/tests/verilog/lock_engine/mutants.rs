// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every injected bug in the Verilog of the lock engine is found by the comparison with the model.

use super::stimuli::drive;
use super::{Run, repository};
use crate::fates::{Said, compared};
use crate::link::Tool;
use crate::node::injected::copy;
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::mutants::{self, Fate, Mutant};

#[test]
fn no_mutant_of_the_lock_engine_survives() {
    let list = mutants::read(&mutants::list_of(&repository(), "engine-lock")).unwrap();
    let wrong = mutants::unmatched(&list, &repository().join("hdl")).unwrap();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(list.len() >= 30, "{} mutants", list.len());
    let run = Run::of(2, &drive(2, 2, 24).steps);
    let folder = tempfile::tempdir().unwrap();
    let good = run.differences(Tool::Icarus, &repository().join("hdl"), folder.path());
    assert!(good.is_empty(), "without a bug: {good:#?}");
    let fate = |mutant: &Mutant| {
        let folder = tempfile::tempdir().unwrap();
        let hdl = folder.path().join("hdl");
        copy(&hdl, &(&mutant.file, &mutant.find, &mutant.replace));
        let found = run.differences(Tool::Icarus, &hdl, folder.path());
        println!("{}: {}", mutant.id, found.first().map_or("survives", String::as_str));
        found.into_iter().next().map_or(Fate::Survived, |first| Fate::Killed(Said(first)))
    };
    let list = Selection::from_env().of(&list);
    assert!(!list.is_empty());
    let fates: Vec<_> = list.iter().map(fate).collect();
    let mut told = mutants::missed(&list, &fates);
    told.extend(compared(&list, &fates));
    assert!(told.is_empty(), "{told:#?}");
}
