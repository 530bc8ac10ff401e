//! `mailbox`: signals that were accepted, 16 words each (RCV-5).

use super::state::{ports, state};
use crate::contract::board::MAIL_W;

/// Messages it holds.
pub const MESSAGES: usize = 1 << MAIL_W;
/// Their words.
pub const WORDS: usize = MESSAGES << 4;
#[expect(clippy::cast_possible_truncation, reason = "16")]
const FULL: u8 = MESSAGES as u8;
const PTR_MASK: u8 = 2 * FULL - 1;

ports! {
    /// Inputs of `mailbox`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// A word of the message under way.
        we: bool = 1,
        /// Which one.
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
    pub struct Outputs {
        /// No room for another message.
        full: bool = 1,
        /// The word of the cycle before's index.
        get_data: u32 = 32,
        /// Messages.
        count: u8 = MAIL_W + 1,
    }
}

state! {
    /// Registers and memory of `mailbox`.
    pub struct Mailbox("mail_box", Inputs, Outputs) {
        registers {
            /// Messages put in.
            wr_q: u8 = MAIL_W + 1,
            /// Messages taken out.
            rd_q: u8 = MAIL_W + 1,
            /// The word that was read.
            data_q: u32 = 32,
        }
        memories {
            /// Word i of message n at {n, i}.
            mem: [u32; WORDS] = 32 => U32,
        }
    }
}

const fn at(message: u8, index: u8) -> usize {
    (message as usize & (MESSAGES - 1)) << 4 | index as usize & 15
}

impl Mailbox {
    #[inline]
    fn count(&self) -> u8 {
        self.wr_q.wrapping_sub(self.rd_q) & PTR_MASK
    }

    /// Just before the edge. Depends on registers only.
    #[must_use]
    #[inline]
    pub fn outputs(&self) -> Outputs {
        let count = self.count();
        Outputs { full: count == FULL, get_data: self.data_q, count }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        self.data_q = self.mem[at(self.rd_q, i.get_index)];
        if i.pop && self.count() != 0 {
            self.rd_q = (self.rd_q + 1) & PTR_MASK;
        }
        if i.we {
            self.mem[at(self.wr_q, i.index)] = i.data;
        }
        if i.commit {
            self.wr_q = (self.wr_q + 1) & PTR_MASK;
        }
        if i.rst {
            (self.wr_q, self.rd_q) = (0, 0);
        }
    }
}
