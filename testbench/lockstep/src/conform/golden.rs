// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors on a third-party `crc32`, `frame_tx` or `frame_rx` (CNF-2, CNF-5).
//!
//! The testbenches are this project's; a copy of them instantiates the design's top module by name.

use crate::conform::blame::{AFTER, blame, does_not_compile};
use crate::conform::case::{Case, Failure, First, Group, Outcome, Verdict, Window};
use crate::conform::requirements::of_module;
use crate::conform::{Dut, Options, Played, always};
use awgstar::codec::explain;
use awgstar::quantity::narrow;
use awgstar_simulator as sim;
use awgstar_simulator::cosim::parallel;
use awgstar_simulator::{
    Kind, Module, Report, RunArgs, RunOutput, Scratch, SimError, Sources, Word,
};
use awgstar_stimulus::reached::Reached;
use awgstar_stimulus::vectors;
use awgstar_stimulus::vectors::{Class, Vectors};
use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

/// Ways to play the vectors: back to back, pseudo-random gaps, long idle.
const MODES: [u32; 3] = [0, 1, 2];

/// Words before and after the first difference.
const AROUND: usize = 3;

/// The requirements that are this module's own.
#[must_use]
pub const fn families(module: Module) -> &'static [&'static str] {
    match module {
        Module::Crc32 => &["CRC"],
        Module::FrameTx => &["TX"],
        Module::FrameRx => &["RX"],
    }
}

/// A class in a mode.
struct Run<'a> {
    class: &'a Class,
    mode: u32,
    /// Indices of the vectors that apply.
    indices: Vec<usize>,
}

/// Compiles the testbench with the design and runs every class that is asked for.
///
/// # Errors
/// If a program is missing or the vectors cannot be read.
pub fn run(
    dut: &Dut,
    module: Module,
    options: &Options<'_>,
    scratch: &Scratch,
    hung: &AtomicBool,
) -> Result<Played, SimError> {
    let folder = options.root.join("vectors");
    let classes = vectors::load(&folder).map_err(|e| SimError::format(&folder, e.to_string()))?;
    let bench = bench(&options.root.join("testbench/verilog"), module, dut, scratch.path())?;
    let sources = Sources { bench, hdl: scratch.path().into(), foreign: Some(dut.foreign()) };
    let built = match options.simulator.build(module, &sources, scratch.path()) {
        Ok(built) => built,
        Err(error) => return does_not_compile(error).map(Err),
    };
    let modes = if module == Module::Crc32 { &MODES[..1] } else { &MODES };
    let mut runs = Vec::new();
    for class in classes.iter().filter(|c| options.wants(&c.name)) {
        let indices = applying(class, module);
        if !indices.is_empty() {
            runs.extend(modes.iter().map(|&mode| Run { class, mode, indices: indices.clone() }));
        }
    }
    let runs = &runs[options.shard.range(runs.len())];
    let groups = parallel(options.threads, runs, &|run| {
        let dir = folder.join(run.class.module().name()).join(&run.class.name);
        let args =
            RunArgs { seed: options.seed, limit: options.limit, ..RunArgs::new(&dir, run.mode) };
        let name = format!("{}, mode {}", run.class.name, run.mode);
        let skipped = hung.load(Ordering::Relaxed);
        let output = if skipped { None } else { Some(options.simulator.run(&built, &args)) };
        let cases = match output {
            None => run.whole(module, Outcome::NotRun(AFTER.into())),
            Some(Ok(output)) => run.cases(module, &output, options, &dir)?,
            Some(Err(error)) => run.whole(module, blame(error, hung)?),
        };
        (options.progress)(&name);
        let mut reached = Reached::default();
        let passed = |(_, case): &(&usize, &Case)| case.outcome == Outcome::Pass;
        let passing = run.indices.iter().zip(&cases).filter(passed).map(|(index, _)| *index);
        reached.add_vectors(module.name(), run.mode, &run.class.vectors, passing);
        Ok(Group { name, cases, reached })
    })?;
    Ok(Ok(groups))
}

/// The testbenches, with the name of the design's top in place of ours.
fn bench(
    ours: &Path,
    module: Module,
    dut: &Dut,
    scratch: &Path,
) -> Result<std::path::PathBuf, SimError> {
    let folder = scratch.join("bench");
    fs::create_dir_all(&folder).map_err(SimError::io(&folder))?;
    let main = format!("tb_{module}.v");
    for name in ["tb_common.vh", "tb_frame.vh", "icarus.f", &main] {
        let path = ours.join(name);
        let mut text = fs::read_to_string(&path).map_err(SimError::io(&path))?;
        if *name == main {
            let instance = format!("    {module} dut (");
            if text.matches(&instance).count() != 1 {
                return Err(SimError::format(path, format!("no instance `{instance}`")));
            }
            text = text.replace(&instance, &format!("    {} dut (", dut.top));
        }
        let copy = folder.join(name);
        fs::write(&copy, text).map_err(SimError::io(&copy))?;
    }
    Ok(folder)
}

/// Indices of the vectors of a class that this module has to do with.
fn applying(class: &Class, module: Module) -> Vec<usize> {
    let applies: Vec<bool> = match (&class.vectors, module) {
        (Vectors::Frame(v), Module::FrameTx) => v.iter().map(|v| v.tx).collect(),
        (Vectors::Frame(v), Module::FrameRx) => v.iter().map(|v| v.rx).collect(),
        (Vectors::Crc32(v), Module::Crc32) => vec![true; v.len()],
        _ => Vec::new(),
    };
    applies.iter().enumerate().filter(|(_, a)| **a).map(|(i, _)| i).collect()
}

impl Run<'_> {
    fn case(&self, module: Module, index: usize, outcome: Outcome) -> Case {
        let note = self.class.notes()[index];
        let requirements = of_module(self.class.requirements_of(note), families(module));
        Case { name: self.class.id(index), requirements, outcome }
    }

    /// One case for all vectors, for a failure that cannot be assigned to one vector.
    fn whole(&self, module: Module, outcome: Outcome) -> Vec<Case> {
        let cases = self.indices.iter().map(|&i| self.case(module, i, Outcome::Pass));
        let mut ids: BTreeSet<String> = cases.flat_map(|c| c.requirements).collect();
        ids.extend(always::ids(self.class, module, self.mode));
        let name = self.class.name.clone();
        vec![Case { name, requirements: ids.into_iter().collect(), outcome }]
    }

    fn cases(
        &self,
        module: Module,
        output: &RunOutput,
        options: &Options<'_>,
        dir: &Path,
    ) -> Result<Vec<Case>, SimError> {
        let stop = RunArgs::new(dir, self.mode).stop as usize;
        let stopped = output.failed >= stop;
        if !stopped && output.vectors != self.indices.len() {
            let why = format!("{} vectors ran, {} apply", output.vectors, self.indices.len());
            return Err(SimError::format(dir, why));
        }
        let failing = output.failing();
        let last = failing.last().copied().unwrap_or(0);
        let kind = if module == Module::Crc32 { Kind::Crc32 } else { Kind::Frame };
        let class = sim::Class::folder(kind, dir);
        let vectors = self
            .indices
            .iter()
            .map(|&index| {
                let outcome = if failing.contains(&index) {
                    let report = Report::new(options.simulator.name(), &class, output, index)?;
                    Outcome::Fail(Box::new(self.failure(&report)))
                } else if stopped && index > last {
                    Outcome::NotRun(format!("the run ended after {stop} failing vectors"))
                } else {
                    Outcome::Pass
                };
                Ok(self.case(module, index, outcome))
            })
            .chain(always::cases(self.class, module, output, stopped).into_iter().map(Ok));
        vectors.collect()
    }

    fn failure(&self, report: &Report) -> Failure {
        let first = &report.failures[0];
        let words = (first.expected.parse::<Word>(), first.found.parse::<Word>());
        let unknown = |w: &Word| w.flags.is_none() || w.keep.is_none() || w.lanes.contains(&None);
        let digits = |t: &str| t.chars().all(|c| c.is_ascii_hexdigit() || "xXzZ_".contains(c));
        let x = match &words {
            (_, Ok(found)) => unknown(found),
            _ => digits(&first.found) && first.found.contains(['x', 'X', 'z', 'Z']),
        };
        let verdict = match first.kind.as_str() {
            "x" => Verdict::DrivesX,
            "latency" => Verdict::Late,
            "timeout" => Verdict::NoAnswer,
            _ if x => Verdict::DrivesX,
            _ => Verdict::WrongValue,
        };
        let bit = words.0.ok().zip(words.1.ok()).and_then(|(e, f)| bit(&e, &f));
        let (expected, found) = (first.expected.clone(), first.found.clone());
        let at = format!("{} {}", first.kind, first.at);
        let port = port(report.module, &first.kind).to_owned();
        Failure {
            verdict,
            first: Some(First { at, port, bit, expected, found }),
            detail: report.render(&explain),
            window: Some(self.window(report)),
        }
    }

    fn window(&self, report: &Report) -> Window {
        let first = &report.failures[0];
        if let Vectors::Crc32(all) = &self.class.vectors {
            let v = &all[report.index];
            let rows = [
                ("crc_in", format!("{:08x}", v.crc_in)),
                ("tdata", format!("{:08x}", v.data)),
                ("tkeep", format!("{:04b}", v.keep)),
                ("crc_out expected", format!("{:08x}", v.crc_out)),
                ("crc_out found", first.found.rsplit('_').next().unwrap_or_default().to_owned()),
            ];
            let rows = rows.map(|(name, value)| (name.to_owned(), vec![value])).to_vec();
            return Window { columns: vec![report.id.clone()], rows, mark: 0 };
        }
        let length = report.wire.len().max(report.found.len());
        let at: usize = narrow(first.at.min(length.saturating_sub(1) as u64));
        let from = at.saturating_sub(AROUND);
        let columns: Vec<usize> = (from..length.min(at + AROUND + 1)).collect();
        let row = |name: &str, words: &[Word]| {
            let word = |i: &usize| words.get(*i).map_or("-".to_owned(), |w| w.text.clone());
            (name.to_owned(), columns.iter().map(word).collect())
        };
        let wire = if report.module == Module::FrameTx { "expected" } else { "on the link" };
        let rows = vec![row(wire, &report.wire), row("came out", &report.found)];
        let heads = columns.iter().map(|i| format!("word {i}")).collect();
        Window { columns: heads, rows, mark: at - from }
    }
}

/// Lowest bit of the data that differs.
fn bit(expected: &Word, found: &Word) -> Option<usize> {
    let lanes = expected.lanes.iter().zip(&found.lanes).enumerate();
    lanes
        .filter_map(|(i, (e, f))| Some((i, (*e)? ^ (*f)?)))
        .find(|(_, d)| *d != 0)
        .map(|(i, d)| 8 * i + d.trailing_zeros() as usize)
}

/// The port that a kind of failure is about.
fn port(module: Module, kind: &str) -> &str {
    match (module, kind) {
        (Module::Crc32, _) => "crc_out",
        (_, kind) if kind.starts_with("field:") => "m_hdr field",
        (Module::FrameTx, "payload") => "s_axis_tready",
        (_, "status") => "status_error",
        (_, "check") => "m_hdr_check",
        (_, "verdict") => "m_hdr_valid",
        (_, "kept") => "m_hdr",
        (_, "x") => "valid or ready",
        _ => "m_axis",
    }
}
