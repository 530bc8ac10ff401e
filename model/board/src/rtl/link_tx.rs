// SPDX-License-Identifier: MIT OR Apache-2.0
//! `link_tx`: words of a node's link into bytes and K codes (COD-6).

use super::state::{ports, state};
use crate::rtl::bundle::Link;

/// Lanes 0 to 3 of an idle set: K28.5 D21.4 D21.5 D21.5.
pub const IDLE: [u8; 4] = [0xBC, 0x95, 0xB5, 0xB5];

ports! {
    /// Inputs of `link_tx`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// A word of the link.
        s_axis: Link = 0 => link_word,
    }
}

ports! {
    /// Outputs of `link_tx`.
    pub struct Outputs {
        /// Bytes for the encoder.
        m_data: u32 = 32,
        /// Lanes with K characters.
        m_k: u8 = 4,
    }
}

state! {
    /// Registers of `link_tx`.
    pub struct LinkTx("link_tx", Inputs, Outputs) {
        registers {
            /// A word of a frame is held.
            valid_q: bool = 1,
            /// The word.
            data_q: u32 = 32,
            /// Last of its frame.
            last_q: bool = 1,
            /// How the frame ends if it is the last.
            ends_q: u8 = 4,
            /// How the frame before this set ended; 0: there is none.
            end_q: u8 = 4,
        }
    }
}

impl LinkTx {
    /// Just before the edge.
    #[must_use]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        if self.valid_q {
            return Outputs { m_data: self.data_q, m_k: 0 };
        }
        let monitor = i.s_axis.tuser && !i.s_axis.tlast;
        let begins = u8::from(i.s_axis.tvalid) << 1 | u8::from(i.s_axis.tvalid && monitor);
        let [comma, one, two, three] = IDLE;
        let set = [comma, one ^ self.end_q, two ^ begins << 4, three ^ begins << 4 ^ self.end_q];
        Outputs { m_data: u32::from_le_bytes(set), m_k: 1 }
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        self.end_q = if self.valid_q && self.last_q && !i.rst { self.ends_q } else { 0 };
        if i.s_axis.tvalid {
            self.data_q = i.s_axis.tdata;
            self.last_q = i.s_axis.tlast;
            let bytes = match i.s_axis.tkeep {
                0b1111 => Some(0),
                0b0111 => Some(3),
                0b0011 => Some(2),
                0b0001 => Some(1),
                _ => None,
            };
            let aborted = i.s_axis.tuser || bytes.is_none();
            self.ends_q = 0b1000 | u8::from(aborted) << 2 | bytes.unwrap_or(0);
        }
        self.valid_q = i.s_axis.tvalid && !i.rst;
    }
}
