// SPDX-License-Identifier: MIT OR Apache-2.0
//! `link_rx`: decoded words into words of a node's link, always whole frames (COD-7, COD-8).

use super::{
    link_tx::IDLE,
    state::{ports, state},
};
use crate::rtl::bundle::Link;

/// Words of the longest frame.
const WORDS_MAX: u16 = 261;

ports! {
    /// Inputs of `link_rx`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// Decoded bytes.
        s_data: u32 = 32,
        /// Lanes with K characters.
        s_k: u8 = 4,
        /// A byte of the word is wrong.
        s_bad: bool = 1,
        /// The words mean something.
        locked: bool = 1,
    }
}

ports! {
    /// Outputs of `link_rx`.
    pub struct Outputs {
        /// A word of the link.
        m_axis: Link = 0 => link_word,
        /// A frame has ended without its end.
        ev_broken: bool = 1,
    }
}

state! {
    /// Registers of `link_rx`.
    pub struct LinkRx("link_rx", Inputs, Outputs) {
        registers {
            /// A word of a frame is held.
            valid_q: bool = 1,
            /// The word.
            data_q: u32 = 32,
            /// M of the frame, while its first word is held.
            user_q: bool = 1,
            /// Words of the frame so far.
            words_q: u16 = 9,
            /// The word before was a set that begins a frame.
            begin_q: bool = 1,
            /// With M.
            monitor_q: bool = 1,
        }
    }
}

/// What a word says.
struct Word {
    more: bool,
    /// End of a frame: aborted, bytes modulo 4.
    ended: Option<(bool, u8)>,
    begins: bool,
    monitor: bool,
}

impl LinkRx {
    fn read(&self, i: Inputs) -> Word {
        let [comma, one, two, three] = i.s_data.to_le_bytes();
        let (end, begin) = (one ^ IDLE[1], two ^ IDLE[2]);
        let usable = i.locked && !i.s_bad;
        let set = usable
            && i.s_k == 1
            && comma == IDLE[0]
            && end < 16
            && begin & 0b1100_1111 == 0
            && three ^ IDLE[3] == begin ^ end;
        let fits = if self.valid_q { self.words_q != WORDS_MAX } else { self.begin_q };
        Word {
            more: usable && i.s_k == 0 && fits,
            ended: (set && end & 8 != 0).then_some((end & 4 != 0, end & 3)),
            begins: set && begin & 0x20 != 0,
            monitor: begin & 0x10 != 0,
        }
    }

    /// Just before the edge.
    #[must_use]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let word = self.read(*i);
        let keep = match word.ended {
            Some((_, bytes @ 1..)) => (1 << bytes) - 1,
            _ => 0b1111,
        };
        let aborted = word.ended.is_none_or(|(aborted, _)| aborted);
        Outputs {
            m_axis: Link {
                tdata: self.data_q,
                tkeep: keep,
                tvalid: self.valid_q,
                tlast: !word.more,
                tuser: if word.more { self.user_q } else { aborted },
            },
            ev_broken: self.valid_q && !word.more && word.ended.is_none(),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        let word = self.read(*i);
        self.user_q = word.more && !self.valid_q && self.monitor_q;
        if word.more {
            self.data_q = i.s_data;
            self.words_q = if self.valid_q { (self.words_q + 1) & 0x1ff } else { 1 };
        }
        self.monitor_q = word.monitor;
        self.valid_q = word.more && !i.rst;
        self.begin_q = word.begins && !i.rst;
    }
}
