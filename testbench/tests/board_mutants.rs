//! Every deliberate bug in the board is found by the stimuli of its lockstep (LCK-3).

use awgstar::rtl::Smb;
use awgstar_testbench::{
    lockstep::{
        board::{BoardCase, directed, strategy},
        campaign::case,
        machine::Stimulus,
        mutants::{self, Fate},
    },
    sim::{Sources, mutants as list},
};
use proptest::strategy::ValueTree;
use std::{path::Path, sync::Mutex};

/// The stimuli: single boards in an environment, directed runs, and rings. What is short comes first:
/// a mutant costs what it takes to find it.
fn cases() -> Vec<BoardCase> {
    let board = strategy::board(1800);
    let ring = strategy::ring(2, 2500);
    let mut boards = (0..8).map(|k| case(&board, 21, k).unwrap().current());
    let first: Vec<BoardCase> = boards.by_ref().take(3).collect();
    let rings = (0..2).map(|k| case(&ring, 22, k).unwrap().current());
    let mut directed = directed::cases();
    directed.sort_by_key(Stimulus::cycles);
    first.into_iter().chain(directed).chain(boards).chain(rings).collect()
}

#[test]
fn no_mutant_of_the_board_survives() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let sources = Sources::of(&root);
    let all = list::read(&root.join("testbench/mutants/board.toml")).unwrap();
    assert!(all.len() >= 80, "{} mutants", all.len());
    let unmatched: Vec<String> = list::unmatched(&all, &sources.hdl)
        .unwrap()
        .into_iter()
        .map(|(m, count)| format!("{}: `find` occurs {count} times", m.id))
        .collect();
    assert!(unmatched.is_empty(), "{unmatched:#?}");
    let only = std::env::var("AWGSTAR_MUTANTS").unwrap_or_default();
    let all: Vec<_> =
        all.into_iter().filter(|m| only.split(',').any(|o| m.id.contains(o))).collect();
    assert!(!all.is_empty(), "no mutant has {only} in its name");

    let told = Mutex::new(Vec::new());
    let out = root.join("target/cosim/board-mutants");
    let fates = mutants::run::<Smb>(&all, &sources, &out, &cases(), &|mutant, fate| {
        println!("{}: {fate:?}", mutant.id);
        if !fate.killed() {
            let why = match fate {
                Fate::DoesNotCompile(log) => format!("does not compile: {log}"),
                other => format!("{other:?}"),
            };
            told.lock().unwrap().push(format!("{} ({}): {why}", mutant.id, mutant.story));
        }
    })
    .unwrap();
    let told = told.into_inner().unwrap();
    assert_eq!(fates.len(), all.len());
    assert!(told.is_empty(), "{told:#?}");
}
