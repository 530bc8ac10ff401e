// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases of a node or ring for the lockstep, and the model under test.

use crate::StimulusError;
use crate::deposit::Deposit;
use crate::ends::Warm;
use crate::machine::{Fed, Look, Machine, PortsVisit, Running, Stimulus, Track, deposit};
use crate::node::player::Player;
use crate::node::{NodeStimulus, shrink};
use crate::shape::Shape;
use awgstar::quantity::Cycle;
use awgstar::{
    ring::{Ring, Scenario},
    rtl::{
        Parameters, RingNode,
        ring_node::{Inputs, Outputs},
    },
};
use std::sync::{Arc, LazyLock};

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

impl Machine for RingNode {
    type Inputs = Inputs;
    type Outputs = Outputs;
    type Case = Case;

    fn shape() -> &'static Arc<Shape> {
        static SHAPE: LazyLock<Arc<Shape>> =
            LazyLock::new(|| Shape::of::<RingNode>(&Parameters::DEFAULT));
        &SHAPE
    }

    fn outputs(&self, inputs: &Self::Inputs) -> Self::Outputs {
        RingNode::outputs(self, inputs)
    }

    fn clock(&mut self, inputs: &Self::Inputs) {
        RingNode::clock(self, inputs);
    }

    fn replay(track: Track<Self::Inputs>) -> Self::Case {
        Case::Inputs(track)
    }

    fn look(&self, inputs: &Self::Inputs, visit: &mut PortsVisit<'_>) {
        RingNode::look(self, inputs, &mut |name, ports, image| visit(name, ports, image));
    }
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
        match self {
            Case::Ring(s) => shrink::ring(s).into_iter().map(Case::Ring).collect(),
            Case::Node(s) => shrink::node(s).into_iter().map(Case::Node).collect(),
            Case::Inputs(_) => Vec::new(),
        }
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
        deposit(&mut self.node, &due);
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
