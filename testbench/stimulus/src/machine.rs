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
    type Inputs: Ports + Debug + PartialEq + Send + Sync;
    /// Output ports of the module.
    type Outputs: Ports + Debug + PartialEq;
    /// What drives one machine, [`Never`] where only its inputs in every cycle do.
    type Stimulus: Stimulus<Self>;
    /// Machines that drive each other.
    type Ring: Bench<Self>;

    /// Names and widths under the parameters that cases have by default.
    fn shape() -> &'static Arc<Shape>;
    /// Just before the edge.
    fn outputs(&self, inputs: &Self::Inputs) -> Self::Outputs;
    /// The edge.
    fn clock(&mut self, inputs: &Self::Inputs);

    /// The edge of this cycle of a run, for a model that has its edge in two forms.
    fn edge(&mut self, inputs: &Self::Inputs, _: Cycle) {
        self.clock(inputs);
    }

    /// Calls `visit` with the ports of each instance in it, inputs first; an instance comes before
    /// those inside it.
    fn look(&self, _: &Self::Inputs, _: &mut PortsVisit<'_>) {}

    /// What a run of a machine with these parameters on these inputs reaches, by name; nothing of a module for
    /// which it is not counted.
    #[must_use]
    fn reached(_inputs: &[Self::Inputs], _: &Parameters) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// Memories of the module, in the order of the shape.
    fn memory_refs(&self) -> Vec<MemoryRef<'_>> {
        let mut all = Vec::new();
        self.memories(&mut |m| all.push(m));
        all
    }
}

/// Declares a module of the model: its type, the module with its ports, the parameters of its cases, then
/// stimulus, ring and more functions of the trait, where it has them.
macro_rules! machine {
    ($type:ident, $module:ident, $parameters:expr) => {
        $crate::machine::machine!($type, $module, $parameters, {});
    };
    ($type:ident, $module:ident, $parameters:expr, { $($more:tt)* }) => {
        $crate::machine::machine!(
            $type, $module, $parameters, $crate::machine::Never, $crate::machine::Never, { $($more)* }
        );
    };
    ($type:ident, $module:ident, $parameters:expr, $stimulus:ty, $ring:ty, { $($more:tt)* }) => {
        impl $crate::machine::Machine for $type {
            type Inputs = $module::Inputs;
            type Outputs = $module::Outputs;
            type Stimulus = $stimulus;
            type Ring = $ring;

            fn shape() -> &'static std::sync::Arc<$crate::shape::Shape> {
                use std::sync::{Arc, LazyLock};
                static SHAPE: LazyLock<Arc<$crate::shape::Shape>> =
                    LazyLock::new(|| $crate::shape::Shape::of::<$type>(&$parameters));
                &SHAPE
            }

            fn outputs(&self, inputs: &Self::Inputs) -> Self::Outputs {
                $type::outputs(self, inputs)
            }

            fn clock(&mut self, inputs: &Self::Inputs) {
                $type::clock(self, inputs);
            }

            $($more)*
        }
    };
}
pub(crate) use machine;

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
    /// Keeps the first `cycles` cycles.
    pub(crate) fn set_cycles(&mut self, cycles: Cycle) {
        self.inputs.truncate(narrow(cycles.0.min(self.inputs.len() as u64)));
        self.deposits.retain(|d| d.cycle < cycles);
    }
}

/// Called with number of the machine, its state before the edge, its inputs and outputs.
pub type Look<'a, M> = dyn FnMut(usize, &M, &<M as Machine>::Inputs, &<M as Machine>::Outputs) + 'a;

/// What drives one machine.
pub trait Stimulus<M: Machine>: Clone + Debug + PartialEq + Send + Sync + 'static {
    type Player: Player<M> + 'static;

    /// Length of the run.
    fn cycles(&self) -> Cycle;
    /// Gives the run this length.
    fn set_cycles(&mut self, cycles: Cycle);
    /// Before the first cycle of a machine with these parameters.
    fn player(&self, parameters: &Parameters) -> Self::Player;
    /// Stimuli a step smaller, the largest steps first.
    fn candidates(&self) -> Vec<Self>;
}

/// The environment of one machine.
pub trait Player<M: Machine> {
    /// Values deposited in the machine before `cycle`; asked again for the same cycle it gives none, or the same.
    fn deposits(&mut self, _cycle: Cycle, _machine: &M) -> Vec<Deposit> {
        Vec::new()
    }
    /// The inputs of `cycle`.
    fn drive(&mut self, cycle: Cycle) -> M::Inputs;
    /// The edge, given what the machine did.
    fn clock(&mut self, cycle: Cycle, inputs: &M::Inputs, outputs: &M::Outputs);
}

/// Machines that drive each other.
pub trait Bench<M: Machine>: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// Number of machines.
    fn nodes(&self) -> usize;
    /// Length of the run.
    fn cycles(&self) -> Cycle;
    /// Gives the run this length.
    fn set_cycles(&mut self, cycles: Cycle);
    fn parameters(&self) -> Parameters {
        Parameters::DEFAULT
    }
    /// The model before the first cycle.
    ///
    /// # Errors
    /// If it is invalid.
    fn running(&self) -> Result<Box<dyn Running<M>>, StimulusError>;
    /// Runs a step smaller, the largest steps first.
    fn candidates(&self) -> Vec<Self>;
}

/// There is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Never {}

impl<M: Machine> Stimulus<M> for Never {
    type Player = Never;

    fn cycles(&self) -> Cycle {
        match *self {}
    }

    fn set_cycles(&mut self, _: Cycle) {
        match *self {}
    }

    fn player(&self, _: &Parameters) -> Never {
        match *self {}
    }

    fn candidates(&self) -> Vec<Self> {
        match *self {}
    }
}

impl<M: Machine> Player<M> for Never {
    fn drive(&mut self, _: Cycle) -> M::Inputs {
        match *self {}
    }

    fn clock(&mut self, _: Cycle, _: &M::Inputs, _: &M::Outputs) {
        match *self {}
    }
}

impl<M: Machine> Bench<M> for Never {
    fn nodes(&self) -> usize {
        match *self {}
    }

    fn cycles(&self) -> Cycle {
        match *self {}
    }

    fn set_cycles(&mut self, _: Cycle) {
        match *self {}
    }

    fn running(&self) -> Result<Box<dyn Running<M>>, StimulusError> {
        match *self {}
    }

    fn candidates(&self) -> Vec<Self> {
        match *self {}
    }
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

/// One machine and what drives it.
pub struct Played<M, P> {
    machine: M,
    player: P,
    cycle: Cycle,
    cycles: Cycle,
}

impl<M: Machine, P: Player<M>> Played<M, P> {
    /// Before the first of so many cycles.
    #[must_use]
    pub fn new(machine: M, player: P, cycles: Cycle) -> Self {
        Played { machine, player, cycle: Cycle(0), cycles }
    }
}

impl<M: Machine, P: Player<M>> Running<M> for Played<M, P> {
    fn done(&self) -> bool {
        self.cycle >= self.cycles
    }

    fn deposit(&mut self) -> Vec<Deposit> {
        let due = self.player.deposits(self.cycle, &self.machine);
        deposit(&mut self.machine, &due);
        due
    }

    fn node_mut(&mut self, _: usize) -> &mut M {
        &mut self.machine
    }

    fn step(&mut self, look: &mut Look<'_, M>) {
        self.deposit();
        let inputs = self.player.drive(self.cycle);
        let outputs = self.machine.outputs(&inputs);
        look(0, &self.machine, &inputs, &outputs);
        self.machine.edge(&inputs, self.cycle);
        self.player.clock(self.cycle, &inputs, &outputs);
        self.cycle += Cycle(1);
    }
}

impl<M: Machine> Player<M> for Track<M::Inputs> {
    fn deposits(&mut self, cycle: Cycle, _: &M) -> Vec<Deposit> {
        due(&self.deposits, cycle)
    }

    /// Zeros after the last cycle.
    fn drive(&mut self, cycle: Cycle) -> M::Inputs {
        let given = self.inputs.get(narrow::<usize>(cycle.0)).copied();
        given.unwrap_or_else(|| M::Inputs::unpack(&vec![0; M::Inputs::WORDS]))
    }

    fn clock(&mut self, _: Cycle, _: &M::Inputs, _: &M::Outputs) {}
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
