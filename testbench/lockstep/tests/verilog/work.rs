// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks, barriers and pages on verilated boards: firmware drives the AXI4-Lite port, and every output, register and
//! memory word of every board is that of the model in every cycle (LCK-1, LCK-2). A missing simulator fails.

use awgstar::contract::PageTable;
use awgstar::host::{BarrierKind, Choice, LockKind, Setup, work::Work};
use awgstar::quantity::Cycle;
use awgstar::ring::boards::Noise;
use awgstar::rtl::Smb;
use awgstar_lockstep::{Lockstep, Memories, Verdict, text};
use awgstar_stimulus::Case;
use awgstar_stimulus::board::WorkRun;
use std::path::PathBuf;

fn lockstep() -> Lockstep<Smb> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut lockstep = Lockstep::<Smb>::new(&root.join("hdl"), &root.join("target/cosim"))
        .unwrap_or_else(|error| panic!("{error}"));
    lockstep.memories = Memories::Fast;
    lockstep
}

/// As many cycles as the model takes; what it comes to is exact.
pub(crate) fn run(setup: Setup, choice: Choice, work: Work) -> WorkRun {
    let mut run = WorkRun { setup, choice, work, cycles: Cycle(0) };
    let mut system = run.system().unwrap();
    system.run(Cycle(10_000_000)).unwrap_or_else(|e| panic!("{run:?}: {e}"));
    system.settle(Cycle(1_000_000)).unwrap_or_else(|e| panic!("{run:?}: {e}"));
    work.check(&system).unwrap_or_else(|e| panic!("{run:?}: {e}"));
    run.cycles = system.ring().cycle();
    run
}

fn holds(run: WorkRun) {
    let name = format!("{:?} {:?}", run.choice, run.work);
    if let Verdict::Diverged(d) = lockstep().run(&Case::ring(run.into())).unwrap() {
        panic!("{name}: {}", text::render(&d));
    }
}

pub(crate) const WORKS: [Work; 3] = [
    Work::Counter { rounds: 2, inside: Cycle(20), outside: Cycle(0) },
    Work::List { rounds: 2 },
    Work::Stencil { cells: 2, steps: 2 },
];

/// Without `AWGSTAR_CASES` each program with one pair.
#[test]
fn every_protocol() {
    let pairs = LockKind::ALL.into_iter().zip(BarrierKind::ALL);
    for (row, (lock, barrier)) in pairs.enumerate() {
        for (column, work) in WORKS.into_iter().enumerate() {
            if row % WORKS.len() != column && !crate::whole() {
                continue;
            }
            let choice = Choice { lock, barrier, ..Choice::new() };
            holds(run(Setup::new(3, 4), choice, work));
        }
    }
}

#[test]
fn with_bit_errors() {
    for (seed, work) in (1..).zip(WORKS) {
        let mut setup = Setup::new(4, 9);
        setup.scenario.noise = Noise { rate: 21_000, seed };
        holds(run(setup, Choice::new(), work));
    }
}

/// An array of four pages of which two at a time are in the shared memory.
#[test]
fn pages() {
    let pages = Some(PageTable::new(64, 4, 2, 3));
    let work = Work::Pages { words: 64, stride: 8 };
    let run = run(Setup::new(3, 4), Choice { pages, ..Choice::new() }, work);
    holds(run);
}
