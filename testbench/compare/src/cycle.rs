// SPDX-License-Identifier: MIT OR Apache-2.0
//! One cycle of a simulation, and what is expected of it.

use crate::word::{Expected, Seen};
use awgstar_stimulus::shape::{Shape, value};

/// Values of signals in the order of the shape; `None`: the simulation has no such signal.
pub type Values = Vec<Option<Seen>>;

/// One cycle of a simulation, just before the edge.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    pub inputs: Values,
    pub outputs: Values,
    pub registers: Values,
    /// Memory words: memory, index, value.
    pub words: Vec<(usize, usize, Seen)>,
}

/// The values of signals in an image of two states; each place is (name, bits, first word).
fn known<'n>(
    image: &[u32],
    places: impl Iterator<Item = (&'n str, usize, usize)>,
) -> impl Iterator<Item = Seen> {
    places.map(|(_, bits, at)| Seen::known(value(image, at, bits)))
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
        let none = vec![None; shape.registers.len()];
        let all = |image| known(image, shape.register_words()).map(Some).collect();
        Sample {
            inputs: known(inputs, shape.input_words()).map(Some).collect(),
            outputs: known(outputs, shape.output_words()).map(Some).collect(),
            registers: registers.map_or(none, all),
            words: Vec::new(),
        }
    }

    /// Images of the inputs: value, and 1 where X.
    #[must_use]
    pub fn inputs(&self, shape: &Shape) -> [Vec<u32>; 2] {
        let mut images = [vec![0; shape.words[0]], vec![0; shape.words[0]]];
        for ((_, bits, at), seen) in shape.input_words().zip(&self.inputs) {
            let Seen { value, x } = seen.unwrap_or(Seen::unknown(bits));
            for (image, all) in images.iter_mut().zip([value, x]) {
                put(&mut image[at..], bits, all);
            }
        }
        images
    }
}

/// Writes a value to the first words of an image.
pub(crate) fn put(image: &mut [u32], bits: usize, value: u128) {
    for (i, word) in image.iter_mut().take(bits.div_ceil(32)).enumerate() {
        *word = (value >> (32 * i) & 0xffff_ffff) as u32;
    }
}

/// What a design shows in one cycle, without its inputs.
#[derive(Clone, Debug, Default)]
pub struct Cycle {
    /// Outputs, in the order of the shape.
    pub outputs: Vec<Seen>,
    pub registers: Vec<Seen>,
    /// Memory words: (memory, index, value); of Icarus those that have changed.
    pub memories: Vec<(usize, usize, Seen)>,
    /// Ports of all instances, in the order of [`crate::cause::ports`]; of the cycles asked for.
    pub ports: Vec<Seen>,
}

impl Cycle {
    /// Images of a simulation in two states, and words of memories.
    #[must_use]
    pub fn of_images(shape: &Shape, outputs: &[u32], registers: &[u32]) -> Self {
        Cycle {
            outputs: known(outputs, shape.output_words()).collect(),
            registers: known(registers, shape.register_words()).collect(),
            ..Cycle::default()
        }
    }

    /// The cycle with these inputs.
    #[must_use]
    pub fn sample(&self, shape: &Shape, inputs: &[u32]) -> Sample {
        let some = |all: &[Seen]| all.iter().copied().map(Some).collect();
        Sample {
            inputs: known(inputs, shape.input_words()).map(Some).collect(),
            outputs: some(&self.outputs),
            registers: some(&self.registers),
            words: self.memories.clone(),
        }
    }
}

/// What is expected of a cycle, in the order of the shape.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    pub outputs: Vec<Expected>,
    pub registers: Vec<Expected>,
    /// The memory words that were asked for, in their order.
    pub words: Vec<Expected>,
}

impl Expect {
    /// Every bit of these images.
    #[must_use]
    pub fn of_images(shape: &Shape, outputs: &[u32], registers: &[u32]) -> Self {
        let exactly = |image, (_, bits, at): (&str, usize, usize)| {
            Expected::exactly(value(image, at, bits), bits)
        };
        Expect {
            outputs: shape.output_words().map(|place| exactly(outputs, place)).collect(),
            registers: shape.register_words().map(|place| exactly(registers, place)).collect(),
            words: Vec::new(),
        }
    }

    /// The bits of a mask of the outputs, of a design of which nothing else is seen; none of them may be X.
    #[must_use]
    pub fn of_outputs(shape: &Shape, outputs: &[u32], mask: &[u32]) -> Self {
        let within = |(_, bits, at): (&str, usize, usize)| {
            Expected::exactly(value(outputs, at, bits), bits).within(value(mask, at, bits))
        };
        Expect { outputs: shape.output_words().map(within).collect(), ..Expect::default() }
    }
}
