// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a link and a node may do, watched from outside every cycle.

use awgstar_board::ring::Word;
use awgstar_board::rtl::ring_node::{Inputs, Outputs};
use awgstar_board::rtl::{RingNode, frame_tx, ring_egress, ring_ingress};
use awgstar_frame::codec::Frame;
use awgstar_frame::contract::Token;

/// A frame as it went over a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Cycle of its first word.
    pub(crate) begin: u64,
    /// M.
    pub(crate) monitor: bool,
    /// It was cut.
    pub(crate) aborted: bool,
    pub(crate) bytes: Vec<u8>,
}

impl Seen {
    pub(crate) fn frame(&self) -> Option<Frame<'_>> {
        if self.aborted { None } else { Frame::decode(&self.bytes).ok() }
    }
}

/// LNK-2, LNK-3 and NODE-8 on a link.
#[derive(Clone, Debug, Default)]
pub(crate) struct Law {
    open: Option<Seen>,
    just_ended: bool,
}

impl Law {
    /// A cycle of the link; gives a frame that ends in it.
    pub(crate) fn word(&mut self, cycle: u64, word: Option<Word>) -> Option<Seen> {
        let Some(word) = word else {
            assert!(self.open.is_none(), "NODE-8: gap inside a frame in cycle {cycle}");
            self.just_ended = false;
            return None;
        };
        assert!(!self.just_ended, "NODE-8: no idle word before cycle {cycle}");
        let allowed: &[u8] = if word.last { &[1, 3, 7, 15] } else { &[15] };
        assert!(allowed.contains(&word.keep), "LNK-2: tkeep {:04b} in cycle {cycle}", word.keep);
        let seen = self.open.get_or_insert(Seen {
            begin: cycle,
            monitor: word.user,
            aborted: false,
            bytes: Vec::new(),
        });
        let bytes = word.keep.count_ones() as usize;
        seen.bytes.extend_from_slice(&word.data.to_le_bytes()[..bytes]);
        assert!(seen.bytes.len() <= 1044, "NODE-6: over-long frame in cycle {cycle}");
        if !word.last {
            return None;
        }
        self.just_ended = true;
        self.open.take().map(|seen| Seen { aborted: word.user, ..seen })
    }
}

pub(crate) fn word_out(o: &Outputs) -> Option<Word> {
    o.m_axis.word()
}

/// Counts free and data tokens on a link: TOKEN is in the second word.
#[derive(Clone, Copy, Debug, Default)]
struct TokenCount {
    word: u32,
    tokens: u32,
}

impl TokenCount {
    fn word(&mut self, valid: bool, data: u32, last: bool) {
        if valid {
            let token = data >> 21 & 7;
            if self.word == 1
                && (token == Token::Free.code().into() || token == Token::Data.code().into())
            {
                self.tokens += 1;
            }
            self.word = if last { 0 } else { self.word + 1 };
        }
    }
}

/// A node without faults around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeWatch {
    law: Law,
    tokens_in: TokenCount,
    tokens_out: TokenCount,
    issued: u32,
    discarded: u32,
    /// Instants at which NODE-13 could be checked.
    pub(crate) token_checks: u64,
    /// Frames on its output.
    pub(crate) frames: Vec<Seen>,
}

impl NodeWatch {
    /// Just before an edge out of reset. NODE-8, NODE-9, NODE-13.
    pub(crate) fn cycle(&mut self, cycle: u64, node: &RingNode, i: &Inputs, o: &Outputs) {
        self.frames.extend(self.law.word(cycle, word_out(o)));
        let words = node.u_buffer.words_q;
        no_overflow(cycle, node, i);
        // Tokens that came in and did not leave are those in the hand, when none is under way.
        let quiet = words == 0
            && !node.u_ingress.s1_valid_q
            && !node.u_ingress.s2_valid_q
            && node.u_ingress.state_q != ring_ingress::PASS
            && node.u_egress.state_q == ring_egress::READY
            && node.u_frame_tx.state_q == frame_tx::IDLE
            && !node.u_frame_tx.status_valid_q
            && !o.m_axis.tvalid
            && self.tokens_in.word == 0;
        if quiet {
            let gone = self.tokens_out.tokens + self.discarded;
            let inside = self.issued + self.tokens_in.tokens - gone;
            assert_eq!(u32::from(o.held), inside, "NODE-13: tokens in hand in cycle {cycle}");
            self.token_checks += 1;
        }
        self.tokens_in.word(i.s_axis.tvalid, i.s_axis.tdata, i.s_axis.tlast);
        self.tokens_out.word(o.m_axis.tvalid, o.m_axis.tdata, o.m_axis.tlast);
        self.issued += u32::from(i.issue && !i.rst);
        self.discarded += u32::from(o.ev_discarded);
    }

    /// Tokens that left the node and tokens that came to it.
    pub(crate) fn flow(&self) -> (u32, u32) {
        (self.tokens_out.tokens, self.tokens_in.tokens)
    }
}

/// NODE-9: no word is written to a full buffer.
pub(crate) fn no_overflow(cycle: u64, node: &RingNode, i: &Inputs) {
    if node.u_buffer.words_q == node.u_buffer.mem.full() {
        // Whether a free token is taken decides about a first word only: either way one is enough.
        let inputs = ring_ingress::Inputs {
            cfg_mac: i.cfg_mac,
            cfg_monitor: i.cfg_monitor,
            ..Default::default()
        };
        let wr_valid = node.u_ingress.outputs(&inputs).wr_valid;
        assert!(!wr_valid, "NODE-9: a word is lost in cycle {cycle}");
    }
}
