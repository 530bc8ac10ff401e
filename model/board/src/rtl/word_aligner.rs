// SPDX-License-Identifier: MIT OR Apache-2.0
//! `word_aligner`: finds the words in the bits of the line by their commas (COD-4, COD-5).

use super::state::{ports, state};

ports! {
    /// Inputs of `word_aligner`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// Bits of the line, first bit lowest.
        s_code: u64 = 40,
        /// Loss of signal.
        los: bool = 1,
        /// The decoder has found an error in a word.
        bad: bool = 1,
    }
}

ports! {
    /// Outputs of `word_aligner`.
    pub struct Outputs {
        /// A word.
        m_code: u64 = 40,
        /// The place of the words is known.
        locked: bool = 1,
    }
}

state! {
    /// Registers of `word_aligner`.
    pub struct WordAligner("word_aligner", Inputs, Outputs) {
        registers {
            /// The 40 bits before.
            prev_q: u64 = 40,
            /// The word.
            code_q: u64 = 40,
            /// Bits of the 80 before the word.
            place_q: u8 = 6,
            /// Commas found in this place; 4 is locked.
            commas_q: u8 = 3,
            /// The place is known, as a register: it goes to another clock, too.
            locked_q: bool = 1,
            /// Good words in a row since a bad one.
            good_q: u8 = 2,
            /// Bad words that good ones have not taken back.
            bad_q: u8 = 2,
            /// Words since the last comma.
            quiet_q: u16 = 10,
        }
    }
}

const COMMAS: u8 = 4;
const WORD: u64 = (1 << 40) - 1;

impl WordAligner {
    /// Just before the edge. Depends on registers only.
    #[must_use]
    pub fn outputs(&self) -> Outputs {
        Outputs { m_code: self.code_q, locked: self.locked_q }
    }

    /// The clock edge.
    #[expect(clippy::cast_possible_truncation, reason = "40 bits of 80")]
    pub fn clock(&mut self, i: &Inputs) {
        let window = u128::from(i.s_code) << 40 | u128::from(self.prev_q);
        let commas = (1..=40u8)
            .filter(|&place| matches!((window >> place) as u8 & 0x7F, 0b111_1100 | 0b000_0011));
        let (mut here, mut first) = (false, None);
        let mut other = false;
        for place in commas {
            first = first.or(Some(place));
            here |= place == self.place_q;
            other |= place != self.place_q;
        }
        self.code_q = (window >> self.place_q) as u64 & WORD;
        self.prev_q = i.s_code;
        if self.locked_q {
            let wrong = i.bad || other;
            let lost = i.los || wrong && self.bad_q == 3 || self.quiet_q == 1023;
            self.quiet_q = if here { 0 } else { (self.quiet_q + 1) & 1023 };
            if wrong {
                (self.bad_q, self.good_q) = ((self.bad_q + 1) & 3, 0);
            } else if self.bad_q != 0 {
                self.bad_q -= u8::from(self.good_q == 3);
                self.good_q = (self.good_q + 1) & 3;
            }
            if lost {
                self.commas_q = 0;
            }
        } else {
            (self.good_q, self.bad_q, self.quiet_q) = (0, 0, 0);
            if other {
                (self.place_q, self.commas_q) = (first.unwrap_or_default(), 1);
            } else if here {
                self.commas_q = (self.commas_q + 1) & 7;
            }
            if i.los {
                self.commas_q = 0;
            }
        }
        if i.rst {
            (self.place_q, self.commas_q) = (1, 0);
        }
        self.locked_q = self.commas_q == COMMAS;
    }
}
