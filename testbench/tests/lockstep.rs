//! Model and Verilog in lockstep (LCK-1 to LCK-5).

use awgstar::ring::Scenario;
use awgstar_testbench::lockstep::{Case, Lockstep, Verdict};
use std::path::PathBuf;

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn rings() {
    let root = repository();
    let l = Lockstep::new(&root.join("hdl"), &root.join("target/cosim"))
        .unwrap_or_else(|e| panic!("{e}"));
    let t = std::time::Instant::now();
    let case = Case::Ring(Scenario::saturated(4, 2, 1024, 20_000));
    match l.run(&case).unwrap() {
        Verdict::Equal(n) => println!("equal {n} {:?}", t.elapsed()),
        Verdict::Diverged(d) => panic!("{} {} {:#x?} {:x?}", d.cycle, d.node, d.signals, d.inputs),
    }
}
