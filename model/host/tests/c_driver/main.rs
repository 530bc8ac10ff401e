// SPDX-License-Identifier: MIT OR Apache-2.0
//! The driver in C (`hdl/driver`) on the cycle-accurate ring, alone, beside the firmware in Rust, and beside
//! the lock and barrier engine (LOCK-5, LOCK-6, BAR-4, BAR-5, BAR-7, DRV-1 to DRV-4, DRV-7, DRV-8).

mod process;

use awgstar_board::ring::boards::Noise;
use awgstar_frame::quantity::{Cycle, NodeId};
use awgstar_host::{Choice, DrivenRing, Program as RustProgram, Setup, work::Work};
use process::{End, Program, Report, compile, driver};
use std::{path::PathBuf, sync::OnceLock};

const LIMIT: Cycle = Cycle(40_000_000);
const COUNTER: Work = Work::Counter { rounds: 3, inside: Cycle(30), outside: Cycle(0) };
const LIST: Work = Work::List { rounds: 3 };
const STENCIL: Work = Work::Stencil { cells: 2, steps: 3 };
const WORKS: [Work; 3] = [COUNTER, LIST, STENCIL];

/// What has the place of a node's host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The driver in C.
    C,
    /// The driver in C, locks and barriers by the engine.
    CEngine,
    /// The driver in Rust.
    Rust,
    /// The driver in Rust, locks and barriers by the engine.
    RustEngine,
}

use Kind::{C, CEngine, Rust, RustEngine};

fn temporary() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("c_driver")
}

fn work_program() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| compile(&driver(), "work", &temporary()).unwrap_or_else(|e| panic!("{e}")))
}

struct Case {
    kinds: Vec<Kind>,
    setup: Setup,
    retry: u32,
    program: PathBuf,
}

impl Case {
    fn new(kinds: &[Kind]) -> Case {
        let mut setup = Setup::new(kinds.len(), 4);
        if kinds.iter().any(|kind| matches!(kind, CEngine | RustEngine)) {
            let with = setup.scenario.parameters.with("smb", "ENGINE_NODE_W", 5);
            setup.scenario.parameters = with.expect("legal");
        }
        Case { kinds: kinds.to_vec(), setup, retry: 60_000, program: work_program().clone() }
    }

    fn noise(mut self, rate: u32, seed: u64) -> Case {
        self.setup.scenario.noise = Noise { rate, seed };
        self
    }

    /// Runs a program of `work.c` on the nodes with C, and Rust programs on the others.
    fn run(
        &self,
        name: &str,
        arguments: &[u64],
        rust: Vec<RustProgram<'static>>,
    ) -> Result<DrivenRing<Choice>, String> {
        let engines = self.nodes().filter(|&(_, kind)| kind == RustEngine).map(|(node, _)| node);
        let retry_timeout = Cycle(self.retry.into());
        let choice = Choice { engines: engines.collect(), retry_timeout, ..Choice::new() };
        let mut system = DrivenRing::new(choice, &self.setup).map_err(|e| e.to_string())?;
        let mut reports: Vec<(NodeId, Report)> = Vec::new();
        for (node, kind) in self.nodes().filter(|(_, kind)| matches!(kind, C | CEngine)) {
            let nodes = self.kinds.len() as u64;
            let engine = u64::from(kind == CEngine);
            let (timeout, period) = (self.setup.timeout.into(), self.setup.period.into());
            let fixed = [node.0.into(), nodes, timeout, period, self.retry.into(), engine];
            let numbers = fixed.iter().chain(arguments).map(ToString::to_string);
            let all: Vec<String> = [name.to_string()].into_iter().chain(numbers).collect();
            let (program, report) = Program::start(&self.program, &all, 20);
            system.set_host(node, Box::new(program), Cycle(10)).map_err(|e| e.to_string())?;
            reports.push((node, report));
        }
        for ((node, kind), program) in self.nodes().zip(rust) {
            if matches!(kind, Rust | RustEngine) {
                system
                    .start(node, awgstar_host::process(node, program))
                    .map_err(|e| e.to_string())?;
            }
        }
        system.run(LIMIT).map_err(|e| e.to_string())?;
        system.settle(LIMIT).map_err(|e| e.to_string())?;
        for (node, report) in reports {
            let end = *report.lock().expect("no panic");
            if end != End::Done(0) {
                return Err(format!("node {node}: {end:?}"));
            }
        }
        Ok(system)
    }

    fn nodes(&self) -> impl Iterator<Item = (NodeId, Kind)> {
        NodeId::all(self.kinds.len()).zip(self.kinds.iter().copied())
    }

    fn work(&self, work: Work) -> Result<(), String> {
        let (name, arguments) = match work {
            Work::Counter { rounds, inside, outside } => {
                ("counter", vec![rounds.into(), inside.0, outside.0])
            }
            Work::List { rounds } => ("list", vec![rounds.into()]),
            Work::Stencil { cells, steps } => ("stencil", vec![cells.into(), steps.into()]),
            Work::Pages { .. } => unreachable!("not in C"),
        };
        let system = self.run(name, &arguments, work.programs(self.kinds.len()))?;
        work.check(&system).map_err(|e| e.to_string())
    }
}

/// The result of each work is exact on every replica, whoever serves the nodes.
#[test]
fn every_mixture() {
    let rings: &[&[Kind]] = &[
        &[C, C],
        &[C, Rust],
        &[Rust, C, C],
        &[C, C, C, C],
        &[C, Rust, CEngine, RustEngine],
        &[CEngine, C],
    ];
    for kinds in rings {
        for work in WORKS {
            Case::new(kinds).work(work).unwrap_or_else(|e| panic!("{kinds:?} {work:?}: {e}"));
        }
    }
}

/// Frames are lost: boards and timers send again.
#[test]
fn bit_errors() {
    let rings: &[&[Kind]] = &[&[C, C, C], &[C, Rust, CEngine, Rust], &[RustEngine, C, Rust, C]];
    for (seed, kinds) in (1..).zip(rings) {
        for work in WORKS {
            let case = Case::new(kinds).noise(200_000, seed);
            case.work(work).unwrap_or_else(|e| panic!("{kinds:?} {work:?}: {e}"));
        }
    }
}
