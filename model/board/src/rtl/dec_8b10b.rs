// SPDX-License-Identifier: MIT OR Apache-2.0
//! `dec_8b10b`: 40 bits of the line into four bytes a cycle, with the errors (COD-3).

use super::{
    code_8b10b::encode,
    state::{ports, state},
};
use std::sync::OnceLock;

ports! {
    /// Inputs of `dec_8b10b`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// The codes, first bit lowest.
        s_code: u64 = 40,
    }
}

ports! {
    /// Outputs of `dec_8b10b`.
    pub struct Outputs {
        /// The bytes, lane 0 lowest; 0 where there is a code error.
        m_data: u32 = 32,
        /// Lanes with K characters.
        m_k: u8 = 4,
        /// Lanes whose code is in neither column.
        m_code_err: u8 = 4,
        /// Lanes whose code is in the column of the other disparity.
        m_disp_err: u8 = 4,
    }
}

state! {
    /// Registers of `dec_8b10b`.
    pub struct Dec8b10b("dec_8b10b", Inputs, Outputs) {
        registers {
            /// The bytes.
            data_q: u32 = 32,
            /// K characters.
            k_q: u8 = 4,
            code_err_q: u8 = 4,
            disp_err_q: u8 = 4,
            /// Running disparity after the last code.
            rd_q: bool = 1,
        }
    }
}

/// What a code means in the columns of negative and positive disparity: byte and K.
type Meaning = [Option<(u8, bool)>; 2];

/// Bytes that are K characters.
pub const K_CHARACTERS: [u8; 12] =
    [0x1C, 0x3C, 0x5C, 0x7C, 0x9C, 0xBC, 0xDC, 0xFC, 0xF7, 0xFB, 0xFD, 0xFE];

fn table() -> &'static [Meaning] {
    static TABLE: OnceLock<Vec<Meaning>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = vec![[None; 2]; 1024];
        let data = (0..=255).map(|byte| (byte, false));
        for (byte, k) in data.chain(K_CHARACTERS.map(|byte| (byte, true))) {
            for rd in [false, true] {
                let (code, _) = encode(byte, k, rd);
                table[usize::from(code)][usize::from(rd)] = Some((byte, k));
            }
        }
        table
    })
}

/// Disparity after a block of bits, or the one before it if the block is balanced.
fn after(block: u64, bits: u32, rd: bool) -> bool {
    let (ones, half) = (block.count_ones(), bits / 2);
    // 000111 and 0011, first bit lowest, count as positive.
    let upper = (1 << bits) - (1 << half);
    if ones > half || block == upper {
        true
    } else if ones < half || block == (1 << half) - 1 {
        false
    } else {
        rd
    }
}

impl Dec8b10b {
    /// Just before the edge. Depends on registers only.
    #[must_use]
    pub fn outputs(&self) -> Outputs {
        Outputs {
            m_data: self.data_q,
            m_k: self.k_q,
            m_code_err: self.code_err_q,
            m_disp_err: self.disp_err_q,
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        let mut rd = self.rd_q;
        *self = Dec8b10b::default();
        for lane in 0..4 {
            let code = i.s_code >> (10 * lane) & 0x3FF;
            let meaning = &table()[usize::try_from(code).unwrap_or_default()];
            let own = meaning[usize::from(rd)];
            match own.or(meaning[usize::from(!rd)]) {
                Some((byte, k)) => {
                    self.data_q |= u32::from(byte) << (8 * lane);
                    self.k_q |= u8::from(k) << lane;
                    self.disp_err_q |= u8::from(own.is_none()) << lane;
                }
                None => self.code_err_q |= 1 << lane,
            }
            rd = after(code >> 6, 4, after(code & 63, 6, rd));
        }
        self.rd_q = rd && !i.rst;
    }
}
