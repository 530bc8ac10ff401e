// SPDX-License-Identifier: MIT OR Apache-2.0
//! Windows of a gateway: how its modules are given them.

/// Windows of a ring, at most, and by default.
pub const WINDOWS: usize = 4;
/// Bits of a place: a byte address in steps of 64 bytes.
pub const PLACE_W: usize = 26;

/// The place of window `window` in a vector with that of each.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "26 bits")]
pub const fn place(vector: u128, window: usize) -> u32 {
    (vector >> (PLACE_W * window)) as u32 & ((1 << PLACE_W) - 1)
}

/// A window of the memory of one ring, all in steps of 64 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// The first step.
    pub first: u32,
    /// The last step.
    pub last: u32,
    /// Added to an address, for the other ring.
    pub offset: u32,
}

/// Windows as the ports of the modules have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vectors {
    /// The windows that are used.
    pub valid: u8,
    /// Their first places.
    pub first: u128,
    /// Their last places.
    pub last: u128,
    /// Their offsets.
    pub offset: u128,
}

impl Vectors {
    /// The vectors of these windows, of which the first [`WINDOWS`] count.
    #[must_use]
    pub fn of(windows: &[Window]) -> Self {
        let mask = (1 << PLACE_W) - 1;
        let mut all = Vectors::default();
        for (n, window) in windows.iter().take(WINDOWS).enumerate() {
            let put = |value: u32| u128::from(value & mask) << (PLACE_W * n);
            all.valid |= 1 << n;
            all.first |= put(window.first);
            all.last |= put(window.last);
            all.offset |= put(window.offset);
        }
        all
    }
}
