//! The program on a machine: how long, and how busy.

use awgstar::lambda::{
    current::{self, Access, Answer, Host, Op, Process, Script, Span},
    mandelbrot::{
        Work,
        program::{Costs, Plan, programs},
    },
    next::{self, Store},
    time::Ns,
};
use serde::Serialize;
use std::sync::{Arc, Mutex};

/// What the program runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Machine {
    /// The current version as the thesis observed it: 7 s for the array of 12 MB, reads at 1 Mb/s.
    Observed,
    /// The current version with the best rates of its Table 2, 64 and 80 MB/s.
    Table2,
    /// The next version, our board behind its AXI4-Lite port.
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

    /// What it is, in a few words.
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

/// What a word of the 3,000,000 took in the 7 s that the thesis saw, less 62.5 ns of the bus (4.3.2).
const OBSERVED_WORD: Ns = 2_271;

/// How long a run took, in ns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Timed {
    /// All of it.
    pub total: Ns,
    /// Until the first parallel execution begins.
    pub init: Ns,
    /// All parallel executions, from barrier to barrier.
    pub parallel: Ns,
    /// What is left: reading back and sending.
    pub sequential: Ns,
    /// What each process did.
    #[serde(skip)]
    pub spans: Vec<Vec<Span>>,
}

/// Notes when its barriers open.
struct Watched {
    script: Script,
    /// What it asked for last.
    at_barrier: bool,
    opened: Arc<Mutex<Vec<Ns>>>,
}

impl Process for Watched {
    fn next(&mut self, answer: &Answer) -> Op {
        if self.at_barrier
            && let Ok(mut opened) = self.opened.lock()
        {
            opened.push(answer.now);
        }
        let op = self.script.next(answer);
        self.at_barrier = op == Op::Barrier;
        op
    }
}

/// Runs the program for a picture that costs `work` on `nodes` nodes.
///
/// # Errors
/// When there cannot be such a machine, or it does not come to an end.
pub fn run(
    machine: Machine,
    work: &Work,
    nodes: usize,
    costs: &Costs,
    read: Access,
) -> Result<Timed, String> {
    let plan = Plan { read, ..Plan::default() };
    let word_ns = if machine == Machine::Observed { OBSERVED_WORD } else { costs.word_ns };
    let costs = &Costs { word_ns, ..*costs };
    let opened = Arc::new(Mutex::new(Vec::new()));
    let mut processes: Vec<Box<dyn Process>> = Vec::new();
    for (node, script) in programs(work, nodes, costs, plan).into_iter().enumerate() {
        processes.push(if node == 0 {
            Box::new(Watched { script, at_barrier: false, opened: opened.clone() })
        } else {
            Box::new(script)
        });
    }
    let (total, spans) = match machine {
        Machine::Observed => on_current(Host::default(), nodes, processes)?,
        Machine::Table2 => on_current(Host::best(), nodes, processes)?,
        Machine::Port => on_next(Store::PORT, nodes, processes)?,
        Machine::Local => on_next(Store::LOCAL, nodes, processes)?,
    };
    let opened = opened.lock().map_err(|e| e.to_string())?;
    let parallel = opened.chunks_exact(2).map(|pair| pair[1] - pair[0]).sum();
    let init = opened.first().copied().unwrap_or(0);
    Ok(Timed { total, init, parallel, sequential: total - init - parallel, spans })
}

type Ran = (Ns, Vec<Vec<Span>>);

fn on_current(host: Host, nodes: usize, processes: Vec<Box<dyn Process>>) -> Result<Ran, String> {
    let settings = current::Settings { host, ..current::Settings::new(nodes) };
    let mut system = current::System::new(&settings, processes).map_err(|e| e.to_string())?;
    system.run(&mut |_| {}).map_err(|e| e.to_string())?;
    if let Some((node, _)) = system.unfinished().first() {
        return Err(format!("node {node}: expected its end, found it waiting"));
    }
    let spans: Vec<Vec<Span>> = (0..nodes).map(|node| system.spans(node).to_vec()).collect();
    Ok((ended(&spans), spans))
}

fn on_next(host: Store, nodes: usize, processes: Vec<Box<dyn Process>>) -> Result<Ran, String> {
    let settings = next::Settings { host, ..next::Settings::new(nodes) };
    let mut system = next::System::new(&settings, processes).map_err(|e| e.to_string())?;
    system.run(&mut |_| {}).map_err(|e| e.to_string())?;
    if !system.ended() {
        return Err("expected the end of all processes, found some waiting".into());
    }
    let spans: Vec<Vec<Span>> = (0..nodes).map(|node| system.spans(node).to_vec()).collect();
    Ok((ended(&spans), spans))
}

/// When the last process ended.
fn ended(spans: &[Vec<Span>]) -> Ns {
    spans.iter().filter_map(|s| s.last()).map(|s| s.to).max().unwrap_or(0)
}
