// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mem_writer`: the valid bytes of a data frame, one word a cycle, whatever the alignment
//! (RCV-4).

use super::state::{ports, state};
use awgstar_frame::contract::fsm;

/// No frame.
pub const IDLE: u8 = fsm::code("mem_writer", "idle");
/// Beats are written as they come.
pub const RUN: u8 = fsm::code("mem_writer", "run");
/// The rest of the last beat.
pub const TAIL: u8 = fsm::code("mem_writer", "tail");
const AT_W: usize = 12;

ports! {
    /// Inputs of `mem_writer`.
    pub struct Inputs with parameters {
        /// Synchronous reset.
        rst: bool = 1,
        /// A frame begins.
        start: bool = 1,
        /// Byte address of the first valid byte of the frame.
        addr: u32 = parameters.mem_addr_w() + 2,
        /// Number of valid bytes of the frame.
        len: u16 = 11,
        /// Data of the frame.
        s_axis_tdata: u32 = 32,
        /// The beat is valid.
        s_axis_tvalid: bool = 1,
        /// Last of the frame.
        s_axis_tlast: bool = 1,
    }
}

ports! {
    /// Outputs of `mem_writer`.
    pub struct Outputs with parameters {
        /// The beat is taken.
        s_axis_tready: bool = 1,
        /// Word of the memory.
        mem_addr: u32 = parameters.mem_addr_w(),
        /// Lanes written.
        mem_we: u8 = 4,
        /// Write data for the memory.
        mem_wdata: u32 = 32,
        /// The frame is done.
        done: bool = 1,
    }
}

state! {
    /// Registers of `mem_writer`.
    pub struct MemWriter("mem_writer", Inputs, Outputs) with parameters {
        registers {
            state_q: u8 = 2,
            /// Address of the next word.
            word_q: u32 = parameters.mem_addr_w(),
            /// Bytes of the first word before the first valid one.
            shift_q: u8 = 2,
            /// Bytes before the next word.
            at_q: u16 = AT_W,
            /// Shift and valid bytes.
            end_q: u16 = AT_W,
            /// The last beat.
            carry_q: u32 = 32,
            /// Word of the memory that is written in this cycle.
            mem_addr_q: u32 = parameters.mem_addr_w(),
            /// Its lanes.
            mem_we_q: u8 = 4,
            /// Its data.
            mem_wdata_q: u32 = 32,
        }
    }
}

impl MemWriter {
    /// Ones in the bits of an address of a word.
    #[inline]
    fn mask(&self) -> u32 {
        (1 << self.parameters.mem_addr_w()) - 1
    }

    /// Lanes of the next word that are to be written.
    #[inline]
    fn due(&self) -> u8 {
        let lane = |l: u16| {
            let at = (self.at_q + l) & ((1 << AT_W) - 1);
            u8::from(at >= self.shift_q.into() && at < self.end_q) << l
        };
        lane(0) | lane(1) | lane(2) | lane(3)
    }

    /// Valid bytes are left when this word is written.
    #[inline]
    fn more(&self) -> bool {
        (self.at_q + 4) & ((1 << AT_W) - 1) < self.end_q
    }

    /// Just before the edge. `s_axis_tready` depends on registers only.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let (run, tail) = (self.state_q == RUN, self.state_q == TAIL);
        let beat = run && i.s_axis_tvalid;
        Outputs {
            s_axis_tready: run,
            mem_addr: self.mem_addr_q,
            mem_we: self.mem_we_q,
            mem_wdata: self.mem_wdata_q,
            done: tail || (beat && i.s_axis_tlast && !self.more()),
        }
    }

    /// The clock edge.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
    pub fn clock(&mut self, i: &Inputs) {
        let (idle, tail) = (self.state_q == IDLE, self.state_q == TAIL);
        let writes = tail || (self.state_q == RUN && i.s_axis_tvalid);
        let above = if tail { 0 } else { i.s_axis_tdata };
        let both = u64::from(above) << 32 | u64::from(self.carry_q);
        self.mem_addr_q = self.word_q;
        self.mem_we_q = if writes { self.due() } else { 0 };
        self.mem_wdata_q = (both >> (8 * (4 - u32::from(self.shift_q & 3)))) as u32;
        match self.state_q {
            RUN if i.s_axis_tvalid => {
                if i.s_axis_tlast {
                    self.state_q = if self.more() { TAIL } else { IDLE };
                }
                self.word_q = (self.word_q + 1) & self.mask();
                self.at_q = (self.at_q + 4) & ((1 << AT_W) - 1);
                self.carry_q = i.s_axis_tdata;
            }
            TAIL => self.state_q = IDLE,
            _ => {}
        }
        if i.start && idle {
            self.word_q = i.addr >> 2 & self.mask();
            self.shift_q = i.addr.to_le_bytes()[0] & 3;
            (self.at_q, self.end_q, self.carry_q) = (0, u16::from(self.shift_q) + i.len, 0);
            self.state_q = RUN;
        }
        if i.rst {
            self.state_q = IDLE;
            self.mem_we_q = 0;
        }
    }
}
