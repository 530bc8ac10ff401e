// SPDX-License-Identifier: MIT OR Apache-2.0
//! `rx_filter`: selects the frames for the receive side, and reports own frames that have returned
//! (NODE-16, NODE-18).

use super::state::{ports, state};
use awgstar_frame::contract::{Check, FrameKind, HDR_BITS, Hdr, Token};

ports! {
    /// Inputs of `rx_filter`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// Kind of the frame, from the ingress.
        kind: u8 = 2,
        /// Verdict of `frame_rx`.
        hdr_valid: bool = 1,
        /// The frame is good.
        hdr_good: bool = 1,
        /// Code of the verdict.
        hdr_check: u8 = 4,
        /// Header of the frame.
        hdr: Hdr = HDR_BITS,
        cfg_node_id: u8 = 8,
        /// Multicast groups of this node, bit n for group n.
        cfg_groups: u16 = 16,
    }
}

ports! {
    /// Outputs of `rx_filter`.
    pub struct Outputs {
        /// The frame of this verdict is for this node.
        deliver: bool = 1,
        /// An own frame has returned.
        m_ret_valid: bool = 1,
        /// The returned frame is good.
        m_ret_good: bool = 1,
        /// TOKEN of the returned frame.
        m_ret_token: u8 = 3,
        /// C.ST of the returned frame.
        m_ret_c_st: u8 = 5,
        /// Packet_Cnt of the returned frame.
        m_ret_packet_cnt: u8 = 8,
        /// An own frame has returned good.
        ev_returned_good: bool = 1,
        /// An own frame has returned bad.
        ev_returned_bad: bool = 1,
        /// A frame of another node has a wrong FCS.
        ev_bad_fcs: bool = 1,
        /// A frame of another node has a defect other than a wrong FCS.
        ev_bad_other: bool = 1,
    }
}

state! {
    /// Registers of `rx_filter`.
    pub struct RxFilter("rx_filter", Inputs, Outputs) {
        registers {
            /// An own frame has returned; one cycle after the verdict.
            ret_valid_q: bool = 1,
            /// The returned frame is good.
            ret_good_q: bool = 1,
            /// TOKEN of the returned frame.
            ret_token_q: u8 = 3,
            /// C.ST of the returned frame.
            ret_c_st_q: u8 = 5,
            /// Packet_Cnt of the returned frame.
            ret_packet_cnt_q: u8 = 8,
        }
    }
}

/// NODE-16
#[inline]
fn is_for_us(i: &Inputs) -> bool {
    match Token::from_code(i.hdr.token()) {
        Some(Token::Data | Token::Broadcast | Token::Control) => true,
        Some(Token::P2p) => i.hdr.node_id() == i.cfg_node_id,
        Some(Token::Multicast) => i.cfg_groups >> i.hdr.multi_g() & 1 != 0,
        Some(Token::Free) | None => false,
    }
}

impl RxFilter {
    /// Just before the edge.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let mut o = Outputs {
            m_ret_valid: self.ret_valid_q,
            m_ret_good: self.ret_good_q,
            m_ret_token: self.ret_token_q,
            m_ret_c_st: self.ret_c_st_q,
            m_ret_packet_cnt: self.ret_packet_cnt_q,
            ..Outputs::default()
        };
        if i.hdr_valid {
            if i.kind == FrameKind::Own.code() {
                o.ev_returned_good = i.hdr_good;
                o.ev_returned_bad = !i.hdr_good;
            } else if i.kind == FrameKind::Other.code() {
                let fcs = i.hdr_check == Check::Fcs.code();
                o.deliver = i.hdr_good && is_for_us(i);
                o.ev_bad_fcs = !i.hdr_good && fcs;
                o.ev_bad_other = !i.hdr_good && !fcs;
            }
        }
        o
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        self.ret_valid_q = i.hdr_valid && i.kind == FrameKind::Own.code();
        if self.ret_valid_q {
            self.ret_good_q = i.hdr_good;
            self.ret_token_q = i.hdr.token();
            self.ret_c_st_q = i.hdr.c_st();
            self.ret_packet_cnt_q = i.hdr.packet_cnt();
        }
        self.ret_valid_q &= !i.rst;
    }
}
