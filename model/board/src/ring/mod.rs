// SPDX-License-Identifier: MIT OR Apache-2.0
//! A ring of nodes, the fibre between them and their hosts (RING-1 to RING-4).
//!
//! ```
//! use awgstar_frame::{contract::Token, quantity::Cycle};
//! use awgstar_board::ring::{Outgoing, Ring, Scenario, Send};
//!
//! let frame = Outgoing { addr: 0x100, ..Outgoing::new(Token::Data, vec![1, 2, 3]) };
//! let mut scenario = Scenario::new(4, 1, Cycle(1_000));
//! scenario.sends.push(Send { node: 2, cycle: Cycle(0), frame });
//! let mut ring = Ring::new(&scenario)?;
//! while !ring.done() {
//!     ring.step();
//! }
//! assert_eq!(ring.host(3).delivered()[0].data, [1, 2, 3]);
//! assert!(ring.host(2).returned()[0].good);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod boards;
pub mod burst;
mod fibre;
mod host;
mod port;
mod records;
mod rest;
mod scenario;
pub mod star;
mod sweep;

pub use boards::{BoardHost, BoardRing, BoardScenario, HostOp, HostResult, Outcome};
pub use fibre::Word;
pub use host::Host;
pub use port::pattern;
pub use records::{Counts, Delivered, Returned, Sent};
pub use scenario::{
    FIBRE_MAX, Fault, FaultKind, LEN_MAX, NODES_MAX, Outgoing, RESET_CYCLES, Saturate, Scenario,
    ScenarioError, Send, node_mac,
};

use crate::rtl::ring_node::{Inputs, Outputs, RingNode};
use awgstar_frame::quantity::Cycle;
use fibre::Fibre;
use rest::Rest;

/// A ring in a run.
#[derive(Clone, Debug)]
pub struct Ring {
    nodes: Vec<RingNode>,
    hosts: Vec<Host>,
    /// Link i is that after node i.
    fibres: Vec<Fibre>,
    rests: Vec<Rest>,
    /// Nodes that are not at rest.
    awake: usize,
    cycle: u64,
    cycles: u64,
}

impl Ring {
    /// A ring before its first cycle.
    ///
    /// # Errors
    /// If the scenario is invalid; the error names the first wrong entry.
    pub fn new(scenario: &Scenario) -> Result<Ring, ScenarioError> {
        scenario.check()?;
        let fibres = scenario.fibre.iter().enumerate();
        Ok(Ring {
            nodes: vec![RingNode::default(); scenario.nodes],
            hosts: (0..scenario.nodes).map(|node| Host::new(scenario, node)).collect(),
            fibres: fibres.map(|(i, &delay)| Fibre::new(i, delay, &scenario.faults)).collect(),
            rests: vec![Rest::default(); scenario.nodes],
            awake: scenario.nodes,
            cycle: 0,
            cycles: scenario.cycles.0,
        })
    }

    /// The cycle that [`Ring::step`] does next.
    pub fn cycle(&self) -> Cycle {
        Cycle(self.cycle)
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
    /// If there is no such node.
    pub fn host(&self, i: usize) -> &Host {
        &self.hosts[i]
    }

    /// Faults that changed their frame, with its number. One whose frame has not left node `link`, or
    /// ends before what the fault changes, is not among them.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn faults_met(&self, link: usize) -> &[(u64, FaultKind)] {
        self.fibres[link].met()
    }

    /// Hosts keep records of what they see (they do from the start) or count only.
    pub fn record(&mut self, on: bool) {
        for host in &mut self.hosts {
            host.record(on);
        }
    }

    /// Hands one more frame to the host of a node, after those that wait.
    ///
    /// # Errors
    /// If there is no such node, or the frame does not fit its port.
    pub fn send(&mut self, node: usize, frame: Outgoing) -> Result<(), ScenarioError> {
        frame.check(0)?;
        let nodes = self.nodes.len();
        let Some(host) = self.hosts.get_mut(node) else {
            return Err(ScenarioError::NoSuchNode { list: "sends", index: 0, nodes, found: node });
        };
        host.push(self.cycle, frame);
        self.awake += usize::from(self.rests[node].wake(&mut self.nodes[node], self.cycle));
        Ok(())
    }

    /// Keeps `discard` of a node high until it has dropped one token (NODE-23).
    ///
    /// # Errors
    /// If there is no such node.
    pub fn discard(&mut self, node: usize) -> Result<(), ScenarioError> {
        let nodes = self.nodes.len();
        let Some(host) = self.hosts.get_mut(node) else {
            let (list, index) = ("discard", 0);
            return Err(ScenarioError::NoSuchNode { list, index, nodes, found: node });
        };
        host.discard();
        self.awake += usize::from(self.rests[node].wake(&mut self.nodes[node], self.cycle));
        Ok(())
    }

    /// One cycle of all nodes.
    pub fn step(&mut self) {
        self.sweep::<true, false>(&mut |_, _, _| {});
    }

    /// Steps until [`Ring::cycle`] is `end`: as [`Ring::step`], but nodes at rest cost nothing, and
    /// when all are, so does the time until something happens.
    pub fn run_until(&mut self, Cycle(end): Cycle) {
        while self.cycle < end {
            if self.awake == 0 {
                self.cycle = self.next_event().clamp(self.cycle, end);
                if self.cycle == end {
                    break;
                }
            }
            self.sweep::<false, false>(&mut |_, _, _| {});
        }
        for (rest, node) in self.rests.iter_mut().zip(&mut self.nodes) {
            rest.catch_up(node, self.cycle);
        }
    }

    /// [`Ring::step`], with a look at every node, its inputs and its outputs just before the edge.
    pub fn step_observed(&mut self, f: &mut dyn FnMut(usize, &RingNode, &Inputs, &Outputs)) {
        self.sweep::<true, true>(&mut |i, node, inputs| f(i, node, inputs, &node.outputs(inputs)));
    }
}
