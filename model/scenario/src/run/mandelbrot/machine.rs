// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program on a machine: how long, and how busy.

use crate::run::mandelbrot::watch::{
    Flight, Watch, WatchedProcess, flights_of_current, flights_of_next, opened,
};
use awgstar::quantity::Nanoseconds;
use awgstar::request::Process;
use awgstar_thesis::{
    gen1::{self, Host, Span},
    gen2::{self, Store},
    mandelbrot::{
        Picture,
        program::{Costs, Plan, steps},
    },
};
use serde::{Deserialize, Serialize};

/// System that the program runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Machine {
    /// The current version as the thesis observed it: 7 s for the array of 12 MB, reads at 1 Mb/s. The
    /// thesis says "less than 1 Mbps", so times of this machine are lower bounds.
    Observed,
    /// The current version with the best rates of its Table 2, 64 and 80 MB/s.
    Table2,
    /// The next version, our board with its AXI4-Lite port.
    Port,
    /// The next version, shared memory as fast as local memory.
    Local,
}

impl Machine {
    /// All.
    pub const ALL: [Machine; 4] =
        [Machine::Observed, Machine::Table2, Machine::Port, Machine::Local];

    /// Name in tables and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Machine::Observed => "observed",
            Machine::Table2 => "table2",
            Machine::Port => "port",
            Machine::Local => "local",
        }
    }

    /// Short description.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Machine::Observed => "current version, observed rates",
            Machine::Table2 => "current version, rates of Table 2",
            Machine::Port => "next version, AXI port",
            Machine::Local => "next version, local memory",
        }
    }
}

/// Time per word of the 3,000,000 in the 7 s that the thesis observed, less 62.5 ns of the bus
/// (4.3.2).
pub const OBSERVED_WORD: Nanoseconds = Nanoseconds(2_271);

/// Times of a run, in ns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timed {
    /// All of it.
    pub total: Nanoseconds,
    /// Until the first parallel execution begins.
    pub init: Nanoseconds,
    /// All parallel executions, from barrier to barrier.
    pub parallel: Nanoseconds,
    /// The rest: reading back and sending.
    pub sequential: Nanoseconds,
    /// Activities of each process.
    #[serde(skip)]
    pub spans: Vec<Vec<Span>>,
}

/// Runs the program for this picture on `nodes` nodes.
///
/// # Errors
/// If there cannot be such a machine, or it does not come to an end.
pub fn run(
    machine: Machine,
    picture: &Picture,
    nodes: usize,
    costs: &Costs,
    plan: Plan,
) -> Result<Timed, String> {
    go(machine, picture, nodes, costs, plan, false).map(|(timed, _)| timed)
}

/// Like [`run`], and records the activities of processes and ring: about a hundred bytes for each
/// frame at each node.
///
/// # Errors
/// The errors of [`run`].
pub fn watch(
    machine: Machine,
    picture: &Picture,
    nodes: usize,
    costs: &Costs,
    plan: Plan,
) -> Result<(Timed, Watch), String> {
    go(machine, picture, nodes, costs, plan, true)
}

/// `frames`: those of the ring are kept too.
fn go(
    machine: Machine,
    picture: &Picture,
    nodes: usize,
    costs: &Costs,
    plan: Plan,
    frames: bool,
) -> Result<(Timed, Watch), String> {
    let word_ns = if machine == Machine::Observed { OBSERVED_WORD } else { costs.word_ns };
    let costs = &Costs { word_ns, ..*costs };
    let mut processes: Vec<Box<dyn Process>> = Vec::new();
    let mut marks = Vec::new();
    for node in 0..nodes {
        let (process, of) = WatchedProcess::new(steps(picture, node, nodes, costs, plan));
        processes.push(Box::new(process));
        marks.push(of);
    }
    let MachineRun { spans, flights } = match machine {
        Machine::Observed => on_current(Host::default(), nodes, processes, frames)?,
        Machine::Table2 => on_current(Host::best(), nodes, processes, frames)?,
        Machine::Port => on_next(Store::PORT, nodes, processes, frames)?,
        Machine::Local => on_next(Store::LOCAL, nodes, processes, frames)?,
    };
    let total = spans.iter().filter_map(|s| s.last()).map(|s| s.to).max().unwrap_or(Nanoseconds(0));
    let watch = Watch { marks: marks.iter().map(|marks| marks.take()).collect(), flights };
    let opened = watch.marks.first().map(|master| opened(master)).unwrap_or_default();
    let parallel = opened.chunks_exact(2).map(|pair| pair[1] - pair[0]).sum();
    let init = opened.first().copied().unwrap_or(Nanoseconds(0));
    Ok((Timed { total, init, parallel, sequential: total - init - parallel, spans }, watch))
}

struct MachineRun {
    spans: Vec<Vec<Span>>,
    flights: Vec<Flight>,
}

fn on_current(
    host: Host,
    nodes: usize,
    processes: Vec<Box<dyn Process>>,
    record: bool,
) -> Result<MachineRun, String> {
    let settings = gen1::Settings { host, record, ..gen1::Settings::new(nodes) };
    let mut system = gen1::Gen1::new(&settings, processes).map_err(|e| e.to_string())?;
    system.run(&mut |_| {}).map_err(|e| e.to_string())?;
    if let Some((node, _)) = system.unfinished().first() {
        return Err(format!("node {node}: expected its end, found it waiting"));
    }
    let spans = (0..nodes).map(|node| system.spans(node).to_vec()).collect();
    Ok(MachineRun { spans, flights: flights_of_current(&system.records(), nodes) })
}

fn on_next(
    host: Store,
    nodes: usize,
    processes: Vec<Box<dyn Process>>,
    record: bool,
) -> Result<MachineRun, String> {
    let settings = gen2::Settings { host, ..gen2::Settings::new(nodes) };
    let mut system = gen2::Gen2::new(&settings, processes).map_err(|e| e.to_string())?;
    if record {
        system.record();
    }
    system.run(&mut |_| {}).map_err(|e| e.to_string())?;
    if !system.ended() {
        return Err("expected the end of all processes, found some waiting".into());
    }
    let spans = (0..nodes).map(|node| system.spans(node).to_vec()).collect();
    Ok(MachineRun { spans, flights: flights_of_next(system.ring().sent()) })
}
