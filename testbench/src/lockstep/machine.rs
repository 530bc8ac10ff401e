//! What can run in lockstep: a module of the model with its stimuli.

use super::shape::Shape;
use crate::sim::SimError;
use awgstar::rtl::{
    Parameters, RingNode, ring_node,
    state::{MemoryRef, Ports, State},
};
use std::{
    fmt::Debug,
    sync::{Arc, LazyLock},
};

/// A module of the model.
pub trait Machine: State + Clone + Debug + PartialEq + Send + Sync + 'static {
    /// Its inputs.
    type Inputs: Ports + Debug + PartialEq;
    /// Its outputs.
    type Outputs: Ports + Debug + PartialEq;
    /// What is run.
    type Case: Stimulus<Self>;

    /// Names and widths under the contract's parameters.
    fn shape() -> &'static Arc<Shape>;
    /// Just before the edge.
    fn outputs(&self, inputs: &Self::Inputs) -> Self::Outputs;
    /// The edge.
    fn clock(&mut self, inputs: &Self::Inputs);
    /// One machine that is fed these inputs.
    fn replay(inputs: Vec<Self::Inputs>) -> Self::Case;

    /// Its memories, in the order of the shape.
    fn memory_refs(&self) -> Vec<MemoryRef<'_>> {
        let mut all = Vec::new();
        self.memories(&mut |m| all.push(m));
        all
    }
}

/// Called with number of the machine, its state before the edge, its inputs and outputs.
pub type Look<'a, M> = dyn FnMut(usize, &M, &<M as Machine>::Inputs, &<M as Machine>::Outputs) + 'a;

/// Something to run: machines and what drives them.
pub trait Stimulus<M: Machine>: Clone + Debug {
    /// Number of machines.
    fn nodes(&self) -> usize;
    /// Length of the run.
    fn cycles(&self) -> u64;
    /// The same, this long.
    #[must_use]
    fn with_cycles(&self, cycles: u64) -> Self;
    /// The model before the first cycle.
    ///
    /// # Errors
    /// When the stimulus makes no sense.
    fn bench(&self) -> Result<Box<dyn Running<M>>, SimError>;
    /// The same, of machines with these parameters.
    ///
    /// # Errors
    /// As [`Stimulus::bench`].
    fn bench_with(&self, parameters: &Parameters) -> Result<Box<dyn Running<M>>, SimError> {
        let mut bench = self.bench()?;
        for node in 0..self.nodes() {
            *bench.node_mut(node) = M::new(parameters);
        }
        Ok(bench)
    }
    /// Stimuli a step smaller, the largest steps first.
    fn candidates(&self) -> Vec<Self>;
}

/// The model in a run.
pub trait Running<M: Machine> {
    /// The run is over.
    fn done(&self) -> bool;
    /// Machine `node`.
    fn node_mut(&mut self, node: usize) -> &mut M;
    /// One cycle.
    fn step(&mut self, look: &mut Look<'_, M>);
}

/// A machine that is fed.
pub struct Fed<M: Machine> {
    machine: M,
    inputs: Vec<M::Inputs>,
    cycle: usize,
}

impl<M: Machine> Fed<M> {
    /// Before the first cycle.
    #[must_use]
    pub fn new(inputs: Vec<M::Inputs>) -> Self {
        Fed { machine: M::default(), inputs, cycle: 0 }
    }
}

impl<M: Machine> Running<M> for Fed<M> {
    fn done(&self) -> bool {
        self.cycle >= self.inputs.len()
    }

    fn node_mut(&mut self, _: usize) -> &mut M {
        &mut self.machine
    }

    fn step(&mut self, look: &mut Look<'_, M>) {
        if let Some(inputs) = self.inputs.get(self.cycle) {
            look(0, &self.machine, inputs, &self.machine.outputs(inputs));
            self.machine.clock(inputs);
        }
        self.cycle += 1;
    }
}

impl Machine for RingNode {
    type Inputs = ring_node::Inputs;
    type Outputs = ring_node::Outputs;
    type Case = super::Case;

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

    fn replay(inputs: Vec<Self::Inputs>) -> Self::Case {
        super::Case::Inputs(inputs)
    }
}
