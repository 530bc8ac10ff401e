//! Model and Verilog in lockstep (LCK-1 to LCK-5).

use awgstar_testbench::lockstep::{Case, Lockstep, campaign::campaign, strategy};
use proptest::strategy::Strategy;
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
    let outcome = campaign(&mut lockstep(), strategy, seed, count, &|_, _| ()).unwrap();
    if let Some(f) = outcome.failure {
        let d = f.divergence;
        panic!(
            "case {} {:?} minimal {}: cycle {} node {} {:#x?}\n{:x?}\n{:#?}",
            f.number, f.original, f.minimal, d.cycle, d.node, d.signals, d.inputs, d.case
        );
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
