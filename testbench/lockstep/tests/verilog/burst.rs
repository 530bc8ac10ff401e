// SPDX-License-Identifier: MIT OR Apache-2.0
//! The AXI4 port, alone and in a board, model and Verilog in lockstep. Checks AXI-1 to AXI-7.

use crate::committed::committed;
use crate::fates::survivors;
use awgstar::rtl::{Axi4Port, Parameters, SmbAxi4};
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_lockstep::mutants::{chosen, list_of, machines::Model, read};
use awgstar_lockstep::{Lockstep, Memories, Verdict, campaign, text};
use awgstar_simulator::Sources;
use awgstar_simulator::four_state as icarus;
use awgstar_stimulus::Case;
use awgstar_stimulus::board::burst;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::{vector, vectors};
use proptest::strategy::{Strategy, ValueTree};
use std::path::PathBuf;

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn lockstep<M: Machine>(parameters: &Parameters) -> Lockstep<M> {
    let out = repository().join("target/cosim");
    let mut lockstep = Lockstep::<M>::with_parameters(&repository().join("hdl"), &out, parameters)
        .unwrap_or_else(|error| panic!("{error}"));
    lockstep.memories = Memories::Fast;
    lockstep
}

fn holds<M: Machine>(
    parameters: &Parameters,
    strategy: &impl Strategy<Value = Case<M>>,
    seed: u64,
    count: usize,
) {
    let count = crate::part(count);
    let mut lockstep = lockstep::<M>(parameters);
    let outcome = campaign::campaign(&mut lockstep, strategy, seed, count, &|_, _| ()).unwrap();
    if let Some(failure) = outcome.failure {
        panic!("{}", failure);
    }
    assert_eq!(outcome.cases, count);
}

#[test]
fn ports() {
    holds::<Axi4Port>(&Parameters::DEFAULT, &burst::port(4000), 1, 100);
}

#[test]
fn single_boards() {
    holds::<SmbAxi4>(&Parameters::DEFAULT, &burst::board(4000), 1, 75);
}

#[test]
fn directed_runs() {
    let lockstep = lockstep::<SmbAxi4>(&Parameters::DEFAULT);
    for named in burst::named() {
        if let Verdict::Diverged(d) = lockstep.run(&named.case).unwrap() {
            panic!("{}: {}", named.name, text::render(&d));
        }
    }
}

/// IDs and memory of another size.
#[test]
fn other_sizes() {
    for (settings, seed) in
        [(["MEM_ADDR_W=2", "AXI_ID_W=1"], 2), (["MEM_ADDR_W=29", "AXI_ID_W=16"], 3)]
    {
        let parameters = Parameters::DEFAULT.parse("axi4_port", settings).unwrap();
        holds::<Axi4Port>(&parameters, &burst::fit_ids(burst::port(3000), &parameters), seed, 30);
    }
}

/// LCK-5: no X where the model knows the bit, and no other value, in four states.
#[test]
fn icarus_replays() {
    let (hdl, out) = (repository().join("hdl"), repository().join("target/cosim"));
    let program = icarus::build(SmbAxi4::shape(), &hdl, &out).unwrap_or_else(|e| panic!("{e}"));
    let random = campaign::case(&burst::board(1500), 7, 0).unwrap().current();
    let short = burst::named()
        .into_iter()
        .filter(|n| ["registers", "both_ways"].contains(&n.name.as_str()));
    for case in short.map(|n| n.case).chain([random]) {
        let inputs = vector::track_of::<SmbAxi4>(&case, 0, &Parameters::DEFAULT).unwrap();
        let cycles = icarus::play::<SmbAxi4>(SmbAxi4::shape(), &program, &inputs)
            .unwrap_or_else(|error| panic!("{error}"));
        let wrong = awgstar_lockstep::check::<SmbAxi4>(SmbAxi4::shape(), &inputs, &cycles).unwrap();
        assert!(wrong.is_empty(), "{wrong:#x?}");
    }
}

/// Every deliberate bug in the port is found by its stimuli (LCK-3).
#[test]
fn no_mutant_of_the_port_survives() {
    let list = chosen(&repository(), "axi4", &Selection::from_env()).unwrap();
    let strategy = burst::port(1500);
    let random = (0..12).map(|k| campaign::case(&strategy, 5, k).unwrap().current());
    // Bursts over the end of the memory are rare among those.
    let edges = burst::named().into_iter().filter(|named| named.name == "edges");
    let edges = edges.map(|named| burst::port_alone(&named.case).unwrap());
    let cases: Vec<_> = random.chain(edges).collect();
    let model = Model::new::<Axi4Port>(Sources::of(&repository()), &cases).unwrap();
    let told = survivors(&list, &model).unwrap();
    assert!(told.is_empty(), "{told:#?}");
}

/// Every deliberate bug in the wires of the port in its board is found by the golden vectors (LCK-3).
#[test]
fn no_mutant_of_the_board_with_the_port_survives() {
    let list = chosen(&repository(), "board-axi4", &Selection::from_env().sized(3)).unwrap();
    let golden = vectors::burst::all().unwrap().iter();
    let cases: Vec<_> = golden.map(|golden| golden.vector().unwrap().case()).collect();
    let model = Model::new::<SmbAxi4>(Sources::of(&repository()), &cases).unwrap();
    let told = survivors(&list, &model).unwrap();
    assert!(told.is_empty(), "{told:#?}");
}

#[test]
fn the_list_of_mutants_is_long_enough() {
    let count = read(&list_of(&repository(), "axi4")).unwrap().len();
    assert!(count >= 40, "{count} mutants");
}

/// The answers are those written by hand.
#[test]
fn committed_vectors_hold() {
    let golden = vectors::burst::all().unwrap();
    let made = golden.iter().map(|golden| (golden.name.as_str(), golden.vector().unwrap()));
    committed::<SmbAxi4>(vectors::burst::FOLDER, made, |inputs| {
        let mut board = SmbAxi4::default();
        vectors::burst::answers(inputs.iter().map(|i| (i, board.step(i))))
    });
}
