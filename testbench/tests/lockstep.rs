//! Model and Verilog in lockstep (LCK-1 to LCK-5).

use awgstar_testbench::lockstep::{Case, Lockstep, campaign, icarus, strategy, text, vector};
use proptest::strategy::{Strategy, ValueTree};
use std::path::PathBuf;

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn lockstep() -> Lockstep {
    let root = repository();
    Lockstep::new(&root.join("hdl"), &root.join("target/cosim")).unwrap_or_else(|e| panic!("{e}"))
}

fn holds(strategy: &impl Strategy<Value = Case>, seed: u64, count: usize) {
    let start = std::time::Instant::now();
    let outcome = campaign::campaign(&mut lockstep(), strategy, seed, count, &|_, _| ()).unwrap();
    if let Some(failure) = outcome.failure {
        panic!("{}", text::failure(&failure));
    }
    println!("{} cases, {} node cycles, {:?}", outcome.cases, outcome.cycles, start.elapsed());
}

#[test]
fn single_nodes() {
    holds(&strategy::node(1500), 1, 300);
}

#[test]
fn rings_of_2() {
    holds(&strategy::ring(2, 2000), 2, 40);
}

#[test]
fn rings_of_4() {
    holds(&strategy::ring(4, 2000), 4, 20);
}

#[test]
fn rings_of_8() {
    holds(&strategy::ring(8, 2000), 8, 10);
}

#[test]
fn rings_of_16() {
    holds(&strategy::ring(16, 2000), 16, 5);
}

/// LCK-5: no X where the model knows the bit, and no other value, in four states.
#[test]
fn icarus_replays() {
    let root = repository();
    let out = root.join("target/cosim");
    let program = icarus::build(&root.join("hdl"), &out).unwrap_or_else(|e| panic!("{e}"));
    let strategy = strategy::node(800);
    for number in 0..4 {
        let case = campaign::case(&strategy, 7, number).unwrap().current();
        let inputs = vector::inputs_of(&case, 0).unwrap();
        let cycles = icarus::play(&program, &inputs).unwrap_or_else(|e| panic!("{e}"));
        let wrong = icarus::check(&inputs, &cycles);
        assert!(wrong.is_empty(), "{wrong:#x?}");
    }
}
