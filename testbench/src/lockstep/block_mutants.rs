//! Deliberate bugs in blocks of the board (`testbench/mutants/board*.toml`).
//!
//! A bug in a block shows first in that block: until then all others are as they were, and so is what
//! it is fed. So Icarus simulates the block alone, with the inputs it has in a board of the model and
//! with its outputs and registers to compare, which costs a fraction of a board and finds the same. A bug
//! in `smb.v` needs the board, one in a module of the node the node.

use super::{
    board::BoardCase,
    mutants::{Check, Fate, chosen, line, one, parts_of, told, write_files},
    shape::Shape,
};
use crate::sim::{SimError, Sources, cosim::parallel, mutants::Mutant};
use awgstar::rtl::{
    Smb,
    smb::Inputs,
    state::{Layout, Signal, State},
};
use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::{Path, PathBuf},
    sync::Arc,
};

/// The instance of `smb` whose Verilog stands in `file`: `None` for `smb.v` itself.
fn instance_of(file: &str) -> Option<&'static str> {
    let module = file.trim_end_matches(".v");
    if module == "smb" {
        return None;
    }
    let children = Smb::layout().children;
    let own = children.iter().find(|(_, layout)| layout.module == module);
    Some(own.map_or("u_node", |(name, _)| name))
}

/// Where the registers of an instance stand in the image of the board.
fn registers_of(instance: &str) -> (Layout, std::ops::Range<usize>) {
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

/// Stimuli of one instance in all parts.
fn write(folder: &Path, parts: &[Vec<Inputs>], instance: &str) -> Result<Check, SimError> {
    let _ = std::fs::remove_dir_all(folder);
    let (layout, range) = registers_of(instance);
    let count = |signals: &[Signal]| signals.iter().map(Signal::words).sum();
    let shape = Shape {
        inputs: layout.inputs,
        outputs: layout.outputs,
        registers: layout.flat_registers(),
        memories: layout.flat_memories(),
        words: [count(layout.inputs), count(layout.outputs), range.len()],
        layout,
    };
    for (number, part) in parts.iter().enumerate() {
        let (mut stimulus, mut expected) = (String::new(), String::new());
        let mut board = Smb::default();
        let mut registers = vec![0; Smb::WORDS];
        for inputs in part {
            let mut images: Vec<Vec<u32>> = Vec::new();
            board.look(inputs, &mut |name, _, image| {
                if name == instance {
                    images.push(image.to_vec());
                }
            });
            board.pack(&mut registers);
            line(&mut stimulus, &images[0]);
            images[1].extend(&registers[range.clone()]);
            line(&mut expected, &images[1]);
            board.clock(inputs);
        }
        write_files(&folder.join(number.to_string()), stimulus, expected)?;
    }
    Check::with_bench(Arc::new(shape), folder, parts.iter().map(Vec::len).collect())
}

/// Runs the mutants of `testbench/mutants/<list>.toml` below `root`, or those of them whose names hold
/// one of `parts`, and says which are not found and why.
///
/// # Errors
/// When Icarus is missing, the Verilog without bugs differs, or the list cannot be read, has a mistake, or
/// has nothing with such a name.
pub fn survivors(
    root: &Path,
    list: &str,
    parts: &[String],
    cases: &[BoardCase],
) -> Result<Vec<String>, SimError> {
    let sources = Sources::of(root);
    let out: PathBuf = root.join("target/cosim/mutants").join(list);
    let all = chosen(root, list, parts)?;
    let stimuli = parts_of::<Smb>(cases)?;
    let mut checks: BTreeMap<Option<&str>, Check> = BTreeMap::new();
    for mutant in &all {
        let instance = instance_of(&mutant.file);
        if let Entry::Vacant(place) = checks.entry(instance) {
            let check = match instance {
                Some(name) => write(&out.join("check").join(name), &stimuli, name)?,
                None => Check::write::<Smb>(&out.join("check/smb"), cases)?,
            };
            check.baseline(&sources)?;
            place.insert(check);
        }
    }
    let run = |mutant: &Mutant| -> Result<Fate, SimError> {
        let check = &checks[&instance_of(&mutant.file)];
        let fate = one(mutant, &sources, &out.join(&mutant.id), check)?;
        println!("{}: {fate:?}", mutant.id);
        Ok(fate)
    };
    let fates = parallel(2, &all, &run)?;
    Ok(told(&all, &fates))
}
