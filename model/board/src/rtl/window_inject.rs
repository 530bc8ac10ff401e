// SPDX-License-Identifier: MIT OR Apache-2.0
//! `window_inject`: writes words of the other ring into the shared memory, beside the board's host (GWY-6, GWY-7).

use super::state::{ports, state};

ports! {
    /// Inputs of `window_inject`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// There is a word.
        s_valid: bool = 1,
        /// Address, strobes and data.
        s_word: u64 = 64,
        /// The host asks.
        h_valid: bool = 1,
        /// For a write.
        h_write: bool = 1,
        /// Its address.
        h_addr: u32 = 32,
        /// Its data.
        h_wdata: u32 = 32,
        /// Its strobes.
        h_wstrb: u8 = 4,
        /// The board answers.
        rsp_valid: bool = 1,
        /// With an error.
        rsp_error: bool = 1,
        /// What was read.
        rsp_rdata: u32 = 32,
    }
}

ports! {
    /// Outputs of `window_inject`.
    pub struct Outputs {
        /// The word is taken.
        s_ready: bool = 1,
        /// The answer is that of the host.
        h_done: bool = 1,
        /// The access has failed.
        h_error: bool = 1,
        /// What was read.
        h_rdata: u32 = 32,
        /// A request.
        req_valid: bool = 1,
        /// For a write.
        req_write: bool = 1,
        /// Its address.
        req_addr: u32 = 32,
        /// Its data.
        req_wdata: u32 = 32,
        /// Its strobes.
        req_wstrb: u8 = 4,
    }
}

state! {
    /// Registers of `window_inject`.
    pub struct WindowInject("window_inject", Inputs, Outputs) {
        registers {
            /// There is a next word.
            more_q: bool = 1,
            /// It: address, strobes and data.
            next_q: u64 = 64,
            /// There is a word.
            full_q: bool = 1,
            /// Address, strobes and data.
            word_q: u64 = 64,
            /// The request is that of the word.
            mine_q: bool = 1,
        }
    }
}

impl WindowInject {
    /// The word is written, or there is none: the next one takes its place.
    fn moves(&self, i: &Inputs) -> bool {
        !self.full_q || self.mine_q && i.rsp_valid && !i.rsp_error
    }

    /// Just before the edge. The request does not depend on the answer.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "parts of a word")]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let (mine, word) = (self.mine_q, self.word_q);
        let (addr, wdata, wstrb) = if mine {
            (1 << 31 | ((word >> 36) as u32) << 2, word as u32, (word >> 32) as u8 & 15)
        } else {
            (i.h_addr, i.h_wdata, i.h_wstrb)
        };
        Outputs {
            s_ready: !self.more_q || self.moves(i),
            h_done: i.rsp_valid && !mine,
            h_error: i.rsp_error,
            h_rdata: i.rsp_rdata,
            req_valid: mine || i.h_valid,
            req_write: mine || i.h_write,
            req_addr: addr,
            req_wdata: wdata,
            req_wstrb: wstrb,
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        let o = self.outputs(i);
        if self.moves(i) {
            (self.full_q, self.word_q) = (self.more_q, self.next_q);
        }
        if o.s_ready {
            (self.more_q, self.next_q) = (i.s_valid, i.s_word);
        }
        if !o.req_valid || i.rsp_valid {
            self.mine_q = self.full_q && !(self.mine_q && i.h_valid);
        }
        if i.rst {
            (self.more_q, self.full_q, self.mine_q) = (false, false, false);
        }
    }
}
