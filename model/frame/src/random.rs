// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers that look random and are the same on every machine and in every version: they are in committed files.

use crate::quantity::{Narrow, narrow};

/// `SplitMix64` (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The stream of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// The lower half of the next 64 bits.
    pub const fn next_u32(&mut self) -> u32 {
        let [a, b, c, d, ..] = self.next_u64().to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    /// A number below `n`, which is not 0.
    pub const fn below(&mut self, n: u64) -> u64 {
        self.next_u64() % n
    }

    /// The same in a type that `n` fits into.
    pub fn number<T: Narrow + TryFrom<u64>>(&mut self, n: u64) -> T {
        narrow(self.below(n))
    }

    /// True once in `n` times.
    pub const fn once_in(&mut self, n: u64) -> bool {
        self.next_u64().is_multiple_of(n)
    }
}

/// `xorshift32` (Marsaglia 2003) with the shifts 13, 17 and 5: noise of pins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct XorShift32(u32);

impl XorShift32 {
    /// The stream of a seed. From 0 it stays 0.
    #[must_use]
    pub const fn new(seed: u32) -> Self {
        Self(seed)
    }

    /// The next 32 bits.
    pub const fn next_u32(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of the authors' programs.
    #[test]
    fn first_numbers() {
        let mut split = SplitMix64::new(0);
        assert_eq!(split.next_u64(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(split.next_u64(), 0x6e78_9e6a_a1b9_65f4);
        let mut shift = XorShift32::new(2_463_534_242);
        assert_eq!([shift.next_u32(), shift.next_u32()], [723_471_715, 2_497_366_906]);
    }
}
