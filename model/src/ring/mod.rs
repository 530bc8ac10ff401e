//! A ring of nodes, the fibre between them and their hosts (RING-1 to RING-4).
//!
//! ```
//! use awgstar::contract::Token;
//! use awgstar::ring::{Outgoing, Ring, Scenario, Send};
//!
//! let frame = Outgoing { addr: 0x100, ..Outgoing::new(Token::Data, vec![1, 2, 3]) };
//! let mut scenario = Scenario::new(4, 1, 1_000);
//! scenario.sends.push(Send { node: 2, cycle: 0, frame });
//! let mut ring = Ring::new(&scenario)?;
//! while !ring.done() {
//!     ring.step();
//! }
//! assert_eq!(ring.host(3).delivered()[0].data, [1, 2, 3]);
//! assert!(ring.host(2).returned()[0].good);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod fibre;
mod host;
mod port;
mod scenario;

pub use fibre::Word;
pub use host::{Counts, Delivered, Host, Returned, Sent};
pub use port::pattern;
pub use scenario::{
    FIBRE_MAX, Fault, FaultKind, LEN_MAX, NODES_MAX, Outgoing, RESET_CYCLES, Saturate, Scenario,
    ScenarioError, Send, node_mac,
};

use crate::rtl::ring_node::{Inputs, Outputs, RingNode};
use fibre::Fibre;

/// A ring in a run.
#[derive(Clone, Debug)]
pub struct Ring {
    nodes: Vec<RingNode>,
    hosts: Vec<Host>,
    /// Link i is that behind node i.
    fibres: Vec<Fibre>,
    /// Nodes at rest, and how many are not.
    rests: Vec<Option<Rest>>,
    awake: usize,
    cycle: u64,
    cycles: u64,
}

/// A node whose next edges change nothing but the round of its counters.
#[derive(Clone, Copy, Debug)]
struct Rest {
    /// Its counters have been brought up to this cycle.
    since: u64,
    /// Its host does something in this cycle.
    until: u64,
}

impl Ring {
    /// A ring before its first cycle.
    ///
    /// # Errors
    /// When the scenario makes no sense.
    pub fn new(scenario: &Scenario) -> Result<Ring, ScenarioError> {
        scenario.check()?;
        let fibres = scenario.fibre.iter().enumerate();
        Ok(Ring {
            nodes: vec![RingNode::default(); scenario.nodes],
            hosts: (0..scenario.nodes).map(|node| Host::new(scenario, node)).collect(),
            fibres: fibres.map(|(i, &delay)| Fibre::new(i, delay, &scenario.faults)).collect(),
            rests: vec![None; scenario.nodes],
            awake: scenario.nodes,
            cycle: 0,
            cycles: scenario.cycles,
        })
    }

    /// The cycle that [`Ring::step`] does next.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The run is over.
    pub fn done(&self) -> bool {
        self.cycle >= self.cycles
    }

    /// The nodes, as they are before the next edge.
    pub fn nodes(&self) -> &[RingNode] {
        &self.nodes
    }

    /// The nodes, to be given another state: the lockstep starts from that of the Verilog.
    pub fn nodes_mut(&mut self) -> &mut [RingNode] {
        &mut self.nodes
    }

    /// The host of node `i`.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn host(&self, i: usize) -> &Host {
        &self.hosts[i]
    }

    /// Hosts keep records of what they see (they do from the start) or count only.
    pub fn record(&mut self, on: bool) {
        for host in &mut self.hosts {
            host.record(on);
        }
    }

    /// Hands one more frame to the host of a node, behind those that wait.
    ///
    /// # Errors
    /// When there is no such node, or the frame does not fit its port.
    pub fn send(&mut self, node: usize, frame: Outgoing) -> Result<(), ScenarioError> {
        frame.check(0)?;
        let nodes = self.nodes.len();
        let Some(host) = self.hosts.get_mut(node) else {
            return Err(ScenarioError::NoSuchNode { list: "sends", index: 0, nodes, found: node });
        };
        host.push(self.cycle, frame);
        self.wake(node);
        Ok(())
    }

    /// One cycle of all nodes.
    pub fn step(&mut self) {
        self.sweep::<true>();
    }

    /// Steps until [`Ring::cycle`] is `end`: as [`Ring::step`], but nodes at rest cost nothing, and
    /// when all are, so does the time until something happens.
    pub fn run_until(&mut self, end: u64) {
        while self.cycle < end {
            if self.awake == 0 {
                self.cycle = self.next_event().clamp(self.cycle, end);
                if self.cycle == end {
                    break;
                }
            }
            self.sweep::<false>();
        }
        for i in 0..self.nodes.len() {
            self.catch_up(i);
        }
    }

    /// [`Ring::step`], with a look at every node, its inputs and its outputs just before the edge.
    pub fn step_observed(&mut self, f: &mut impl FnMut(usize, &RingNode, &Inputs, &Outputs)) {
        for i in 0..self.nodes.len() {
            self.wake(i);
            self.drive(i);
            let (node, inputs) = (&self.nodes[i], &self.hosts[i].inputs);
            f(i, node, inputs, &node.outputs(inputs));
            self.clock(i);
        }
        self.cycle += 1;
    }

    /// A cycle of the nodes that are not at rest. With `EXACT` the counters of the others go on too.
    #[inline]
    fn sweep<const EXACT: bool>(&mut self) {
        let mut arrival = self.fibres[self.fibres.len() - 1].next_arrival();
        for i in 0..self.nodes.len() {
            let after = self.fibres[i].next_arrival();
            if let Some(rest) = self.rests[i] {
                if rest.until > self.cycle && arrival != Some(self.cycle) {
                    arrival = after;
                    if EXACT {
                        self.catch_up_to(i, self.cycle + 1);
                    }
                    continue;
                }
                self.wake(i);
            }
            self.drive(i);
            self.clock(i);
            self.rest(i);
            arrival = after;
        }
        self.cycle += 1;
    }

    /// Lets node `i` rest if it can.
    #[inline]
    fn rest(&mut self, i: usize) {
        let inputs = &self.hosts[i].inputs;
        if !inputs.s_axis_tvalid && self.nodes[i].at_rest(inputs) {
            let until = self.hosts[i].next_change(self.cycle + 1);
            if until > self.cycle + 1 {
                self.rests[i] = Some(Rest { since: self.cycle + 1, until });
                self.awake -= 1;
            }
        }
    }

    fn wake(&mut self, i: usize) {
        self.catch_up(i);
        if self.rests[i].take().is_some() {
            self.awake += 1;
        }
    }

    /// The counters of a node at rest, brought to the present.
    fn catch_up(&mut self, i: usize) {
        self.catch_up_to(i, self.cycle);
    }

    fn catch_up_to(&mut self, i: usize, cycle: u64) {
        if let Some(rest) = &mut self.rests[i] {
            self.nodes[i].u_counters.idle(rest.since, cycle);
            rest.since = cycle;
        }
    }

    /// First cycle in which something happens to a ring at rest.
    fn next_event(&self) -> u64 {
        let arrivals = self.fibres.iter().filter_map(Fibre::next_arrival);
        let changes = self.rests.iter().flatten().map(|rest| rest.until);
        arrivals.chain(changes).min().unwrap_or(u64::MAX)
    }

    /// Inputs of node `i` in this cycle. Nodes before it have had their edge; what they put on
    /// their output is meant for the next cycle and waits in the fibre.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the hot loop")]
    fn drive(&mut self, i: usize) {
        let before = if i == 0 { self.fibres.len() - 1 } else { i - 1 };
        let host = &mut self.hosts[i];
        host.drive(self.cycle);
        let word = self.fibres[before].pop(self.cycle);
        host.inputs.s_axis_tvalid = word.is_some();
        if let Some(Word { data, keep, last, user }) = word {
            (host.inputs.s_axis_tdata, host.inputs.s_axis_tkeep) = (data, keep);
            (host.inputs.s_axis_tlast, host.inputs.s_axis_tuser) = (last, user);
        }
    }

    /// The edge of node `i`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the hot loop")]
    fn clock(&mut self, i: usize) {
        let (node, host) = (&mut self.nodes[i], &mut self.hosts[i]);
        host.take(self.cycle, node);
        if !node.stream(&host.inputs) {
            let wires = node.wires(&host.inputs);
            node.advance(&host.inputs, &wires);
            host.clock(&wires);
        }
        let out = &node.u_egress;
        if out.m_valid_q {
            let word = Word {
                data: out.m_data_q,
                keep: out.m_keep_q,
                last: out.m_last_q,
                user: out.m_user_q,
            };
            self.fibres[i].push(self.cycle + 1, word);
        }
    }
}
