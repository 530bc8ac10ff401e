// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random numbers: `SplitMix64`, the same everywhere.

use awgstar::quantity::narrow;

/// A row of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// The row of an episode.
    pub(super) const fn new(seed: u64, episode: u64) -> Self {
        let mut random = Random(seed);
        Random(random.next() ^ episode.wrapping_mul(0xd134_2543_de82_ef95))
    }

    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// One of `from` up to and without `to`.
    pub(super) const fn within(&mut self, from: u64, to: u64) -> u64 {
        from + self.next() % (to - from)
    }

    /// The same of numbers of 32 bits.
    pub(super) fn small(&mut self, from: u32, to: u32) -> u32 {
        narrow::<u32>(self.within(from.into(), to.into()))
    }

    /// One of `0` to `to - 1`.
    pub(super) fn index(&mut self, to: usize) -> usize {
        narrow::<usize>(self.within(0, to as u64))
    }

    /// True once in `n` times.
    pub(super) const fn once_in(&mut self, n: u64) -> bool {
        self.next().is_multiple_of(n)
    }
}
