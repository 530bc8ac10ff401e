// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random numbers of an episode.

use awgstar::quantity::narrow;
use awgstar::random::SplitMix64;

/// A row of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Random(SplitMix64);

impl Random {
    /// The row of an episode.
    pub(super) const fn new(seed: u64, episode: u64) -> Self {
        let first = SplitMix64::new(seed).next_u64();
        Random(SplitMix64::new(first ^ episode.wrapping_mul(0xd134_2543_de82_ef95)))
    }

    pub(super) const fn next(&mut self) -> u64 {
        self.0.next_u64()
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
