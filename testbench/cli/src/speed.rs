// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model, Verilator and Icarus on the same ring under the same traffic: node-cycles per second of
//! processor time.
//!
//! Every node always wants to send frames of 1,024 bytes. What each node got acknowledged must agree
//! before a figure counts for anything. The model is compiled with `-O3` (`--release`), and so is the C++ that
//! Verilator writes.

use awgstar::quantity::Cycle;
use awgstar::ring::{Ring, Saturate, Scenario};
use awgstar_simulator::build::{Recipe, build};
use awgstar_simulator::process::Task;
use awgstar_simulator::{Icarus, SimError, Sources, Token, Verilator};
use rustix::time::{ClockId, clock_gettime};
use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// One run of one of the three.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// "model", "verilator" or "icarus".
    pub name: &'static str,
    /// Nodes of the ring.
    pub nodes: usize,
    /// Cycles run.
    pub cycles: Cycle,
    /// Processor time, user and system, of the loop alone; of the whole program for Icarus.
    pub seconds: f64,
    /// Data frames that returned good, per node.
    pub acknowledged: Vec<u64>,
}

impl Measurement {
    /// Nodes times cycles per second; `None` if the run was too short for the clock.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a figure")]
    pub fn rate(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.nodes as f64 * self.cycles.0 as f64 / self.seconds)
    }
}

/// Two of them do not agree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{nodes} nodes, {cycles} cycles: {name} has {found:?} frames acknowledged, model {model:?}"
)]
pub struct Disagreement {
    /// Simulator that differs from the model.
    pub name: &'static str,
    /// Nodes of the ring.
    pub nodes: usize,
    /// Cycles run.
    pub cycles: Cycle,
    /// Frames acknowledged in that simulator, per node.
    pub found: Vec<u64>,
    /// The model's.
    pub model: Vec<u64>,
}

/// Cycles of each link: 10 m.
pub const FIBRE: u32 = 4;
/// Bytes of each frame.
pub const LEN: u16 = 1024;

/// The scenario that `testbench/verilog/ring.v` is.
#[must_use]
pub fn scenario(nodes: usize, cycles: u64) -> Scenario {
    Scenario {
        fibre: vec![FIBRE; nodes],
        saturate: (0..nodes).map(|node| Saturate { node, len: LEN }).collect(),
        ..Scenario::new(nodes, nodes.min(16), Cycle(cycles))
    }
}

/// The model.
///
/// # Errors
/// None: the scenario is a good one.
pub fn model(nodes: usize, cycles: u64) -> Result<Measurement, awgstar::ring::ScenarioError> {
    let mut ring = Ring::new(&scenario(nodes, cycles))?;
    ring.record(false);
    let start = processor_time();
    ring.run_until(Cycle(cycles));
    let seconds = processor_time() - start;
    let acknowledged = (0..nodes).map(|i| ring.host(i).counts().acknowledged).collect();
    Ok(Measurement { name: "model", nodes, cycles: Cycle(cycles), seconds, acknowledged })
}

/// Processor time of this thread, user and system, in seconds.
#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

const RING: &[&str] = &["ring.v", "fibre.v", "traffic.v"];

/// Flags of Verilator. Its makefile has `-Os` after what `-CFLAGS` says, so that the optimisation is set by
/// the makefile's variables.
pub const FLAGS: &[&str] = &[
    "--cc",
    "--exe",
    "--build",
    "-O3",
    "-MAKEFLAGS",
    "OPT_FAST=-O3 OPT_SLOW=-O3 OPT_GLOBAL=-O3",
    "--noassert",
    "-j",
    "2",
    "--x-assign",
    "fast",
    "--x-initial",
    "fast",
];
const LIMIT: Duration = Duration::from_secs(900);

/// Flags that set the parameters of the ring.
fn parameters(option: &str, nodes: usize) -> [String; 2] {
    [format!("{option}NODES={nodes}"), format!("{option}TOKENS={}", nodes.min(16))]
}

fn recipe(
    from: &Sources,
    top: &str,
    more: &[&str],
    flags: impl Iterator<Item = String>,
) -> Result<Recipe, SimError> {
    let mut files: Vec<PathBuf> =
        more.iter().chain(RING).map(|name| from.bench.join(name)).collect();
    files.extend(from.design()?);
    Ok(Recipe {
        module: "ring",
        top: top.into(),
        flags: flags.collect(),
        files,
        includes: vec![from.hdl.join("include")],
        ..Recipe::default()
    })
}

/// The ring, compiled by both simulators.
#[derive(Debug)]
pub struct Programs {
    nodes: usize,
    verilator: PathBuf,
    icarus: PathBuf,
    token: Token,
}

impl Programs {
    /// Compiles the ring: Verilator with one thread and [`FLAGS`], and Icarus.
    ///
    /// # Errors
    /// If a simulator is missing, or the ring does not build.
    pub fn build(from: &Sources, out: &Path, nodes: usize) -> Result<Self, SimError> {
        let flags = FLAGS.iter().map(|&f| f.to_owned()).chain(parameters("-G", nodes));
        let mut verilated = recipe(from, "ring", &["ring.cpp"], flags)?;
        // Without a split the compiler takes more than ten minutes for 64 nodes.
        verilated.flags.extend(["--output-split".into(), "20000".into()]);
        let verilator = build(&Verilator, &verilated, out)?.file;
        let flags = ["-g2012".to_owned(), Token::define_place()];
        let flags = flags.into_iter().chain(parameters("-Ptb_ring.", nodes));
        let mut interpreted = recipe(from, "tb_ring", &["tb_ring.v"], flags)?;
        interpreted.commands = Some(from.bench.join("icarus.f"));
        let icarus = build(&Icarus, &interpreted, out)?.file;
        let token = Token::load(icarus.parent().unwrap_or(&icarus))?;
        Ok(Programs { nodes, verilator, icarus, token })
    }

    /// Runs the verilated ring.
    ///
    /// # Errors
    /// If it does not run to its end.
    pub fn verilator(&self, cycles: Cycle) -> Result<Measurement, SimError> {
        let (program, nodes, token) = (&self.verilator, self.nodes, Token::random());
        let args = [cycles.to_string(), nodes.to_string(), token.to_string()];
        let run = Task::new("verilator", LIMIT)
            .doing("running the ring")
            .run(Command::new(program).args(args))?;
        let (acknowledged, seconds) = parse(&run.text, &token);
        let seconds = seconds.ok_or_else(|| SimError::format(program, run.text.clone()))?;
        Ok(Measurement { name: "verilator", nodes, cycles, seconds, acknowledged })
    }

    /// Runs the ring in Icarus. Its time has the start of `vvp` in it, which is a few ms, in steps of 10 ms.
    ///
    /// # Errors
    /// If it does not run to its end, or the system does not say its processor time.
    pub fn icarus(&self, cycles: Cycle) -> Result<Measurement, SimError> {
        let program = &self.icarus;
        let run = Task::new("iverilog", LIMIT)
            .doing("running the ring")
            .run(Command::new("vvp").arg("-n").arg(program).arg(format!("+cycles={cycles}")))?;
        let no_time = || SimError::format(program, "its processor time is not in /proc");
        let seconds = run.processor_time.ok_or_else(no_time)?.as_secs_f64();
        let (acknowledged, _) = parse(&run.text, &self.token);
        Ok(Measurement { name: "icarus", nodes: self.nodes, cycles, seconds, acknowledged })
    }
}

fn parse(text: &str, token: &Token) -> (Vec<u64>, Option<f64>) {
    let lines = || token.lines(text);
    let counts = lines().filter_map(|l| l.strip_prefix("node ")?.split(' ').nth(1)?.parse().ok());
    let seconds = lines().find_map(|l| l.strip_prefix("seconds ")?.parse().ok());
    (counts.collect(), seconds)
}

/// Compares with the model's run of the same length.
///
/// # Errors
/// If any node got another number of frames acknowledged.
pub fn agree(model: &Measurement, other: &Measurement) -> Result<(), Disagreement> {
    if model.acknowledged == other.acknowledged && !model.acknowledged.is_empty() {
        return Ok(());
    }
    Err(Disagreement {
        name: other.name,
        nodes: other.nodes,
        cycles: other.cycles,
        found: other.acknowledged.clone(),
        model: model.acknowledged.clone(),
    })
}

/// Middle and ends of the figures of several runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Least.
    pub least: f64,
    /// The one in the middle, or the mean of the two in the middle.
    pub median: f64,
    /// Most.
    pub most: f64,
}

impl Spread {
    /// Of these figures; `None` if there are none.
    #[must_use]
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut all: Vec<f64> = figures.into_iter().collect();
        all.sort_by(f64::total_cmp);
        let median =
            f64::midpoint(*all.get(all.len().checked_sub(1)? / 2)?, *all.get(all.len() / 2)?);
        Some(Spread { least: *all.first()?, median, most: *all.last()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let spread = |figures: &[f64]| {
            Spread::of(figures.iter().copied()).map(|s| [s.least, s.median, s.most])
        };
        assert_eq!(spread(&[]), None);
        assert_eq!(spread(&[3.0]), Some([3.0, 3.0, 3.0]));
        assert_eq!(spread(&[9.0, 1.0, 2.0]), Some([1.0, 2.0, 9.0]));
        assert_eq!(spread(&[9.0, 1.0, 4.0, 2.0]), Some([1.0, 3.0, 9.0]));
    }

    /// Without the testbench's token a design's lines are no counts, and a run without counts agrees
    /// with nothing.
    #[test]
    fn counts_of_a_design_do_not_count() {
        let token = Token::random();
        let line = "node 0 17\nseconds 0.5\n";
        let (counts, seconds) = parse(line, &token);
        assert!(counts.is_empty() && seconds.is_none());
        let zeros = line.replace("node", "0000000000000000 node");
        assert!(parse(&zeros, &token).0.is_empty());
        let good = format!("{token} node 0 17\n{token} seconds 0.5\n");
        assert_eq!(parse(&good, &token).0, [17]);
        let run = |acknowledged| Measurement {
            name: "a",
            nodes: 1,
            cycles: Cycle(100),
            seconds: 0.5,
            acknowledged,
        };
        assert!(agree(&run(vec![17]), &run(vec![17])).is_ok());
        assert!(agree(&run(vec![17]), &run(counts)).is_err());
        assert!(agree(&run(Vec::new()), &run(Vec::new())).is_err());
    }
}
