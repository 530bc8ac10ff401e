// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tx_mux`: header and payload of the class that was granted (NODE-14).

use super::state::{ports, state};
use crate::rtl::bundle::Stream;
use awgstar_frame::contract::{
    DATA_HDR_BITS, HDR_BITS, Hdr, HeaderWire, SIGNAL_HDR_BITS, Token, TxClass,
};

/// A TOKEN that `frame_tx` refuses.
const REFUSED: u8 = Token::RESERVED[1];

ports! {
    /// Inputs of `tx_mux`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// The data frame is next.
        pick_data: bool = 1,
        /// The signal is next.
        pick_signal: bool = 1,
        /// The data frame goes.
        grant_data: bool = 1,
        /// The signal goes.
        grant_signal: bool = 1,
        /// A free token goes.
        grant_free: bool = 1,
        /// MAC of this node.
        cfg_mac: u64 = 48,
        cfg_node_id: u8 = 8,
        /// Header of the data frame, from Act_Seq on.
        s_data_hdr: Hdr = DATA_HDR_BITS,
        /// A beat of the stream.
        s_data_axis: Stream = 0 => stream,
        /// Header of the signal, from TOKEN on.
        s_signal_hdr: Hdr = SIGNAL_HDR_BITS,
        /// A beat of the stream.
        s_signal_axis: Stream = 0 => stream,
        /// `frame_tx` takes a beat.
        m_axis_tready: bool = 1,
    }
}

ports! {
    /// Outputs of `tx_mux`.
    pub struct Outputs {
        /// A beat of the data frame is taken.
        s_data_axis_tready: bool = 1,
        /// A beat of the signal is taken.
        s_signal_axis_tready: bool = 1,
        /// There is a header.
        m_hdr_valid: bool = 1,
        /// The header.
        m_hdr: Hdr = HDR_BITS,
        /// A beat of the stream.
        m_axis: Stream = 0 => stream,
        /// Class of the last grant.
        tx_class: u8 = 2,
    }
}

state! {
    /// Registers of `tx_mux`.
    pub struct TxMux("tx_mux", Inputs, Outputs) {
        registers {
            /// Class of the last grant.
            class_q: u8 = 2,
        }
    }
}

impl TxMux {
    /// Just before the edge.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let is_data = self.class_q == TxClass::Data.code();
        let is_signal = self.class_q == TxClass::Signal.code();
        let mut o = Outputs {
            s_data_axis_tready: is_data && i.m_axis_tready,
            s_signal_axis_tready: is_signal && i.m_axis_tready,
            m_hdr_valid: i.grant_data || i.grant_signal || i.grant_free,
            m_hdr: Self::header(i),
            tx_class: self.class_q,
            ..Outputs::default()
        };
        if is_data {
            o.m_axis.tdata = i.s_data_axis.tdata;
            o.m_axis.tkeep = i.s_data_axis.tkeep;
            o.m_axis.tvalid = i.s_data_axis.tvalid;
            o.m_axis.tlast = i.s_data_axis.tlast;
        } else {
            o.m_axis.tdata = i.s_signal_axis.tdata;
            o.m_axis.tkeep = i.s_signal_axis.tkeep;
            o.m_axis.tvalid = is_signal && i.s_signal_axis.tvalid;
            o.m_axis.tlast = i.s_signal_axis.tlast;
        }
        o
    }

    /// NODE-14
    #[inline]
    fn header(i: &Inputs) -> Hdr {
        let (mac, node_id) = (i.cfg_mac, i.cfg_node_id);
        if i.pick_data {
            let token = Token::Data.code();
            let header = HeaderWire { mac, token, node_id, ..i.s_data_hdr.header() };
            Hdr::new(&header, i.s_data_hdr.len())
        } else if i.pick_signal {
            let signal = i.s_signal_hdr.header();
            let needs_token = [Token::Free.code(), Token::Data.code()].contains(&signal.token);
            let token = if needs_token { REFUSED } else { signal.token };
            Hdr::new(&HeaderWire { mac, token, ..signal }, i.s_signal_hdr.len())
        } else {
            let token = Token::Free.code();
            Hdr::new(&HeaderWire { mac, token, node_id, ..HeaderWire::default() }, 0)
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        if i.grant_signal {
            self.class_q = TxClass::Signal.code();
        } else if i.grant_data {
            self.class_q = TxClass::Data.code();
        } else if i.grant_free {
            self.class_q = TxClass::Free.code();
        }
        if i.rst {
            self.class_q = TxClass::Free.code();
        }
    }
}
