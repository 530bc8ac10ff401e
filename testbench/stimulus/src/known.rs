// SPDX-License-Identifier: MIT OR Apache-2.0
//! Start states of the model that represent an unknown state.

use crate::{
    machine::Machine,
    shape::{Shape, image, is_clock, is_reset, ones, value},
};
use awgstar::quantity::narrow;
use awgstar::random::XorShift32;
use awgstar::rtl::state::{MemoryShape, Ports};

/// A node in which every bit comes from `next`.
fn filled<M: Machine>(shape: &Shape, next: &mut impl FnMut() -> u32) -> M {
    let mut image = vec![0; M::WORDS];
    for (_, bits, at) in shape.register_words() {
        for (i, word) in image[at..at + bits.div_ceil(32)].iter_mut().enumerate() {
            let left = narrow::<u32>((bits - 32 * i).min(32));
            *word = next() & u32::MAX >> (32 - left);
        }
    }
    let mut node = M::new(&shape.parameters);
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

/// A node in which every bit is random.
#[must_use]
pub fn random<M: Machine>(shape: &Shape, seed: u32) -> M {
    // 0 has no random numbers.
    let mut noise = XorShift32::new(seed.max(1));
    filled(shape, &mut || noise.next_u32())
}

/// The first cycle that is compared of a design with unknown values at its start. Before the first edge nothing
/// is set: what looks known is so by the choice of the starts. A module with more than one clock has brought a
/// reset into all of them when it ends.
#[must_use]
pub fn first_compared<I: Ports>(inputs: &[I]) -> usize {
    if !I::PORTS.iter().any(|s| is_clock(s.name)) {
        return 1;
    }
    let in_reset = |i: &I| {
        let (image, mut at) = (image(i), 0);
        I::PORTS.iter().any(|s| {
            at += s.words();
            is_reset(s.name) && value(&image, at - s.words(), s.bits) != 0
        })
    };
    inputs.iter().position(|i| !in_reset(i)).unwrap_or(inputs.len())
}

/// Nodes that represent "unknown": all registers 0, all 1, small and large numbers (registers are
/// compared with such), and random ones, so that a parity of unknown bits is not taken for known.
/// The first is all 0.
#[must_use]
pub fn starts<M: Machine>(shape: &Shape, random: u32) -> Vec<M> {
    let mut noise = XorShift32::new(0x9E37_79B9);
    let mut nodes = vec![filled(shape, &mut || 0), filled(shape, &mut || u32::MAX)];
    for number in [1, 2, 3, 4, 16, u32::MAX - 1, u32::MAX - 2] {
        nodes.push(filled(shape, &mut || number));
    }
    nodes.extend((0..random).map(|_| filled(shape, &mut || noise.next_u32())));
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use awgstar::rtl::ring_gateway::Inputs;

    /// `a_cfg_first` ends as a reset does: nothing of a gateway with windows was compared in Icarus.
    #[test]
    fn windows_are_no_reset() {
        let rst = Inputs { a_rst: true, a_cfg_first: 5, ..Inputs::default() };
        let inputs = [rst, rst, Inputs { b_rst: true, ..rst }, Inputs { a_rst: false, ..rst }];
        assert_eq!(first_compared(&inputs), 3);
    }
}
