// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ring_egress`: frames of the insertion buffer and of this node, one after the other on the
//! link (NODE-8).

use super::{
    frame_tx::keep_of,
    state::{ports, state},
};
use crate::rtl::bundle::Link;
use awgstar_frame::contract::{fsm, node::BUFFER_WORD_W};

/// Between frames.
pub const READY: u8 = fsm::code("ring_egress", "ready");
/// A frame from the buffer.
pub const PASS: u8 = fsm::code("ring_egress", "pass");
/// A frame of our own.
pub const INSERT: u8 = fsm::code("ring_egress", "insert");

ports! {
    /// Inputs of `ring_egress`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// Head of the insertion buffer.
        rd_word: u64 = BUFFER_WORD_W,
        /// It has words.
        some: bool = 1,
        /// Any grant.
        grant: bool = 1,
        /// Cycles of INSERT for it.
        grant_cycles: u16 = 9,
        /// Word of `frame_tx`.
        tx_tdata: u32 = 32,
        /// Valid byte lanes of the beat.
        tx_tkeep: u8 = 4,
        /// There is a word.
        tx_tvalid: bool = 1,
        /// Last of the frame.
        tx_tlast: bool = 1,
        /// The frame was cut.
        tx_tuser: bool = 1,
    }
}

ports! {
    /// Outputs of `ring_egress`.
    pub struct Outputs {
        /// Take the head of the buffer.
        rd_ready: bool = 1,
        /// A grant is possible in this cycle.
        boundary: bool = 1,
        /// A word of the link.
        m_axis: Link = 0 => link_word,
    }
}

state! {
    /// Registers of `ring_egress`.
    pub struct RingEgress("ring_egress", Inputs, Outputs) with parameters {
        registers {
            state_q: u8 = 2,
            /// Cycles of INSERT still to come, this one included.
            left_q: u16 = 9,
            /// INSERT, and a grant is possible: `left_q` is 2 at most, or 1 with `OWN_IDLE` 2.
            ending_q: bool = 1,
            /// `m_axis_tvalid`.
            m_valid_q: bool = 1,
            /// `m_axis_tdata`.
            m_data_q: u32 = 32,
            /// Bytes of the word modulo 4.
            m_code_q: u8 = 2,
            /// `m_axis_tlast`.
            m_last_q: bool = 1,
            /// `m_axis_tuser`.
            m_user_q: bool = 1,
        }
    }
}

/// Not last, and not 4 bytes: no word of a frame.
#[inline]
const fn is_idle_slot(word: u64) -> bool {
    word >> 34 & 1 == 0 && word >> 32 & 3 != 0
}

/// Bytes modulo 4 of a word with this `tkeep` (LNK-2).
#[inline]
const fn code_of(keep: u8) -> u8 {
    (keep & !(keep >> 2) & 2) | (keep.count_ones() & 1) as u8
}

impl RingEgress {
    /// `m_axis_tkeep`.
    #[inline]
    #[must_use]
    pub fn keep(&self) -> u8 {
        keep_of(self.m_code_q)
    }

    /// A grant is possible in this cycle.
    #[inline]
    pub(super) fn boundary(&self, rd_word: u64, some: bool) -> bool {
        match self.state_q {
            PASS => some && is_idle_slot(rd_word),
            INSERT => self.ending_q,
            _ => true,
        }
    }

    /// The head of the buffer is taken.
    #[inline]
    pub(super) fn rd_ready(&self, grant: bool) -> bool {
        self.state_q == PASS || (self.state_q == READY && !grant)
    }

    /// Just before the edge.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        Outputs {
            rd_ready: self.rd_ready(i.grant),
            boundary: self.boundary(i.rd_word, i.some),
            m_axis: Link {
                tdata: self.m_data_q,
                tkeep: self.keep(),
                tvalid: self.m_valid_q,
                tlast: self.m_last_q,
                tuser: self.m_user_q,
            },
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let idle_slot = is_idle_slot(i.rd_word);
        let some = i.some;
        let starts = i.grant && self.boundary(i.rd_word, some);
        self.ending_q = false;
        self.m_valid_q = false;
        match self.state_q {
            INSERT => {
                if i.tx_tvalid {
                    self.m_valid_q = true;
                    (self.m_data_q, self.m_code_q) = (i.tx_tdata, code_of(i.tx_tkeep));
                    (self.m_last_q, self.m_user_q) = (i.tx_tlast, i.tx_tuser);
                }
                if self.left_q == 1 {
                    self.state_q = READY;
                }
                // LNK-5: with two idle words before own frames a grant comes a cycle later.
                self.ending_q =
                    self.left_q == 2 || (self.left_q == 3 && self.parameters.own_idle() == 1);
                self.left_q = self.left_q.wrapping_sub(1) & 0x1ff;
            }
            PASS if some && idle_slot => self.state_q = READY,
            _ if some && !idle_slot && !starts => {
                self.load(i.rd_word);
                self.state_q = PASS;
            }
            _ => {}
        }
        if starts {
            self.state_q = INSERT;
            self.left_q = i.grant_cycles;
            self.ending_q = false;
        }
        if i.rst {
            self.state_q = READY;
            self.ending_q = false;
            self.m_valid_q = false;
        }
    }

    /// Returns true if the head of the buffer is a word of 4 bytes, not the last, inside a frame
    /// that passes.
    #[inline]
    pub(super) fn is_inside(&self, head: u64, some: bool) -> bool {
        self.state_q == PASS && some && (head >> 32).trailing_zeros() >= 3
    }

    /// Sends the word at the head.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the data of the word")]
    pub(super) fn pass_inside(&mut self, head: u64) {
        self.m_valid_q = true;
        (self.m_data_q, self.m_code_q) = (head as u32, 0);
        self.ending_q = false;
        (self.m_last_q, self.m_user_q) = (false, head >> 35 & 1 != 0);
    }

    /// A word of the buffer goes out.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the parts of the word")]
    fn load(&mut self, word: u64) {
        self.m_valid_q = true;
        self.m_data_q = word as u32;
        self.m_code_q = (word >> 32) as u8 & 3;
        self.m_last_q = word >> 34 & 1 != 0;
        self.m_user_q = word >> 35 & 1 != 0;
    }
}
