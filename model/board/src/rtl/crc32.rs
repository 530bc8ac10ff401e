// SPDX-License-Identifier: MIT OR Apache-2.0
//! `crc32`: CRC-32 of IEEE 802.3 over one link word, combinational (CRC-1, CRC-2, FCS-1).

use super::state::{ports, state};
use awgstar_frame::contract::limits::CRC32_POLY_REFLECTED;

ports! {
    /// Inputs of `crc32`.
    pub struct Inputs {
        /// Register before the word.
        crc_in: u32 = 32,
        /// The word, lane 0 lowest.
        tdata: u32 = 32,
        /// Lanes that count.
        tkeep: u8 = 4,
    }
}

ports! {
    /// Outputs of `crc32`.
    pub struct Outputs {
        /// Register after the word.
        crc_out: u32 = 32,
    }
}

state! {
    /// `crc32` has no registers.
    pub struct Crc32("crc32", Inputs, Outputs) {}
}

impl Crc32 {
    /// The ports.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        Outputs { crc_out: step(i.crc_in, i.tdata, i.tkeep) }
    }
}

/// `TABLES[n][b]`: what byte `b` leaves in a register of zero when `n` zero bytes follow it.
static TABLES: [[u32; 256]; 4] = tables();

const fn tables() -> [[u32; 256]; 4] {
    let mut t = [[0; 256]; 4];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "below 256")]
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ CRC32_POLY_REFLECTED } else { crc >> 1 };
            bit += 1;
        }
        t[0][byte] = crc;
        byte += 1;
    }
    let mut n = 1;
    while n < 4 {
        byte = 0;
        while byte < 256 {
            let before = t[n - 1][byte];
            t[n][byte] = before >> 8 ^ t[0][(before & 0xff) as usize];
            byte += 1;
        }
        n += 1;
    }
    t
}

/// The register after the marked bytes of a word, lane 0 first (CRC-1).
#[must_use]
#[inline]
pub fn step(crc: u32, tdata: u32, tkeep: u8) -> u32 {
    let mixed = crc ^ tdata;
    if tkeep == 0b1111 {
        let [a, b, c, d] = mixed.to_le_bytes();
        return TABLES[3][usize::from(a)]
            ^ TABLES[2][usize::from(b)]
            ^ TABLES[1][usize::from(c)]
            ^ TABLES[0][usize::from(d)];
    }
    let bytes = match tkeep {
        0b0001 => 1,
        0b0011 => 2,
        0b0111 => 3,
        _ => 0, // CRC-2
    };
    (0..bytes).fold(crc, |crc, lane| {
        let byte = crc ^ tdata >> (8 * lane);
        crc >> 8 ^ TABLES[0][(byte & 0xff) as usize]
    })
}
