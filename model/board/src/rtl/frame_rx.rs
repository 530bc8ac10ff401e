// SPDX-License-Identifier: MIT OR Apache-2.0
//! `frame_rx`: checks frames from the link, passes Data on, one verdict per frame (RX-1 to RX-8).
//! Register for register the Verilog.

use super::{
    crc32::{self, Crc32},
    state::{ports, state},
};
use crate::rtl::bundle::Link;
use awgstar_frame::contract::{
    Check, HDR_BITS, Hdr, LEN_BITS, Token, fsm,
    limits::{
        C_ST_DATA_FULL, C_ST_DATA_SHORT, CRC32_FILLED, CRC32_INIT, DATA_MIN, FCS_BYTES, FRAME_MAX,
        FRAME_MIN, HEADER_BYTES, SHORT_COUNT_INDEX,
    },
};

/// The next word is a first word.
pub const IDLE: u8 = fsm::code("frame_rx", "idle");
/// Inside a frame.
pub const FRAME: u8 = fsm::code("frame_rx", "frame");
/// After word 260 of an over-long frame.
pub const FLUSH: u8 = fsm::code("frame_rx", "flush");

#[expect(clippy::cast_possible_truncation, reason = "lengths below 2,048")]
const fn u16_of(value: usize) -> u16 {
    value as u16
}
/// Bytes before word 5: with it beat 0 is full.
const WORD_BEAT0: u16 = 20;
/// Bytes before word 260: with it beat 255 is full.
const WORD_MAX: u16 = u16_of(FRAME_MAX & !3);
/// Bytes before the word whose lane 3 is Data byte 45.
const WORD_COUNT: u16 = u16_of(HEADER_BYTES + SHORT_COUNT_INDEX - 3);
const OVERHEAD: u16 = u16_of(HEADER_BYTES + FCS_BYTES);
const LEN_MASK: u16 = 0x7ff;

ports! {
    /// Inputs of `frame_rx`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// A word of the link.
        s_axis: Link = 0 => link_word,
    }
}

ports! {
    /// Outputs of `frame_rx`.
    pub struct Outputs {
        /// A word of the link.
        m_axis: Link = 0 => link_word,
        /// Verdict.
        m_hdr_valid: bool = 1,
        /// The frame is good.
        m_hdr_good: bool = 1,
        /// Code of the verdict.
        m_hdr_check: u8 = 4,
        /// M of the first word.
        m_hdr_monitor: bool = 1,
        /// Header of a good frame.
        m_hdr: Hdr = HDR_BITS => fields,
    }
}

state! {
    /// Registers of `frame_rx`.
    pub struct FrameRx("frame_rx", Inputs, Outputs) {
        registers {
            state_q: u8 = 2,
            /// Bytes so far; stops at the first count too long.
            bytes_q: u16 = 11,
            /// CRC register; lanes without a byte count as zero.
            crc_q: u32 = 32,
            /// A `tkeep` was not allowed.
            bad_keep_q: bool = 1,
            /// `tuser` of the latest word.
            abort_q: bool = 1,
            /// M of the first word.
            monitor_q: bool = 1,
            /// Header, first bit on the link on top.
            hdr_q: u128 = HDR_BITS - LEN_BITS,
            /// Data byte 45.
            count_q: u8 = 8,
            /// Word i - 1.
            prev_q: u32 = 32,
            /// Upper half of word i - 2.
            prev2_q: u16 = 16,
            /// The frame in these registers is complete.
            end_q: bool = 1,
            /// Verdict.
            v_valid_q: bool = 1,
            /// The frame is good.
            v_good_q: bool = 1,
            /// Code of the verdict.
            v_check_q: u8 = 4,
            /// M.
            v_monitor_q: bool = 1,
            /// Header and valid bytes.
            v_hdr_q: u128 = HDR_BITS,
            /// The last beat goes out with the verdict.
            last_beat_q: bool = 1,
            /// The word waits in `m_data_q`.
            held_q: bool = 1,
            /// Valid byte lanes of the beat.
            last_keep_q: u8 = 4,
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
        }
        children {
            /// CRC of the word on the port.
            u_crc32: Crc32,
        }
    }
}

impl FrameRx {
    /// Just before the edge. Depends on registers only.
    #[must_use]
    #[inline]
    pub fn outputs(&self) -> Outputs {
        Outputs {
            m_axis: Link {
                tdata: self.m_data_q,
                tkeep: self.m_keep_q,
                tvalid: self.m_valid_q,
                tlast: self.m_last_q,
                tuser: self.m_user_q,
            },
            m_hdr_valid: self.v_valid_q,
            m_hdr_good: self.v_good_q,
            m_hdr_check: self.v_check_q,
            m_hdr_monitor: self.v_monitor_q,
            m_hdr: Hdr(self.v_hdr_q),
        }
    }

    /// Returns true if an edge out of reset, without a word on the link, changes nothing. The
    /// module reads `tkeep` and `tlast` also without a valid word.
    pub(super) fn at_rest(&self, keep: u8, last: bool) -> bool {
        let base = if self.state_q == IDLE { 0 } else { self.bytes_q };
        let (size, _) = size_of(keep, last);
        let at_max = base == WORD_MAX;
        !self.end_q
            && !self.last_beat_q
            && !self.v_valid_q
            && !self.m_valid_q
            && self.m_data_q == self.prev_q << 16 | u32::from(self.prev2_q)
            && self.m_keep_q == 0b1111
            && self.m_last_q == at_max
            && self.m_user_q == at_max
            && self.held_q == (last && (size <= 2 || at_max))
            && self.last_keep_q == last_keep(size)
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let idle = self.state_q == IDLE;
        let base = if idle { 0 } else { self.bytes_q }; // RX-7
        let (size, keep_ok) = size_of(i.s_axis.tkeep, i.s_axis.tlast);
        let beat = i.s_axis.tvalid && !idle && self.state_q != FLUSH && base >= WORD_BEAT0;
        let at_max = base == WORD_MAX;
        let ends_now = i.s_axis.tlast && (size <= 2 || at_max);

        // Verdict and beats, from the registers before the edge.
        let check = if self.end_q || self.last_beat_q { self.verdict() } else { Check::Ok };
        self.v_valid_q = self.end_q;
        if self.end_q {
            self.v_good_q = check == Check::Ok;
            self.v_check_q = check.code();
            self.v_monitor_q = self.monitor_q;
            self.v_hdr_q = self.hdr().0 | u128::from(self.valid_bytes());
        }
        if self.last_beat_q {
            self.m_valid_q = true;
            if !self.held_q {
                self.m_data_q = u32::from(self.prev2_q);
            }
            self.m_keep_q = self.last_keep_q;
            self.m_last_q = true;
            self.m_user_q = check != Check::Ok;
        } else {
            self.m_valid_q = beat && !ends_now;
            self.m_data_q = self.prev_q << 16 | u32::from(self.prev2_q);
            self.m_keep_q = 0b1111;
            (self.m_last_q, self.m_user_q) = (at_max, at_max); // RX-6
        }
        self.last_beat_q = beat && i.s_axis.tlast;
        self.held_q = ends_now;
        self.last_keep_q = last_keep(size);

        self.end_q = false;
        if i.s_axis.tvalid {
            self.word(i, idle, base, size, keep_ok);
        }
        if i.rst {
            self.state_q = IDLE; // RX-8
            (self.end_q, self.last_beat_q) = (false, false);
            (self.v_valid_q, self.m_valid_q) = (false, false);
        }
    }

    /// At no word that is looked at, with beats going out, and before the longest frame's last, with no verdict
    /// under way.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "few branches")]
    pub(super) fn is_inside(&self) -> bool {
        (self.state_q == FRAME)
            & (self.bytes_q >= WORD_BEAT0)
            & (self.bytes_q != WORD_COUNT)
            & (self.bytes_q < WORD_MAX)
            & !self.end_q
            & !self.last_beat_q
            & !self.v_valid_q
    }

    /// The clock edge with a full word that is not the last, when [`FrameRx::is_inside`].
    #[inline]
    pub(super) fn word_inside(&mut self, tdata: u32, tuser: bool) {
        self.m_valid_q = true;
        self.m_data_q = self.prev_q << 16 | u32::from(self.prev2_q);
        self.m_keep_q = 0b1111;
        (self.m_last_q, self.m_user_q, self.held_q) = (false, false, false);
        self.last_keep_q = last_keep(4);
        self.bytes_q += 4;
        self.crc_q = crc32::step(self.crc_q, tdata, 0b1111);
        self.abort_q = tuser;
        self.prev2_q = upper(self.prev_q);
        self.prev_q = tdata;
    }

    /// Count, CRC and capture of a link word (RX-1).
    #[inline]
    fn word(&mut self, i: &Inputs, idle: bool, base: u16, size: u16, keep_ok: bool) {
        if self.state_q != FLUSH {
            self.bytes_q = (base + size) & LEN_MASK;
        }
        let crc = if idle { CRC32_INIT } else { self.crc_q };
        self.crc_q = crc32::step(crc, i.s_axis.tdata & lanes(i.s_axis.tkeep), 0b1111);
        self.bad_keep_q = (self.bad_keep_q && !idle) || !keep_ok;
        self.abort_q = i.s_axis.tuser; // LNK-4: what stays is that of the last word
        self.prev2_q = upper(self.prev_q);
        self.prev_q = i.s_axis.tdata;
        self.end_q = i.s_axis.tlast;
        if idle {
            self.monitor_q = i.s_axis.tuser;
        }
        if base <= WORD_COUNT {
            self.capture(base, i.s_axis.tdata);
        }
        if i.s_axis.tlast {
            self.state_q = IDLE;
        } else if base == WORD_MAX {
            self.state_q = FLUSH; // FRM-3: over-long for sure
        } else if idle {
            self.state_q = FRAME;
        }
    }

    /// Header words and the short count (FRM-1, FRM-2, FRM-6).
    #[inline]
    fn capture(&mut self, base: u16, tdata: u32) {
        let swap = u128::from(tdata.swap_bytes());
        let (value, mask, low) = match base {
            0 => (swap, 0xffff_ffff, 80),
            4 => (swap, 0xffff_ffff, 48),
            8 => (swap, 0xffff_ffff, 16),
            12 => (swap >> 16, 0xffff, 0),
            WORD_COUNT => {
                self.count_q = tdata.to_le_bytes()[3];
                return;
            }
            _ => return,
        };
        self.hdr_q = self.hdr_q & !(mask << low) | value << low;
    }

    /// The header that arrives, with no valid bytes yet.
    #[inline]
    fn hdr(&self) -> Hdr {
        Hdr(self.hdr_q << LEN_BITS)
    }

    fn token(&self) -> u8 {
        self.hdr().token()
    }

    fn c_st(&self) -> u8 {
        self.hdr().c_st()
    }

    fn is_short(&self) -> bool {
        self.token() == Token::Data.code() && self.c_st() == C_ST_DATA_SHORT
    }

    /// RX-4, FRM-13: the order of the branches is the order of the verdicts.
    fn verdict(&self) -> Check {
        let (token, bytes) = (self.token(), usize::from(self.bytes_q));
        let is_data = token == Token::Data.code();
        let short = self.is_short();
        if self.abort_q {
            Check::Abort
        } else if self.bad_keep_q {
            Check::Keep
        } else if bytes < FRAME_MIN {
            Check::Runt
        } else if bytes > FRAME_MAX {
            Check::Long
        } else if self.crc_q != CRC32_FILLED[bytes % 4] {
            Check::Fcs // FCS-2
        } else if Token::RESERVED.contains(&token) {
            Check::Token
        } else if is_data && !short && self.c_st() != C_ST_DATA_FULL {
            Check::CSt
        } else if (token == Token::Free.code() || short) && bytes != FRAME_MIN {
            Check::Length
        } else if short && (self.count_q == 0 || usize::from(self.count_q) >= DATA_MIN) {
            Check::ShortCount
        } else {
            Check::Ok
        }
    }

    /// RX-5
    fn valid_bytes(&self) -> u16 {
        if self.token() == Token::Free.code() {
            0
        } else if self.is_short() {
            self.count_q.into()
        } else {
            self.bytes_q.wrapping_sub(OVERHEAD) & LEN_MASK
        }
    }
}

/// Bytes in a word, and whether its `tkeep` is allowed there (LNK-2).
#[inline]
const fn size_of(keep: u8, last: bool) -> (u16, bool) {
    if !last {
        return (4, keep == 0b1111);
    }
    match keep {
        0b1111 => (4, true),
        0b0111 => (3, true),
        0b0011 => (2, true),
        0b0001 => (1, true),
        _ => (4, false),
    }
}

/// Ones in the lanes of `keep`.
#[inline]
const fn lanes(keep: u8) -> u32 {
    ((keep as u32 * 0x0020_4081) & 0x0101_0101) * 0xff
}

/// RX-2: what the FCS leaves of the last beat.
#[inline]
const fn last_keep(size: u16) -> u8 {
    match size {
        1 => 0b0111,
        2 => 0b1111,
        3 => 0b0001,
        _ => 0b0011,
    }
}

#[inline]
const fn upper(word: u32) -> u16 {
    (word >> 16) as u16
}
