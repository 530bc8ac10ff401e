// SPDX-License-Identifier: MIT OR Apache-2.0
//! `enc_8b10b`: four bytes a cycle into 40 bits of the line (COD-1, COD-2).

use super::{
    code_8b10b::encode,
    state::{ports, state},
};

ports! {
    /// Inputs of `enc_8b10b`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// The bytes, lane 0 lowest.
        s_data: u32 = 32,
        /// Lanes with K characters.
        s_k: u8 = 4,
    }
}

ports! {
    /// Outputs of `enc_8b10b`.
    pub struct Outputs {
        /// The code, first bit lowest.
        m_code: u64 = 40,
    }
}

state! {
    /// Registers of `enc_8b10b`.
    pub struct Enc8b10b("enc_8b10b", Inputs, Outputs) {
        registers {
            code_q: u64 = 40,
            /// Running disparity after it.
            rd_q: bool = 1,
        }
    }
}

impl Enc8b10b {
    /// Just before the edge. Depends on registers only.
    #[must_use]
    pub fn outputs(&self) -> Outputs {
        Outputs { m_code: self.code_q }
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        self.code_q = 0;
        for (lane, data) in i.s_data.to_le_bytes().into_iter().enumerate() {
            let (code, rd) = encode(data, i.s_k >> lane & 1 != 0, self.rd_q);
            self.code_q |= u64::from(code) << (10 * lane);
            self.rd_q = rd;
        }
        if i.rst {
            self.rd_q = false;
        }
    }
}
