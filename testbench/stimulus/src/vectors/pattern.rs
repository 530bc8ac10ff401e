// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pattern generator for the vectors' data (VEC-2): `SplitMix64` (Steele, Lea, Flood 2014),
//! integer arithmetic only, so that every platform makes the same bytes.

/// A deterministic stream of numbers.
#[derive(Clone, Debug)]
pub struct Pattern(u64);

impl Pattern {
    /// The stream of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// The next 32 bits.
    pub const fn next_u32(&mut self) -> u32 {
        let [a, b, c, d, ..] = self.next_u64().to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }
}

/// `count` bytes of a seed's stream, none of them zero, so that a byte that was overwritten with
/// zero, or a zero that was not written, shows.
#[must_use]
pub fn nonzero(seed: u64, count: usize) -> Vec<u8> {
    let mut pattern = Pattern::new(seed);
    let mut out = Vec::new();
    while out.len() < count {
        out.extend(pattern.next_u64().to_le_bytes().iter().filter(|b| **b != 0));
    }
    out.truncate(count);
    out
}
