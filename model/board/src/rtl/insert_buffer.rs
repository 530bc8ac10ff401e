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
        /// `words` is not 0.
        some: bool = 1,
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
            /// `words_q` is not 0.
            some_q: bool = 1,
            /// The head is `new_q`, not `head_q`.
            bypass_q: bool = 1,
            /// A word that came when no other was left.
            new_q: u64 = BUFFER_WORD_W,
            /// The word read last.
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
        Outputs { rd_word: self.head(), words: self.words_q, some: self.some_q }
    }

    /// The head; means something when there is one.
    #[inline]
    pub(super) fn head(&self) -> u64 {
        if self.bypass_q { self.new_q } else { self.head_q }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let push = i.wr_valid && self.words_q != self.mem.full();
        let pop = i.rd_ready && self.some_q;
        self.edge(push, pop, i.wr_word);
        if i.rst {
            (self.wr_ptr_q, self.rd_ptr_q, self.words_q, self.some_q) = (0, 0, 0, false);
        }
    }

    /// The clock edge out of reset in which the head is taken; there is one.
    #[inline]
    pub(super) fn stream(&mut self, push: bool, word: u64) {
        let push = push && self.words_q != self.mem.full();
        self.edge(push, true, word);
    }

    /// A word is written, or the head is taken, or both.
    #[inline]
    fn edge(&mut self, push: bool, pop: bool, word: u64) {
        // Nothing is left but for the word being written: it is handed on past the memory.
        let none = if pop { self.words_q == 1 } else { !self.some_q };
        if pop {
            self.rd_ptr_q = (self.rd_ptr_q + 1) & self.mask();
            self.head_q = self.mem.at(self.rd_ptr_q);
        }
        if push {
            *self.mem.at_mut(self.wr_ptr_q) = word;
            self.wr_ptr_q = (self.wr_ptr_q + 1) & self.mask();
        }
        if none {
            self.bypass_q = push;
            if push {
                self.new_q = word;
            }
        } else if pop {
            self.bypass_q = false;
        }
        self.some_q = push || !none;
        let words = self.words_q.wrapping_add(push.into()).wrapping_sub(pop.into());
        self.words_q = words & self.mem.pointer_mask();
    }
}
