//! What the lockstep runs, and the model under it.

use super::{player::Player, stimulus::NodeStimulus};
use awgstar::{
    ring::{Ring, Scenario, ScenarioError},
    rtl::{
        RingNode,
        ring_node::{Inputs, Outputs},
    },
};

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Case {
    /// A ring.
    Ring(Scenario),
    /// One node in an environment.
    Node(NodeStimulus),
    /// One node and its inputs in every cycle: a vector.
    Inputs(Vec<Inputs>),
}

/// Called with number of the node, its state before the edge, its inputs and outputs.
pub type Look<'a> = dyn FnMut(usize, &RingNode, &Inputs, &Outputs) + 'a;

/// The model in a run.
#[derive(Clone, Debug)]
pub enum Bench {
    /// A ring.
    Ring(Box<Ring>),
    /// One node that reacts, and its cycle.
    Node(Box<RingNode>, Box<Player>, u64, u64),
    /// One node that is fed, and its cycle.
    Inputs(Box<RingNode>, Vec<Inputs>, u64),
}

impl Case {
    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        if let Case::Ring(scenario) = self { scenario.nodes } else { 1 }
    }

    /// Length of the run.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        match self {
            Case::Ring(s) => s.cycles,
            Case::Node(s) => s.cycles,
            Case::Inputs(i) => i.len() as u64,
        }
    }

    /// The same, this long.
    #[must_use]
    pub fn with_cycles(&self, cycles: u64) -> Case {
        let mut case = self.clone();
        match &mut case {
            Case::Ring(s) => s.cycles = cycles,
            Case::Node(s) => s.cycles = cycles,
            Case::Inputs(i) => i.truncate(usize::try_from(cycles).unwrap_or(usize::MAX)),
        }
        case
    }

    /// The model before the first cycle.
    ///
    /// # Errors
    /// When the scenario makes no sense.
    pub fn bench(&self) -> Result<Bench, ScenarioError> {
        Ok(match self {
            Case::Ring(s) => Bench::Ring(Box::new(Ring::new(s)?)),
            Case::Node(s) => Bench::Node(Box::default(), Box::new(Player::new(s)), 0, s.cycles),
            Case::Inputs(i) => Bench::Inputs(Box::default(), i.clone(), 0),
        })
    }
}

impl Bench {
    /// The run is over.
    #[must_use]
    pub fn done(&self) -> bool {
        match self {
            Bench::Ring(ring) => ring.done(),
            Bench::Node(_, _, cycle, cycles) => cycle >= cycles,
            Bench::Inputs(_, inputs, cycle) => *cycle >= inputs.len() as u64,
        }
    }

    /// The nodes.
    pub fn nodes_mut(&mut self) -> &mut [RingNode] {
        match self {
            Bench::Ring(ring) => ring.nodes_mut(),
            Bench::Node(node, ..) | Bench::Inputs(node, ..) => std::slice::from_mut(node),
        }
    }

    /// One cycle.
    pub fn step(&mut self, look: &mut Look<'_>) {
        match self {
            Bench::Ring(ring) => {
                ring.step_observed(&mut |node, state, inputs, outputs| {
                    look(node, state, inputs, outputs);
                });
            }
            Bench::Node(node, player, cycle, _) => {
                let inputs = player.drive(*cycle);
                let outputs = edge(node, &inputs, *cycle, look);
                player.clock(*cycle, &inputs, &outputs);
                *cycle += 1;
            }
            Bench::Inputs(node, list, cycle) => {
                let at = usize::try_from(*cycle).unwrap_or(usize::MAX);
                if let Some(inputs) = list.get(at) {
                    edge(node, inputs, *cycle, look);
                }
                *cycle += 1;
            }
        }
    }
}

/// One cycle of a node. The model has its edge twice: module by module, and in one pass. Both
/// are to be right, so they take turns.
fn edge(node: &mut RingNode, inputs: &Inputs, cycle: u64, look: &mut Look<'_>) -> Outputs {
    let outputs = node.outputs(inputs);
    look(0, node, inputs, &outputs);
    if cycle.is_multiple_of(2) {
        node.clock(inputs);
    } else {
        node.step(inputs);
    }
    outputs
}
