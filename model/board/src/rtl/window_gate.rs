// SPDX-License-Identifier: MIT OR Apache-2.0
//! `window_gate`: cuts data frames for which the store of a gateway may have no room (GWY-1 to GWY-4).

use super::bundle::Link;
use super::state::{ports, state};
use super::windows::{PLACE_W, place};
use awgstar_frame::contract::Token;

/// The word with which it is known whether a frame needs room.
const FIFTH: u8 = 4;
/// Words after it.
const REST: u8 = 5;

/// Address bits of the store.
pub const STORE_ADDR_W: usize = 10;

ports! {
    /// Inputs of `window_gate`.
    pub struct Inputs with parameters {
        /// Synchronous reset.
        rst: bool = 1,
        /// MAC of the board.
        cfg_mac: u64 = 48,
        /// The windows that are used.
        cfg_valid: u8 = parameters.windows(),
        /// Their first places.
        cfg_first: u128 = PLACE_W * parameters.windows(),
        /// Their last places.
        cfg_last: u128 = PLACE_W * parameters.windows(),
        /// Cycles with room that are kept for a frame.
        cfg_wait: u16 = 16,
        /// Words of the store that are free.
        free: u16 = STORE_ADDR_W + 1,
        /// The link.
        s_axis: Link = 0 => link_word,
    }
}

ports! {
    /// Outputs of `window_gate`.
    pub struct Outputs {
        /// The link for the board.
        m_axis: Link = 0 => link_word,
        /// A frame is cut.
        ev_cut: bool = 1,
    }
}

state! {
    /// Registers of `window_gate`.
    pub struct WindowGate("window_gate", Inputs, Outputs) with parameters {
        registers {
            /// Words of the frame so far, up to five.
            word_q: u8 = 3,
            /// Upper bytes of the MAC.
            mac_q: u32 = 32,
            /// The MAC is that of the board.
            own_q: bool = 1,
            /// A data frame.
            data_q: bool = 1,
            /// Lowest byte of the MAC.
            source_q: u8 = 8,
            /// Number of the frame.
            number_q: u8 = 8,
            /// Address of its Data.
            addr_q: u32 = 32,
            /// Word of the link.
            s1_tdata_q: u32 = 32,
            /// Its lanes.
            s1_tkeep_q: u8 = 4,
            /// There is one.
            s1_tvalid_q: bool = 1,
            /// Last of the frame.
            s1_tlast_q: bool = 1,
            /// M, or "aborted".
            s1_tuser_q: bool = 1,
            /// It is the fifth of a frame that needs room.
            asks_q: bool = 1,
            /// Its frame was cut.
            gone_q: bool = 1,
            /// There was room for a frame.
            room_q: bool = 1,
            /// The next room is kept for a frame.
            kept_q: bool = 1,
            /// Its source.
            kept_source_q: u8 = 8,
            /// Its number.
            kept_number_q: u8 = 8,
            /// Cycles with room for which it is kept.
            left_q: u16 = 16,
            /// Word for the board.
            m_tdata_q: u32 = 32,
            /// Its lanes.
            m_tkeep_q: u8 = 4,
            /// There is one.
            m_tvalid_q: bool = 1,
            /// Last of the frame.
            m_tlast_q: bool = 1,
            /// M, or "aborted".
            m_tuser_q: bool = 1,
        }
    }
}

impl WindowGate {
    /// Words of the store that a frame needs: the receive buffer, a word more for each frame in it, the frame itself
    /// and three words in registers.
    #[must_use]
    pub fn reserve(&self) -> u32 {
        let p = &self.parameters;
        (1 << p.rx_addr_w()) + (1 << p.rx_header_addr_w()) + 257 + 3
    }

    /// A frame with this address may reach a window.
    fn touches(&self, i: &Inputs) -> bool {
        let from = self.addr_q >> 6;
        let to = u64::from(self.addr_q).wrapping_add(1023) >> 6;
        (0..self.parameters.windows()).any(|n| {
            i.cfg_valid >> n & 1 != 0
                && from <= place(i.cfg_last, n)
                && to >= u64::from(place(i.cfg_first, n))
        })
    }

    /// There is room for a frame.
    fn pass(&self) -> bool {
        self.room_q && (!self.kept_q || self.is_first())
    }

    fn cut(&self) -> bool {
        self.asks_q && !self.pass()
    }

    fn is_first(&self) -> bool {
        self.kept_q && self.source_q == self.kept_source_q
    }

    /// Just before the edge.
    #[must_use]
    pub fn outputs(&self, _: &Inputs) -> Outputs {
        Outputs {
            m_axis: Link {
                tdata: self.m_tdata_q,
                tkeep: self.m_tkeep_q,
                tvalid: self.m_tvalid_q,
                tlast: self.m_tlast_q,
                tuser: self.m_tuser_q,
            },
            ev_cut: self.cut(),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        let cut = self.cut();
        self.keep_place(i);
        self.room_q = u32::from(i.free) >= self.reserve();

        self.m_tvalid_q = self.s1_tvalid_q && !self.gone_q;
        (self.m_tdata_q, self.m_tkeep_q, self.m_tlast_q, self.m_tuser_q) = if cut {
            (0, 15, true, true)
        } else {
            (self.s1_tdata_q, self.s1_tkeep_q, self.s1_tlast_q, self.s1_tuser_q)
        };
        self.gone_q = (self.gone_q || cut) && !(self.s1_tvalid_q && self.s1_tlast_q);

        let word = &i.s_axis;
        (self.s1_tdata_q, self.s1_tkeep_q) = (word.tdata, word.tkeep);
        (self.s1_tvalid_q, self.s1_tlast_q, self.s1_tuser_q) =
            (word.tvalid, word.tlast, word.tuser);
        self.asks_q =
            word.tvalid && self.word_q == FIFTH && self.data_q && !self.own_q && self.touches(i);
        if word.tvalid {
            self.read(i);
            self.word_q = match self.word_q {
                _ if word.tlast => 0,
                REST => REST,
                before => (before + 1) & 7,
            };
        }
        if i.rst {
            self.word_q = 0;
            (self.s1_tvalid_q, self.asks_q, self.gone_q) = (false, false, false);
            (self.room_q, self.kept_q, self.m_tvalid_q) = (false, false, false);
        }
    }

    /// Whose the next room is.
    fn keep_place(&mut self, i: &Inputs) {
        let (first, cut) = (self.is_first(), self.cut());
        let there = self.asks_q && self.pass() && first && self.number_q == self.kept_number_q;
        if self.kept_q {
            if self.room_q {
                self.kept_q = self.left_q != 0;
                self.left_q = self.left_q.saturating_sub(1);
            }
        } else if cut {
            self.kept_q = true;
            (self.kept_source_q, self.kept_number_q) = (self.source_q, self.number_q);
            self.left_q = i.cfg_wait;
        }
        if cut && first {
            self.left_q = i.cfg_wait;
        }
        if there {
            self.kept_q = false;
        }
    }

    /// A word of the header.
    fn read(&mut self, i: &Inputs) {
        let bytes = i.s_axis.tdata.to_le_bytes();
        let half = |at: usize| u32::from(bytes[at]) << 8 | u32::from(bytes[at + 1]);
        match self.word_q {
            0 => self.mac_q = i.s_axis.tdata.swap_bytes(),
            1 => {
                let mac = u64::from(self.mac_q) << 16 | u64::from(half(0));
                self.own_q = mac == i.cfg_mac;
                self.source_q = bytes[1];
                self.data_q = bytes[2] >> 5 == Token::Data.code();
            }
            2 => {
                self.number_q = bytes[1];
                self.addr_q = half(2) << 16 | self.addr_q & 0xFFFF;
            }
            3 => self.addr_q = self.addr_q & 0xFFFF_0000 | half(0),
            _ => {}
        }
    }
}
