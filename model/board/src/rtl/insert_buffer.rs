// SPDX-License-Identifier: MIT OR Apache-2.0
//! `insert_buffer`: FIFO of link words with a registered head (NODE-9).

use super::state::{ports, state};
use awgstar_frame::contract::node::BUFFER_WORD_W;

ports! {
    /// Inputs of `insert_buffer`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// Write in this cycle.
        wr_valid: bool = 1,
        /// The word to write.
        wr_word: u64 = BUFFER_WORD_W,
        /// Take the head in this cycle.
        rd_ready: bool = 1,
    }
}

ports! {
    /// Outputs of `insert_buffer`.
    pub struct Outputs with parameters {
        /// The head; means something when `words` is not 0.
        rd_word: u64 = BUFFER_WORD_W,
        /// Words inside.
        words: u16 = parameters.buffer_addr_w() + 1,
    }
}

state! {
    /// Registers and memory of `insert_buffer`.
    pub struct InsertBuffer("insert_buffer", Inputs, Outputs) with parameters {
        registers {
            /// Address of the next word.
            wr_ptr_q: u16 = parameters.buffer_addr_w(),
            /// Address of the head.
            rd_ptr_q: u16 = parameters.buffer_addr_w(),
            /// Words inside.
            words_q: u16 = parameters.buffer_addr_w() + 1,
            /// The head.
            head_q: u64 = BUFFER_WORD_W,
        }
        buffers {
            /// The words.
            mem: [u64; 1 << parameters.buffer_addr_w()] = BUFFER_WORD_W => U64,
        }
    }
}

impl InsertBuffer {
    /// Ones in the bits of an address.
    #[inline]
    fn mask(&self) -> u16 {
        self.mem.full() - 1
    }

    /// Just before the edge. Depends on registers only.
    #[must_use]
    #[inline]
    pub fn outputs(&self) -> Outputs {
        Outputs { rd_word: self.head_q, words: self.words_q }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let push = i.wr_valid && self.words_q != self.mem.full();
        let pop = i.rd_ready && self.words_q != 0;
        let rd_ptr_d = (self.rd_ptr_q + u16::from(pop)) & self.mask();
        if push {
            *self.mem.at_mut(self.wr_ptr_q) = i.wr_word;
        }
        // After the write, so that a word written to the head's place is seen there.
        self.head_q = self.mem.at(rd_ptr_d);
        self.wr_ptr_q = (self.wr_ptr_q + u16::from(push)) & self.mask();
        self.rd_ptr_q = rd_ptr_d;
        self.words_q = self.words_q.wrapping_add(push.into()).wrapping_sub(pop.into());
        if i.rst {
            (self.wr_ptr_q, self.rd_ptr_q, self.words_q) = (0, 0, 0);
        }
    }

    /// The clock edge out of reset in which the head is taken; there is one.
    #[inline]
    pub(super) fn stream(&mut self, push: bool, word: u64) {
        let push = push && self.words_q != self.mem.full();
        if push {
            *self.mem.at_mut(self.wr_ptr_q) = word;
        }
        self.rd_ptr_q = (self.rd_ptr_q + 1) & self.mask();
        self.head_q = self.mem.at(self.rd_ptr_q);
        self.wr_ptr_q = (self.wr_ptr_q + u16::from(push)) & self.mask();
        self.words_q = self.words_q + u16::from(push) - 1;
    }
}
