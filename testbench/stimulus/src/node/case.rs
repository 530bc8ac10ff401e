// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases of a node or ring for the lockstep, and the model under test.

use crate::StimulusError;
use crate::deposit::Deposit;
use crate::ends::Warm;
use crate::machine::{Fed, Look, Running, Stimulus, Track};
use crate::node::NodeStimulus;
use crate::node::player::Player;
use crate::{deposit, shrink};
use awgstar::quantity::Cycle;
use awgstar::{
    ring::{Ring, Scenario},
    rtl::{
        RingNode,
        ring_node::{Inputs, Outputs},
    },
};

/// Case of a node or a ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Case {
    /// A ring.
    Ring(Scenario),
    /// One node in an environment.
    Node(NodeStimulus),
    /// One node and its inputs in every cycle: a vector.
    Inputs(Track<Inputs>),
}

/// One node that reacts, and its cycle.
struct Played {
    node: RingNode,
    player: Player,
    /// Deposits that are still to be made.
    warm: Warm,
    cycle: Cycle,
    cycles: Cycle,
}

impl Stimulus<RingNode> for Case {
    fn nodes(&self) -> usize {
        if let Case::Ring(scenario) = self { scenario.nodes } else { 1 }
    }

    fn cycles(&self) -> Cycle {
        match self {
            Case::Ring(s) => s.cycles,
            Case::Node(s) => s.cycles,
            Case::Inputs(t) => Cycle(t.inputs.len() as u64),
        }
    }

    fn with_cycles(&self, cycles: Cycle) -> Case {
        let mut case = self.clone();
        match &mut case {
            Case::Ring(s) => s.cycles = cycles,
            Case::Node(s) => s.cycles = cycles,
            Case::Inputs(t) => *t = std::mem::take(t).with_cycles(cycles),
        }
        case
    }

    fn bench(&self) -> Result<Box<dyn Running<RingNode>>, StimulusError> {
        Ok(match self {
            Case::Ring(s) => Box::new(
                Ring::new(s).map_err(|e| StimulusError::format("scenario", e.to_string()))?,
            ),
            Case::Node(s) => Box::new(Played {
                node: RingNode::default(),
                player: Player::new(s),
                warm: s.warm.clone(),
                cycle: Cycle(0),
                cycles: s.cycles,
            }),
            Case::Inputs(t) => Box::new(Fed::<RingNode>::new(t.clone())),
        })
    }

    fn candidates(&self) -> Vec<Self> {
        shrink::candidates(self)
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

impl Running<RingNode> for Played {
    fn done(&self) -> bool {
        self.cycle >= self.cycles
    }

    fn deposit(&mut self) -> Vec<Deposit> {
        let due = self.warm.deposits(self.cycle, &self.node);
        self.warm.done(self.cycle);
        deposit::apply(&mut self.node, &due);
        due
    }

    fn node_mut(&mut self, _: usize) -> &mut RingNode {
        &mut self.node
    }

    fn step(&mut self, look: &mut Look<'_, RingNode>) {
        self.deposit();
        let inputs = self.player.drive(self.cycle);
        let outputs = edge(&mut self.node, &inputs, self.cycle, look);
        self.player.clock(self.cycle, &inputs, &outputs);
        self.cycle += Cycle(1);
    }
}

/// One cycle of a node. The model has its edge twice: module by module, and in one pass. Both
/// are to be right, so they take turns.
fn edge(
    node: &mut RingNode,
    inputs: &Inputs,
    cycle: Cycle,
    look: &mut Look<'_, RingNode>,
) -> Outputs {
    let outputs = node.outputs(inputs);
    look(0, node, inputs, &outputs);
    if cycle.0.is_multiple_of(2) {
        node.clock(inputs);
    } else {
        node.step(inputs);
    }
    outputs
}
