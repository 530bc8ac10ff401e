// SPDX-License-Identifier: MIT OR Apache-2.0
//! Injected bugs in modules of the board (`testbench/mutants/board*.toml`).
//!
//! A bug in a module shows first in that module: until then all others are as they were, and so is what
//! it is fed. So Icarus simulates the module alone, with the inputs it has in a board of the model and
//! with its outputs and registers to compare, which costs a fraction of a board and finds the same. A bug
//! between the modules needs the board, one in a part of the node the node.

use crate::mutants::machines::{Check, Fate, First, line, parts_of, stimulus_line, write_files};
use crate::mutants::{Mutant, Oracle, injected};
use awgstar::quantity::Cycle;
use awgstar::rtl::{
    Parameters, Smb,
    smb::Inputs,
    state::{Layout, Signal, State},
};
use awgstar_simulator::{Scratch, SimError, Sources};
use awgstar_stimulus::Case;
use awgstar_stimulus::deposit;
use awgstar_stimulus::machine::{self, Machine as _, Track, memories};
use awgstar_stimulus::shape::Shape;
use std::{
    collections::{BTreeMap, BTreeSet},
    mem::take,
    ops::Range,
    path::Path,
    sync::Arc,
};

/// Whether `file`, below `hdl/`, is of the board itself: its host port, or the signals between its blocks.
#[must_use]
pub fn of_board(file: &str) -> bool {
    ["smb.v", "include/smb_core.vh"].contains(&file)
}

/// Instance of `smb` whose Verilog is in `file`: `None` for the board itself.
fn instance_of(file: &str) -> Option<&'static str> {
    if of_board(file) {
        return None;
    }
    let module = file.trim_end_matches(".v");
    let children = Smb::layout().children;
    let own = children.iter().find(|(_, layout)| layout.module == module);
    Some(own.map_or("u_node", |(name, _)| name))
}

/// Range of the registers of an instance in the image of the board.
fn registers_of(instance: &str) -> (Layout, Range<usize>) {
    let words = |layout: &Layout| -> usize {
        layout.flat_registers().iter().map(|(_, bits)| bits.div_ceil(32)).sum()
    };
    let board = Smb::layout();
    let mut at = board.registers.iter().map(Signal::words).sum();
    for (name, layout) in board.children {
        let end = at + words(&layout);
        if name == instance {
            return (layout, at..end);
        }
        at = end;
    }
    unreachable!("{instance} is an instance of smb")
}

/// An instance, the range of its registers, and its files of one part.
struct Module {
    instance: &'static str,
    shape: Shape,
    range: Range<usize>,
    stimulus: String,
    expected: String,
}

impl Module {
    fn new(instance: &'static str) -> Self {
        let (layout, range) = registers_of(instance);
        let count = |signals: &[Signal]| signals.iter().map(Signal::words).sum();
        let shape = Shape {
            parameters: Parameters::DEFAULT,
            inputs: layout.inputs.clone(),
            outputs: layout.outputs.clone(),
            registers: layout.flat_registers(),
            memories: layout.flat_memories(),
            words: [count(&layout.inputs), count(&layout.outputs), range.len()],
            layout,
        };
        Module { instance, shape, range, stimulus: String::new(), expected: String::new() }
    }
}

/// Stimuli of these instances in all parts.
fn write(
    folder: &Path,
    parts: &[Track<Inputs>],
    instances: impl Iterator<Item = &'static str>,
) -> Result<Vec<(&'static str, Check)>, SimError> {
    let mut modules: Vec<Module> = instances.map(Module::new).collect();
    for (number, part) in parts.iter().enumerate() {
        let mut board = Smb::default();
        let mut registers = vec![0; Smb::WORDS];
        for (cycle, inputs) in (0..).zip(&part.inputs) {
            machine::deposit(&mut board, &deposit::due(&part.deposits, Cycle(cycle)));
            board.pack(&mut registers);
            let mut last = "";
            board.look(inputs, &mut |name, _, image| {
                if let Some(module) = modules.iter_mut().find(|b| b.instance == name) {
                    // Inputs come first.
                    if last == name {
                        let state = &registers[module.range.clone()];
                        line(&mut module.expected, &[image, state].concat());
                    } else {
                        stimulus_line(&mut module.stimulus, &module.shape.inputs, image);
                    }
                }
                last = name;
            });
            board.clock(inputs);
        }
        let all = memories(&board);
        for module in &mut modules {
            let (stimulus, expected) = (take(&mut module.stimulus), take(&mut module.expected));
            let prefix = format!("{}.", module.instance);
            let below = deposit::below(&part.deposits, &prefix);
            let folder = folder.join(module.instance).join(number.to_string());
            let names = Smb::shape().memories.iter().map(|(path, _)| path);
            let memories = names.zip(&all).filter(|(path, _)| path.starts_with(&prefix));
            let texts = [stimulus, expected, deposit::file(&module.shape, &below)];
            write_files(&folder, texts, memories.map(|(_, memory)| memory))?;
        }
    }
    let checks = modules.into_iter().map(|module| {
        let prefix = format!("{}.", module.instance);
        let below: Vec<Track<()>> = parts
            .iter()
            .map(|part| Track {
                inputs: vec![(); part.inputs.len()],
                deposits: deposit::below(&part.deposits, &prefix),
            })
            .collect();
        let folder = folder.join(module.instance);
        let check = Check::with_bench(Arc::new(module.shape), &folder, &below);
        (module.instance, check)
    });
    Ok(checks.collect())
}

/// The model beside each module, on Icarus.
#[derive(Debug)]
pub struct Modules {
    sources: Sources,
    checks: BTreeMap<Option<&'static str>, Check>,
    /// The stimuli are there.
    _folder: Scratch,
}

impl Modules {
    /// The modules that `mutants` change, fed as in a board that is fed with `cases`.
    ///
    /// # Errors
    /// If a scenario is not valid or a file cannot be written.
    pub fn new(
        sources: Sources,
        mutants: &[Mutant],
        cases: &[Case<Smb>],
    ) -> Result<Self, SimError> {
        let folder = Scratch::new()?;
        let stimuli = parts_of::<Smb>(cases)?;
        let instances: BTreeSet<Option<&'static str>> =
            mutants.iter().map(|m| instance_of(&m.file)).collect();
        let modules = write(folder.path(), &stimuli, instances.iter().copied().flatten())?;
        let mut checks: BTreeMap<Option<&'static str>, Check> =
            modules.into_iter().map(|(name, check)| (Some(name), check)).collect();
        if instances.contains(&None) {
            checks.insert(None, Check::write::<Smb>(&folder.path().join("smb"), cases)?);
        }
        Ok(Modules { sources, checks, _folder: folder })
    }
}

impl Oracle for Modules {
    type By = First;

    fn sources(&self) -> &Path {
        &self.sources.hdl
    }

    fn judge(&self, mutant: &Mutant) -> Result<Fate, SimError> {
        let check = self.checks.get(&instance_of(&mutant.file)).ok_or_else(|| {
            let why = format!("{}: no stimuli were written for this file", mutant.id);
            SimError::format(self.sources.hdl.join(&mutant.file), why)
        })?;
        injected(mutant, &self.sources, |sources, _| {
            check.judge(&self.sources, sources, mutant.first)
        })
    }
}
