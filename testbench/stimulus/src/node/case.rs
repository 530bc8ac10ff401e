// SPDX-License-Identifier: MIT OR Apache-2.0
//! A node as a module that runs in lockstep.

use crate::StimulusError;
use crate::machine::{Bench, Look, PortsVisit, Running, Stimulus, machine};
use crate::node::player::Player;
use crate::node::{NodeStimulus, shrink};
use awgstar::quantity::Cycle;
use awgstar::{
    ring::{Ring, Scenario},
    rtl::{Parameters, RingNode, ring_node},
};

machine!(RingNode, ring_node, Parameters::DEFAULT, NodeStimulus, Scenario, {
    /// The model has its edge twice: module by module, and in one pass. Both are to be right, so they take turns.
    fn edge(&mut self, inputs: &Self::Inputs, cycle: Cycle) {
        if cycle.0.is_multiple_of(2) {
            self.clock(inputs);
        } else {
            self.step(inputs);
        }
    }

    fn look(&self, inputs: &Self::Inputs, visit: &mut PortsVisit<'_>) {
        RingNode::look(self, inputs, &mut |name, ports, image| visit(name, ports, image));
    }
});

impl Stimulus<RingNode> for NodeStimulus {
    type Player = Player;

    fn cycles(&self) -> Cycle {
        self.cycles
    }

    fn set_cycles(&mut self, cycles: Cycle) {
        self.cycles = cycles;
    }

    fn player(&self, _: &Parameters) -> Player {
        Player::new(self)
    }

    fn candidates(&self) -> Vec<Self> {
        shrink::node(self)
    }
}

impl Bench<RingNode> for Scenario {
    fn nodes(&self) -> usize {
        self.nodes
    }

    fn cycles(&self) -> Cycle {
        self.cycles
    }

    fn set_cycles(&mut self, cycles: Cycle) {
        self.cycles = cycles;
    }

    fn running(&self) -> Result<Box<dyn Running<RingNode>>, StimulusError> {
        let ring = Ring::new(self).map_err(|e| StimulusError::format("scenario", e.to_string()))?;
        Ok(Box::new(ring))
    }

    fn candidates(&self) -> Vec<Self> {
        shrink::ring(self)
    }
}

impl Running<RingNode> for Ring {
    fn done(&self) -> bool {
        Ring::done(self)
    }

    fn node_mut(&mut self, node: usize) -> &mut RingNode {
        &mut self.nodes_mut()[node]
    }

    fn step(&mut self, look: &mut Look<'_, RingNode>) {
        self.step_observed(&mut |node, state, inputs, outputs| look(node, state, inputs, outputs));
    }
}
