// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names and widths of a module, flat, in the order of the images (LCK-2).

use awgstar::rtl::{
    Parameters,
    state::{Layout, MemoryShape, Ports, Signal, State},
};
use std::sync::Arc;

/// Names and widths of everything the lockstep compares in a module and all its instances.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Sizes that it is under.
    pub parameters: Parameters,
    /// Modules, instances and their own registers.
    pub layout: Layout,
    /// Inputs in the order of [`Ports::pack`]. `clk` is among them in a module with more than one clock only.
    pub inputs: Vec<Signal>,
    pub outputs: Vec<Signal>,
    /// Registers with their paths, in the order of [`State::pack`].
    pub registers: Vec<(String, usize)>,
    /// Memories with their paths.
    pub memories: Vec<(String, MemoryShape)>,
    /// Words of the images of inputs, outputs and registers.
    pub words: [usize; 3],
}

impl Shape {
    /// The shape of model `M` under these parameters.
    #[must_use]
    pub fn of<M: State>(parameters: &Parameters) -> Arc<Self> {
        let layout = M::layout_of(parameters);
        let count = |signals: &[Signal]| signals.iter().map(Signal::words).sum();
        Arc::new(Shape {
            parameters: *parameters,
            inputs: layout.inputs.clone(),
            outputs: layout.outputs.clone(),
            registers: layout.flat_registers(),
            memories: layout.flat_memories(),
            words: [count(&layout.inputs), count(&layout.outputs), M::WORDS],
            layout,
        })
    }

    /// The clocks. One that is among the inputs rises in the cycles in which its bit is 1; the only clock of a
    /// module, `clk`, is not among them and rises in every cycle.
    #[must_use]
    pub fn clocks(&self) -> Vec<&'static str> {
        let names: Vec<_> = self.inputs.iter().map(|s| s.name).filter(|n| is_clock(n)).collect();
        if names.is_empty() { vec!["clk"] } else { names }
    }

    /// (name, bits, first word) of the registers.
    pub fn register_words(&self) -> impl Iterator<Item = (&str, usize, usize)> {
        placed(self.registers.iter().map(|(name, bits)| (name.as_str(), *bits, bits.div_ceil(32))))
    }

    /// (name, bits, first word) of the outputs.
    pub fn output_words(&self) -> impl Iterator<Item = (&'static str, usize, usize)> + use<'_> {
        placed(self.outputs.iter().map(|s| (s.name, s.bits, s.words())))
    }

    /// (name, bits, first word) of the inputs.
    pub fn input_words(&self) -> impl Iterator<Item = (&'static str, usize, usize)> + use<'_> {
        placed(self.inputs.iter().map(|s| (s.name, s.bits, s.words())))
    }
}

/// Returns true for the name of a clock.
#[must_use]
pub fn is_clock(name: &str) -> bool {
    name == "clk" || name.ends_with("_clk")
}

/// Returns true for the name of a reset.
#[must_use]
pub fn is_reset(name: &str) -> bool {
    name == "rst" || name.ends_with("_rst")
}

fn placed<'a>(
    signals: impl Iterator<Item = (&'a str, usize, usize)>,
) -> impl Iterator<Item = (&'a str, usize, usize)> {
    signals.scan(0, |at, (name, bits, words)| {
        let here = *at;
        *at += words;
        Some((name, bits, here))
    })
}

/// Ones in that many bits, 1 to 128.
#[must_use]
pub const fn ones(bits: usize) -> u128 {
    u128::MAX >> (128 - bits)
}

#[must_use]
pub fn image<P: Ports>(ports: &P) -> Vec<u32> {
    let mut words = vec![0; P::WORDS];
    ports.pack(&mut words);
    words
}

/// The value of `bits` bits at word `at` of an image. Registers are 128 bits at most.
#[must_use]
pub fn value(image: &[u32], at: usize, bits: usize) -> u128 {
    let words = &image[at..at + bits.div_ceil(32)];
    words.iter().rev().fold(0, |v, &w| v << 32 | u128::from(w))
}
