// SPDX-License-Identifier: MIT OR Apache-2.0
//! The models of the caller, by their handles.

use crate::bits;
use crate::error::DpiError;
use crate::texts;
use awgstar::rtl::{
    Parameters, RingNode, Smb,
    state::{Ports, Signal},
};
use awgstar_compare::cause;
use awgstar_compare::{
    Comparison, Difference, Divergence, Refused, Rules, Sample, Seen, Starts, text,
};
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::shape::{Shape, image, value};
use std::{
    collections::BTreeMap,
    ffi::c_int,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// What a run compares, from its first call to its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Registers, memory words and outputs.
    Registers,
    /// Outputs that have a meaning.
    Ports,
}

/// A model and what the caller has given of the cycle that comes.
pub(crate) struct Run<M: Machine> {
    comparison: Comparison<Starts<M>>,
    /// The model in the place of a design.
    alone: M,
    mode: Option<Mode>,
    /// Memory words, by memory and index.
    words: BTreeMap<(usize, usize), u128>,
    /// Ports of all instances in the cycle before and in this one.
    wires: [Vec<u32>; 2],
}

impl<M: Machine> Run<M> {
    fn new(parameters: &Parameters) -> Self {
        let shape = Shape::of::<M>(parameters);
        let source = Starts::taking_over(&shape);
        Run {
            comparison: Comparison::new(&shape, source, Rules::PUSHED),
            alone: M::new(parameters),
            mode: None,
            words: BTreeMap::new(),
            wires: Default::default(),
        }
    }

    /// The model: beside the design after its first cycle, else in its place.
    fn model(&self) -> &M {
        if self.comparison.number() == 0 { &self.alone } else { self.comparison.source().model() }
    }

    /// A register of the model by its path.
    fn register(&self, path: &str) -> Option<u128> {
        let mut registers = self.comparison.shape().register_words();
        let (_, bits, at) = registers.find(|(name, ..)| *name == path)?;
        let mut words = vec![0; M::WORDS];
        self.model().pack(&mut words);
        Some(value(&words, at, bits))
    }

    fn word(&mut self, memory: usize, address: usize, value: u128) -> Result<(), Refused> {
        self.comparison.open()?;
        self.comparison.has_word(memory, address)?;
        self.words.insert((memory, address), value);
        Ok(())
    }

    /// Ports of all instances in the cycle that comes.
    pub(crate) fn wires(&mut self, words: &[u32]) {
        self.wires.swap(0, 1);
        self.wires[1].clear();
        self.wires[1].extend_from_slice(words);
    }

    /// The edge, without a comparison: the model in the place of a design.
    pub(crate) fn clock(&mut self, inputs: &M::Inputs) -> Result<(), DpiError> {
        self.comparison.open()?;
        if self.mode.is_some() {
            return Err(self.mixed());
        }
        self.alone.clock(inputs);
        Ok(())
    }

    fn mixed(&self) -> DpiError {
        let cycle = self.comparison.number();
        DpiError::Order(format!(
            "cycle {cycle}: a run compares either registers and ports or ports alone"
        ))
    }

    /// One cycle; without registers its outputs alone. Returns true if all is equal.
    fn cycle(
        &mut self,
        inputs: &[u32],
        outputs: &[u32],
        registers: Option<&[u32]>,
    ) -> Result<bool, DpiError> {
        self.comparison.open()?;
        let mode = if registers.is_some() { Mode::Registers } else { Mode::Ports };
        if *self.mode.get_or_insert(mode) != mode {
            return Err(self.mixed());
        }
        let shape = self.comparison.shape();
        let mut sample = Sample::of_images(shape, inputs, outputs, registers);
        let cycle = self.comparison.number();
        if mode == Mode::Registers {
            let rst = shape.inputs.iter().position(|port| port.name == "rst");
            let reset = rst.and_then(|at| sample.inputs[at]).is_some_and(|rst| rst.value == 1);
            let expected: usize = shape.memories.iter().map(|(_, memory)| memory.depth).sum();
            let found = self.words.len();
            if cycle < 2 && found != expected && (reset || cycle > 0) {
                return Err(DpiError::Order(format!(
                    "cycle {cycle}: expected {expected} memory words before the registers, found {found}"
                )));
            }
            let words = std::mem::take(&mut self.words).into_iter();
            sample.words =
                words.map(|((memory, at), word)| (memory, at, Seen::known(word))).collect();
        }
        if self.comparison.push(&sample)? {
            return Ok(true);
        }
        if mode == Mode::Registers {
            let [before, now] = [0, 1].map(|at| ports(self.comparison.shape(), &self.wires[at]));
            self.comparison.wires(before.as_deref(), now.as_deref());
        }
        Ok(false)
    }
}

/// Ports of all instances from their words, if they were given.
fn ports(shape: &Shape, words: &[u32]) -> Option<Vec<Seen>> {
    let all = cause::ports(shape);
    if words.len() != all.iter().map(|(_, port)| port.words()).sum::<usize>() {
        return None;
    }
    let mut at = 0;
    let seen = |(_, port): (String, Signal)| {
        at += port.words();
        Seen::known(value(words, at - port.words(), port.bits))
    };
    Some(all.into_iter().map(seen).collect())
}

/// A model of one of the modules.
pub(crate) enum Model {
    /// `ring_node`.
    Node(Box<Run<RingNode>>),
    /// `smb`.
    Board(Box<Run<Smb>>),
}

/// A module that a model can be made of.
pub(crate) trait Kind: Machine {
    /// The model, if it is of this module.
    fn of(model: &mut Model) -> Option<&mut Run<Self>>;
}

impl Kind for RingNode {
    fn of(model: &mut Model) -> Option<&mut Run<Self>> {
        if let Model::Node(node) = model { Some(node) } else { None }
    }
}

impl Kind for Smb {
    fn of(model: &mut Model) -> Option<&mut Run<Self>> {
        if let Model::Board(board) = model { Some(board) } else { None }
    }
}

/// Does the same with either.
macro_rules! either {
    ($model:expr, $one:ident => $work:expr) => {
        match $model {
            Model::Node($one) => $work,
            Model::Board($one) => $work,
        }
    };
}

impl Model {
    pub(crate) fn module(&self) -> &'static str {
        either!(self, one => one.comparison.shape().layout.module)
    }

    pub(crate) fn word(
        &mut self,
        memory: usize,
        address: usize,
        value: u128,
    ) -> Result<(), Refused> {
        either!(self, one => one.word(memory, address, value))
    }

    pub(crate) fn register(&self, path: &str) -> Option<u128> {
        either!(self, one => one.register(path))
    }

    pub(crate) fn compared(&self) -> u64 {
        either!(self, one => one.comparison.compared())
    }

    pub(crate) fn frames(&self) -> u64 {
        either!(self, one => one.comparison.frames().iter().sum())
    }

    fn found(&self) -> Result<&Divergence<()>, DpiError> {
        let found = either!(self, one => one.comparison.found());
        found.ok_or_else(|| DpiError::Nothing("there is no difference".into()))
    }

    pub(crate) fn difference(&self) -> Result<&Difference, DpiError> {
        let first = self.found()?.first();
        first.ok_or_else(|| DpiError::Nothing("there is no difference".into()))
    }

    pub(crate) fn report(&self) -> Result<String, DpiError> {
        Ok(text::render(self.found()?))
    }

    fn finish(&mut self) -> Result<(), Refused> {
        either!(self, one => one.comparison.finish())
    }

    fn is_compared(&self) -> bool {
        either!(self, one => one.mode.is_some())
    }
}

/// Outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    /// Finished without an error.
    Holds,
    /// Finished with this error, or freed before.
    Fails(String),
}

#[derive(Default)]
struct Models {
    last: c_int,
    all: BTreeMap<c_int, Model>,
    /// Of runs that were finished, or freed while they compared.
    outcomes: BTreeMap<c_int, Outcome>,
}

static MODELS: Mutex<Models> =
    Mutex::new(Models { last: 0, all: BTreeMap::new(), outcomes: BTreeMap::new() });

fn models() -> MutexGuard<'static, Models> {
    // After a panic the verdict is an error at most.
    MODELS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A new model.
pub(crate) fn make(module: &str, settings: &str, layout: u32) -> Result<c_int, DpiError> {
    let names = ["ring_node", "smb"];
    let Some(module) = names.into_iter().find(|name| *name == module) else {
        let names = names.join(" or ");
        return Err(DpiError::Argument(format!("name: expected {names}, found `{module}`")));
    };
    let expected = match module {
        "ring_node" => texts::layout::<RingNode>(),
        _ => texts::layout::<Smb>(),
    };
    if layout != expected {
        return Err(DpiError::Layout { module, expected, found: layout });
    }
    let settings = settings.split(',').map(str::trim).filter(|setting| !setting.is_empty());
    let parameters = Parameters::DEFAULT
        .parse(module, settings)
        .map_err(|error| DpiError::Argument(error.to_string()))?;
    let model = match module {
        "ring_node" => Model::Node(Box::new(Run::new(&parameters))),
        _ => Model::Board(Box::new(Run::new(&parameters))),
    };
    let mut models = models();
    let handle = models.last.checked_add(1);
    let handle = handle.ok_or_else(|| DpiError::Failed("no handle is left".into()))?;
    models.last = handle;
    models.all.insert(handle, model);
    Ok(handle)
}

/// Does something with a model.
pub(crate) fn with<T>(
    handle: c_int,
    work: impl FnOnce(&mut Model) -> Result<T, DpiError>,
) -> Result<T, DpiError> {
    work(models().all.get_mut(&handle).ok_or(DpiError::Handle(handle))?)
}

/// Does something with a model of a module.
pub(crate) fn with_kind<M: Kind, T>(
    handle: c_int,
    work: impl FnOnce(&mut Run<M>) -> Result<T, DpiError>,
) -> Result<T, DpiError> {
    with(handle, |model| {
        let found = model.module();
        let expected = M::shape().layout.module;
        work(M::of(model).ok_or(DpiError::Module { handle, expected, found })?)
    })
}

pub(crate) fn free(handle: c_int) -> Result<(), DpiError> {
    let mut models = models();
    let model = models.all.remove(&handle).ok_or(DpiError::Handle(handle))?;
    if model.is_compared() {
        let lost = Outcome::Fails("it was freed before it was finished".into());
        models.outcomes.entry(handle).or_insert(lost);
    }
    Ok(())
}

pub(crate) fn finish(handle: c_int) -> Result<(), DpiError> {
    let mut models = models();
    let model = models.all.get_mut(&handle).ok_or(DpiError::Handle(handle))?;
    let result = model.finish();
    let outcome = match &result {
        Ok(()) => Outcome::Holds,
        Err(error) => Outcome::Fails(error.to_string()),
    };
    models.outcomes.insert(handle, outcome);
    Ok(result?)
}

/// The verdict on all runs.
pub(crate) fn verdict() -> Result<(), DpiError> {
    let models = models();
    for (handle, outcome) in &models.outcomes {
        if let Outcome::Fails(why) = outcome {
            return Err(DpiError::Differs(format!("run {handle} fails: {why}")));
        }
    }
    let open = models
        .all
        .iter()
        .find(|(handle, model)| model.is_compared() && !models.outcomes.contains_key(handle));
    if let Some((handle, model)) = open {
        if let Ok(first) = model.difference() {
            return Err(DpiError::Differs(format!("run {handle} fails: {first}")));
        }
        let cycles = model.compared();
        return Err(DpiError::Order(format!(
            "run {handle} was not finished: the simulation ended after {cycles} compared cycles"
        )));
    }
    if models.outcomes.is_empty() {
        return Err(DpiError::Nothing("no run was finished: nothing was compared".into()));
    }
    Ok(())
}

/// Words of the structure of inputs.
pub(crate) fn input_words<M: Machine>() -> usize {
    bits::words(M::Inputs::PORTS)
}

/// Words of the structure of outputs.
pub(crate) fn output_words<M: Machine>() -> usize {
    bits::words(M::Outputs::PORTS)
}

pub(crate) fn cycle<M: Kind>(
    model: &mut Run<M>,
    inputs: &[u32],
    outputs: &[u32],
    registers: Option<&[u32]>,
) -> Result<(), DpiError> {
    let inputs = bits::image(M::Inputs::PORTS, inputs);
    let outputs = bits::image(M::Outputs::PORTS, outputs);
    if model.cycle(&inputs, &outputs, registers)? {
        return Ok(());
    }
    let first = model.comparison.found().and_then(Divergence::first);
    Err(DpiError::Differs(first.map(ToString::to_string).unwrap_or_default()))
}

pub(crate) fn outputs<M: Kind>(model: &Run<M>, inputs: &[u32], outputs: &mut [u32]) {
    let image = image(&model.model().outputs(&bits::ports(inputs)));
    bits::structure(M::Outputs::PORTS, &image, outputs);
}
