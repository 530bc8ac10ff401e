// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model beside a design that another program simulates, such as a `SystemVerilog` bench over DPI-C or a
//! test of cocotb: that program passes inputs, outputs, registers and memory words of each cycle, and this
//! compares them (LCK-3, LCK-4).
//!
//! The first cycle has `rst` high. The model runs from several start states, as in [`four_state`], and what they
//! agree on is compared. In the second cycle it takes over what the reset does not set and the simulation knows;
//! in a simulation of two states every bit is known from then on, and one start is left.
//!
//! [`four_state`]: awgstar_simulator::four_state

use crate::blame::{self, Blame};
use crate::divergence::{Differs, Divergence, Kind};
use crate::flight::Flights;
use crate::run::Snapshot;
use crate::text;
use awgstar::rtl::{
    Parameters,
    state::{Ports, Signal},
};
use awgstar_simulator::four_state::{Checker, Cycle, FourState, Wrong, instance_ports};
use awgstar_stimulus::machine::{Machine, Track};
use awgstar_stimulus::meaning::Meaning;
use awgstar_stimulus::shape::{Shape, image, value};
use awgstar_stimulus::vector::{About, Vector, expect};
use std::collections::{BTreeMap, BTreeSet};
use std::{path::Path, sync::Arc};

/// Random starts of the model beside the special ones, as in the lockstep with Icarus.
const RANDOM: u32 = 16;
/// Starts for inputs with unknown bits when one would do otherwise.
const SPLIT: usize = 8;

/// Values of signals in four states, in the order of the shape; `None`: the simulation has no such signal.
pub type Values = Vec<Option<FourState>>;

/// One cycle of a simulation, just before the edge.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Inputs.
    pub inputs: Values,
    /// Outputs.
    pub outputs: Values,
    /// Registers.
    pub registers: Values,
    /// Memory words: memory, index, value. Those that are given are compared.
    pub words: Vec<(usize, usize, FourState)>,
}

impl Sample {
    /// Images of a simulation in two states; without registers only the outputs are compared.
    #[must_use]
    pub fn of_images(
        shape: &Shape,
        inputs: &[u32],
        outputs: &[u32],
        registers: Option<&[u32]>,
    ) -> Self {
        let known = |words: &[u32], at: usize, bits: usize| {
            Some(FourState { value: value(words, at, bits), unknown: 0 })
        };
        let of = |(_, bits, at)| known(registers?, at, bits);
        Sample {
            inputs: shape.input_words().map(|(_, bits, at)| known(inputs, at, bits)).collect(),
            outputs: shape.output_words().map(|(_, bits, at)| known(outputs, at, bits)).collect(),
            registers: shape.register_words().map(of).collect(),
            words: Vec::new(),
        }
    }
}

/// Error of a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BesideError {
    /// The first cycle must reset the design.
    #[error("cycle 0: expected rst 1, found 0: what a reset does not set is taken over after it")]
    Reset,
    /// There is no such memory word.
    #[error("memory {memory}, word {address}: {module} has no such word")]
    NoWord {
        /// Verilog module.
        module: &'static str,
        /// Number of the memory.
        memory: usize,
        /// Index of the word.
        address: usize,
    },
    /// Something has differed.
    #[error("the run has ended with the difference of cycle {0}")]
    Over(u64),
    /// The run was closed.
    #[error("the run was finished")]
    Finished,
    /// Nothing was compared.
    #[error("nothing was compared: expected at least one cycle after the reset")]
    Nothing,
    /// No frame was on a link.
    #[error("no traffic: expected at least one whole frame on the links")]
    NoTraffic,
    /// The design differs.
    #[error("cycle {cycle}, {path}: expected {bits}'h{expected:x}, found {bits}'h{found:x}")]
    Differs {
        /// The cycle.
        cycle: u64,
        /// The signal.
        path: String,
        /// Width in bits.
        bits: usize,
        /// In the model.
        expected: u128,
        /// In the design.
        found: u128,
    },
}

/// A difference, with its cause.
#[derive(Clone, Debug)]
pub struct Found {
    divergence: Divergence<()>,
    cause: Option<Blame>,
    /// The ports of instances were there, so that the cause could be looked for.
    searched: bool,
}

impl Found {
    /// The cycle.
    #[must_use]
    pub const fn cycle(&self) -> u64 {
        self.divergence.cycle
    }

    /// All that differs, upstream first.
    #[must_use]
    pub fn signals(&self) -> &[Differs] {
        &self.divergence.signals
    }

    /// The signal furthest upstream.
    #[must_use]
    pub fn first(&self) -> Option<&Differs> {
        self.divergence.first()
    }

    /// The wire that is wrong first, if one was found.
    #[must_use]
    pub const fn cause(&self) -> Option<&Blame> {
        self.cause.as_ref()
    }

    /// The report: first difference, inputs, frames and cause.
    #[must_use]
    pub fn report(&self) -> String {
        let mut out = text::render(&self.divergence);
        let cause = match &self.cause {
            Some(blame) => format!("{blame}"),
            // An output without a meaning in its cycle has no cause among the ports that have one.
            None if self.searched && self.first().is_some_and(|s| s.kind != Kind::Output) => {
                let module = self.first().map_or("", |s| s.module);
                format!("the next value computed in module {module}: all ports of instances agree")
            }
            None => return out,
        };
        out.push_str("\n  cause: ");
        out.push_str(&cause);
        out.push('\n');
        out
    }
}

/// Inputs of a cycle: image, and which bits are unknown.
struct Sampled<I> {
    value: Vec<u32>,
    unknown: Vec<u32>,
    known: Option<I>,
    cycle: u64,
}

const fn ones(bits: usize) -> u128 {
    u128::MAX >> (128 - bits)
}

impl<I: Ports> Sampled<I> {
    fn of(shape: &Shape, inputs: &Values, cycle: u64) -> Self {
        let mut value = vec![0; shape.words[0]];
        let mut unknown = value.clone();
        for ((_, bits, at), found) in shape.input_words().zip(inputs) {
            let found = found.unwrap_or(FourState { value: 0, unknown: ones(bits) });
            for word in 0..bits.div_ceil(32) {
                let part = |v: u128| (v >> (32 * word) & 0xffff_ffff) as u32;
                (value[at + word], unknown[at + word]) = (part(found.value), part(found.unknown));
            }
        }
        let known = unknown.iter().all(|word| *word == 0).then(|| I::unpack(&value));
        Sampled { value, unknown, known, cycle }
    }

    /// Inputs of a start: bits that are unknown are 0 in the first, 1 in the second, and random in the others.
    fn of_start(&self, start: usize) -> I {
        if let Some(known) = self.known {
            return known;
        }
        let mut seed = (start as u64 ^ self.cycle << 8).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let fill = |(value, unknown): (&u32, &u32)| {
            let noise = match start {
                0 => 0,
                1 => u32::MAX,
                _ => {
                    seed ^= seed << 13;
                    seed ^= seed >> 7;
                    seed ^= seed << 17;
                    (seed >> 32) as u32
                }
            };
            value | noise & unknown
        };
        let words: Vec<u32> = self.value.iter().zip(&self.unknown).map(fill).collect();
        I::unpack(&words)
    }
}

/// A model that runs beside a design.
pub struct Beside<M: Machine> {
    shape: Arc<Shape>,
    checker: Checker<M>,
    /// The model in the place of a design.
    alone: M,
    /// The first start a cycle before, for the cause, and its inputs then.
    before: Option<M>,
    last: Option<M::Inputs>,
    /// Inputs of the cycle that differs.
    now: Option<M::Inputs>,
    cycle: u64,
    compared: u64,
    flights: Flights,
    /// Frames that have ended on the input and on the output.
    frames: [u64; 2],
    /// Paths of what the simulation does not have.
    absent: BTreeSet<String>,
    /// The simulation lacks registers, so its outputs are compared only while they mean something (CNF-2).
    foreign: bool,
    /// The words that the model changes are asked for.
    watched: bool,
    /// Inputs of all cycles, if they are kept.
    track: Option<Vec<M::Inputs>>,
    found: Option<Found>,
    finished: bool,
}

impl<M: Machine> Beside<M> {
    /// A model with these parameters, before its first cycle.
    #[must_use]
    pub fn new(parameters: &Parameters) -> Self {
        let shape = Shape::of::<M>(parameters);
        Beside {
            checker: Checker::new(&shape, RANDOM),
            alone: M::new(parameters),
            before: None,
            last: None,
            now: None,
            cycle: 0,
            compared: 0,
            flights: Flights::new(&shape, 1),
            frames: [0; 2],
            absent: BTreeSet::new(),
            foreign: false,
            watched: false,
            track: None,
            found: None,
            finished: false,
            shape,
        }
    }

    /// Keeps the inputs of all cycles, for [`Beside::save`].
    #[must_use]
    pub fn keeping_inputs(mut self) -> Self {
        self.track = Some(Vec::new());
        self
    }

    /// Names and widths.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Starts of the model: 1 when all that it knows is known.
    #[must_use]
    pub fn starts(&self) -> usize {
        self.checker.starts()
    }

    /// Number of the cycle that comes.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.cycle
    }

    /// Cycles that were compared.
    #[must_use]
    pub const fn compared(&self) -> u64 {
        self.compared
    }

    /// Whole frames on the input and on the output.
    #[must_use]
    pub const fn frames(&self) -> [u64; 2] {
        self.frames
    }

    /// The first difference.
    #[must_use]
    pub const fn found(&self) -> Option<&Found> {
        self.found.as_ref()
    }

    /// The model: beside the design after its first cycle, else in its place.
    fn model(&self) -> &M {
        if self.cycle == 0 { &self.alone } else { self.checker.model() }
    }

    /// Outputs of the model just before the edge.
    #[must_use]
    pub fn outputs(&self, inputs: &M::Inputs) -> Vec<u32> {
        image(&self.model().outputs(inputs))
    }

    /// A register of the model by its path, with its width.
    #[must_use]
    pub fn register(&self, path: &str) -> Option<(u128, usize)> {
        let (_, bits, at) = self.shape.register_words().find(|(name, ..)| *name == path)?;
        let mut words = vec![0; M::WORDS];
        self.model().pack(&mut words);
        Some((value(&words, at, bits), bits))
    }

    /// The edge of the model in the place of a design.
    pub fn clock_alone(&mut self, inputs: &M::Inputs) {
        self.alone.clock(inputs);
    }

    /// # Errors
    /// If the run has ended.
    pub fn open(&self) -> Result<(), BesideError> {
        match &self.found {
            Some(found) => Err(BesideError::Over(found.cycle())),
            None if self.finished => Err(BesideError::Finished),
            None => Ok(()),
        }
    }

    /// # Errors
    /// If the module has no such word.
    pub fn has_word(&self, memory: usize, address: usize) -> Result<(), BesideError> {
        let there = self.shape.memories.get(memory).is_some_and(|(_, m)| address < m.depth);
        let module = self.shape.layout.module;
        if there { Ok(()) } else { Err(BesideError::NoWord { module, memory, address }) }
    }

    /// Memory words that the last edge has changed in the model; all in the first two cycles.
    pub fn changed(&mut self) -> Vec<(usize, usize)> {
        self.watched = true;
        let all = self.checker.changed().iter().enumerate();
        all.flat_map(|(m, set)| set.iter().map(move |index| (m, *index))).collect()
    }

    /// One cycle: compares it, then does the edge. Returns true if all is equal; else [`Beside::blame`] may
    /// look for the cause. Every memory word that is there must be in the samples of the first two cycles.
    ///
    /// # Errors
    /// If the first cycle has no reset, a memory word does not exist, or the run has ended.
    pub fn cycle(&mut self, sample: Sample) -> Result<bool, BesideError> {
        self.open()?;
        for &(memory, address, _) in &sample.words {
            self.has_word(memory, address)?;
        }
        let sampled = Sampled::<M::Inputs>::of(&self.shape, &sample.inputs, self.cycle);
        if self.cycle == 0 {
            let rst = self.shape.input_words().find(|(name, ..)| *name == "rst");
            let rst = rst.map_or(0, |(_, _, at)| at);
            if sampled.value[rst] & !sampled.unknown[rst] != 1 {
                return Err(BesideError::Reset);
            }
            self.note_absent(&sample);
        }
        if sampled.known.is_none() {
            self.checker.split(SPLIT);
        }
        let inputs = |start: usize| sampled.of_start(start);
        let first = inputs(0);
        let fill = |values: &Values, bits: &mut dyn Iterator<Item = usize>| -> Vec<FourState> {
            let none = |bits| FourState { value: 0, unknown: ones(bits) };
            values.iter().zip(bits).map(|(v, bits)| v.unwrap_or(none(bits))).collect()
        };
        let cycle = Cycle {
            outputs: fill(&sample.outputs, &mut self.shape.outputs.iter().map(|s| s.bits)),
            registers: fill(&sample.registers, &mut self.shape.registers.iter().map(|r| r.1)),
            memories: sample.words,
            ports: Vec::new(),
        };
        let outputs = image(&self.checker.model().outputs(&first));
        let shot =
            Snapshot { inputs: image(&first), model: [outputs, Vec::new()], ..Snapshot::default() };
        self.flights.see(0, &shot);
        if let Some(track) = &mut self.track {
            track.push(first);
        }
        if self.cycle == 0 {
            // Nothing on the links counts before the first edge, and nothing is set.
            self.checker.note(&cycle);
            self.checker.add_state(&cycle);
        } else {
            self.compared += 1;
            let signals = self.differences(&inputs, &cycle);
            if !signals.is_empty() {
                self.now = Some(first);
                self.end(signals);
                return Ok(false);
            }
            if self.cycle == 1 {
                self.checker.adopt(&cycle);
                self.checker.join();
            }
            for (count, (image, place)) in self.frames.iter_mut().zip([
                (&shot.inputs, ends(&self.shape.inputs, "s_axis")),
                (&shot.model[0], ends(&self.shape.outputs, "m_axis")),
            ]) {
                *count += u64::from(place.iter().all(|at| image[*at] & 1 == 1));
            }
            match (&mut self.before, &self.last) {
                (Some(before), Some(last)) => before.clock(last),
                _ => self.before = Some(self.checker.model().clone()),
            }
            self.last = Some(first);
        }
        self.checker.clock(&inputs, self.cycle > 0 && self.watched);
        self.cycle += 1;
        Ok(true)
    }

    /// All that differs, upstream first.
    fn differences(&mut self, inputs: &dyn Fn(usize) -> M::Inputs, cycle: &Cycle) -> Vec<Differs> {
        let wrong = self.checker.look_at(inputs, cycle);
        if wrong.is_empty() {
            return Vec::new();
        }
        let modules = modules(&self.shape);
        let mut signals: Vec<Differs> =
            wrong.iter().map(|wrong| differs(&self.shape, &modules, wrong)).collect();
        signals.retain(|s| !self.absent.contains(s.path.split('[').next().unwrap_or(&s.path)));
        let meaning = Meaning::of(&self.shape.outputs);
        let places: BTreeMap<&str, (usize, usize)> =
            self.shape.output_words().map(|(name, bits, at)| (name, (at, bits))).collect();
        if self.foreign {
            let (image, unknown) = self.checker.outputs(inputs);
            let known: Vec<u32> = unknown.iter().map(|word| !word).collect();
            let mask = meaning.mask(&image, &known);
            signals.retain(|s| match places.get(s.path.as_str()) {
                Some(&(at, bits)) if s.kind == Kind::Output => {
                    (s.model ^ s.rtl | s.unknown) & value(&mask, at, bits) != 0
                }
                _ => true,
            });
        }
        // The registers are in the order of the instances; a `valid` is before what it makes valid.
        let order: BTreeMap<&str, usize> = meaning
            .causes_first()
            .iter()
            .enumerate()
            .map(|(place, &i)| (self.shape.outputs[i].name, place))
            .collect();
        signals.sort_by_key(|s| (s.kind, order.get(s.path.as_str()).copied().unwrap_or(0)));
        signals
    }

    /// What the first cycle does not have.
    fn note_absent(&mut self, sample: &Sample) {
        let registers = self.shape.registers.iter().map(|r| &*r.0).zip(&sample.registers);
        let outputs = self.shape.outputs.iter().map(|s| s.name).zip(&sample.outputs);
        let gone = registers.chain(outputs).filter(|(_, found)| found.is_none());
        let mut absent: BTreeSet<String> = gone.map(|(path, _)| path.to_owned()).collect();
        self.foreign = sample.registers.iter().any(Option::is_none);
        let there: BTreeSet<usize> = sample.words.iter().map(|word| word.0).collect();
        let memories = self.shape.memories.iter().enumerate();
        let gone = memories.filter(|(number, _)| !there.contains(number));
        absent.extend(gone.map(|(_, (path, _))| path.clone()));
        self.absent = absent;
    }

    fn end(&mut self, signals: Vec<Differs>) {
        let input = |inputs: &M::Inputs| {
            let words = image(inputs);
            let all = self.shape.input_words();
            all.map(|(name, bits, at)| (name, bits, value(&words, at, bits))).collect()
        };
        let divergence = Divergence {
            cycle: self.cycle,
            node: 0,
            signals,
            others: Vec::new(),
            inputs: self.last.as_ref().map(input).unwrap_or_default(),
            frames: self.flights.list(),
            case: (),
        };
        self.found = Some(Found { divergence, cause: None, searched: false });
    }

    /// Looks for the cause of the difference, with the ports of all instances in the cycle before and in that of
    /// the difference, in the order of [`instance_ports`].
    pub fn blame(&mut self, before: Option<&[FourState]>, now: Option<&[FourState]>) {
        let Some(found) = &mut self.found else { return };
        // Outputs alone differ in the cycle of their cause, registers one later.
        let late = found.first().is_some_and(|s| s.kind != Kind::Output);
        let moment = if late {
            self.before.as_ref().zip(self.last.as_ref()).zip(before)
        } else {
            Some(self.checker.model()).zip(self.now.as_ref()).zip(now)
        };
        let Some(((model, inputs), ports)) = moment else { return };
        let wrong = blame::compare::<M>(&self.shape, model, inputs, ports);
        found.searched = true;
        found.cause = blame::cause(&self.shape, self.cycle - u64::from(late), &wrong);
    }

    /// Writes the inputs so far to a folder, for `awgstar cosim --replay`.
    ///
    /// # Errors
    /// If the inputs were not kept, or the folder cannot be written.
    pub fn save(&self, folder: &Path, path: &str) -> Result<(), String> {
        let shape = &self.shape;
        let inputs = self.track.clone().ok_or("the inputs were not kept")?;
        let track = Track { inputs, deposits: Vec::new() };
        let about = About {
            module: shape.layout.module.to_owned(),
            why: format!("model and Verilog differed in {path}, cycle {}", self.cycle),
            requirements: vec!["LCK-3".to_owned()],
            path: path.to_owned(),
            cycle: Some(self.cycle),
            parameters: shape.parameters.changed(shape.layout.module),
            ..About::default()
        };
        let expect = expect::<M>(shape, &track);
        let vector = Vector::<M> { about, parameters: shape.parameters, expect, track };
        vector.save(folder).map_err(|e| e.to_string())
    }

    /// Ends the run: it holds if something was compared, frames were on the links and nothing differed.
    ///
    /// # Errors
    /// If it does not hold.
    pub fn finish(&mut self) -> Result<(), BesideError> {
        self.finished = true;
        if let Some(found) = &self.found
            && let Some(s) = found.first()
        {
            let (path, bits) = (s.path.clone(), s.bits);
            return Err(BesideError::Differs {
                cycle: found.cycle(),
                path,
                bits,
                expected: s.model,
                found: s.rtl,
            });
        }
        if self.compared == 0 {
            return Err(BesideError::Nothing);
        }
        if self.frames == [0, 0] {
            return Err(BesideError::NoTraffic);
        }
        Ok(())
    }
}

fn differs(shape: &Shape, modules: &BTreeMap<String, &'static str>, wrong: &Wrong) -> Differs {
    let memory = wrong.path.split_once('[').map(|(path, _)| path);
    let path = memory.unwrap_or(&wrong.path);
    let bits_of = |all: &[(String, usize)]| all.iter().find(|(p, _)| p == path).map(|p| p.1);
    let (kind, bits) = if let Some(bits) = bits_of(&shape.registers) {
        (Kind::Register, bits)
    } else if let Some((_, m)) = shape.memories.iter().find(|(p, _)| p == path) {
        (Kind::Memory, m.bits)
    } else {
        let output = shape.outputs.iter().find(|s| s.name == path);
        (Kind::Output, output.map_or(1, |s| s.bits))
    };
    Differs {
        kind,
        path: wrong.path.clone(),
        module: modules.get(path).copied().unwrap_or(shape.layout.module),
        bits,
        model: wrong.model & wrong.known & ones(bits),
        // Bits that the model does not know do not differ.
        rtl: wrong.icarus.value & wrong.known,
        unknown: wrong.icarus.unknown & wrong.known & ones(bits),
    }
}

/// The module of each register and memory, by path.
fn modules(shape: &Shape) -> BTreeMap<String, &'static str> {
    let mut all = BTreeMap::new();
    shape.layout.walk("", &mut |prefix, layout| {
        let registers = layout.registers.iter().map(|r| r.name);
        let names = registers.chain(layout.memories.iter().map(|m| m.name));
        all.extend(names.map(|name| (format!("{prefix}{name}"), layout.module)));
    });
    all
}

/// Words of valid and last of a link in an image.
fn ends(ports: &[Signal], link: &str) -> [usize; 2] {
    ["tvalid", "tlast"].map(|end| {
        let before = ports.iter().take_while(|p| p.name != format!("{link}_{end}"));
        before.map(Signal::words).sum()
    })
}

/// Ports of all instances below the top module, in the order of [`instance_ports`].
#[must_use]
pub fn wires(shape: &Shape) -> Vec<Signal> {
    let mut all = Vec::new();
    shape.layout.walk("", &mut |prefix, module| {
        if !prefix.is_empty() {
            all.extend(module.inputs.iter().chain(&module.outputs).copied());
        }
    });
    debug_assert_eq!(all.len(), instance_ports(shape).len());
    all
}
