// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of nodes: every frame sent, where it arrived and when, in cycles and ns.

use crate::page::{self, RegisterLog, Scene, Unit};
use crate::place::{FileError, Marks};
use crate::run::capture::{Capture, Link};
use crate::run::{
    Common, Files, HOP_CYCLES, Kind, Progress, Report, Request, Run, RunError, Sink, WAVES,
    WaveRequest, Window,
    files::{write_names, write_waves},
    ns, within,
};
use crate::spacetime::{Bar, Diagram, bars, svg};
use crate::wave::{self, Owner, Registers};
use awgstar::quantity::Cycle;
use awgstar::{
    contract::{Counter, Token},
    ring::{Ring, Scenario, ScenarioError},
    rtl::{RingNode, state::State},
    trace::Recorder,
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt};

/// Cycles between two calls of the progress function.
const PROGRESS: u64 = 4096;

/// A ring of nodes from a file, ready to run.
#[derive(Clone, Debug)]
pub struct NodesPlan {
    /// Ring, traffic and faults.
    pub scenario: Scenario,
    /// One line that says what it shows.
    pub title: String,
    /// Metres of fibre after each node, for the report.
    pub fibre_m: Vec<f64>,
    /// Places of the entries in the scenario file.
    pub marks: Marks,
}

impl NodesPlan {
    /// The picture of a recorded run; by default of all of it.
    ///
    /// # Errors
    /// If the window is after the end of the run.
    pub fn picture(&self, run: &NodesRun, window: Option<Window>) -> Result<String, RunError> {
        let end = self.scenario.cycles;
        let window = window.map_or(Ok((0, end.0)), |w| within(w.cycles(), end.0, "cycles"))?;
        Ok(svg(&self.diagram(&run.bars, window)))
    }

    fn diagram(&self, bars: &[Bar], window: (u64, u64)) -> Diagram {
        let (fibre, title) = (self.scenario.fibre.clone(), self.title.clone());
        Diagram { fibre, bars: bars.to_vec(), window, title }
    }

    /// A run, and its page without a report; by default of all of it.
    fn run_with_page(
        &self,
        window: Option<Window>,
        capture: Option<&mut Capture<'_>>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(NodesRun, Scene), RunError> {
        let (nodes, end) = (self.scenario.nodes, self.scenario.cycles.0);
        let window = window.map_or(Ok((0, end)), |w| within(w.cycles(), end, "cycles"))?;
        let columns: Vec<usize> = (0..nodes).collect();
        let mut registers = RegisterLog::new(page::NODE, Owner::Node, &columns, window);
        let recorder = Recorder::with_contents(nodes);
        let mut look = |cycle: u64, n: usize, node: &RingNode| registers.cycle(cycle, n, node);
        let (run, contents) =
            NodesRun::recorded(&self.scenario, Some(recorder), capture, Some(&mut look), progress)?;
        let mut page = Scene::new(self.kind().name(), &self.title, Unit::Cycle, nodes, window);
        page.add_frames(&self.diagram(&run.bars, window), &contents);
        page.add_registers(registers);
        for send in &self.scenario.sends {
            page.add_note(send.node, send.cycle.0, &describe(&send.frame));
        }
        Ok((run, page))
    }

    /// A recorder of the frames of a run; by default of all of it.
    fn capture<'a>(&self, out: Sink<'a>, window: Option<Window>) -> Result<Capture<'a>, RunError> {
        let end = self.scenario.cycles.0;
        let window = window.map_or(Ok((0, end)), |w| within(w.cycles(), end, "cycles"))?;
        let links = Link::fibres("node", &self.scenario.fibre, &self.fibre_m);
        Ok(Capture::new(out, &self.title, links, None, window)?)
    }

    /// The cycles that waves show when the request does not say: from the first frame of a node on.
    fn usual(&self) -> (u64, u64) {
        let first = self.scenario.sends.iter().map(|send| send.cycle).min();
        let from = first.filter(|_| self.scenario.saturate.is_empty()).unwrap_or(Cycle(0));
        (from.0, from.0 + WAVES)
    }
}

impl Run for NodesPlan {
    fn kind(&self) -> Kind {
        Kind::Nodes
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn nodes(&self) -> usize {
        self.scenario.nodes
    }

    fn run(&self, request: &Request<'_>, progress: &mut Progress<'_>) -> Result<Report, RunError> {
        let cycles = self.scenario.cycles;
        let at = &mut |at| progress(at, cycles.0);
        let mut capture = match request.capture {
            Some(out) => Some(self.capture(out, request.window)?),
            None => None,
        };
        let (run, page) = if request.page {
            let (run, page) = self.run_with_page(request.window, capture.as_mut(), at)?;
            (run, Some(page))
        } else {
            let recorder = request.picture.then(|| Recorder::new(self.scenario.nodes));
            (NodesRun::recorded(&self.scenario, recorder, capture.as_mut(), None, at)?.0, None)
        };
        if let Some(capture) = capture {
            capture.finish()?;
        }
        let picture = request.picture.then(|| self.picture(&run, request.window)).transpose()?;
        let report = NodesReport::new(self, &run);
        let page = page.map(|mut page| {
            // A file of nodes asks for no check.
            page.add_report(&report.to_string(), None);
            page
        });
        let common = Common {
            kind: self.kind().name(),
            title: &self.title,
            nodes: self.nodes(),
            cycles,
            microseconds: report.microseconds,
            // A file of nodes asks for no check.
            holds: true,
            warnings: &report.warnings,
        };
        Ok(Report {
            text: report.to_string(),
            json: common.with(&report)?,
            holds: common.holds,
            picture: picture.map(|svg| ("spacetime.svg".into(), svg.into_bytes())),
            page,
            files: Vec::new(),
            warnings: report.warnings,
        })
    }

    fn waves(
        &self,
        request: &WaveRequest,
        files: &mut dyn Files,
        progress: &mut Progress<'_>,
    ) -> Result<(), RunError> {
        let nodes = request.shown(self.nodes())?;
        let cycles = request.window.map_or_else(|| self.usual(), |window| window.cycles());
        let (from, to) = within(cycles, self.scenario.cycles.0, "cycles")?;
        let window = wave::Window { from, to, nodes };
        let mut ring = Ring::new(&self.scenario)?;
        write_waves(files, request.stem(Run::kind(self).waves()), |file, dump| {
            let mut waves = Registers::new(file, &window, Owner::Node, &RingNode::layout())?;
            ring.run_until(Cycle(from));
            while !ring.done() && ring.cycle() < Cycle(to) {
                let cycle = ring.cycle();
                waves.begin(cycle.0);
                ring.step_observed(&mut |node, state, i, o| {
                    let word = (o.m_axis.tvalid, o.m_axis.tdata, o.m_axis.tlast);
                    waves.change(node, state, i, o, word);
                });
                waves.end(cycle.0);
                if cycle.0.is_multiple_of(PROGRESS) {
                    progress(cycle.0, to);
                }
            }
            waves.finish(ring.cycle().0, dump)
        })?;
        Ok(write_names(files)?)
    }
}

/// Called with cycle, node and its state.
type Look<'a> = dyn FnMut(u64, usize, &RingNode) + 'a;

/// Bytes of frames, each sequence once.
type Contents = Vec<Box<[u8]>>;

/// A run that is over.
#[derive(Debug)]
pub struct NodesRun {
    /// The ring after its last cycle.
    pub ring: Ring,
    /// Frames on links, if they were recorded.
    pub bars: Vec<Bar>,
}

impl NodesRun {
    /// Runs a scenario to its end. `progress` is called with the cycle now and then.
    ///
    /// # Errors
    /// If the scenario is invalid.
    pub fn new(
        scenario: &Scenario,
        record: bool,
        progress: &mut dyn FnMut(u64),
    ) -> Result<NodesRun, ScenarioError> {
        let recorder = record.then(|| Recorder::new(scenario.nodes));
        Ok(NodesRun::recorded(scenario, recorder, None, None, progress)?.0)
    }

    /// A run with this recorder and capture, if they are there. `look` is called with each cycle, node and state. It
    /// also returns the bytes of frames, if the recorder keeps them.
    fn recorded(
        scenario: &Scenario,
        mut recorder: Option<Recorder>,
        mut capture: Option<&mut Capture<'_>>,
        mut look: Option<&mut Look<'_>>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(NodesRun, Contents), ScenarioError> {
        let mut ring = Ring::new(scenario)?;
        while !ring.done() {
            let cycle = ring.cycle();
            if recorder.is_some() || capture.is_some() || look.is_some() {
                ring.step_observed(&mut |n, node, i, o| {
                    if let Some(recorder) = &mut recorder {
                        recorder.cycle(cycle, n, node, i, o);
                    }
                    if let Some(capture) = &mut capture {
                        capture.node(cycle.0, n, i, o);
                    }
                    if let Some(look) = &mut look {
                        look(cycle.0, n, node);
                    }
                });
                if let Some(capture) = &mut capture {
                    capture.after_nodes(&ring);
                }
            } else {
                ring.run_until((cycle + Cycle(PROGRESS)).min(scenario.cycles));
            }
            if cycle.0.is_multiple_of(PROGRESS) {
                progress(cycle.0);
            }
        }
        let trace = recorder.map(Recorder::finish).unwrap_or_default();
        Ok((NodesRun { ring, bars: bars(&trace) }, trace.contents))
    }
}

/// Report of a run, as text and JSON.
#[derive(Debug, Serialize)]
pub struct NodesReport {
    title: String,
    nodes: usize,
    tokens: usize,
    cycles: Cycle,
    microseconds: f64,
    /// One rotation of a frame's first word, in cycles: nodes and fibre.
    rotation: Cycle,
    frames: Vec<FrameReport>,
    /// Frames that are not listed because there are too many.
    more_frames: usize,
    acknowledged: u64,
    lost: u64,
    counters: Vec<BTreeMap<&'static str, u64>>,
    /// All replicas of the shared memory are equal; not given when nodes write without end.
    replicas_equal: Option<bool>,
    /// Faults of the file that did not happen in the run.
    warnings: Vec<FileError>,
}

/// One frame that a node was asked to send.
#[derive(Debug, Serialize)]
pub struct FrameReport {
    node: usize,
    what: String,
    /// Cycle in which it was asked for.
    at: Cycle,
    /// Cycle in which its header went to the transmitter.
    sent: Option<Cycle>,
    /// (node, cycle in which the receive side had it whole).
    arrived: Vec<(usize, Cycle)>,
    /// Of a write: nodes at which it did not arrive.
    #[serde(skip)]
    missing: Vec<usize>,
    /// Cycle in which it was back, and whether good.
    back: Option<(Cycle, bool)>,
}

/// Frames listed one by one at most.
const LISTED: usize = 40;

impl NodesReport {
    /// Makes the report of the scenario from its `run`.
    #[must_use]
    pub fn new(loaded: &NodesPlan, run: &NodesRun) -> Self {
        let scenario = &loaded.scenario;
        let hosts = (0..scenario.nodes).map(|i| run.ring.host(i).counts());
        let (mut acknowledged, mut lost) = (0u64, 0u64);
        for counts in hosts {
            acknowledged += counts.returned_good;
            lost += counts.returned_bad;
        }
        let faults = scenario.faults.iter();
        let met: Vec<bool> =
            faults.map(|f| run.ring.faults_met(f.link).contains(&(f.frame, f.kind))).collect();
        NodesReport {
            title: loaded.title.clone(),
            nodes: scenario.nodes,
            tokens: scenario.tokens,
            cycles: scenario.cycles,
            microseconds: ns(scenario.cycles) / 1000.0,
            rotation: scenario.fibre.iter().map(|f| Cycle::from(*f) + HOP_CYCLES).sum(),
            frames: frames(scenario, run),
            more_frames: scenario.sends.len().saturating_sub(LISTED),
            acknowledged,
            lost,
            counters: run.ring.nodes().iter().map(counters).collect(),
            replicas_equal: scenario.saturate.is_empty().then(|| replicas_equal(scenario, run)),
            warnings: loaded.marks.warnings(scenario.cycles.0, &met, &[], &BTreeMap::new()),
        }
    }

    /// Faults of the file that did not happen in the run.
    #[must_use]
    pub fn warnings(&self) -> &[FileError] {
        &self.warnings
    }

    /// Returns true if all replicas of the shared memory are equal; `None` when nodes write without
    /// end.
    #[must_use]
    pub fn replicas_equal(&self) -> Option<bool> {
        self.replicas_equal
    }

    /// Returns true if every frame of the scenario has returned good.
    #[must_use]
    pub fn all_back(&self) -> bool {
        self.frames.iter().all(|f| f.back.is_some_and(|(_, good)| good))
    }
}

/// Sends and what the hosts saw of them, matched by source, TOKEN, C.ST and Packet_Cnt; the n-th
/// of several that agree in these is the n-th that was seen.
fn frames(scenario: &Scenario, run: &NodesRun) -> Vec<FrameReport> {
    let mut seen: BTreeMap<(usize, u8, u8), usize> = BTreeMap::new();
    let mut reports = Vec::new();
    for send in scenario.sends.iter().take(LISTED) {
        let f = &send.frame;
        let nth = seen.entry((send.node, f.token.code(), f.packet_cnt)).or_default();
        let arrived: Vec<(usize, Cycle)> = (0..scenario.nodes)
            .filter_map(|i| {
                let of_this = |d: &&awgstar::ring::Delivered| {
                    d.mac == awgstar::ring::node_mac(send.node)
                        && d.token == Some(f.token)
                        && d.packet_cnt == f.packet_cnt
                };
                Some((i, run.ring.host(i).delivered().iter().filter(of_this).nth(*nth)?.cycle))
            })
            .collect();
        let has = |node: usize| node == send.node || arrived.iter().any(|one| one.0 == node);
        let missing = (0..scenario.nodes).filter(|&node| f.token == Token::Data && !has(node));
        let missing = missing.collect();
        let host = run.ring.host(send.node);
        let back = host
            .returned()
            .iter()
            .filter(|r| !r.good || (r.token == Some(f.token) && r.packet_cnt == f.packet_cnt))
            .filter(|r| r.cycle > send.cycle)
            .nth(*nth)
            .map(|r| (r.cycle, r.good));
        let first_word = run
            .bars
            .iter()
            .filter(|b| b.link == send.node && usize::from(b.source) == send.node)
            .filter(|b| b.token == Some(f.token) && b.packet_cnt == f.packet_cnt)
            .nth(*nth)
            .map(|b| Cycle(b.first));
        *nth += 1;
        reports.push(FrameReport {
            node: send.node,
            what: describe(f),
            at: send.cycle,
            sent: first_word,
            arrived,
            missing,
            back,
        });
    }
    reports
}

fn describe(frame: &awgstar::ring::Outgoing) -> String {
    let signal = awgstar::contract::Signal::from_codes(frame.token, frame.c_st);
    match (frame.token, signal) {
        (Token::Data, _) => format!("write {} B at {:#x}", frame.data.len(), frame.addr),
        (Token::P2p, Some(s)) => format!("{} to {}", s.name(), frame.node_id),
        (_, Some(s)) => s.name().into(),
        (Token::P2p, None) => format!("p2p {:05b} to {}", frame.c_st, frame.node_id),
        (Token::Multicast, None) => {
            format!("multicast {:05b} to group {}", frame.c_st, frame.multi_g)
        }
        (token, None) => format!("{} {:05b}", token.name(), frame.c_st),
    }
}

/// Counters of a node: what is in the memory and what is still pending.
fn counters(node: &awgstar::rtl::RingNode) -> BTreeMap<&'static str, u64> {
    let counters = &node.u_counters;
    let named = Counter::ALL.iter().map(|c| {
        let k = usize::from(c.code());
        (c.name(), u64::from(counters.mem[k]) + u64::from(counters.pending_q.0[k]))
    });
    named.filter(|(_, count)| *count != 0).collect()
}

/// The shared memory of every node after the run: its own writes in the order in which they were
/// taken, those of the others in the order of their delivery.
fn replicas_equal(scenario: &Scenario, run: &NodesRun) -> bool {
    let replica = |node: usize| {
        let mut writes: Vec<(Cycle, u32, &[u8])> = Vec::new();
        for d in run.ring.host(node).delivered().iter().filter(|d| d.token == Some(Token::Data)) {
            writes.push((d.cycle, d.addr, &d.data));
        }
        for send in scenario.sends.iter().filter(|s| s.node == node) {
            if send.frame.token == Token::Data {
                writes.push((send.cycle, send.frame.addr, &send.frame.data));
            }
        }
        writes.sort_by_key(|w| w.0);
        let mut memory = BTreeMap::new();
        for (_, addr, bytes) in writes {
            memory.extend((addr..).zip(bytes.iter().copied()));
        }
        memory
    };
    let first = replica(0);
    (1..scenario.nodes).all(|node| replica(node) == first)
}

impl fmt::Display for NodesReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.title.is_empty() {
            writeln!(f, "{}", self.title)?;
        }
        writeln!(
            f,
            "{} nodes, {} free token{}, rotation of an empty ring {} cycles = {:.0} ns; {} cycles = {:.2} µs\n",
            self.nodes,
            self.tokens,
            if self.tokens == 1 { "" } else { "s" },
            self.rotation,
            ns(self.rotation),
            self.cycles,
            self.microseconds
        )?;
        for frame in &self.frames {
            frame_line(f, frame)?;
        }
        if self.more_frames > 0 {
            writeln!(f, "  ... and {} more", self.more_frames)?;
        }
        writeln!(f, "\n{} frames returned good, {} bad", self.acknowledged, self.lost)?;
        if let Some(equal) = self.replicas_equal {
            let verdict = if equal { "equal on all nodes" } else { "NOT equal" };
            writeln!(f, "replicas of the shared memory: {verdict}")?;
            if !equal {
                self.why_not_equal(f)?;
            }
        }
        for (node, counters) in self.counters.iter().enumerate().take(LISTED) {
            let list: Vec<String> = counters.iter().map(|(k, v)| format!("{k} {v}")).collect();
            writeln!(f, "  node {node}: {}", list.join(", "))?;
        }
        Ok(())
    }
}

impl NodesReport {
    /// Says which writes did not arrive; of frames that are not listed nothing is known here.
    fn why_not_equal(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut none = self.more_frames == 0;
        for FrameReport { node, at, missing, .. } in &self.frames {
            if !missing.is_empty() {
                none = false;
                let list: Vec<String> = missing.iter().map(ToString::to_string).collect();
                let nodes = if list.len() == 1 { "node" } else { "nodes" };
                let list = list.join(", ");
                writeln!(
                    f,
                    "  the write of node {node} in cycle {at} did not arrive at {nodes} {list}: a ring of nodes retransmits nothing"
                )?;
            }
        }
        if none {
            writeln!(f, "  every write arrived at all nodes, in different orders")?;
        }
        Ok(())
    }
}

fn frame_line(f: &mut fmt::Formatter<'_>, frame: &FrameReport) -> fmt::Result {
    write!(f, "cycle {:>6}  node {:<3} {:<28}", frame.at, frame.node, frame.what)?;
    if let Some(sent) = frame.sent {
        write!(f, " on the link at {sent}")?;
    }
    let times = frame.arrived.iter().map(|a| a.1);
    match (times.clone().min(), times.max()) {
        (Some(first), Some(last)) if frame.arrived.len() > 1 => write!(
            f,
            ", at {} nodes after {} to {} cycles ({:.0} to {:.0} ns)",
            frame.arrived.len(),
            first - frame.at,
            last - frame.at,
            ns(first - frame.at),
            ns(last - frame.at)
        )?,
        (Some(time), _) => write!(
            f,
            ", at node {} after {} cycles ({:.0} ns)",
            frame.arrived[0].0,
            time - frame.at,
            ns(time - frame.at)
        )?,
        _ => write!(f, ", at no node")?,
    }
    match frame.back {
        Some((cycle, good)) => {
            let verdict = if good { "good" } else { "BAD" };
            writeln!(
                f,
                ", back {verdict} after {} ({:.0} ns)",
                cycle - frame.at,
                ns(cycle - frame.at)
            )
        }
        None => writeln!(f, ", not back"),
    }
}
