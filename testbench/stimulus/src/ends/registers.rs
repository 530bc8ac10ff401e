// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of a machine by their paths.

use crate::deposit::put;
use crate::machine::Machine;
use crate::shape::{Shape, value};

/// They can be read and changed.
pub(super) struct Registers<'a> {
    shape: &'a Shape,
    pub(super) image: Vec<u32>,
}

impl Registers<'_> {
    pub(super) fn of<M: Machine>(machine: &M) -> Self {
        let mut image = vec![0; M::WORDS];
        machine.pack(&mut image);
        Registers { shape: M::shape(), image }
    }

    /// Place of a register: first word and bits.
    fn place(&self, path: &str) -> Option<(usize, usize)> {
        let mut all = self.shape.register_words();
        all.find_map(|(name, bits, at)| (name == path).then_some((at, bits)))
    }

    pub(super) fn get(&self, path: &str) -> u128 {
        self.place(path).map_or(0, |(at, bits)| value(&self.image, at, bits))
    }

    /// Sets a register to `value`, cut to its width, and gives what it is then.
    pub(super) fn set(&mut self, path: &str, value: u128) -> u128 {
        let Some((at, bits)) = self.place(path) else { return 0 };
        let value = value & u128::MAX >> (128 - bits);
        put(&mut self.image, at, bits, value);
        value
    }
}
