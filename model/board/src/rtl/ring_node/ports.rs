// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ports of `ring_node`, in the order of `docs/node.md`.

use super::super::state::ports;
use crate::rtl::bundle::{Link, Stream};
use awgstar_frame::contract::{DATA_HDR_BITS, HDR_BITS, Hdr, SIGNAL_HDR_BITS};

ports! {
    /// Inputs of `ring_node`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// MAC of this node.
        cfg_mac: u64 = 48,
        cfg_node_id: u8 = 8,
        /// Bit g: this node is in multicast group g.
        cfg_groups: u16 = 16,
        /// This node is the active monitor (NODE-22).
        cfg_monitor: bool = 1,
        /// One new token (NODE-15).
        issue: bool = 1,
        /// One token in hand, or the next free token, is to be dropped (NODE-23).
        discard: bool = 1,
        /// A word of the link.
        s_axis: Link = 0 => link_word,
        /// A data frame to send; its whole payload is there.
        s_data_hdr_valid: bool = 1,
        /// Header of the data frame, from Act_Seq on.
        s_data_hdr: Hdr = DATA_HDR_BITS => fields,
        /// A beat of the stream.
        s_data_axis: Stream = 0 => stream,
        /// A signal or control token to send.
        s_signal_hdr_valid: bool = 1,
        /// Header of the signal, from TOKEN on.
        s_signal_hdr: Hdr = SIGNAL_HDR_BITS => fields,
        /// A beat of the stream.
        s_signal_axis: Stream = 0 => stream,
        /// A delivered header is taken.
        m_rx_hdr_ready: bool = 1,
        /// A delivered beat is taken.
        m_rx_axis_tready: bool = 1,
        /// Counter to be read.
        count_addr: u8 = 4,
    }
}

ports! {
    /// Outputs of `ring_node`.
    pub struct Outputs {
        /// A word of the link.
        m_axis: Link = 0 => link_word,
        /// The data frame is taken.
        s_data_hdr_ready: bool = 1,
        /// A beat of it is taken.
        s_data_axis_tready: bool = 1,
        /// The signal is taken.
        s_signal_hdr_ready: bool = 1,
        /// A beat of it is taken.
        s_signal_axis_tready: bool = 1,
        /// A frame for this node.
        m_rx_hdr_valid: bool = 1,
        /// Header of the frame.
        m_rx_hdr: Hdr = HDR_BITS => fields,
        /// A beat of the stream.
        m_rx_axis: Stream = 0 => stream,
        /// An own frame has returned (NODE-18).
        m_ret_valid: bool = 1,
        /// The returned frame is good.
        m_ret_good: bool = 1,
        /// TOKEN of the returned frame.
        m_ret_token: u8 = 3,
        /// C.ST of the returned frame.
        m_ret_c_st: u8 = 5,
        /// Packet_Cnt of the returned frame.
        m_ret_packet_cnt: u8 = 8,
        /// Verdict on a frame given to the transmitter (NODE-19).
        m_sent_valid: bool = 1,
        /// Class of the frame sent.
        m_sent_class: u8 = 2,
        /// The verdict.
        m_sent_error: u8 = 3,
        /// The counter of the cycle before's address.
        count_data: u32 = 32,
        /// Tokens in hand.
        held: u8 = 8,
        /// A free or data token arrives (NODE-24).
        token_seen: bool = 1,
        /// Words wait in the insertion buffer (NODE-24).
        buffered: bool = 1,
        /// A frame that has lost its source is absorbed (NODE-22).
        ev_orphan: bool = 1,
        /// A token in hand is dropped (NODE-23).
        ev_discarded: bool = 1,
    }
}
