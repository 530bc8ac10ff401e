// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interface of a module of the model that runs in lockstep, with its stimuli.

use crate::StimulusError;
use crate::deposit::{Deposit, due, put};
use crate::shape::Shape;
use awgstar::quantity::{Cycle, narrow};
use awgstar::rtl::{
    Parameters,
    state::{MemoryRef, Ports, Signal, State},
};
use std::{fmt::Debug, sync::Arc};

/// A module of the model.
pub trait Machine: State + Clone + Debug + PartialEq + Send + Sync + 'static {
    /// Input ports of the module.
    type Inputs: Ports + Debug + PartialEq;
    /// Output ports of the module.
    type Outputs: Ports + Debug + PartialEq;
    /// Case that drives the module.
    type Case: Stimulus<Self>;

    /// Names and widths under the contract's parameters.
    fn shape() -> &'static Arc<Shape>;
    /// Just before the edge.
    fn outputs(&self, inputs: &Self::Inputs) -> Self::Outputs;
    /// The edge.
    fn clock(&mut self, inputs: &Self::Inputs);
    /// One machine that is fed these inputs.
    fn replay(track: Track<Self::Inputs>) -> Self::Case;

    /// Calls `visit` with the ports of each instance in it, inputs first; an instance comes before
    /// those inside it.
    fn look(&self, _: &Self::Inputs, _: &mut PortsVisit<'_>) {}

    /// What a run on these inputs reaches, by name; nothing of a module for which it is not counted.
    #[must_use]
    fn reached(_inputs: &[Self::Inputs]) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// Memories of the module, in the order of the shape.
    fn memory_refs(&self) -> Vec<MemoryRef<'_>> {
        let mut all = Vec::new();
        self.memories(&mut |m| all.push(m));
        all
    }
}

/// Called with the path of an instance, its inputs or outputs by name, and their image.
pub type PortsVisit<'a> = dyn FnMut(&str, &[Signal], &[u32]) + 'a;

/// All that happens to one machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Track<I> {
    /// Inputs of every cycle.
    pub inputs: Vec<I>,
    /// Values deposited in the module, in the order of cycles.
    pub deposits: Vec<Deposit>,
}

impl<I> From<Vec<I>> for Track<I> {
    fn from(inputs: Vec<I>) -> Self {
        Track { inputs, deposits: Vec::new() }
    }
}

impl<I> Track<I> {
    /// The track of the first `cycles` cycles.
    #[must_use]
    pub fn with_cycles(mut self, cycles: Cycle) -> Self {
        self.inputs.truncate(narrow(cycles.0.min(self.inputs.len() as u64)));
        self.deposits.retain(|d| d.cycle < cycles);
        self
    }
}

/// Called with number of the machine, its state before the edge, its inputs and outputs.
pub type Look<'a, M> = dyn FnMut(usize, &M, &<M as Machine>::Inputs, &<M as Machine>::Outputs) + 'a;

/// Something to run: machines and what drives them.
pub trait Stimulus<M: Machine>: Clone + Debug {
    /// Number of machines.
    fn nodes(&self) -> usize;
    /// Length of the run.
    fn cycles(&self) -> Cycle;
    /// The case, with this length in cycles.
    #[must_use]
    fn with_cycles(&self, cycles: Cycle) -> Self;
    /// The model before the first cycle.
    ///
    /// # Errors
    /// If the stimulus is invalid.
    fn bench(&self) -> Result<Box<dyn Running<M>>, StimulusError>;
    /// The case on modules with these parameters.
    ///
    /// # Errors
    /// As [`Stimulus::bench`].
    fn bench_with(&self, parameters: &Parameters) -> Result<Box<dyn Running<M>>, StimulusError> {
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
    /// Deposits what the cycle that comes begins with in machine 0, the only one, and gives it. The
    /// next [`Running::step`] would do it too, and does it once only.
    fn deposit(&mut self) -> Vec<Deposit> {
        Vec::new()
    }
    /// Machine `node`.
    fn node_mut(&mut self, node: usize) -> &mut M;
    /// One cycle.
    fn step(&mut self, look: &mut Look<'_, M>);
}

/// A machine that is fed.
pub struct Fed<M: Machine> {
    machine: M,
    track: Track<M::Inputs>,
    cycle: usize,
}

impl<M: Machine> Fed<M> {
    /// Before the first cycle.
    #[must_use]
    pub fn new(track: Track<M::Inputs>) -> Self {
        Fed { machine: M::default(), track, cycle: 0 }
    }
}

impl<M: Machine> Running<M> for Fed<M> {
    fn done(&self) -> bool {
        self.cycle >= self.track.inputs.len()
    }

    fn deposit(&mut self) -> Vec<Deposit> {
        let due = due(&self.track.deposits, Cycle(self.cycle as u64));
        deposit(&mut self.machine, &due);
        due
    }

    fn node_mut(&mut self, _: usize) -> &mut M {
        &mut self.machine
    }

    fn step(&mut self, look: &mut Look<'_, M>) {
        self.deposit();
        if let Some(inputs) = self.track.inputs.get(self.cycle) {
            look(0, &self.machine, inputs, &self.machine.outputs(inputs));
            self.machine.clock(inputs);
        }
        self.cycle += 1;
    }
}

/// Gives the machine what is deposited. A path that the machine does not have is passed over.
pub fn deposit<M: Machine>(machine: &mut M, deposits: &[Deposit]) {
    if deposits.is_empty() {
        return;
    }
    let shape = M::shape();
    let mut image = vec![0; M::WORDS];
    machine.pack(&mut image);
    for (path, bits, at) in shape.register_words() {
        for deposit in deposits.iter().filter(|d| d.path == path) {
            put(&mut image, at, bits, deposit.value);
        }
    }
    machine.unpack(&image);
    let mut memories = shape.memories.iter();
    machine.memories_mut(&mut |mut memory| {
        for (path, m) in memories.by_ref().take(1) {
            for deposit in deposits.iter().filter(|d| d.path == *path) {
                (0..m.depth).for_each(|word| memory.set(word, deposit.value ^ word as u128));
            }
        }
    });
}

/// The words of each memory of a model.
#[must_use]
pub fn memories(model: &impl Machine) -> Vec<Vec<u128>> {
    let mut all = Vec::new();
    model.memories(&mut |m| {
        use awgstar::rtl::state::MemoryRef as M;
        all.push(match m {
            M::U8(w) => w.iter().map(|&w| w.into()).collect(),
            M::U16(w) => w.iter().map(|&w| w.into()).collect(),
            M::U32(w) => w.iter().map(|&w| w.into()).collect(),
            M::U64(w) => w.iter().map(|&w| w.into()).collect(),
            M::U128(w) => w.to_vec(),
        });
    });
    all
}
