// SPDX-License-Identifier: MIT OR Apache-2.0
//! The comparison with a design that another program simulates, such as a `SystemVerilog` bench over DPI-C, a test
//! of cocotb or Icarus: that program passes inputs, outputs, registers and memory words of each cycle, and this
//! compares them with what a [`Source`] expects (LCK-3, LCK-4).

use crate::cause;
use crate::cycle::{Cycle, Expect, Sample, Values, put};
use crate::difference::{Cause, Difference, Divergence, differences};
use crate::flight::Flights;
use crate::signals::{Kind, Signals};
use crate::word::{Expected, Seen};
use awgstar::rtl::state::Signal as Port;
use awgstar_stimulus::meaning::Meaning;
use awgstar_stimulus::shape::{Shape, value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Says what is expected. All calls for a cycle have the same sample.
pub trait Source {
    /// What must be seen before the edge; of the memories these words: memory, index.
    fn expect(&mut self, sample: &Sample, words: &[(usize, usize)]) -> Expect;

    fn edge(&mut self, sample: &Sample);

    /// Memory words that the last edge may have changed; all before anything was compared.
    fn changed(&mut self) -> Vec<(usize, usize)>;

    /// Ports of instances that are wrong in the cycle of the last [`Source::expect`], or in the one before; `None` if
    /// the source does not know them.
    fn wires(&self, when: When, seen: &[Seen]) -> Option<Vec<Difference>>;
}

/// One of two cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The cycle before.
    Before,
    /// This one.
    Now,
}

/// Which memory words are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Those of the sample.
    Given,
    /// Those of the sample and those that the source has changed: a word that is not in the sample is as it was.
    Changed,
}

/// What a run of a comparison is like.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The first cycle that is compared: nothing is set before the first edge.
    pub first: u64,
    /// The first cycle must have `rst` high.
    pub reset: bool,
    /// Memory words that are compared.
    pub words: Words,
}

impl Rules {
    /// A design that is pushed: what a reset does not set is taken over after it.
    pub const PUSHED: Rules = Rules { first: 1, reset: true, words: Words::Given };
}

/// Error of a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
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
    #[error("{0}")]
    Differs(Box<Difference>),
}

/// A comparison, a cycle at a time.
pub struct Comparison<S> {
    shape: Arc<Shape>,
    signals: Signals,
    meaning: Meaning,
    source: S,
    rules: Rules,
    cycle: u64,
    compared: u64,
    flights: Flights,
    /// Frames that have ended on the input and on the output.
    frames: [u64; 2],
    /// Memory words as the simulation had them last, if the words that are not in a sample count.
    seen: Vec<Vec<Seen>>,
    /// What the first cycle does not have, by number: outputs, registers, memories.
    absent: [BTreeSet<usize>; 3],
    /// Image of the inputs of the cycle before.
    last: Option<Vec<u32>>,
    found: Option<Divergence<()>>,
    finished: bool,
}

impl<S: Source> Comparison<S> {
    /// Before the first cycle.
    #[must_use]
    pub fn new(shape: &Arc<Shape>, source: S, rules: Rules) -> Self {
        let seen = match rules.words {
            Words::Given => Vec::new(),
            Words::Changed => {
                let all = shape.memories.iter();
                all.map(|(_, m)| vec![Seen::unknown(m.bits); m.depth]).collect()
            }
        };
        Comparison {
            signals: Signals::of(shape),
            meaning: Meaning::of(&shape.outputs),
            flights: Flights::new(shape, 1),
            shape: shape.clone(),
            source,
            rules,
            cycle: 0,
            compared: 0,
            frames: [0; 2],
            seen,
            absent: Default::default(),
            last: None,
            found: None,
            finished: false,
        }
    }

    /// Names and widths.
    #[must_use]
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// What says what is expected.
    #[must_use]
    pub const fn source(&self) -> &S {
        &self.source
    }

    /// The same, to be changed from outside: a deposit.
    pub const fn source_mut(&mut self) -> &mut S {
        &mut self.source
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

    /// The first cycle with a difference.
    #[must_use]
    pub const fn found(&self) -> Option<&Divergence<()>> {
        self.found.as_ref()
    }

    /// # Errors
    /// If the run has ended.
    pub const fn open(&self) -> Result<(), Refused> {
        match &self.found {
            Some(found) => Err(Refused::Over(found.cycle)),
            None if self.finished => Err(Refused::Finished),
            None => Ok(()),
        }
    }

    /// # Errors
    /// If the module has no such word.
    pub fn has_word(&self, memory: usize, address: usize) -> Result<(), Refused> {
        let there = self.shape.memories.get(memory).is_some_and(|(_, m)| address < m.depth);
        let module = self.shape.layout.module;
        if there { Ok(()) } else { Err(Refused::NoWord { module, memory, address }) }
    }

    /// Memory words to be sampled: those that the last edge has changed in the model; all in the first two cycles.
    pub fn wants(&mut self) -> Vec<(usize, usize)> {
        self.source.changed()
    }

    /// One cycle: compares it, then does the edge. Returns true if all is equal; else [`Comparison::wires`] may
    /// look for the cause. If the source takes over a state, every memory word that is there must be in the samples
    /// of the first two cycles.
    ///
    /// # Errors
    /// If the first cycle has no reset, a memory word does not exist, or the run has ended.
    pub fn push(&mut self, sample: &Sample) -> Result<bool, Refused> {
        self.open()?;
        for &(memory, address, _) in &sample.words {
            self.has_word(memory, address)?;
        }
        let inputs = sample.inputs(&self.shape);
        if self.cycle == 0 {
            let rst = self.shape.input_words().find(|(name, ..)| *name == "rst");
            let high = rst.is_some_and(|(_, _, at)| inputs[0][at] & !inputs[1][at] == 1);
            if self.rules.reset && !high {
                return Err(Refused::Reset);
            }
            self.note_absent(sample);
        }
        if self.rules.words == Words::Changed {
            for &(memory, index, seen) in &sample.words {
                self.seen[memory][index] = seen;
            }
        }
        let [inputs, _] = inputs;
        if self.cycle >= self.rules.first {
            self.compared += 1;
            let (signals, ended) = self.look(sample, &inputs);
            if !signals.is_empty() {
                self.end(signals);
                return Ok(false);
            }
            for (count, ended) in self.frames.iter_mut().zip(ended) {
                *count += u64::from(ended);
            }
            self.last = Some(inputs);
        }
        self.source.edge(sample);
        self.cycle += 1;
        Ok(true)
    }

    /// All that differs in this cycle, and whether a frame ends on the input and on the output.
    fn look(&mut self, sample: &Sample, inputs: &[u32]) -> (Vec<Difference>, [bool; 2]) {
        let cycle = self.filled(sample);
        let words: Vec<_> = cycle.memories.iter().map(|&(m, index, _)| (m, index)).collect();
        let mut expect = self.source.expect(sample, &words);
        let mut outputs = vec![0; self.shape.words[1]];
        let mut cared = outputs.clone();
        for ((_, bits, at), expected) in self.shape.output_words().zip(&expect.outputs) {
            put(&mut outputs[at..], bits, expected.value);
            put(&mut cared[at..], bits, expected.care);
        }
        self.flights.see(0, [inputs, &outputs]);
        let ended = [
            ended(&self.shape.inputs, "s_axis", inputs),
            ended(&self.shape.outputs, "m_axis", &outputs),
        ];
        let [no_output, no_register, no_memory] = &self.absent;
        // A design without all registers is another one: its outputs are compared while they mean something (CNF-2).
        if !no_register.is_empty() {
            let mask = self.meaning.mask(&outputs, &cared);
            for ((_, bits, at), expected) in self.shape.output_words().zip(&mut expect.outputs) {
                *expected = expected.within(value(&mask, at, bits));
            }
        }
        let numbers = words.iter().map(|word| word.0);
        let memories = expect.words.iter_mut().zip(numbers).filter(|(_, m)| no_memory.contains(m));
        memories.for_each(|(expected, _)| *expected = Expected::default());
        for &n in no_output {
            expect.outputs[n] = Expected::default();
        }
        for &n in no_register {
            expect.registers[n] = Expected::default();
        }
        (differences(&self.signals, &expect, &cycle, self.cycle), ended)
    }

    /// The sample, with X for what is absent, and with the memory words that are compared.
    fn filled(&mut self, sample: &Sample) -> Cycle {
        let shape = &self.shape;
        let fill = |values: &Values, bits: &mut dyn Iterator<Item = usize>| -> Vec<Seen> {
            values.iter().zip(bits).map(|(v, bits)| v.unwrap_or(Seen::unknown(bits))).collect()
        };
        let memories = match self.rules.words {
            Words::Given => sample.words.clone(),
            Words::Changed => {
                let given = sample.words.iter().map(|&(m, index, _)| (m, index));
                let all: BTreeSet<_> = self.source.changed().into_iter().chain(given).collect();
                all.into_iter().map(|(m, index)| (m, index, self.seen[m][index])).collect()
            }
        };
        Cycle {
            outputs: fill(&sample.outputs, &mut shape.outputs.iter().map(|s| s.bits)),
            registers: fill(&sample.registers, &mut shape.registers.iter().map(|r| r.1)),
            memories,
            ports: Vec::new(),
        }
    }

    /// What the first cycle does not have.
    fn note_absent(&mut self, sample: &Sample) {
        let gone = |values: &Values| {
            let all = values.iter().enumerate();
            all.filter(|(_, found)| found.is_none()).map(|(number, _)| number).collect()
        };
        let there: BTreeSet<usize> = sample.words.iter().map(|word| word.0).collect();
        let memories = match self.rules.words {
            Words::Given => (0..self.shape.memories.len()).filter(|m| !there.contains(m)).collect(),
            Words::Changed => BTreeSet::new(),
        };
        self.absent = [gone(&sample.outputs), gone(&sample.registers), memories];
    }

    fn end(&mut self, signals: Vec<Difference>) {
        let named = |words: &Vec<u32>| {
            let all = self.shape.input_words();
            all.map(|(name, bits, at)| (name, bits, value(words, at, bits))).collect()
        };
        self.found = Some(Divergence {
            cycle: self.cycle,
            node: 0,
            signals,
            others: Vec::new(),
            inputs: self.last.as_ref().map(named).unwrap_or_default(),
            frames: self.flights.list(),
            case: (),
        });
    }

    /// Looks for the cause of the difference, with the ports of all instances in the cycle before and in that of
    /// the difference, in the order of [`cause::ports`].
    pub fn wires(&mut self, before: Option<&[Seen]>, now: Option<&[Seen]>) {
        let Some(first) = self.found.as_mut().and_then(|found| found.signals.first_mut()) else {
            return;
        };
        // Outputs alone differ in the cycle of their cause, registers one later.
        let (when, ports) = match first.signal.kind {
            Kind::Output => (When::Now, now),
            _ => (When::Before, before),
        };
        let wrong = ports.and_then(|ports| self.source.wires(when, ports));
        let Some(wrong) = wrong else { return };
        // An output without a meaning in its cycle has no cause among the ports that have one.
        let why = "all ports of instances agree";
        let inside = Cause { module: first.signal.module, wire: None, why };
        let inside = (when == When::Before).then_some(inside);
        first.cause = cause::cause(&self.shape, &wrong).or(inside);
    }

    /// Ends the run: it holds if something was compared, frames were on the links and nothing differed.
    ///
    /// # Errors
    /// If it does not hold.
    pub fn finish(&mut self) -> Result<(), Refused> {
        self.finished = true;
        if let Some(first) = self.found.as_ref().and_then(Divergence::first) {
            return Err(Refused::Differs(Box::new(first.clone())));
        }
        if self.compared == 0 {
            return Err(Refused::Nothing);
        }
        if self.frames == [0, 0] {
            return Err(Refused::NoTraffic);
        }
        Ok(())
    }
}

/// The last word of a frame is on a link of an image.
fn ended(ports: &[Port], link: &str, image: &[u32]) -> bool {
    ["tvalid", "tlast"].iter().all(|end| {
        let before = ports.iter().take_while(|p| p.name != format!("{link}_{end}"));
        let at: usize = before.map(Port::words).sum();
        image.get(at).is_some_and(|word| word & 1 == 1)
    })
}
