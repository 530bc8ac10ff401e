// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model beside a design that another program simulates, such as a `SystemVerilog` bench: that program
//! passes inputs, outputs, registers and memory words of each cycle, and this compares them (LCK-3, LCK-4).
//!
//! The first cycle has `rst` high. What the reset does not set, the model takes over from the design in the
//! second cycle, as in [`crate::adopt`].

use crate::adopt::{self, Known, Origin};
use crate::blame::{self, Blame};
use crate::divergence::{self, Differs, Divergence, Kind, Side, Sides};
use crate::flight::Flights;
use crate::run::Snapshot;
use crate::text;
use awgstar::rtl::{
    Parameters,
    state::{Ports, Signal},
};
use awgstar_simulator::four_state::{FourState, instance_ports};
use awgstar_stimulus::known::starts;
use awgstar_stimulus::machine::{Machine, memories};
use awgstar_stimulus::meaning::Meaning;
use awgstar_stimulus::shape::{Shape, image, value};
use std::sync::Arc;

/// Random starts of the model in a comparison of ports.
const RANDOM: u32 = 6;

/// Error of a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BesideError {
    /// The first cycle must reset the design.
    #[error("cycle 0: expected rst 1, found 0: what a reset does not set is taken over after it")]
    Reset,
    /// Memory words are missing in a cycle that begins a comparison.
    #[error("cycle {cycle}: expected {expected} memory words before the registers, found {found}")]
    Words {
        /// The cycle.
        cycle: u64,
        /// Words of all memories.
        expected: usize,
        /// Words that were given.
        found: usize,
    },
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
    /// The run compares registers and ports, or ports alone, from its first cycle to its last.
    #[error("cycle {0}: a run compares either registers and ports or ports alone")]
    Mixed(u64),
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
    /// The state of the cycle before was known, so that the cause could be looked for.
    searched: bool,
}

impl Found {
    /// The cycle.
    #[must_use]
    pub const fn cycle(&self) -> u64 {
        self.divergence.cycle
    }

    /// The signal furthest upstream.
    #[must_use]
    pub fn first(&self) -> Option<&Differs> {
        self.divergence.first()
    }

    /// The report: first difference, cause, inputs and frames.
    #[must_use]
    pub fn report(&self) -> String {
        let mut out = text::render(&self.divergence);
        let cause = match &self.cause {
            Some(blame) => format!("{blame}"),
            // An output without a meaning in its cycle has no cause among the ports that have one.
            None if self.searched && self.first().is_some_and(|s| s.kind != Kind::Output) => {
                let module = self.first().map_or("", |s| s.module);
                format!(
                    "the next value computed in module {module}, hdl/{module}.v: all ports of instances agree"
                )
            }
            None => return out,
        };
        out.push_str("\n  cause: ");
        out.push_str(&cause);
        out.push('\n');
        out
    }
}

/// How the run compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Not known before the first cycle.
    None,
    /// Registers, memory words and outputs.
    Registers,
    /// Outputs that have a meaning.
    Ports,
}

/// Memory words that the design has given in a cycle.
#[derive(Clone, Debug, Default)]
struct Words {
    /// All words, in the first two cycles.
    all: Vec<Vec<Option<u128>>>,
    /// Those that differ, later: memory, index, value.
    differ: Vec<(usize, usize, u128)>,
}

/// A model that runs beside a design.
pub struct Beside<M: Machine> {
    shape: Arc<Shape>,
    machine: M,
    /// The machine a cycle before, for the cause.
    before: M,
    /// Starts of the model, in a comparison of ports: what they disagree about is unknown.
    others: Vec<M>,
    mode: Mode,
    /// Cycles so far.
    cycle: u64,
    compared: u64,
    words: Words,
    origin: Option<Origin>,
    first: Option<M::Inputs>,
    shot: Snapshot,
    /// Inputs of the cycle before.
    last: Vec<u32>,
    flights: Flights,
    /// Frames that have ended on the input and on the output.
    frames: [u64; 2],
    /// Ports of all instances in this cycle and the one before.
    wires: [Vec<u32>; 2],
    found: Option<Found>,
    finished: bool,
}

impl<M: Machine> Beside<M> {
    /// A model with these parameters, before its first cycle.
    #[must_use]
    pub fn new(parameters: &Parameters) -> Self {
        let shape = Shape::of::<M>(parameters);
        let all = shape.memories.iter().map(|(_, m)| vec![None; m.depth]).collect();
        Beside {
            machine: M::new(parameters),
            before: M::new(parameters),
            others: Vec::new(),
            mode: Mode::None,
            cycle: 0,
            compared: 0,
            words: Words { all, differ: Vec::new() },
            origin: None,
            first: None,
            shot: Snapshot {
                inputs: vec![0; shape.words[0]],
                model: [vec![0; shape.words[1]], vec![0; shape.words[2]]],
                rtl: [vec![0; shape.words[1]], vec![0; shape.words[2]]],
            },
            last: Vec::new(),
            flights: Flights::new(&shape, 1),
            frames: [0; 2],
            wires: [Vec::new(), Vec::new()],
            found: None,
            finished: false,
            shape,
        }
    }

    /// Names and widths.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns true from the first cycle of a comparison on.
    #[must_use]
    pub fn is_compared(&self) -> bool {
        self.mode != Mode::None
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

    /// Outputs of the model just before the edge.
    #[must_use]
    pub fn outputs(&self, inputs: &M::Inputs) -> Vec<u32> {
        image(&self.machine.outputs(inputs))
    }

    /// A register of the model by its path, with its width.
    #[must_use]
    pub fn register(&self, path: &str) -> Option<(u128, usize)> {
        let (_, bits, at) = self.shape.register_words().find(|(name, ..)| *name == path)?;
        let mut words = vec![0; M::WORDS];
        self.machine.pack(&mut words);
        Some((value(&words, at, bits), bits))
    }

    /// The edge, without a comparison: the model in the place of a design.
    ///
    /// # Errors
    /// If the run compares, or was finished.
    pub fn clock(&mut self, inputs: &M::Inputs) -> Result<(), BesideError> {
        self.open()?;
        if self.mode != Mode::None {
            return Err(BesideError::Mixed(self.cycle));
        }
        self.machine.clock(inputs);
        Ok(())
    }

    fn open(&self) -> Result<(), BesideError> {
        match &self.found {
            Some(found) => Err(BesideError::Over(found.cycle())),
            None if self.finished => Err(BesideError::Finished),
            None => Ok(()),
        }
    }

    /// A memory word of the design in this cycle, just before the edge. All words must be given in the
    /// first two cycles; later each is compared.
    ///
    /// # Errors
    /// If there is no such word, or the run has ended.
    pub fn word(&mut self, memory: usize, address: usize, found: u128) -> Result<(), BesideError> {
        self.open()?;
        let words = self.words.all.get_mut(memory).and_then(|words| words.get_mut(address));
        let module = self.shape.layout.module;
        let Some(word) = words else {
            return Err(BesideError::NoWord { module, memory, address });
        };
        if self.cycle < 2 {
            *word = Some(found);
        } else if let Some(model) = self.machine.memory_refs().get(memory)
            && model.get(address) != found
        {
            self.words.differ.push((memory, address, found));
        }
        Ok(())
    }

    /// Ports of all instances of the design in this cycle, in the order of
    /// [`instance_ports`], each with whole words: the cause of a difference is found with them.
    pub fn wires(&mut self, words: &[u32]) {
        self.wires.swap(0, 1);
        self.wires[1].clear();
        self.wires[1].extend_from_slice(words);
    }

    /// Words of the ports of all instances.
    #[must_use]
    pub fn wire_words(shape: &Shape) -> usize {
        wires(shape).iter().map(Signal::words).sum()
    }

    /// All memory words of the design, which must have been given since the last call.
    fn take_words(&mut self) -> Result<Vec<Vec<u128>>, BesideError> {
        let given = self.words.all.iter().flatten().filter(|word| word.is_some()).count();
        let expected = self.words.all.iter().map(Vec::len).sum();
        if given != expected {
            return Err(BesideError::Words { cycle: self.cycle, expected, found: given });
        }
        let taken = self.words.all.iter_mut();
        Ok(taken.map(|words| words.iter_mut().filter_map(Option::take).collect()).collect())
    }

    /// One cycle: compares registers, outputs and the memory words that were given, then does the edge.
    /// Returns true if all are equal.
    ///
    /// # Errors
    /// If a call is missing or out of order.
    pub fn cycle(
        &mut self,
        inputs: &M::Inputs,
        outputs: &[u32],
        registers: &[u32],
    ) -> Result<bool, BesideError> {
        self.begin(Mode::Registers, inputs, outputs)?;
        self.shot.rtl[1].copy_from_slice(registers);
        match self.cycle {
            0 => {
                let memories = self.take_words()?;
                self.origin = Some(Origin::new(registers.to_vec(), memories));
                self.first = Some(*inputs);
                self.advance(inputs);
                return Ok(true);
            }
            1 => self.adopt()?,
            _ => {}
        }
        self.compared += 1;
        self.machine.outputs(inputs).pack(&mut self.shot.model[0]);
        self.machine.pack(&mut self.shot.model[1]);
        self.flights.see(0, &self.shot);
        let differ = std::mem::take(&mut self.words.differ);
        if self.shot.model == self.shot.rtl && differ.is_empty() {
            self.advance(inputs);
            return Ok(true);
        }
        let model = memories(&self.machine);
        let mut rtl = model.clone();
        for (memory, address, found) in differ {
            rtl[memory][address] = found;
        }
        let shot = &self.shot;
        let signals = divergence::compare(
            &self.shape,
            &Sides {
                model: Side {
                    registers: &shot.model[1],
                    outputs: &shot.model[0],
                    memories: &model,
                },
                rtl: Side { registers: &shot.rtl[1], outputs: &shot.rtl[0], memories: &rtl },
            },
        );
        self.end(signals, inputs);
        Ok(false)
    }

    /// One cycle of a design with other registers: compares the outputs that have a meaning.
    ///
    /// # Errors
    /// If a call is out of order.
    pub fn ports(&mut self, inputs: &M::Inputs, outputs: &[u32]) -> Result<bool, BesideError> {
        self.begin(Mode::Ports, inputs, outputs)?;
        if self.cycle == 0 {
            self.others = starts::<M>(&self.shape, RANDOM);
        }
        self.machine.outputs(inputs).pack(&mut self.shot.model[0]);
        let mut known = vec![u32::MAX; self.shot.model[0].len()];
        for other in &self.others {
            let image = image(&other.outputs(inputs));
            for ((known, other), model) in known.iter_mut().zip(image).zip(&self.shot.model[0]) {
                *known &= !(other ^ model);
            }
        }
        let mask = Meaning::of(&self.shape.outputs).mask(&self.shot.model[0], &known);
        self.flights.see(0, &self.shot);
        let wrong = |((model, rtl), mask): ((&u32, &u32), &u32)| (model ^ rtl) & mask != 0;
        let [model, rtl] = [&self.shot.model[0], &self.shot.rtl[0]];
        // Before the first edge nothing is set.
        let counts = self.cycle > 0;
        self.compared += u64::from(counts);
        if !counts || !model.iter().zip(rtl).zip(&mask).any(wrong) {
            for other in &mut self.others {
                other.clock(inputs);
            }
            self.advance(inputs);
            return Ok(true);
        }
        let mut signals: Vec<(usize, Differs)> = Vec::new();
        let order = Meaning::of(&self.shape.outputs).causes_first();
        for (at, (name, bits, word)) in self.shape.output_words().enumerate() {
            let [model, rtl, mask] = [model, rtl, &mask].map(|words| value(words, word, bits));
            if (model ^ rtl) & mask != 0 {
                let path = name.to_owned();
                let module = self.shape.layout.module;
                let place = order.iter().position(|&i| i == at).unwrap_or(at);
                let kind = Kind::Output;
                signals.push((place, Differs { kind, path, module, bits, model, rtl, unknown: 0 }));
            }
        }
        signals.sort_by_key(|(place, _)| *place);
        self.end(signals.into_iter().map(|(_, signal)| signal).collect(), inputs);
        Ok(false)
    }

    fn begin(
        &mut self,
        mode: Mode,
        inputs: &M::Inputs,
        outputs: &[u32],
    ) -> Result<(), BesideError> {
        self.open()?;
        if self.mode == Mode::None {
            self.mode = mode;
        }
        if self.mode != mode {
            return Err(BesideError::Mixed(self.cycle));
        }
        inputs.pack(&mut self.shot.inputs);
        self.shot.rtl[0].copy_from_slice(outputs);
        let mut ports = self.shape.input_words();
        let rst = ports.find(|(name, ..)| *name == "rst").map_or(0, |(_, _, at)| at);
        if self.cycle == 0 && self.shot.inputs[rst] == 0 {
            return Err(BesideError::Reset);
        }
        Ok(())
    }

    /// Takes over what the first edge did not set.
    fn adopt(&mut self) -> Result<(), BesideError> {
        let memories = self.take_words()?;
        let now = Origin::new(self.shot.rtl[1].clone(), memories);
        if let (Some(origin), Some(first)) = (self.origin.take(), self.first.take()) {
            let starts = starts::<M>(&self.shape, adopt::RANDOM);
            let known: Vec<Known> = adopt::known(&starts, &[first]);
            for known in known {
                let node = &mut self.machine;
                adopt::adopt_state(node, now.clone(), &self.shape, &origin, &first, &known);
            }
        }
        self.before = self.machine.clone();
        Ok(())
    }

    /// The edge.
    fn advance(&mut self, inputs: &M::Inputs) {
        // Nothing on the links counts during the first cycle.
        for (count, (image, place)) in self.frames.iter_mut().zip([
            (&self.shot.inputs, ends(&self.shape.inputs, "s_axis")),
            (&self.shot.model[0], ends(&self.shape.outputs, "m_axis")),
        ]) {
            *count += u64::from(self.cycle > 0 && place.iter().all(|at| image[*at] & 1 == 1));
        }
        if self.mode == Mode::Registers && self.cycle > 1 {
            self.before.clock(&M::Inputs::unpack(&self.last));
        }
        self.machine.clock(inputs);
        self.last.clone_from(&self.shot.inputs);
        self.cycle += 1;
    }

    fn end(&mut self, signals: Vec<Differs>, inputs: &M::Inputs) {
        let late = signals.first().is_some_and(|s| s.kind != Kind::Output);
        let names = self.shape.input_words();
        let last = &self.last;
        let inputs_before = match last.as_slice() {
            [] => Vec::new(),
            words => names.map(|(n, bits, at)| (n, bits, value(words, at, bits))).collect(),
        };
        let divergence = Divergence {
            cycle: self.cycle,
            node: 0,
            signals,
            others: Vec::new(),
            inputs: inputs_before,
            frames: self.flights.list(),
            case: (),
        };
        // Registers differ one cycle after their cause, outputs in its cycle.
        let [then, now] = &self.wires;
        let whole = |words: &Vec<u32>| words.len() == Self::wire_words(&self.shape);
        let mut searched = false;
        let mut cause = None;
        if self.mode == Mode::Registers {
            if late && self.cycle > 1 && whole(then) {
                let inputs = M::Inputs::unpack(last);
                searched = true;
                cause = self.cause(self.cycle - 1, &self.before, &inputs, then);
            } else if !late && whole(now) {
                searched = true;
                cause = self.cause(self.cycle, &self.machine, inputs, now);
            }
        }
        self.found = Some(Found { divergence, cause, searched });
    }

    fn cause(&self, cycle: u64, machine: &M, inputs: &M::Inputs, words: &[u32]) -> Option<Blame> {
        let mut at = 0;
        let ports = wires(&self.shape).into_iter().map(|port| {
            let found = value(words, at, port.bits);
            at += port.words();
            FourState { value: found, unknown: 0 }
        });
        let ports: Vec<FourState> = ports.collect();
        debug_assert_eq!(ports.len(), instance_ports(&self.shape).len());
        let wrong = blame::compare(&self.shape, machine, inputs, &ports);
        blame::cause(&self.shape, cycle, &wrong)
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
    all
}
