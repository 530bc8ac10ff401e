// SPDX-License-Identifier: MIT OR Apache-2.0
//! The driver in C (`hdl/driver`) on the cycle-accurate ring, alone, beside the firmware in Rust, and beside
//! the lock and barrier engine (LOCK-5, LOCK-6, BAR-4, BAR-5, BAR-7, DRV-1 to DRV-4, DRV-7, DRV-8).

mod bugs;
mod process;
mod riscv;
mod steps;

use awgstar_board::ring::boards::{Cut, Noise, bytes};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_host::{Choice, DrivenRing, Program as RustProgram, Setup, work::Work};
use process::{End, Program, Report, compile, driver};
use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

const COUNTER: Work = Work::Counter { rounds: 3, inside: Cycle(30), outside: Cycle(0) };
const LIST: Work = Work::List { rounds: 3 };
const STENCIL: Work = Work::Stencil { cells: 2, steps: 3 };
/// Rings that every work runs on.
const RINGS: [&[Kind]; 6] = [
    &[C, C],
    &[C, Rust],
    &[Rust, C, C],
    &[C, C, C, C],
    &[C, Rust, CEngine, RustEngine],
    &[CEngine, C],
];
/// Rings with bit errors.
const NOISY: [&[Kind]; 3] = [&[C, C, C], &[C, Rust, CEngine, Rust], &[RustEngine, C, Rust, C]];
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

/// A ring whose programs have begun, and what those in C will report.
type Begun = (DrivenRing<Choice>, Vec<(NodeId, Report)>);

struct Case {
    kinds: Vec<Kind>,
    setup: Setup,
    retry: u32,
    program: PathBuf,
    limit: Cycle,
}

impl Case {
    fn new(kinds: &[Kind], program: &Path) -> Case {
        let mut setup = Setup::new(kinds.len(), 4);
        if kinds.iter().any(|kind| matches!(kind, CEngine | RustEngine)) {
            let with = setup.scenario.parameters.with("smb", "ENGINE_NODE_W", 5);
            setup.scenario.parameters = with.expect("legal");
        }
        let (kinds, program) = (kinds.to_vec(), program.to_path_buf());
        Case { kinds, setup, retry: 60_000, program, limit: Cycle(4_000_000) }
    }

    fn noise(mut self, rate: u32, seed: u64) -> Case {
        self.setup.scenario.noise = Noise { rate, seed };
        self
    }

    fn retry(mut self, retry: u32) -> Case {
        self.retry = retry;
        self
    }

    /// A ring on which a program of `work.c` is about to run on the nodes with C, and Rust programs on the others.
    fn begin(
        &self,
        name: &str,
        arguments: &[u64],
        rust: Vec<RustProgram<'static>>,
    ) -> Result<Begun, String> {
        let engines = self.nodes().filter(|&(_, kind)| kind == RustEngine).map(|(node, _)| node);
        let retry_timeout = Cycle(self.retry.into());
        let choice = Choice { engines: engines.collect(), retry_timeout, ..Choice::new() };
        let mut system = DrivenRing::new(choice, &self.setup).map_err(|e| e.to_string())?;
        let mut reports = Vec::new();
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
                let process = awgstar_host::process(node, program);
                system.start(node, process).map_err(|e| e.to_string())?;
            }
        }
        Ok((system, reports))
    }

    fn run(
        &self,
        name: &str,
        arguments: &[u64],
        rust: Vec<RustProgram<'static>>,
    ) -> Result<DrivenRing<Choice>, String> {
        let (mut system, reports) = self.begin(name, arguments, rust)?;
        system.run(self.limit).map_err(|e| e.to_string())?;
        system.settle(self.limit).map_err(|e| e.to_string())?;
        results(&reports)?;
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

/// Every program in C must have said that it is content.
fn results(reports: &[(NodeId, Report)]) -> Result<(), String> {
    for (node, report) in reports {
        let end = *report.lock().expect("no panic");
        if end != End::Done(0) {
            return Err(format!("node {node}: {end:?}"));
        }
    }
    Ok(())
}

/// Every work on a ring; the error names both.
fn works(kinds: &[Kind], case: impl Fn() -> Case) -> Result<(), String> {
    WORKS
        .into_iter()
        .try_for_each(|work| case().work(work).map_err(|e| format!("{kinds:?} {work:?}: {e}")))
}

fn mixtures(program: &Path) -> Result<(), String> {
    RINGS.into_iter().try_for_each(|kinds| works(kinds, || Case::new(kinds, program)))
}

fn noisy(program: &Path) -> Result<(), String> {
    (1..).zip(NOISY).try_for_each(|(seed, kinds)| {
        works(kinds, || Case::new(kinds, program).noise(200_000, seed))
    })
}

/// Timers that run out while what they wait for is still under way.
fn early_timers(program: &Path) -> Result<(), String> {
    let kinds = [C, Rust, C];
    [90, 400].into_iter().try_for_each(|retry| {
        works(&kinds, || Case::new(&kinds, program).retry(retry).noise(100_000, 7))
    })
}

/// Locks and barriers of all numbers, some by the engine and some by firmware.
fn numbers(program: &Path) -> Result<(), String> {
    [[C, C, C], [CEngine, C, CEngine]].into_iter().try_for_each(|kinds| {
        let run = Case::new(&kinds, program).run("numbers", &[], Vec::new());
        run.map(|_| ()).map_err(|e| format!("{kinds:?}: {e}"))
    })
}

/// Who asks first is served first, in C, in the engine and in Rust.
fn turns(program: &Path) -> Result<(), String> {
    for kinds in [[C, C, C, C], [CEngine, C, CEngine, C]] {
        let system = Case::new(&kinds, program).run("turns", &[2_000], Vec::new())?;
        let words: Vec<u8> =
            (0..4).map(|i| bytes(system.ring().board(1), ByteAddress(64 + 4 * i), 4)[0]).collect();
        if words != [0, 3, 2, 1] {
            return Err(format!("{kinds:?}: served {words:?}, expected [0, 3, 2, 1]"));
        }
    }
    Ok(())
}

/// Blocks of bytes of any length and place, flushes and signals in all orders; with bit errors, too.
fn blocks(program: &Path) -> Result<(), String> {
    [0, 60_000].into_iter().try_for_each(|rate| {
        let case = Case::new(&[C, C], program).noise(rate, 3).retry(4_000);
        case.run("blocks", &[12], Vec::new()).map(|_| ())
    })
}

/// Calls that end before what they wait for, requests that are taken back, events, lost messages.
fn calls_that_end(program: &Path) -> Result<(), String> {
    for kinds in [[C, C, C, C], [C, CEngine, CEngine, C]] {
        // Engines are set up later; what they miss is repeated.
        let run = Case::new(&kinds, program).retry(6_000).run("patience", &[5_000], Vec::new());
        run.map_err(|e| format!("{kinds:?}: {e}"))?;
    }
    Case::new(&[C, C], program).run("reports", &[], Vec::new()).map(|_| ())
}

/// The ring is cut: calls end and say that nothing returns.
fn a_cut_ring(program: &Path) -> Result<(), String> {
    let mut case = Case::new(&[C, C], program);
    let (from, until) = (Cycle(20_000), Cycle(u64::MAX));
    case.setup.scenario.cuts = vec![Cut { link: 0, from, until }];
    let (mut system, reports) = case.begin("cut", &[21_000], Vec::new())?;
    system.run(case.limit).map_err(|e| e.to_string())?;
    results(&reports)
}

/// A board is reset under a driver that goes on afterwards.
fn restart(program: &Path) -> Result<(), String> {
    let (mut system, reports) = Case::new(&[C, C, C], program).begin("restart", &[], Vec::new())?;
    let mut resets = 0;
    for _ in 0..1_000_000 {
        if system.ended() {
            break;
        }
        system.step();
        for (node, report) in &reports {
            let mut end = report.lock().expect("no panic");
            if *end == End::Reset {
                *end = End::Running;
                system.ring_mut().reset(node.index(), Cycle(10)).map_err(|e| e.to_string())?;
                resets += 1;
            }
        }
    }
    if resets != 1 {
        return Err(format!("{resets} resets, expected 1"));
    }
    results(&reports)
}

/// The driver on arrays instead of a board.
fn plain(from: &Path, folder: &Path) -> Result<(), String> {
    let program = compile(from, "plain", folder)?;
    let output = Command::new("sh")
        .args(["-c", "ulimit -t 20; exec \"$0\""])
        .arg(program)
        .output()
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(format!("{}: {text}", output.status)) }
}

/// A test of the program `work`.
type Check = fn(&Path) -> Result<(), String>;

/// Every test of the program `work`, the quickest first.
const CHECKS: [(&str, Check); 9] = [
    ("mixtures", mixtures),
    ("numbers", numbers),
    ("turns", turns),
    ("blocks", blocks),
    ("calls_that_end", calls_that_end),
    ("restart", restart),
    ("a_cut_ring", a_cut_ring),
    ("noisy", noisy),
    ("early_timers", early_timers),
];

macro_rules! tests {
    ($($(#[doc = $doc:literal])* $name:ident $check:ident;)*) => {
        $($(#[doc = $doc])* #[test] fn $name() {
            $check(work_program()).unwrap_or_else(|e| panic!("{e}"));
        })*
    };
}

tests! {
    /// The result of each work is exact on every replica, whoever serves the nodes (LOCK-5, BAR-4, DRV-8).
    every_mixture mixtures;
    /// Frames are lost: boards and timers send again (LOCK-5, LOCK-6, BAR-4, BAR-5).
    bit_errors noisy;
    /// DRV-2 keeps signals few.
    timers_that_are_too_short early_timers;
    /// BAR-7
    all_numbers numbers;
    /// LOCK-4
    first_come_first_served turns;
    /// DRV-7
    blocks_and_signals blocks;
    /// Nothing waits for ever.
    calls_end calls_that_end;
    /// Nothing waits for ever.
    a_ring_that_is_cut a_cut_ring;
    /// DRV-5
    a_board_that_is_reset restart;
}

#[test]
fn without_a_board() {
    plain(&driver(), &temporary()).unwrap_or_else(|e| panic!("{e}"));
}
