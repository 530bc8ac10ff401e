// SPDX-License-Identifier: MIT OR Apache-2.0
//! The models of the caller, by their handles.

use crate::bits;
use crate::error::DpiError;
use crate::texts;
use awgstar::rtl::{Parameters, RingNode, Smb, state::Ports};
use awgstar_lockstep::beside::{Beside, BesideError};
use awgstar_lockstep::divergence::Differs;
use awgstar_stimulus::machine::Machine;
use std::{
    collections::BTreeMap,
    ffi::c_int,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// A model of one of the modules.
pub(crate) enum Model {
    /// `ring_node`.
    Node(Box<Beside<RingNode>>),
    /// `smb`.
    Board(Box<Beside<Smb>>),
}

/// A module that a model can be made of.
pub(crate) trait Kind: Machine {
    /// The model, if it is of this module.
    fn of(model: &mut Model) -> Option<&mut Beside<Self>>;
}

impl Kind for RingNode {
    fn of(model: &mut Model) -> Option<&mut Beside<Self>> {
        if let Model::Node(node) = model { Some(node) } else { None }
    }
}

impl Kind for Smb {
    fn of(model: &mut Model) -> Option<&mut Beside<Self>> {
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
        either!(self, one => one.shape().layout.module)
    }

    pub(crate) fn word(
        &mut self,
        memory: usize,
        address: usize,
        value: u128,
    ) -> Result<(), BesideError> {
        either!(self, one => one.word(memory, address, value))
    }

    pub(crate) fn register(&self, path: &str) -> Option<u128> {
        either!(self, one => one.register(path)).map(|(value, _)| value)
    }

    pub(crate) fn compared(&self) -> u64 {
        either!(self, one => one.compared())
    }

    pub(crate) fn frames(&self) -> u64 {
        either!(self, one => one.frames().iter().sum())
    }

    pub(crate) fn difference(&self) -> Result<(u64, Differs), DpiError> {
        let found = either!(self, one => one.found());
        let first = found.and_then(|found| Some((found.cycle(), found.first()?.clone())));
        first.ok_or_else(|| DpiError::Nothing("there is no difference".into()))
    }

    pub(crate) fn report(&self) -> Result<String, DpiError> {
        let found = either!(self, one => one.found());
        let report = found.map(awgstar_lockstep::beside::Found::report);
        report.ok_or_else(|| DpiError::Nothing("there is no difference".into()))
    }

    fn finish(&mut self) -> Result<(), BesideError> {
        either!(self, one => one.finish())
    }

    fn is_compared(&self) -> bool {
        either!(self, one => one.is_compared())
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
        "ring_node" => Model::Node(Box::new(Beside::new(&parameters))),
        _ => Model::Board(Box::new(Beside::new(&parameters))),
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
    work: impl FnOnce(&mut Beside<M>) -> Result<T, DpiError>,
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
        if let Ok((cycle, first)) = model.difference() {
            let text = line(cycle, &first);
            return Err(DpiError::Differs(format!("run {handle} fails: {text}")));
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

/// Words of the ports of all instances.
pub(crate) fn wire_words<M: Machine>() -> usize {
    Beside::<M>::wire_words(M::shape())
}

pub(crate) fn cycle<M: Kind>(
    model: &mut Beside<M>,
    inputs: &[u32],
    outputs: &[u32],
    registers: Option<&[u32]>,
) -> Result<(), DpiError> {
    let inputs = bits::ports(inputs);
    let outputs = bits::image(M::Outputs::PORTS, outputs);
    let equal = match registers {
        Some(registers) => model.cycle(&inputs, &outputs, registers)?,
        None => model.ports(&inputs, &outputs)?,
    };
    if equal { Ok(()) } else { Err(DpiError::Differs(differs(model))) }
}

fn differs<M: Machine>(model: &Beside<M>) -> String {
    let found = model.found().and_then(|found| Some((found.cycle(), found.first()?)));
    found.map_or_else(String::new, |(cycle, first)| line(cycle, first))
}

/// A difference in a line.
fn line(cycle: u64, s: &Differs) -> String {
    let (bits, path) = (s.bits, &s.path);
    format!("cycle {cycle}, {path}: expected {bits}'h{:x}, found {bits}'h{:x}", s.model, s.rtl)
}

pub(crate) fn outputs<M: Kind>(model: &Beside<M>, inputs: &[u32], outputs: &mut [u32]) {
    let image = model.outputs(&bits::ports(inputs));
    bits::structure(M::Outputs::PORTS, &image, outputs);
}
