// SPDX-License-Identifier: MIT OR Apache-2.0
//! What differs: one signal, and all of the first cycle with a difference (LCK-4).

use crate::cycle::{Cycle, Expect};
use crate::signals::{Kind, Signal, Signals};
use crate::word::{Expected, Seen};
use awgstar::rtl::RingNode;
use awgstar_stimulus::Case;
use std::{fmt, sync::Arc};

/// A signal that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub signal: Arc<Signal>,
    /// Index of the word, of a memory.
    pub word: Option<usize>,
    /// The cycle.
    pub cycle: u64,
    /// What the model says.
    pub expected: Expected,
    /// What the design shows.
    pub seen: Seen,
    /// Where it comes from, if that was looked for.
    pub cause: Option<Cause>,
}

impl Difference {
    /// Path below the module; a memory word with its index.
    #[must_use]
    pub fn path(&self) -> String {
        let path = &self.signal.path;
        self.word.map_or_else(|| path.clone(), |index| format!("{path}[{index}]"))
    }

    /// The lowest bit that is wrong.
    #[must_use]
    pub const fn bit(&self) -> u32 {
        self.expected.wrong(self.seen).trailing_zeros()
    }

    /// In the model; 0 in bits without a known value.
    #[must_use]
    pub const fn model(&self) -> u128 {
        self.expected.value & self.expected.care
    }

    /// In the design; 0 in bits that the model does not know.
    #[must_use]
    pub const fn found(&self) -> Seen {
        let Seen { value, x } = self.seen;
        Seen { value: value & self.expected.care, x: x & self.expected.care }
    }

    /// Returns true if the difference is an X where a value must be, and no value is wrong.
    #[must_use]
    pub const fn is_x(&self) -> bool {
        self.expected.wrong(self.seen) & !self.seen.x == 0
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bits, model, found) = (self.signal.bits, self.model(), self.found().value);
        let (cycle, path) = (self.cycle, self.path());
        write!(f, "cycle {cycle}, {path}: expected {bits}'h{model:x}, found {bits}'h{found:x}")
    }
}

/// Where a difference comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The module in which the mistake is.
    pub module: &'static str,
    /// The wire that is wrong first: an output of an instance of that module whose inputs agree, or do not matter, or
    /// an input of an instance in that module, which no output of an instance explains. None: the mistake is in how
    /// the module computes the next value of its register.
    pub wire: Option<Box<Difference>>,
    pub why: &'static str,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cause { module, wire, why } = self;
        let Some(wire) = wire else {
            return write!(f, "the next value computed in module {module}: {why}");
        };
        let output = wire.signal.kind == Kind::Wire { output: true };
        let (what, bits) = (if output { "output" } else { "wire to" }, wire.signal.bits);
        write!(
            f,
            "{what} {} in cycle {} (module {module})\n    \
             model   {bits}'h{:x}\n    Verilog {bits}'h{:x}\n    {why}",
            wire.signal.path, wire.cycle, wire.expected.value, wire.seen.value
        )
    }
}

/// All of a cycle that is not as expected, in the order of `signals`.
#[must_use]
pub fn differences(
    signals: &Signals,
    expect: &Expect,
    cycle: &Cycle,
    number: u64,
) -> Vec<Difference> {
    let mut all = Vec::new();
    let mut look = |signal: &Arc<Signal>, word, expected: Expected, seen| {
        if expected.wrong(seen) != 0 {
            let signal = signal.clone();
            all.push(Difference { signal, word, cycle: number, expected, seen, cause: None });
        }
    };
    for signal in signals.iter() {
        let n = signal.number;
        match signal.kind {
            Kind::Register => look(signal, None, expect.registers[n], cycle.registers[n]),
            Kind::Output => look(signal, None, expect.outputs[n], cycle.outputs[n]),
            Kind::Memory => {
                for (expected, &(memory, index, seen)) in expect.words.iter().zip(&cycle.memories) {
                    if memory == n {
                        look(signal, Some(index), *expected, seen);
                    }
                }
            }
            Kind::Wire { .. } => {}
        }
    }
    all
}

/// A frame on a link in the cycle of the divergence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InFlight {
    pub node: usize,
    /// `link in` or `link out`.
    pub place: &'static str,
    /// Bytes of the frame so far.
    pub bytes: Vec<u8>,
    /// The frame has ended.
    pub whole: bool,
}

/// The first cycle in which model and Verilog differ.
#[derive(Clone, Debug)]
pub struct Divergence<C = Case<RingNode>> {
    /// The cycle.
    pub cycle: u64,
    /// The node; of several the one whose registers differ, else the lowest.
    pub node: usize,
    /// All that differs in that node, in the order of [`Signals`].
    pub signals: Vec<Difference>,
    /// Other nodes that differ in the same cycle.
    pub others: Vec<usize>,
    /// Inputs of the cycle before: name, bits, value.
    pub inputs: Vec<(&'static str, usize, u128)>,
    pub frames: Vec<InFlight>,
    /// The case that was run.
    pub case: C,
}

impl<C> Divergence<C> {
    /// The signal furthest upstream.
    #[must_use]
    pub fn first(&self) -> Option<&Difference> {
        self.signals.first()
    }
}
