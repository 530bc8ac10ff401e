// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pattern generator for the vectors' data (VEC-2): `SplitMix64` (Steele, Lea, Flood 2014),
//! integer arithmetic only, so that every platform makes the same bytes.

use awgstar::random::SplitMix64;

/// `count` bytes of a seed's stream, none of them zero, so that a byte that was overwritten with
/// zero, or a zero that was not written, shows.
#[must_use]
pub fn nonzero(seed: u64, count: usize) -> Vec<u8> {
    let mut pattern = SplitMix64::new(seed);
    let mut out = Vec::new();
    while out.len() < count {
        out.extend(pattern.next_u64().to_le_bytes().iter().filter(|b| **b != 0));
    }
    out.truncate(count);
    out
}
