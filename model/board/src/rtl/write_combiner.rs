// SPDX-License-Identifier: MIT OR Apache-2.0
//! `write_combiner`: makes data frames of what the host writes (WRT-2 to WRT-4).

use super::state::{ports, state};
use awgstar_frame::contract::limits::DATA_MAX;

#[expect(clippy::cast_possible_truncation, reason = "1,024")]
const FULL: u16 = DATA_MAX as u16;

ports! {
    /// Inputs of `write_combiner`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// Cycles without a write after which a frame is closed.
        cfg_combine: u16 = 16,
        /// Close what is open: the host's order, never with a piece.
        flush: bool = 1,
        /// Close what is open: the engine's order.
        e_flush: bool = 1,
        /// The host writes a piece: 1 to 4 bytes.
        put_valid: bool = 1,
        /// Byte address of the piece.
        put_addr: u32 = 32,
        /// Number of bytes in the piece.
        put_len: u8 = 3,
        /// Bytes of the piece, from lane 0 on.
        put_data: u32 = 32,
        /// `data_window` has room for a word.
        word_room: bool = 1,
        /// `data_window` has room for a frame.
        frame_room: bool = 1,
    }
}

ports! {
    /// Outputs of `write_combiner`.
    pub struct Outputs {
        /// The piece is taken.
        put_ready: bool = 1,
        /// A word of the open frame.
        word_valid: bool = 1,
        word_data: u32 = 32,
        /// The frame ends.
        close_valid: bool = 1,
        /// Byte address of the first byte of the closed frame.
        close_addr: u32 = 32,
        /// Number of bytes in the closed frame.
        close_len: u16 = 11,
        /// Act_Seq of the closed frame.
        close_seq: u8 = 4,
        /// A frame is open.
        open: bool = 1,
    }
}

state! {
    /// Registers of `write_combiner`.
    pub struct WriteCombiner("write_combiner", Inputs, Outputs) {
        registers {
            /// A frame is open.
            open_q: bool = 1,
            /// Byte address of the first byte of the open frame.
            addr_q: u32 = 32,
            /// Number of bytes in the open frame so far.
            len_q: u16 = 11,
            /// Act_Seq of the open frame.
            seq_q: u8 = 4,
            /// Byte address after the last byte of the frame; kept when the frame is closed.
            next_q: u32 = 32,
            /// The open frame cannot take another piece.
            last_q: bool = 1,
            /// The last frame closed was full and nothing was flushed since.
            chain_q: bool = 1,
            /// Cycles since the last piece of the open frame.
            idle_q: u16 = 16,
            /// They are `cfg_combine` of the cycle before, or more.
            time_q: bool = 1,
        }
    }
}

impl WriteCombiner {
    /// The open frame cannot go on with a piece, whatever its address.
    #[inline]
    fn done(&self, i: &Inputs) -> bool {
        self.last_q || i.e_flush || self.time_q
    }

    /// The open frame ends, whatever comes.
    #[inline]
    fn over(&self, i: &Inputs) -> bool {
        self.last_q || i.flush || i.e_flush || self.idle_q >= i.cfg_combine
    }

    #[inline]
    fn closes(&self, i: &Inputs) -> bool {
        self.open_q && (self.over(i) || (i.put_valid && i.put_addr != self.next_q))
    }

    /// Just before the edge.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let close_valid = self.closes(i);
        let goes_on = !self.done(i) && i.put_addr == self.next_q;
        let put_ready = i.word_room && if self.open_q { goes_on } else { i.frame_room };
        Outputs {
            put_ready,
            word_valid: i.put_valid && put_ready,
            word_data: i.put_data,
            close_valid,
            close_addr: self.addr_q,
            close_len: self.len_q,
            close_seq: self.seq_q,
            open: self.open_q,
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let o = self.outputs(i);
        let flushed = i.flush || i.e_flush;
        let idle = if o.word_valid { 0 } else { u32::from(self.idle_q) + 1 };
        self.time_q = idle >= i.cfg_combine.into();
        if o.word_valid {
            self.accept(i);
        } else if o.close_valid {
            self.chain_q = self.len_q == FULL && !flushed;
            (self.open_q, self.last_q) = (false, false);
        } else if self.open_q {
            self.idle_q = self.idle_q.saturating_add(1);
        } else if flushed {
            self.chain_q = false;
        }
        if i.rst {
            (self.open_q, self.last_q, self.chain_q) = (false, false, false);
            (self.idle_q, self.time_q) = (0, false);
        }
    }

    fn accept(&mut self, i: &Inputs) {
        let len = u16::from(i.put_len);
        if self.open_q {
            self.len_q = (self.len_q + len) & 0x7ff;
        } else {
            let goes_on = self.chain_q && i.put_addr == self.next_q;
            self.seq_q = if goes_on { (self.seq_q + 1) & 15 } else { 0 };
            (self.addr_q, self.len_q) = (i.put_addr, len);
        }
        self.open_q = true;
        self.next_q = i.put_addr.wrapping_add(len.into());
        self.last_q = i.put_len != 4 || i.put_addr & 3 != 0 || self.len_q == FULL;
        self.idle_q = 0;
        self.chain_q = false;
    }
}
