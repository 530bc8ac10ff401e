// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model, Verilator and Icarus on the same ring under the same traffic: node-cycles per second.
//!
//! Every node always wants to send frames of 1,024 bytes. What each node got acknowledged must agree
//! before a figure counts for anything.

use awgstar::quantity::Cycle;
use awgstar::ring::{Ring, Saturate, Scenario};
use awgstar_draw::table::Table;
use awgstar_simulator::build::{Recipe, build};
use awgstar_simulator::process::Task;
use awgstar_simulator::{Icarus, SimError, Sources, Token, Verilator};
use std::{
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
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
    /// Time of the loop alone, without building.
    pub seconds: f64,
    /// Data frames that returned good, per node.
    pub acknowledged: Vec<u64>,
}

impl Measurement {
    /// Nodes times cycles per second.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a figure")]
    pub fn rate(&self) -> f64 {
        self.nodes as f64 * self.cycles.0 as f64 / self.seconds
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
    let start = Instant::now();
    ring.run_until(Cycle(cycles));
    let seconds = start.elapsed().as_secs_f64();
    let acknowledged = (0..nodes).map(|i| ring.host(i).counts().acknowledged).collect();
    Ok(Measurement { name: "model", nodes, cycles: Cycle(cycles), seconds, acknowledged })
}

const RING: &[&str] = &["ring.v", "fibre.v", "traffic.v"];
const FLAGS: &[&str] = &[
    "--cc",
    "--exe",
    "--build",
    "-O3",
    "-CFLAGS",
    "-O2",
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

/// Verilator, one thread, flags by measurement (`docs/performance.md`).
///
/// # Errors
/// If it is missing, or the ring does not build or run.
pub fn verilator(
    from: &Sources,
    out: &Path,
    nodes: usize,
    cycles: Cycle,
) -> Result<Measurement, SimError> {
    let flags = FLAGS.iter().map(|&f| f.to_owned()).chain(parameters("-G", nodes));
    let mut recipe = recipe(from, "ring", &["ring.cpp"], flags)?;
    // Without a split the compiler takes more than ten minutes for 64 nodes.
    recipe.flags.extend(["--output-split".into(), "20000".into()]);
    let program = build(&Verilator, &recipe, out)?.file;
    let token = Token::random();
    let args = [cycles.to_string(), nodes.to_string(), token.to_string()];
    let run = Task::new("verilator", LIMIT)
        .doing("running the ring")
        .run(Command::new(&program).args(args))?;
    let (acknowledged, seconds) = parse(&run.text, &token);
    let seconds = seconds.ok_or_else(|| SimError::format(&program, run.text.clone()))?;
    Ok(Measurement { name: "verilator", nodes, cycles, seconds, acknowledged })
}

/// Icarus. Its time has the start of `vvp` in it, which is a few ms.
///
/// # Errors
/// If it is missing, or the ring does not build or run.
pub fn icarus(
    from: &Sources,
    out: &Path,
    nodes: usize,
    cycles: Cycle,
) -> Result<Measurement, SimError> {
    let flags = ["-g2012".to_owned(), Token::define_place()];
    let flags = flags.into_iter().chain(parameters("-Ptb_ring.", nodes));
    let mut recipe = recipe(from, "tb_ring", &["tb_ring.v"], flags)?;
    recipe.commands = Some(from.bench.join("icarus.f"));
    let program = build(&Icarus, &recipe, out)?.file;
    let token = Token::load(program.parent().unwrap_or(&program))?;
    let start = Instant::now();
    let run = Task::new("iverilog", LIMIT)
        .doing("running the ring")
        .run(Command::new("vvp").arg("-n").arg(&program).arg(format!("+cycles={cycles}")))?;
    let seconds = start.elapsed().as_secs_f64();
    let (acknowledged, _) = parse(&run.text, &token);
    Ok(Measurement { name: "icarus", nodes, cycles, seconds, acknowledged })
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

/// A row of the table: one ring size.
#[derive(Clone, Debug)]
pub struct Row {
    /// Nodes of the ring.
    pub nodes: usize,
    /// Node-cycles per second.
    pub model: f64,
    /// Node-cycles per second.
    pub verilator: f64,
    /// Node-cycles per second.
    pub icarus: f64,
}

/// The table of all rows.
#[must_use]
pub fn table() -> Table<'static, Row> {
    Table::new()
        .number("nodes", |r: &Row| r.nodes)
        .number("model, node-cycles/s", |r| format!("{:.1} M", r.model / 1e6))
        .number("Verilator", |r| format!("{:.2} M", r.verilator / 1e6))
        .number("Icarus", |r| format!("{:.1} k", r.icarus / 1e3))
        .number("model / Verilator", |r| format!("{:.1}", r.model / r.verilator))
        .number("model / Icarus", |r| format!("{:.0}", r.model / r.icarus))
}

#[cfg(test)]
mod tests {
    use super::*;

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
