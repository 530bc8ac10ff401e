// SPDX-License-Identifier: MIT OR Apache-2.0
//! `signal_mux`: the node's signal port serves control tokens and the host's signals.

use super::state::{ports, state};
use crate::rtl::bundle::Stream;
use awgstar_frame::contract::{Hdr, HeaderWire, SIGNAL_HDR_BITS, Token};

ports! {
    /// Inputs of `signal_mux`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// A control token to send.
        c_hdr_valid: bool = 1,
        /// C.ST of the control token.
        c_hdr_c_st: u8 = 5,
        /// Packet_Cnt of the control token.
        c_hdr_packet_cnt: u8 = 8,
        /// Addr of the control token.
        c_hdr_addr: u32 = 32,
        /// Node_ID of this board.
        cfg_node_id: u8 = 8,
        /// A signal of the host to send.
        h_hdr_valid: bool = 1,
        /// Header of the signal, from TOKEN on.
        h_hdr: Hdr = SIGNAL_HDR_BITS,
        /// A beat of the stream.
        h_axis: Stream = 0 => stream,
        /// The node takes the header.
        m_hdr_ready: bool = 1,
        /// The node takes the beat.
        m_axis_tready: bool = 1,
    }
}

ports! {
    /// Outputs of `signal_mux`.
    pub struct Outputs {
        /// The control token is taken.
        c_hdr_ready: bool = 1,
        /// The signal is taken.
        h_hdr_ready: bool = 1,
        /// The beat of the signal is taken.
        h_axis_tready: bool = 1,
        /// A header for the node.
        m_hdr_valid: bool = 1,
        /// The header, from TOKEN on.
        m_hdr: Hdr = SIGNAL_HDR_BITS,
        /// A beat of the stream.
        m_axis: Stream = 0 => stream,
    }
}

state! {
    /// Registers of `signal_mux`.
    pub struct SignalMux("signal_mux", Inputs, Outputs) {
        registers {
            /// A header was offered and not taken.
            busy_q: bool = 1,
            /// The header that was offered is that of the host's signal.
            pick_q: bool = 1,
        }
    }
}

impl SignalMux {
    /// Returns true if the header offered is that of the host's signal.
    #[inline]
    pub(super) fn picks_host(&self, c_hdr_valid: bool) -> bool {
        if self.busy_q { self.pick_q } else { !c_hdr_valid }
    }

    /// Just before the edge. What goes to the node does not depend on what it takes.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let host = self.picks_host(i.c_hdr_valid);
        let axis = Outputs {
            c_hdr_ready: !host && i.m_hdr_ready,
            h_hdr_ready: host && i.m_hdr_ready,
            h_axis_tready: i.m_axis_tready,
            // Whichever it is: the one that was offered is still on offer.
            m_hdr_valid: i.c_hdr_valid || i.h_hdr_valid,
            m_axis: i.h_axis,
            ..Outputs::default()
        };
        if host {
            Outputs { m_hdr: i.h_hdr, ..axis }
        } else {
            let header = HeaderWire {
                token: Token::Control.code(),
                c_st: i.c_hdr_c_st,
                node_id: i.cfg_node_id,
                packet_cnt: i.c_hdr_packet_cnt,
                addr: i.c_hdr_addr,
                ..HeaderWire::default()
            };
            Outputs { m_hdr: Hdr::new(&header, 0), ..axis }
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let pick = self.picks_host(i.c_hdr_valid);
        let valid = i.c_hdr_valid || i.h_hdr_valid;
        self.pick_q = pick && !i.rst;
        self.busy_q = valid && !i.m_hdr_ready && !i.rst;
    }
}
