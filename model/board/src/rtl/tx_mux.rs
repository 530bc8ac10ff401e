//! `tx_mux`: header and payload of the class that was granted (NODE-14).

use super::state::{ports, state};
use awgstar_frame::contract::{Token, TxClass};

/// A TOKEN that `frame_tx` refuses.
const REFUSED: u8 = Token::RESERVED[1];

ports! {
    /// Inputs of `tx_mux`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// The data frame goes.
        grant_data: bool = 1,
        /// The signal goes.
        grant_signal: bool = 1,
        /// A free token goes.
        grant_free: bool = 1,
        /// MAC of this node.
        cfg_mac: u64 = 48,
        /// Node_ID of this node.
        cfg_node_id: u8 = 8,
        /// Act_Seq of the data frame.
        s_data_hdr_act_seq: u8 = 4,
        /// Its Packet_Cnt.
        s_data_hdr_packet_cnt: u8 = 8,
        /// Its Addr.
        s_data_hdr_addr: u32 = 32,
        /// Its valid bytes.
        s_data_hdr_len: u16 = 11,
        /// Its payload.
        s_data_axis_tdata: u32 = 32,
        /// Lanes of it.
        s_data_axis_tkeep: u8 = 4,
        /// A beat is offered.
        s_data_axis_tvalid: bool = 1,
        /// It is the last.
        s_data_axis_tlast: bool = 1,
        /// TOKEN of the signal.
        s_signal_hdr_token: u8 = 3,
        /// Its C.ST.
        s_signal_hdr_c_st: u8 = 5,
        /// Its Node_ID.
        s_signal_hdr_node_id: u8 = 8,
        /// Its Multi_G.
        s_signal_hdr_multi_g: u8 = 4,
        /// Its Act_Seq.
        s_signal_hdr_act_seq: u8 = 4,
        /// Its Packet_Cnt.
        s_signal_hdr_packet_cnt: u8 = 8,
        /// Its Addr.
        s_signal_hdr_addr: u32 = 32,
        /// Its valid bytes.
        s_signal_hdr_len: u16 = 11,
        /// Its payload.
        s_signal_axis_tdata: u32 = 32,
        /// Lanes of it.
        s_signal_axis_tkeep: u8 = 4,
        /// A beat is offered.
        s_signal_axis_tvalid: bool = 1,
        /// It is the last.
        s_signal_axis_tlast: bool = 1,
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
        /// A header.
        m_hdr_valid: bool = 1,
        /// MAC.
        m_hdr_mac: u64 = 48,
        /// TOKEN.
        m_hdr_token: u8 = 3,
        /// C.ST.
        m_hdr_c_st: u8 = 5,
        /// Node_ID.
        m_hdr_node_id: u8 = 8,
        /// Multi_G.
        m_hdr_multi_g: u8 = 4,
        /// Act_Seq.
        m_hdr_act_seq: u8 = 4,
        /// Packet_Cnt.
        m_hdr_packet_cnt: u8 = 8,
        /// Addr.
        m_hdr_addr: u32 = 32,
        /// Valid bytes.
        m_hdr_len: u16 = 11,
        /// Payload beat.
        m_axis_tdata: u32 = 32,
        /// Its lanes.
        m_axis_tkeep: u8 = 4,
        /// A beat is offered.
        m_axis_tvalid: bool = 1,
        /// It is the last.
        m_axis_tlast: bool = 1,
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
            m_hdr_mac: i.cfg_mac,
            m_hdr_token: Token::Free.code(),
            m_hdr_node_id: i.cfg_node_id,
            tx_class: self.class_q,
            ..Outputs::default()
        };
        if i.grant_data {
            o.m_hdr_token = Token::Data.code();
            o.m_hdr_act_seq = i.s_data_hdr_act_seq;
            o.m_hdr_packet_cnt = i.s_data_hdr_packet_cnt;
            o.m_hdr_addr = i.s_data_hdr_addr;
            o.m_hdr_len = i.s_data_hdr_len;
        } else if i.grant_signal {
            let token = i.s_signal_hdr_token;
            let not_a_signal = token == Token::Free.code() || token == Token::Data.code();
            o.m_hdr_token = if not_a_signal { REFUSED } else { token };
            o.m_hdr_c_st = i.s_signal_hdr_c_st;
            o.m_hdr_node_id = i.s_signal_hdr_node_id;
            o.m_hdr_multi_g = i.s_signal_hdr_multi_g;
            o.m_hdr_act_seq = i.s_signal_hdr_act_seq;
            o.m_hdr_packet_cnt = i.s_signal_hdr_packet_cnt;
            o.m_hdr_addr = i.s_signal_hdr_addr;
            o.m_hdr_len = i.s_signal_hdr_len;
        }
        if is_data {
            o.m_axis_tdata = i.s_data_axis_tdata;
            o.m_axis_tkeep = i.s_data_axis_tkeep;
            o.m_axis_tvalid = i.s_data_axis_tvalid;
            o.m_axis_tlast = i.s_data_axis_tlast;
        } else {
            o.m_axis_tdata = i.s_signal_axis_tdata;
            o.m_axis_tkeep = i.s_signal_axis_tkeep;
            o.m_axis_tvalid = is_signal && i.s_signal_axis_tvalid;
            o.m_axis_tlast = i.s_signal_axis_tlast;
        }
        o
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        if i.grant_data {
            self.class_q = TxClass::Data.code();
        } else if i.grant_signal {
            self.class_q = TxClass::Signal.code();
        } else if i.grant_free {
            self.class_q = TxClass::Free.code();
        }
        if i.rst {
            self.class_q = TxClass::Free.code();
        }
    }
}
