// SPDX-License-Identifier: MIT OR Apache-2.0
//! `elastic_buffer`: frames from the clock of the line into the clock of the node (LNK-5 to LNK-7).
//!
//! A clock among the inputs is true in a step in which it rises.

use super::{
    clock_crossing::{self, ClockCrossing},
    state::{ports, state},
};
use crate::rtl::bundle::Link;

ports! {
    /// Inputs of `elastic_buffer`.
    pub struct Inputs {
        /// The clock of the line.
        wr_clk: bool = 1,
        /// Its synchronous reset.
        wr_rst: bool = 1,
        /// A word of the link.
        s_axis: Link = 0 => link_word,
        /// The clock of the node.
        rd_clk: bool = 1,
        /// Its synchronous reset.
        rd_rst: bool = 1,
    }
}

ports! {
    /// Outputs of `elastic_buffer`.
    pub struct Outputs with parameters {
        /// A frame finds no room.
        ev_overflow: bool = 1,
        /// A word of the link.
        m_axis: Link = 0 => link_word,
        /// A word of a frame is missing.
        ev_underrun: bool = 1,
        /// Words that wait.
        words: u16 = parameters.elastic_addr_w() + 1,
    }
}

state! {
    /// Registers of `elastic_buffer`.
    pub struct ElasticBuffer("elastic_buffer", Inputs, Outputs) {
        registers {
            /// The frame under way is dropped up to its last word.
            lost_q: bool = 1,
            /// A frame has begun to leave and not ended.
            inside_q: bool = 1,
            /// The last word of a frame left in the cycle before.
            ended_q: bool = 1,
            /// The words that wait did so in the cycle before.
            waited_q: bool = 1,
        }
        children {
            /// The words.
            u_crossing: ClockCrossing,
        }
    }
}

const ABORT: u64 = 0b11_1111 << 32;
const LAST: u64 = 1 << 36;

impl ElasticBuffer {
    fn takes(&self, words: u16) -> bool {
        let ahead = words > 1 || self.waited_q;
        words != 0 && (self.inside_q || !self.ended_q && ahead)
    }

    /// Just before the edges.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the parts of the word")]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let crossing = self.u_crossing.outputs();
        let word = crossing.rd_data;
        Outputs {
            ev_overflow: i.s_axis.tvalid && !self.lost_q && crossing.wr_free <= 1,
            m_axis: Link {
                tdata: word as u32,
                tkeep: (word >> 32) as u8 & 15,
                tvalid: self.takes(crossing.rd_words),
                tlast: word & LAST != 0,
                tuser: word >> 37 != 0,
            },
            ev_underrun: self.inside_q && crossing.rd_words == 0,
            words: crossing.rd_words,
        }
    }

    /// The edges of the clocks that rise.
    pub fn clock(&mut self, i: &Inputs) {
        let crossing = self.u_crossing.outputs();
        let room = crossing.wr_free > 1;
        let flags = u64::from(i.s_axis.tuser) << 5 | u64::from(i.s_axis.tlast) << 4;
        let word = (flags | u64::from(i.s_axis.tkeep)) << 32 | u64::from(i.s_axis.tdata);
        let take = self.takes(crossing.rd_words);
        let last = crossing.rd_data & LAST != 0;
        self.u_crossing.clock(&clock_crossing::Inputs {
            wr_clk: i.wr_clk,
            wr_rst: i.wr_rst,
            wr_valid: i.s_axis.tvalid && !self.lost_q,
            wr_data: if room { word } else { ABORT },
            rd_clk: i.rd_clk,
            rd_rst: i.rd_rst,
            rd_ready: take,
        });
        if i.wr_clk {
            if i.s_axis.tvalid {
                self.lost_q = !i.s_axis.tlast && (self.lost_q || !room);
            }
            self.lost_q &= !i.wr_rst;
        }
        if i.rd_clk {
            self.inside_q = if take { !last } else { self.inside_q };
            self.ended_q = take && last;
            self.waited_q = crossing.rd_words != 0 && !take;
            if i.rd_rst {
                (self.inside_q, self.ended_q, self.waited_q) = (false, false, false);
            }
        }
    }
}
