//! The board, model and Verilog in lockstep (LCK-1 to LCK-5). A missing simulator fails.

use awgstar::rtl::Smb;
use awgstar_testbench::lockstep::{
    Lockstep, Memories, Verdict,
    board::{BoardCase, directed, strategy},
    campaign, icarus, text, vector,
};
use proptest::strategy::{Strategy, ValueTree};
use std::path::PathBuf;

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn lockstep() -> Lockstep<Smb> {
    let out = repository().join("target/cosim");
    let mut lockstep = Lockstep::<Smb>::new(&repository().join("hdl"), &out)
        .unwrap_or_else(|error| panic!("{error}"));
    lockstep.memories = Memories::Fast;
    lockstep
}

fn holds(strategy: &impl Strategy<Value = BoardCase>, seed: u64, count: usize) {
    let outcome = campaign::campaign(&mut lockstep(), strategy, seed, count, &|_, _| ()).unwrap();
    if let Some(failure) = outcome.failure {
        panic!("{}", text::failure(&failure));
    }
    assert_eq!(outcome.cases, count);
}

#[test]
fn single_boards() {
    holds(&strategy::board(4000), 1, 150);
}

#[test]
fn rings_of_boards() {
    for (nodes, count) in [(2, 30), (4, 12), (8, 4)] {
        holds(&strategy::ring(nodes, 5000), nodes.into(), count);
    }
}

/// The brim of every store, wraps of every number, and what else random runs rarely reach.
#[test]
fn directed_runs() {
    let lockstep = lockstep();
    for (number, case) in directed::cases().into_iter().enumerate() {
        if let Verdict::Diverged(d) = lockstep.run(&case).unwrap() {
            panic!("run {number}: {}", text::render(&d));
        }
    }
}

/// LCK-5: no X where the model knows the bit, and no other value, in four states.
#[test]
fn icarus_replays() {
    let program =
        icarus::build::<Smb>(&repository().join("hdl"), &repository().join("target/cosim"))
            .unwrap_or_else(|error| panic!("{error}"));
    let strategy = strategy::board(1200);
    for number in 0..2 {
        let case = campaign::case(&strategy, 7, number).unwrap().current();
        let inputs = vector::inputs_of::<Smb>(&case, 0).unwrap();
        let cycles =
            icarus::play::<Smb>(&program, &inputs).unwrap_or_else(|error| panic!("{error}"));
        let wrong = icarus::check::<Smb>(&inputs, &cycles);
        assert!(wrong.is_empty(), "{wrong:#x?}");
    }
}
