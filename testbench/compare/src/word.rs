// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a design shows of a signal, what is expected of it, and which bits are wrong.

use awgstar_stimulus::shape::ones;

/// A value in four states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Value; 0 where X or Z.
    pub value: u128,
    /// 1 where X or Z.
    pub x: u128,
}

impl Seen {
    /// A value of a simulation in two states.
    #[must_use]
    pub const fn known(value: u128) -> Self {
        Seen { value, x: 0 }
    }

    /// X in every bit.
    #[must_use]
    pub const fn unknown(bits: usize) -> Self {
        Seen { value: 0, x: ones(bits) }
    }

    /// Binary digits, as Verilog prints them with `%b`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.chars().try_fold(Seen::default(), |seen, c| {
            let (value, x) = match c {
                '0' => (0, 0),
                '1' => (1, 0),
                'x' | 'z' | 'X' | 'Z' => (0, 1),
                _ => return None,
            };
            Some(Seen { value: seen.value << 1 | value, x: seen.x << 1 | x })
        })
    }

    /// Hexadecimal digits, `x` for one with a bit that is X.
    #[must_use]
    pub fn hex(self, bits: usize) -> String {
        let digit = |at: usize| match self.x >> (4 * at) & 0xf {
            0 => format!("{:x}", self.value >> (4 * at) & 0xf),
            _ => "x".to_owned(),
        };
        (0..bits.div_ceil(4)).rev().map(digit).collect()
    }
}

/// What a design must show of a signal.
///
/// Every rule of a comparison (an unknown start, a port without a meaning, a reset) is made of `care` and `care_x`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    pub value: u128,
    /// 1 where a known bit must have that value.
    pub care: u128,
    /// 1 where the bit must be known.
    pub care_x: u128,
}

impl Expected {
    /// This value in every bit.
    #[must_use]
    pub const fn exactly(value: u128, bits: usize) -> Self {
        Expected { value, care: ones(bits), care_x: ones(bits) }
    }

    /// The value of a model that starts in several states: bits in which they differ are unknown. An X in one bit of
    /// several proves nothing, because Verilog makes a whole `case` X when one bit of its selector is: only a value
    /// that is known in whole must be.
    #[must_use]
    pub const fn agreed(value: u128, differ: u128, bits: usize) -> Self {
        let care_x = if differ == 0 { ones(bits) } else { 0 };
        Expected { value, care: !differ & ones(bits), care_x }
    }

    /// The same in the bits of `mask` only.
    #[must_use]
    pub const fn within(self, mask: u128) -> Self {
        Expected { value: self.value, care: self.care & mask, care_x: self.care_x & mask }
    }

    /// The bits that are wrong.
    #[must_use]
    pub const fn wrong(self, seen: Seen) -> u128 {
        (seen.value ^ self.value) & self.care & !seen.x | seen.x & self.care_x
    }
}
