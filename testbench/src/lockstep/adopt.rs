//! How model and Verilog come to the same state.
//!
//! Registers and memories that are not reset start with random values in the Verilog. In cycle 0,
//! with `rst` high, nothing is compared. After its edge, what the model knows must be so in the
//! Verilog too; what it cannot know it takes over from the Verilog. From then on every bit is
//! compared.
//!
//! A bit is known if the model gives it the same value from every start: all registers and
//! memories 0, all 1, and [`RANDOM`] random ones, so that a parity of unknown bits is not taken
//! for known.

use super::{
    case::{Bench, Case},
    shape::Shape,
    verilated::Dut,
};
use awgstar::{
    ring::ScenarioError,
    rtl::{
        RingNode,
        state::{MemoryShape, State},
    },
};

/// Random starts of the model.
pub const RANDOM: u32 = 30;

const fn ones(bits: usize) -> u128 {
    u128::MAX >> (128 - bits)
}

/// A node in which every bit comes from `next`.
fn filled(shape: &Shape, next: &mut impl FnMut() -> u32) -> RingNode {
    let mut image = vec![0; RingNode::WORDS];
    for (_, bits, at) in shape.register_words() {
        for (i, word) in image[at..at + bits.div_ceil(32)].iter_mut().enumerate() {
            let left = u32::try_from(bits - 32 * i).unwrap_or(32).min(32);
            *word = next() & u32::MAX >> (32 - left);
        }
    }
    let mut node = RingNode::default();
    node.unpack(&image);
    let shapes: Vec<MemoryShape> = shape.memories.iter().map(|(_, m)| *m).collect();
    let mut shapes = shapes.iter();
    node.memories_mut(&mut |mut memory| {
        for m in shapes.by_ref().take(1) {
            for index in 0..m.depth {
                let value = (0..4).fold(0, |v, _| v << 32 | u128::from(next()));
                memory.set(index, value & ones(m.bits));
            }
        }
    });
    node
}

/// Nodes that stand for "unknown": the starts described above. The first is all 0.
#[must_use]
pub fn starts(shape: &Shape, random: u32) -> Vec<RingNode> {
    let mut x = 0x9E37_79B9_u32;
    let mut nodes = vec![filled(shape, &mut || 0), filled(shape, &mut || u32::MAX)];
    nodes.extend((0..random).map(|_| {
        filled(shape, &mut || {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            x
        })
    }));
    nodes
}

/// The registers of a node after the first edge, and which of their bits are known.
#[derive(Clone, Debug)]
pub struct Known {
    /// Value; 0 where unknown.
    pub value: Vec<u32>,
    /// 1 where known.
    pub mask: Vec<u32>,
}

/// What the model knows after the first edge of `case`, for each node.
///
/// # Errors
/// When the scenario makes no sense.
pub fn known(shape: &Shape, case: &Case) -> Result<Vec<Known>, ScenarioError> {
    let case = case.with_cycles(1);
    let mut first = Vec::new();
    case.bench()?.step(&mut |_, _, inputs, _| first.push(*inputs));
    let starts = starts(shape, RANDOM);
    Ok(first
        .iter()
        .map(|inputs| {
            let after: Vec<Vec<u32>> = starts
                .iter()
                .map(|start| {
                    let mut node = start.clone();
                    node.clock(inputs);
                    let mut image = vec![0; RingNode::WORDS];
                    node.pack(&mut image);
                    image
                })
                .collect();
            let mask: Vec<u32> = (0..RingNode::WORDS)
                .map(|w| !after.iter().fold(0, |d, image| d | (image[w] ^ after[0][w])))
                .collect();
            let value = after[0].iter().zip(&mask).map(|(v, m)| v & m).collect();
            Known { value, mask }
        })
        .collect())
}

/// Gives the nodes of `bench` the unknown bits and the memories of the Verilog.
pub fn adopt(bench: &mut Bench, duts: &[Dut], known: &[Known]) {
    for ((node, dut), known) in bench.nodes_mut().iter_mut().zip(duts).zip(known) {
        let rtl = dut.registers();
        let image: Vec<u32> = rtl
            .iter()
            .zip(&known.mask)
            .zip(&known.value)
            .map(|((rtl, mask), value)| (rtl & !mask) | value)
            .collect();
        node.unpack(&image);
        let mut index = 0;
        node.memories_mut(&mut |mut memory| {
            for (i, word) in dut.memory(index).into_iter().enumerate() {
                memory.set(i, word);
            }
            index += 1;
        });
    }
}
