// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mailbox`: signals that were accepted, 16 words each (RCV-5).

use super::state::{ports, state};

ports! {
    /// Inputs of `mailbox`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// A word of the message under way.
        we: bool = 1,
        /// Index of the word in the message, 0 to 15.
        index: u8 = 4,
        /// The word.
        data: u32 = 32,
        /// The message is complete.
        commit: bool = 1,
        /// Word of the oldest message to be read.
        get_index: u8 = 4,
        /// The oldest message is dropped.
        pop: bool = 1,
    }
}

ports! {
    /// Outputs of `mailbox`.
    pub struct Outputs with parameters {
        /// No room for another message.
        full: bool = 1,
        /// The word of the cycle before's index.
        get_data: u32 = 32,
        /// Messages.
        count: u16 = parameters.mail_w() + 1,
    }
}

state! {
    /// Registers and memory of `mailbox`.
    pub struct Mailbox("mail_box", Inputs, Outputs) with parameters {
        registers {
            /// Messages put in.
            wr_q: u16 = parameters.mail_w() + 1,
            /// Messages taken out.
            rd_q: u16 = parameters.mail_w() + 1,
            /// The word that was read.
            data_q: u32 = 32,
        }
        buffers {
            /// Word i of message n at {n, i}.
            mem: [u32; 16 << parameters.mail_w()] = 32 => U32,
        }
    }
}

fn at(message: u16, index: u8) -> usize {
    usize::from(message) << 4 | usize::from(index & 15)
}

impl Mailbox {
    /// Messages it holds.
    #[inline]
    fn full(&self) -> u16 {
        1 << self.parameters.mail_w()
    }

    /// Ones in the bits of a number of a message.
    #[inline]
    fn mask(&self) -> u16 {
        2 * self.full() - 1
    }

    #[inline]
    fn count(&self) -> u16 {
        self.wr_q.wrapping_sub(self.rd_q) & self.mask()
    }

    /// Just before the edge. Depends on registers only.
    #[must_use]
    #[inline]
    pub fn outputs(&self) -> Outputs {
        let count = self.count();
        Outputs { full: count == self.full(), get_data: self.data_q, count }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        self.data_q = self.mem.at(at(self.rd_q, i.get_index));
        if i.pop && self.count() != 0 {
            self.rd_q = (self.rd_q + 1) & self.mask();
        }
        if i.we {
            *self.mem.at_mut(at(self.wr_q, i.index)) = i.data;
        }
        if i.commit {
            self.wr_q = (self.wr_q + 1) & self.mask();
        }
        if i.rst {
            (self.wr_q, self.rd_q) = (0, 0);
        }
    }
}
