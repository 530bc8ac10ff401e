// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows of the save file that GTKWave opens.

use awgstar_draw::gtkw::Shown::{self, Binary, Decimal, Hex, Names};

/// Path below the node or board, and how it is shown.
pub(crate) type Row = (&'static str, Shown<'static>);

pub(super) const NODE: &[Row] = &[
    ("s_axis_tvalid", Binary),
    ("s_axis_tdata", Hex),
    ("u_ingress.state_q", Names("ring_ingress_state")),
    ("u_ingress.kind_q", Names("kind")),
    ("u_buffer.words_q", Decimal),
    ("held", Decimal),
    ("u_mux.class_q", Names("class")),
    ("u_egress.state_q", Names("ring_egress_state")),
    ("m_axis_tvalid", Binary),
    ("m_axis_tdata", Hex),
    ("m_axis_tlast", Binary),
    ("link_out.token", Names("token")),
    ("link_out.c_st", Names("c_st")),
    ("link_out.source", Decimal),
    ("link_out.packet_cnt", Decimal),
    ("u_frame_rx.v_valid_q", Binary),
    ("u_frame_rx.v_check_q", Names("check")),
    ("m_rx_hdr_valid", Binary),
    ("m_ret_valid", Binary),
];

/// Of each board: its host, what is under way, the node.
pub(super) const BOARD: &[Row] = &[
    ("s_axi_awvalid", Binary),
    ("s_axi_awaddr", Hex),
    ("s_axi_wdata", Hex),
    ("s_axi_bvalid", Binary),
    ("s_axi_bresp", Binary),
    ("s_axi_arvalid", Binary),
    ("s_axi_araddr", Hex),
    ("s_axi_rvalid", Binary),
    ("s_axi_rdata", Hex),
    ("irq", Binary),
    ("u_data.tail_q", Decimal),
    ("u_data.next_q", Decimal),
    ("u_data.base_q", Decimal),
    ("u_control.synced_q", Binary),
    ("u_control.active_q", Binary),
    ("s_axis_tvalid", Binary),
    ("s_axis_tdata", Hex),
    ("u_node.u_ingress.state_q", Names("ring_ingress_state")),
    ("u_node.u_ingress.kind_q", Names("kind")),
    ("u_node.u_arbiter.held_q", Decimal),
    ("u_node.u_egress.state_q", Names("ring_egress_state")),
    ("m_axis_tvalid", Binary),
    ("m_axis_tdata", Hex),
    ("m_axis_tlast", Binary),
    ("link_out.token", Names("token")),
    ("link_out.c_st", Names("c_st")),
    ("link_out.source", Decimal),
    ("link_out.packet_cnt", Decimal),
    ("u_sorter.state_q", Binary),
    ("u_mailbox.wr_q", Decimal),
    ("u_mailbox.rd_q", Decimal),
];
