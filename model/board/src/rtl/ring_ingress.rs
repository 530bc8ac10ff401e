// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ring_ingress`: the first two words of a frame decide whether it is passed on, stripped, taken
//! or dropped (NODE-1 to NODE-7, NODE-22).

use super::state::{ports, state};
use crate::rtl::bundle::Link;
use awgstar_frame::contract::{
    Counter, FrameKind, Token, fsm,
    limits::{FRAME_MAX, WORD_BYTES},
    node::{BUFFER_ABORT, BUFFER_IDLE, BUFFER_WORD_W},
};

/// An idle word must come.
pub const GAP: u8 = fsm::code("ring_ingress", "gap");
/// The next word is a first word.
pub const IDLE: u8 = fsm::code("ring_ingress", "idle");
/// A frame is being passed on.
pub const PASS: u8 = fsm::code("ring_ingress", "pass");
/// A frame is being swallowed.
pub const SKIP: u8 = fsm::code("ring_ingress", "skip");

/// Index of the last word of the longest frame.
#[expect(clippy::cast_possible_truncation, reason = "260")]
const LAST_WORD: u16 = (FRAME_MAX / WORD_BYTES) as u16;

ports! {
    /// Inputs of `ring_ingress`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// A word of the link.
        s_axis: Link = 0 => link_word,
        /// MAC of this node.
        cfg_mac: u64 = 48,
        /// This node is the active monitor.
        cfg_monitor: bool = 1,
        /// A free token may be taken.
        take_free: bool = 1,
    }
}

ports! {
    /// Outputs of `ring_ingress`.
    pub struct Outputs {
        /// Stage 2.
        link_tdata: u32 = 32,
        /// Valid byte lanes of the beat.
        link_tkeep: u8 = 4,
        /// There is a word.
        link_tvalid: bool = 1,
        /// Last of the frame.
        link_tlast: bool = 1,
        /// M, or "aborted".
        link_tuser: bool = 1,
        /// A slot for the insertion buffer.
        wr_valid: bool = 1,
        /// The slot.
        wr_word: u64 = BUFFER_WORD_W,
        /// A token came into the hand.
        token_in: bool = 1,
        /// A free token was passed on.
        free_passed: bool = 1,
        /// A free or data token arrives.
        token_seen: bool = 1,
        /// Kind of the frame whose last word was on `link_*` two cycles ago.
        kind: u8 = 2,
        /// A frame is passed on.
        ev_passed: bool = 1,
        /// A free token is taken.
        ev_taken: bool = 1,
        /// A frame with a reserved TOKEN is absorbed.
        ev_reserved: bool = 1,
        /// A frame is cut.
        ev_cut: bool = 1,
        /// A frame is dropped whole.
        ev_dropped: bool = 1,
        /// A frame that has lost its source is absorbed.
        ev_orphan: bool = 1,
    }
}

state! {
    /// Registers of `ring_ingress`.
    pub struct RingIngress("ring_ingress", Inputs, Outputs) {
        registers {
            /// Stage 1 holds a word.
            s1_valid_q: bool = 1,
            /// The word.
            s1_data_q: u32 = 32,
            /// Valid byte lanes of the beat.
            s1_keep_q: u8 = 4,
            /// Last of the frame.
            s1_last_q: bool = 1,
            /// `tuser`.
            s1_user_q: bool = 1,
            /// Stage 2 holds a word.
            s2_valid_q: bool = 1,
            /// The word.
            s2_data_q: u32 = 32,
            /// Valid byte lanes of the beat.
            s2_keep_q: u8 = 4,
            /// Last of the frame.
            s2_last_q: bool = 1,
            /// `tuser`.
            s2_user_q: bool = 1,
            /// The words that are in both stages now begin a frame as they should.
            complete_q: bool = 1,
            /// The MAC in them is that of this node.
            own_q: bool = 1,
            state_q: u8 = 2,
            /// Words of the frame passed on so far.
            word_q: u16 = 9,
            /// The idle word after a frame is due in the buffer.
            slot_q: bool = 1,
            /// Kind of the frame under way.
            kind_q: u8 = 2,
            /// `kind_q` one cycle ago.
            kind1_q: u8 = 2,
        }
    }
}

/// Combinational outputs of the ingress in a cycle: a row of the table in `docs/node.md`.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wire")]
pub(crate) struct Decision {
    pub(crate) write: Option<u64>,
    pub(crate) token_in: bool,
    pub(crate) free_passed: bool,
    /// Events, by bit of the counters.
    pub(crate) events: u16,
    /// A frame that has lost its source is absorbed.
    pub(crate) orphan: bool,
    next: u8,
    word: u16,
    slot: bool,
    kind: u8,
}

impl RingIngress {
    /// The rows of the table, top to bottom.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the hot loop")]
    pub(super) fn decide(&self, cfg_monitor: bool, take_free: impl FnOnce() -> bool) -> Decision {
        let mut d = Decision {
            write: if self.slot_q { Some(BUFFER_IDLE) } else { None },
            token_in: false,
            free_passed: false,
            events: 0,
            orphan: false,
            next: self.state_q,
            word: self.word_q,
            slot: false,
            kind: self.kind_q,
        };
        let (valid, last) = (self.s2_valid_q, self.s2_last_q);
        match self.state_q {
            PASS => {
                // A word that is not full, or that ought to be the last, ends the frame (NODE-6).
                let bytes = bytes_of(self.s2_keep_q, last);
                let good = valid && bytes.is_some() && (last || self.word_q != LAST_WORD);
                if let (true, Some(bytes)) = (good, bytes) {
                    d.write = Some(self.word(bytes));
                    d.word = (self.word_q + 1) & 0x1ff;
                    if last {
                        (d.next, d.slot) = (GAP, true);
                    }
                } else {
                    d.write = Some(BUFFER_ABORT);
                    d.events = bit(Counter::Cut);
                    d.slot = true;
                    d.next = if valid && last { GAP } else { SKIP };
                }
            }
            SKIP => {
                if valid && last {
                    d.next = GAP;
                }
            }
            _ if !valid => d.next = IDLE,
            IDLE if self.complete_q => {
                self.first_word(cfg_monitor, take_free(), &mut d);
            }
            _ => {
                d.events = bit(Counter::Dropped); // NODE-7
                d.kind = FrameKind::None.code();
                d.next = if last { GAP } else { SKIP };
            }
        }
        d
    }

    /// NODE-1, NODE-3 to NODE-5, NODE-12, NODE-22
    fn first_word(&self, cfg_monitor: bool, take_free: bool, d: &mut Decision) {
        let token = self.s1_data_q.to_le_bytes()[2] >> 5;
        let mark = cfg_monitor && token != Token::Free.code();
        d.next = SKIP;
        d.kind = FrameKind::None.code();
        if Token::RESERVED.contains(&token) {
            d.events = bit(Counter::Reserved);
        } else if self.own_q && token != Token::Free.code() {
            d.kind = FrameKind::Own.code();
            d.token_in = token == Token::Data.code(); // NODE-4
        } else if mark && self.s2_user_q {
            d.orphan = true;
            d.token_in = token == Token::Data.code();
        } else if token == Token::Free.code() && take_free {
            d.events = bit(Counter::TokenTaken);
            d.token_in = true;
        } else {
            d.write = Some(self.word(0) | u64::from(mark) << 35);
            d.word = 1;
            d.events = bit(Counter::Passed);
            d.free_passed = token == Token::Free.code();
            d.kind = FrameKind::Other.code();
            d.next = PASS;
        }
    }

    /// An own frame is stripped from here on.
    #[inline]
    pub(crate) fn strips(&self, d: &Decision) -> bool {
        self.state_q == IDLE && self.s2_valid_q && d.kind == FrameKind::Own.code()
    }

    /// A free or data token arrives (NODE-24).
    #[inline]
    pub(super) fn token_seen(&self) -> bool {
        let token = self.s1_data_q.to_le_bytes()[2] >> 5;
        self.state_q == IDLE
            && self.s2_valid_q
            && self.complete_q
            && (token == Token::Free.code() || token == Token::Data.code())
    }

    /// Finds what the decision of the next cycle is made of: the word in stage 1 and the one that
    /// comes may be the first two of a frame.
    #[inline]
    fn see_header(&mut self, i: &Inputs) {
        if !self.s1_valid_q || self.state_q == PASS || self.state_q == SKIP {
            return;
        }
        self.complete_q = !self.s1_last_q
            && self.s1_keep_q == 0b1111
            && i.s_axis.tvalid
            && i.s_axis.tkeep == 0b1111;
        let [b0, b1, b2, b3] = self.s1_data_q.to_le_bytes();
        let [b4, b5, ..] = i.s_axis.tdata.to_le_bytes();
        self.own_q = u64::from_be_bytes([0, 0, b0, b1, b2, b3, b4, b5]) == i.cfg_mac;
    }

    /// Stage 2 in the format of the insertion buffer: `{tuser, tlast, bytes, tdata}`.
    #[inline]
    fn word(&self, bytes: u8) -> u64 {
        u64::from(self.s2_user_q) << 35
            | u64::from(self.s2_last_q) << 34
            | u64::from(bytes) << 32
            | u64::from(self.s2_data_q)
    }

    /// Just before the edge.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let d = self.decide(i.cfg_monitor, || i.take_free);
        Outputs {
            link_tdata: self.s2_data_q,
            link_tkeep: self.s2_keep_q,
            link_tvalid: self.s2_valid_q,
            link_tlast: self.s2_last_q,
            link_tuser: self.s2_user_q,
            wr_valid: d.write.is_some(),
            wr_word: d.write.unwrap_or_default(),
            token_in: d.token_in,
            free_passed: d.free_passed,
            token_seen: self.token_seen(),
            kind: self.kind1_q,
            ev_passed: d.events & bit(Counter::Passed) != 0,
            ev_taken: d.events & bit(Counter::TokenTaken) != 0,
            ev_reserved: d.events & bit(Counter::Reserved) != 0,
            ev_cut: d.events & bit(Counter::Cut) != 0,
            ev_dropped: d.events & bit(Counter::Dropped) != 0,
            ev_orphan: d.orphan,
        }
    }

    /// Stage 2 holds a word inside a frame that is passed on or swallowed, and nothing changes.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "few branches")]
    pub(super) fn is_inside(&self) -> bool {
        (self.state_q >= PASS)
            & self.s2_valid_q
            & !self.s2_last_q
            & (self.s2_keep_q == 0b1111)
            & (self.word_q != LAST_WORD)
            & !self.slot_q
            & (self.kind_q == self.kind1_q)
    }

    /// The clock edge after such a word.
    #[inline]
    pub(super) fn shift_inside(&mut self, pass: bool, i: &Inputs) {
        self.word_q = (self.word_q + u16::from(pass)) & 0x1ff;
        self.shift_stage_2();
        self.s1_valid_q = i.s_axis.tvalid;
        if i.s_axis.tvalid {
            (self.s1_data_q, self.s1_keep_q) = (i.s_axis.tdata, i.s_axis.tkeep);
            (self.s1_last_q, self.s1_user_q) = (i.s_axis.tlast, i.s_axis.tuser);
        }
    }

    #[inline]
    fn shift_stage_2(&mut self) {
        self.s2_valid_q = self.s1_valid_q;
        if self.s1_valid_q {
            (self.s2_data_q, self.s2_keep_q) = (self.s1_data_q, self.s1_keep_q);
            (self.s2_last_q, self.s2_user_q) = (self.s1_last_q, self.s1_user_q);
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let decision = self.decide(i.cfg_monitor, || i.take_free);
        self.apply(i, &decision);
    }

    /// The clock edge, with what [`RingIngress::decide`] said.
    #[inline]
    pub(super) fn apply(&mut self, i: &Inputs, d: &Decision) {
        self.see_header(i);
        (self.state_q, self.word_q, self.slot_q) = (d.next, d.word, d.slot);
        self.kind1_q = self.kind_q;
        self.kind_q = d.kind;
        self.shift_stage_2();
        self.s1_valid_q = i.s_axis.tvalid;
        if i.s_axis.tvalid {
            (self.s1_data_q, self.s1_keep_q) = (i.s_axis.tdata, i.s_axis.tkeep);
            (self.s1_last_q, self.s1_user_q) = (i.s_axis.tlast, i.s_axis.tuser);
        }
        if i.rst {
            (self.s1_valid_q, self.s2_valid_q, self.slot_q) = (false, false, false);
            self.state_q = GAP;
            self.kind_q = FrameKind::None.code();
            self.kind1_q = FrameKind::None.code();
        }
    }
}

const fn bit(counter: Counter) -> u16 {
    1 << counter.code()
}

/// Bytes of a word modulo 4, if its `tkeep` is allowed there (LNK-2).
#[inline]
const fn bytes_of(keep: u8, last: bool) -> Option<u8> {
    match (keep, last) {
        (0b1111, _) => Some(0),
        (0b0001, true) => Some(1),
        (0b0011, true) => Some(2),
        (0b0111, true) => Some(3),
        _ => None,
    }
}
