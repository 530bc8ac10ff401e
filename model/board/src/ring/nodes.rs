// SPDX-License-Identifier: MIT OR Apache-2.0
//! A ring of nodes.

use super::fibre::Fibre;
use super::host::Host;
use super::member::{Member, Now, sealed};
use super::place::Place;
use super::scenario::{Outgoing, Scenario, ScenarioError};
use super::sweep::{Ring, Setting};
use crate::rtl::RingEgress;
use crate::rtl::ring_node::{Inputs, Outputs, RingNode};

impl Member for RingNode {
    type Inputs = Inputs;
    type Outputs = Outputs;
    type Host = Host;

    const CALM: u8 = 1;

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the hot loop")]
    fn cycle<const SEEN: bool>(
        &mut self,
        host: &mut Host,
        Now { cycle, word, .. }: Now,
        look: impl FnOnce(&RingNode, &Inputs, &Outputs),
    ) {
        host.drive(cycle);
        host.inputs.s_axis.set(word);
        // The hot loop needs none.
        if SEEN {
            look(self, &host.inputs, &self.outputs(&host.inputs));
        }
        host.take(cycle, self);
        if !self.stream(&host.inputs) {
            let wires = self.wires(&host.inputs);
            self.advance(&host.inputs, &wires);
            host.clock(&wires);
        }
    }

    #[inline]
    fn egress(&self) -> &RingEgress {
        &self.u_egress
    }

    #[inline]
    fn rests(&self, host: &Host, cycle: u64) -> u64 {
        if self.at_rest(&host.inputs) { host.next_change(cycle) - cycle } else { 0 }
    }

    /// Only the round-robin of its counters goes on.
    fn pass(&mut self, from: u64, until: u64) {
        self.u_counters.idle(from, until);
    }
}

pub type NodeRing = Ring<RingNode>;

impl sealed::Sealed for Scenario {}

impl Setting for Scenario {
    type Member = RingNode;

    fn ring(&self) -> Result<NodeRing, ScenarioError> {
        self.check()?;
        let node = |(i, &delay): (usize, &u32)| {
            let fibre = Fibre::new(i, delay, &self.faults);
            (RingNode::default(), Place::new(Host::new(self, i), fibre))
        };
        let mut ring = Ring::of(self.fibre.iter().enumerate().map(node));
        ring.end = self.cycles.0;
        Ok(ring)
    }
}

impl NodeRing {
    /// The run is over.
    pub fn done(&self) -> bool {
        self.cycle >= self.end
    }

    /// The nodes, as they are before the next edge.
    pub fn nodes(&self) -> &[RingNode] {
        &self.members
    }

    /// The nodes, to be given another state: the lockstep starts from that of the Verilog.
    pub fn nodes_mut(&mut self) -> &mut [RingNode] {
        for i in 0..self.members.len() {
            self.wake(i);
        }
        &mut self.members
    }

    /// Hosts keep records of what they see (they do from the start) or count only.
    pub fn record(&mut self, on: bool) {
        for place in &mut self.places {
            place.host.record(on);
        }
    }

    /// Hands one more frame to the host of a node, after those that wait.
    ///
    /// # Errors
    /// If there is no such node, or the frame does not fit its port.
    pub fn send(&mut self, node: usize, frame: Outgoing) -> Result<(), ScenarioError> {
        frame.check(0)?;
        let cycle = self.cycle;
        self.place("sends", node)?.1.host.push(cycle, frame);
        Ok(())
    }

    /// Keeps `discard` of a node high until it has dropped one token (NODE-23).
    ///
    /// # Errors
    /// If there is no such node.
    pub fn discard(&mut self, node: usize) -> Result<(), ScenarioError> {
        self.place("discard", node)?.1.host.discard();
        Ok(())
    }
}
