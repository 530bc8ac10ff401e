// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model and Verilog start equal, from what a reset leaves of an unknown state.
//!
//! Registers and memories that are not reset start with random values on both sides, each its own. In
//! cycle 0, with `rst` high, nothing is compared. After its edge, what the reset has set must be the same
//! on both sides; all else the Verilog takes over from the model. From then on every bit is
//! compared, and the model never asks what the Verilog has, so it can run ahead.
//!
//! A bit is *known* if the model gives it the same value from every start of
//! [`awgstar_stimulus::known::starts`]. That is
//! a sample, so a register that is 1 for one value of another in 512 may look known: a
//! known bit counts as wrong only if the model, started from what the Verilog started from, does not
//! give the Verilog's value either.

use awgstar_simulator::verilated::Stored;
use awgstar_stimulus::known;
use awgstar_stimulus::machine::{Machine, memories};
use awgstar_stimulus::shape::Shape;

/// Random starts of the model.
pub const RANDOM: u32 = 30;

/// The registers of a node after the first edge, and which of their bits are known.
#[derive(Clone, Debug)]
pub struct Known {
    /// Value; 0 where unknown.
    pub value: Vec<u32>,
    /// 1 where known.
    pub mask: Vec<u32>,
}

/// Computes, for each node, the register bits that an edge with these inputs determines from all
/// `starts`.
#[must_use]
pub fn known<M: Machine>(starts: &[M], first: &[M::Inputs]) -> Vec<Known> {
    first
        .iter()
        .map(|inputs| {
            let after: Vec<Vec<u32>> = starts
                .iter()
                .map(|start| {
                    let mut node = start.clone();
                    node.clock(inputs);
                    let mut image = vec![0; M::WORDS];
                    node.pack(&mut image);
                    image
                })
                .collect();
            let mask: Vec<u32> = (0..M::WORDS)
                .map(|w| !after.iter().fold(0, |d, image| d | (image[w] ^ after[0][w])))
                .collect();
            let value = after[0].iter().zip(&mask).map(|(v, m)| v & m).collect();
            Known { value, mask }
        })
        .collect()
}

/// What a model stores.
#[must_use]
pub fn stored<M: Machine>(node: &M) -> Stored {
    let mut registers = vec![0; M::WORDS];
    node.pack(&mut registers);
    Stored { registers, memories: memories(node) }
}

fn model<M: Machine>(shape: &Shape, stored: &Stored) -> M {
    let mut node = M::new(&shape.parameters);
    node.unpack(&stored.registers);
    let mut memories = stored.memories.iter();
    node.memories_mut(&mut |mut memory| {
        for (i, &word) in memories.next().into_iter().flatten().enumerate() {
            memory.set(i, word);
        }
    });
    node
}

/// The model after a first edge with these inputs, random in what the edge does not determine.
#[must_use]
pub fn after_reset<M: Machine>(shape: &Shape, seed: u32, inputs: &M::Inputs) -> M {
    let mut node: M = known::random(shape, seed);
    node.clock(inputs);
    node
}

/// What the Verilog is to go on with, beside a model with the state `model`: that state, but known bits that are wrong
/// in what it has now, `design`, stay wrong. `origin` is what it had before the edge. Gives whether there are any.
pub fn start<M: Machine>(
    model: &M,
    [origin, design]: [&Stored; 2],
    shape: &Shape,
    inputs: &M::Inputs,
    known: &Known,
) -> (Stored, bool) {
    let mut twin: M = self::model(shape, origin);
    twin.clock(inputs);
    let expected = stored(&twin).registers;
    let mut start = stored(model);
    let mut wrong = false;
    for (i, word) in start.registers.iter_mut().enumerate() {
        let rtl = design.registers[i];
        let bits = known.mask[i] & (known.value[i] ^ rtl) & (expected[i] ^ rtl);
        wrong |= bits != 0;
        *word = *word & !bits | rtl & bits;
    }
    (start, wrong)
}
