// SPDX-License-Identifier: MIT OR Apache-2.0
//! `code_8b10b`: the 8b/10b code of one byte (COD-1, COD-2). Combinational.

use super::state::{ports, state};

ports! {
    /// Inputs of `code_8b10b`.
    pub struct Inputs {
        /// The byte.
        data: u8 = 8,
        /// It is one of the 12 K characters.
        k: bool = 1,
        /// Running disparity before the code; true is positive.
        rd: bool = 1,
    }
}

ports! {
    /// Outputs of `code_8b10b`.
    pub struct Outputs {
        /// The code, bit a lowest.
        code: u16 = 10,
        /// Running disparity after it.
        rd_next: bool = 1,
    }
}

state! {
    /// `code_8b10b` has no registers.
    pub struct Code8b10b("code_8b10b", Inputs, Outputs) {}
}

/// abcdei of the 32 values for negative disparity, bit a first.
const SIX: [u8; 32] = [
    0b10_0111, 0b01_1101, 0b10_1101, 0b11_0001, 0b11_0101, 0b10_1001, 0b01_1001, 0b11_1000,
    0b11_1001, 0b10_0101, 0b01_0101, 0b11_0100, 0b00_1101, 0b10_1100, 0b01_1100, 0b01_0111,
    0b01_1011, 0b10_0011, 0b01_0011, 0b11_0010, 0b00_1011, 0b10_1010, 0b01_1010, 0b11_1010,
    0b11_0011, 0b10_0110, 0b01_0110, 0b11_0110, 0b00_1110, 0b10_1110, 0b01_1110, 0b10_1011,
];
/// fghj of the 8 values for negative disparity, bit f first.
const FOUR: [u8; 8] = [0b1011, 0b1001, 0b0101, 0b1100, 0b1101, 0b1010, 0b0110, 0b1110];
/// fghj behind K28 for negative disparity before the K28.
const FOUR_K28: [u8; 8] = [0b0100, 0b1001, 0b0101, 0b0011, 0b0010, 0b1010, 0b0110, 0b1000];

/// Code of a byte for a running disparity, and the disparity after it.
#[must_use]
pub fn encode(data: u8, k: bool, rd: bool) -> (u16, bool) {
    let (x, y) = (usize::from(data & 31), usize::from(data >> 5));
    let (mut six, mut four);
    let rd_six;
    if k && x == 28 {
        (six, four) = (0b00_1111, FOUR_K28[y]);
        if rd {
            (six, four) = (!six & 63, !four & 15);
        }
        rd_six = !rd;
    } else {
        six = SIX[x];
        let balanced = six.count_ones() == 3;
        if rd && (!balanced || x == 7) {
            six = !six & 63;
        }
        rd_six = rd == balanced;
        let other_form =
            y == 7 && (k || matches!((rd_six, x), (false, 17 | 18 | 20) | (true, 11 | 13 | 14)));
        four = if other_form { 0b0111 } else { FOUR[y] };
        if rd_six && (four.count_ones() != 2 || y == 3) {
            four = !four & 15;
        }
    }
    let rd_next = rd_six == (four.count_ones() == 2);
    let code = u16::from(six) << 4 | u16::from(four);
    (code.reverse_bits() >> 6, rd_next)
}

impl Code8b10b {
    /// The code.
    #[must_use]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let (code, rd_next) = encode(i.data, i.k, i.rd);
        Outputs { code, rd_next }
    }
}
