// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every deliberate bug in the board is found by the stimuli of its lockstep (LCK-3).

use crate::fates::survivors;
use awgstar::rtl::{Smb, WriteCombiner};
use awgstar_lockstep::campaign::case;
use awgstar_lockstep::mutants::machines::Model;
use awgstar_lockstep::mutants::modules::Modules;
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::mutants::{self, chosen, list_of, read};
use awgstar_simulator::Sources;
use awgstar_stimulus::Case;
use awgstar_stimulus::alone;
use awgstar_stimulus::board::{addresses, directed, strategy, warm};
use proptest::strategy::ValueTree;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A sentence for each selected mutant of a list that these cases do not find.
fn missed(list: &str, selection: &Selection, cases: &[Case<Smb>]) -> Vec<String> {
    let list = chosen(&root(), list, selection).unwrap();
    let modules = Modules::new(Sources::of(&root()), &list, cases).unwrap();
    survivors(&list, &modules).unwrap()
}

/// The stimuli: single boards in an environment, directed runs, and rings. What is short comes first:
/// a mutant costs what it takes to find it.
fn cases() -> Vec<Case<Smb>> {
    let board = strategy::board(1800);
    let ring = strategy::ring(2, 2500);
    let mut boards = (0..8).map(|k| case(&board, 21, k).unwrap().current());
    let first: Vec<Case<Smb>> = boards.by_ref().take(3).collect();
    let rings = (0..2).map(|k| case(&ring, 22, k).unwrap().current());
    let mut directed = directed::cases();
    directed.sort_by_key(Case::cycles);
    first.into_iter().chain(directed).chain(boards).chain(rings).collect()
}

#[test]
fn no_mutant_of_the_board_survives() {
    let told = missed("board", &Selection::from_env(), &cases());
    assert!(told.is_empty(), "{told:#?}");
}

/// What only a memory larger than the default would show.
#[test]
fn no_mutant_of_a_block_alone_survives() {
    let cases = [alone::long_block()];
    let list = chosen(&root(), "board-alone", &Selection::All).unwrap();
    let model = Model::new::<WriteCombiner>(Sources::of(&root()), &cases).unwrap();
    let told = survivors(&list, &model).unwrap();
    assert!(told.is_empty(), "{told:#?}");
}

/// Many more: minutes, so not among the tests of every day.
#[test]
#[ignore = "long: cargo test -p awgstar-lockstep --test verilog board_mutants -- --ignored --nocapture"]
fn no_mutant_of_the_long_list_survives() {
    let told = missed("board-more", &Selection::long(), &cases());
    assert!(told.is_empty(), "{told:#?}");
}

/// What the command line plays to a board by default but for the old directed cases, which are in
/// [`cases`]: the directed one and `count` random ones that begin near far ends, then the addresses.
fn near_the_ends(count: usize) -> Vec<Case<Smb>> {
    let warm = warm::warm_board(2000);
    let warm = (0..count).map(|k| case(&warm, 1, k).unwrap().current());
    let addresses = addresses::runs().into_iter().map(|(.., run)| Case::alone(run));
    let directed = warm::named().into_iter().map(|named| named.case);
    directed.chain(warm).chain(addresses).collect()
}

/// A few of those near far ends, in four blocks.
#[test]
fn no_mutant_of_a_sample_near_the_ends_survives() {
    let sample =
        ["sorter-number-30", "sorter-next", "data-waits", "data-ahead", "window-addr-top", "axil-"];
    let sample = Selection::Named(sample.map(str::to_owned).into());
    let told = missed("board-ends", &sample, &near_the_ends(8));
    assert!(told.is_empty(), "{told:#?}");
}

#[test]
#[ignore = "minutes: cargo test -p awgstar-lockstep --test verilog board_mutants::no_mutant_near -- --ignored --nocapture"]
fn no_mutant_near_the_ends_survives() {
    let cases = near_the_ends(50);
    let told = missed("board-ends", &Selection::long(), &cases);
    assert!(told.is_empty(), "{told:#?}");
}

/// What the cases of [`cases`] and as many cold ones as the command line plays find of them: a
/// measurement.
#[test]
#[ignore = "a measurement"]
fn what_finds_those_near_the_ends_otherwise() {
    let cold = strategy::board(2000);
    let cold = (0..100).map(|k| case(&cold, 1, k).unwrap().current());
    let directed: Vec<Case<Smb>> = directed::cases();
    let old = directed.len() - addresses::runs().len();
    for (name, cases) in [("random", cold.collect()), ("directed", directed[..old].to_vec())] {
        let list = chosen(&root(), "board-ends", &Selection::long()).unwrap();
        let modules = Modules::new(Sources::of(&root()), &list, &cases).unwrap();
        let fates = mutants::run(&list, &modules, &|_, _| {}).unwrap();
        println!("{name} cases miss {:#?}", mutants::missed(&list, &fates));
    }
}

#[test]
fn the_list_is_long_enough() {
    let count = read(&list_of(&root(), "board")).unwrap().len();
    assert!(count >= 80, "{count} mutants");
}
