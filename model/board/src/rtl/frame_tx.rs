// SPDX-License-Identifier: MIT OR Apache-2.0
//! `frame_tx`: a header and its payload beats become one frame with FCS on the link (TX-1 to
//! TX-9). Register for register the Verilog.

use super::{
    crc32::{self, Crc32},
    state::{ports, state},
};
use crate::rtl::bundle::{Link, Stream};
use awgstar_frame::contract::{
    HDR_BITS, Hdr, HeaderWire, Token, TxStatus, fsm,
    layout::pack,
    limits::{
        C_ST_DATA_FULL, C_ST_DATA_SHORT, CRC32_INIT, DATA_MAX, DATA_MIN, HEADER_BYTES, WORD_BYTES,
    },
};

/// Between frames.
pub const IDLE: u8 = fsm::code("frame_tx", "idle");
/// A frame is being sent.
pub const SEND: u8 = fsm::code("frame_tx", "send");
/// Payload of a frame that was cut or refused is being dropped.
pub const DRAIN: u8 = fsm::code("frame_tx", "drain");

#[expect(clippy::cast_possible_truncation, reason = "lengths below 2,048")]
const fn u16_of(value: usize) -> u16 {
    value as u16
}
const WORD: u16 = u16_of(WORD_BYTES);
const AFTER_WORD0: u16 = u16_of(HEADER_BYTES) - WORD;
const LEN_MASK: u16 = 0x7ff;

ports! {
    /// Inputs of `frame_tx`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// A header is offered.
        s_hdr_valid: bool = 1,
        /// Header fields of the frame.
        s_hdr: Hdr = HDR_BITS => fields,
        /// A beat of the stream.
        s_axis: Stream = 0 => stream,
    }
}

ports! {
    /// Outputs of `frame_tx`.
    pub struct Outputs {
        /// A header would be taken.
        s_hdr_ready: bool = 1,
        /// A beat would be taken.
        s_axis_tready: bool = 1,
        /// A word of the link.
        m_axis: Link = 0 => link_word,
        /// Verdict on a header.
        status_valid: bool = 1,
        /// Code of the error (`TxStatus`).
        status_error: u8 = 3,
    }
}

state! {
    /// Registers of `frame_tx`.
    pub struct FrameTx("frame_tx", Inputs, Outputs) {
        registers {
            /// State of stage A.
            state_q: u8 = 2,
            /// Ready for a header.
            hdr_ready_q: bool = 1,
            beat_ready_q: bool = 1,
            /// Header bytes still to go; then the upper half of a beat.
            shift_q: u128 = 80,
            /// Header-only words still to go.
            hdr_words_q: u8 = 2,
            /// Valid bytes not yet taken.
            pay_left_q: u16 = 11,
            /// Covered bytes not yet in a word.
            cov_left_q: u16 = 11,
            /// Short count; 0: none.
            short_q: u8 = 6,
            /// Verdict so far.
            error_q: u8 = 3,
            /// This drain still owes a status.
            refused_q: bool = 1,
            /// Stage A holds a word.
            a_valid_q: bool = 1,
            /// The word.
            a_data_q: u32 = 32,
            /// Covered bytes in it; 0: all 4.
            a_count_q: u8 = 2,
            /// Last word of covered bytes.
            a_last_q: bool = 1,
            /// Abort word instead (TX-7).
            a_cut_q: bool = 1,
            /// The tail word is next.
            tail_q: bool = 1,
            /// Bytes of it.
            tail_count_q: u8 = 2,
            /// CRC register.
            crc_q: u32 = 32,
            /// `m_axis_tvalid`.
            m_valid_q: bool = 1,
            /// `m_axis_tdata`.
            m_data_q: u32 = 32,
            /// `m_axis_tkeep`.
            m_keep_q: u8 = 4,
            /// `m_axis_tlast`.
            m_last_q: bool = 1,
            /// `m_axis_tuser`.
            m_user_q: bool = 1,
            /// `status_valid`.
            status_valid_q: bool = 1,
            /// `status_error`.
            status_error_q: u8 = 3,
        }
        children {
            /// CRC of the word in stage A.
            u_crc32: Crc32,
        }
    }
}

/// `tkeep` with the first n lanes valid; 0 means 4 lanes.
#[inline]
pub(super) const fn keep_of(n: u8) -> u8 {
    [0b1111, 0b0001, 0b0011, 0b0111][(n & 3) as usize]
}

/// Bits of the lanes in `keep`.
#[inline]
const fn lanes(keep: u8) -> u32 {
    match keep {
        0b0001 => 0xff,
        0b0011 => 0xffff,
        0b0111 => 0x00ff_ffff,
        _ => !0,
    }
}

/// Next-state signals of stage A in a cycle, besides its own registers.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wire")]
struct Next {
    valid: bool,
    count: u8,
    last: bool,
    cut: bool,
    refused_done: bool,
}

impl FrameTx {
    /// Just before the edge. Depends on registers only.
    #[must_use]
    #[inline]
    pub fn outputs(&self) -> Outputs {
        Outputs {
            s_hdr_ready: self.hdr_ready_q,
            s_axis_tready: self.beat_ready_q,
            m_axis: Link {
                tdata: self.m_data_q,
                tkeep: self.m_keep_q,
                tvalid: self.m_valid_q,
                tlast: self.m_last_q,
                tuser: self.m_user_q,
            },
            status_valid: self.status_valid_q,
            status_error: self.status_error_q,
        }
    }

    /// Without a header and out of reset an edge changes nothing. What is not asked here follows: no
    /// word and no status came of the cycle before, in which the stages were empty then.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "one branch for all")]
    pub(super) fn at_rest(&self) -> bool {
        (self.state_q == IDLE)
            & self.hdr_ready_q
            & !self.a_valid_q
            & !self.tail_q
            & !self.m_valid_q
            & !self.status_valid_q
            & (self.a_data_q == low_word(self.shift_q))
            & (self.m_data_q == self.a_data_q)
            & (self.status_error_q == self.error_q)
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let error_before = self.error_q;
        let mut a_data = low_word(self.shift_q);
        let next = match self.state_q {
            SEND => self.send(i, &mut a_data),
            DRAIN => self.drain(i),
            _ if i.s_hdr_valid && self.hdr_ready_q => self.take_header(i, &mut a_data),
            _ => Next::default(),
        };
        // TX-5: beat 0 belongs to word 3, the first that is not header only.
        self.beat_ready_q = self.state_q == DRAIN
            || (self.state_q == SEND && self.hdr_words_q == 0 && self.pay_left_q != 0);
        // TX-2
        self.hdr_ready_q = self.state_q == IDLE && (!self.a_valid_q || self.a_cut_q);
        self.stage_b(next.refused_done, error_before);
        (self.a_valid_q, self.a_data_q, self.a_count_q) = (next.valid, a_data, next.count);
        (self.a_last_q, self.a_cut_q) = (next.last, next.cut);
        if i.rst {
            self.state_q = IDLE; // TX-9
            (self.hdr_ready_q, self.beat_ready_q, self.refused_q) = (false, false, false);
            (self.a_valid_q, self.a_cut_q, self.tail_q) = (false, false, false);
            (self.m_valid_q, self.status_valid_q) = (false, false);
        }
    }

    /// A word of covered bytes (TX-3, TX-5, TX-7).
    #[inline]
    fn send(&mut self, i: &Inputs, a_data: &mut u32) -> Next {
        let due = self.beat_ready_q;
        let pay_last = self.pay_left_q <= WORD;
        let cov_last = self.cov_left_q <= WORD;
        let keep = if pay_last { keep_of(low_bits(self.pay_left_q)) } else { 0b1111 };
        let underrun = due && !i.s_axis.tvalid;
        let bad_beat = due && (i.s_axis.tlast != pay_last || i.s_axis.tkeep != keep);
        let cut = underrun || bad_beat;
        // FRM-5: what tkeep leaves out, and what follows the payload, goes out as zero.
        let beat = if due { i.s_axis.tdata & lanes(keep) } else { 0 };

        let count = if cov_last { low_bits(self.cov_left_q) } else { 0 };
        let first = self.hdr_words_q == 2;
        let padded = usize::from(self.pay_left_q) < DATA_MIN;
        self.cov_left_q = if first && !padded {
            (self.pay_left_q + (AFTER_WORD0 - WORD)) & LEN_MASK
        } else {
            self.cov_left_q.wrapping_sub(WORD) & LEN_MASK
        };
        if first {
            self.after_header(padded, a_data);
        }
        if self.hdr_words_q != 0 {
            self.hdr_words_q -= 1;
            self.shift_q >>= 32;
        } else {
            *a_data = beat << 16 | *a_data & 0xffff;
            self.shift_q = self.shift_q & !0xffff | u128::from(beat >> 16);
        }
        if cov_last && self.short_q != 0 {
            *a_data = *a_data & 0x00ff_ffff | u32::from(self.short_q) << 24; // FRM-6
        }
        if due {
            self.pay_left_q = if pay_last { 0 } else { self.pay_left_q - WORD };
        }
        if cut {
            self.error_q = if underrun { TxStatus::Underrun } else { TxStatus::Last }.code();
            self.state_q = if i.s_axis.tvalid && i.s_axis.tlast { IDLE } else { DRAIN };
        } else if cov_last {
            self.state_q = IDLE;
        }
        Next { valid: true, count, last: cov_last, cut, refused_done: false }
    }

    /// What follows from word 1 and the length together (TX-3, FRM-6).
    #[inline]
    fn after_header(&mut self, padded: bool, a_data: &mut u32) {
        let is_data = *a_data >> 21 & 7 == u32::from(Token::Data.code());
        if is_data {
            let c_st = if padded { C_ST_DATA_SHORT } else { C_ST_DATA_FULL };
            *a_data = *a_data & !(0x1f << 16) | u32::from(c_st) << 16;
        }
        self.short_q = if is_data && padded { self.pay_left_q.to_le_bytes()[0] & 63 } else { 0 };
    }

    /// Payload of a frame that was cut or refused (TX-7, TX-8).
    fn drain(&mut self, i: &Inputs) -> Next {
        let mut next = Next::default();
        if i.s_axis.tvalid && i.s_axis.tlast {
            next.refused_done = self.refused_q;
            self.refused_q = false;
            self.state_q = IDLE;
        }
        next
    }

    /// A header (TX-1, TX-4, TX-6).
    fn take_header(&mut self, i: &Inputs, a_data: &mut u32) -> Next {
        let (header, len) = (i.s_hdr.header(), i.s_hdr.len());
        let is_free = header.token == Token::Free.code();
        let is_data = header.token == Token::Data.code();
        let bad_token = Token::RESERVED.contains(&header.token); // FRM-4
        let bad_len = usize::from(len) > DATA_MAX || (is_data && len == 0) || (is_free && len != 0);
        let error = if bad_token {
            TxStatus::Token
        } else if bad_len {
            TxStatus::Length
        } else {
            TxStatus::Ok
        };
        let sent = if is_free {
            let HeaderWire { mac, token, node_id, .. } = header;
            HeaderWire { mac, token, node_id, ..HeaderWire::default() } // FRM-10
        } else {
            header
        };
        let bytes = pack(&sent).swap_bytes(); // FRM-2: the first byte in lane 0
        *a_data = low_word(bytes);
        self.shift_q = bytes >> 32;
        self.hdr_words_q = 2;
        self.pay_left_q = len;
        self.cov_left_q = AFTER_WORD0 + u16_of(DATA_MIN); // TX-4
        self.error_q = error.code();
        if error == TxStatus::Ok {
            self.state_q = SEND;
            return Next { valid: true, ..Next::default() };
        }
        if len != 0 {
            self.state_q = DRAIN;
            self.refused_q = true;
            return Next::default();
        }
        Next { refused_done: true, ..Next::default() }
    }

    /// FCS and link word (FCS-1, LNK-2), from the registers of stage A before the edge.
    #[inline]
    fn stage_b(&mut self, refused_done: bool, error_before: u8) {
        let data = self.a_data_q;
        let crc_next = if self.a_valid_q || self.a_count_q != 0 {
            crc32::step(self.crc_q, data, keep_of(self.a_count_q))
        } else {
            CRC32_INIT // nobody looks
        };
        self.m_data_q = if self.tail_q {
            !self.crc_q >> (8 * ((4 - u32::from(self.tail_count_q)) & 3))
        } else if self.a_cut_q {
            0
        } else if self.a_count_q == 0 {
            data
        } else {
            let covered = 8 * u32::from(self.a_count_q);
            data & !(!0 << covered) | !crc_next << covered
        };
        self.m_keep_q = if self.tail_q { keep_of(self.tail_count_q) } else { 0b1111 };
        self.m_valid_q = self.a_valid_q || self.tail_q;
        self.m_last_q = self.tail_q || self.a_cut_q;
        self.m_user_q = self.a_cut_q;
        self.status_valid_q = self.tail_q || self.a_cut_q || refused_done;
        self.status_error_q = if refused_done { self.error_q } else { error_before };
        self.tail_q = self.a_valid_q && self.a_last_q && !self.a_cut_q;
        self.tail_count_q = self.a_count_q;
        self.crc_q = if self.a_valid_q { crc_next } else { CRC32_INIT };
    }
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the lowest word")]
const fn low_word(shift: u128) -> u32 {
    shift as u32
}

#[inline]
const fn low_bits(length: u16) -> u8 {
    (length & 3) as u8
}
