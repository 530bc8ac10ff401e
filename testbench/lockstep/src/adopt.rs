// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transfer of a state so that model and Verilog start equal.
//!
//! Registers and memories that are not reset start with random values in the Verilog. In cycle 0,
//! with `rst` high, nothing is compared. After its edge, what the reset has set must be the same
//! on both sides; all else the model takes over from the Verilog. From then on every bit is
//! compared.
//!
//! A bit is *known* if the model gives it the same value from every start of
//! [`awgstar_stimulus::known::starts`]. That is
//! a sample, so a register that is 1 for one value of another in 512 may look known: a
//! known bit counts as wrong only if the model, started from what the Verilog started from, does not
//! give the Verilog's value either.

use awgstar_simulator::verilated::Dut;
use awgstar_stimulus::machine::Machine;
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

/// Start state of the Verilog.
#[derive(Clone, Debug)]
pub struct Origin {
    registers: Vec<u32>,
    memories: Vec<Vec<u128>>,
}

impl Origin {
    /// The state with this image of the registers and these words of each memory.
    #[must_use]
    pub fn new(registers: Vec<u32>, memories: Vec<Vec<u128>>) -> Self {
        Origin { registers, memories }
    }

    /// The state of a node of the Verilog.
    #[must_use]
    pub fn of(dut: &Dut, shape: &Shape) -> Self {
        let memories = (0..shape.memories.len()).map(|m| dut.memory(m)).collect();
        Origin::new(dut.registers(), memories)
    }

    fn load<M: Machine>(&self, node: &mut M) {
        node.unpack(&self.registers);
        let mut memories = self.memories.iter();
        node.memories_mut(&mut |mut memory| {
            for (i, &word) in memories.next().into_iter().flatten().enumerate() {
                memory.set(i, word);
            }
        });
    }
}

/// Gives a node of the model the state that its counterpart in the Verilog, which started from
/// `origin`, has after the first edge. Known bits that are wrong there stay as the model has them.
/// Gives whether there are any.
pub fn adopt<M: Machine>(
    node: &mut M,
    dut: &Dut,
    shape: &Shape,
    origin: &Origin,
    inputs: &M::Inputs,
    known: &Known,
) -> bool {
    adopt_state(node, Origin::of(dut, shape), shape, origin, inputs, known)
}

/// [`adopt`] of the state `now`.
pub fn adopt_state<M: Machine>(
    node: &mut M,
    mut now: Origin,
    shape: &Shape,
    origin: &Origin,
    inputs: &M::Inputs,
    known: &Known,
) -> bool {
    let mut twin = M::new(&shape.parameters);
    origin.load(&mut twin);
    twin.clock(inputs);
    let mut expected = vec![0; M::WORDS];
    twin.pack(&mut expected);
    let mut wrong = false;
    for (i, rtl) in now.registers.iter_mut().enumerate() {
        let bits = known.mask[i] & (known.value[i] ^ *rtl) & (expected[i] ^ *rtl);
        wrong |= bits != 0;
        *rtl ^= bits;
    }
    now.load(node);
    wrong
}
