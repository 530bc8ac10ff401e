// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers in an image, and codes of states.

use crate::shape::value;
use awgstar::contract::fsm::FSMS;
use std::ops::Range;

/// Place of a register in the image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) at: usize,
    pub(super) bits: usize,
}

impl Place {
    pub(super) fn words(&self) -> Range<usize> {
        self.at..self.at + self.bits.div_ceil(32)
    }

    pub(super) fn of(self, image: &[u32]) -> u128 {
        value(image, self.at, self.bits)
    }
}

pub(super) fn code(module: &str, state: &str) -> Option<u128> {
    let fsm = FSMS.iter().find(|fsm| fsm.module == module)?;
    fsm.states.iter().find(|(name, _)| *name == state).map(|(_, code)| u128::from(*code))
}
