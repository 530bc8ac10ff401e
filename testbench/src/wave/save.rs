//! The save file that GTKWave opens.

use super::{PERIOD_PS, Window};
use crate::sim::gtkw;
use std::fmt::Write;

/// Name, format and filter of what is shown: 22 is hexadecimal, 24 decimal, 28 binary, 2028 binary
/// read through a filter.
type Shown = (&'static str, &'static str, Option<&'static str>);

/// Of each node.
pub(super) const NODE: &[Shown] = &[
    ("s_axis_tvalid", "28", None),
    ("s_axis_tdata[31:0]", "22", None),
    ("u_ingress.state_q[1:0]", "2028", Some("ring_ingress_state")),
    ("u_ingress.kind_q[1:0]", "2028", Some("kind")),
    ("u_buffer.words_q[9:0]", "24", None),
    ("held[7:0]", "24", None),
    ("u_mux.class_q[1:0]", "2028", Some("class")),
    ("u_egress.state_q[1:0]", "2028", Some("ring_egress_state")),
    ("m_axis_tvalid", "28", None),
    ("m_axis_tdata[31:0]", "22", None),
    ("m_axis_tlast", "28", None),
    ("link_out.token[2:0]", "2028", Some("token")),
    ("link_out.c_st[4:0]", "28", None),
    ("link_out.source[7:0]", "24", None),
    ("link_out.packet_cnt[7:0]", "24", None),
    ("u_frame_rx.v_valid_q", "28", None),
    ("u_frame_rx.v_check_q[3:0]", "2028", Some("check")),
    ("m_rx_hdr_valid", "28", None),
    ("m_ret_valid", "28", None),
];

/// Of each board: its host, what is under way, the node.
pub(super) const BOARD: &[Shown] = &[
    ("s_axi_awvalid", "28", None),
    ("s_axi_awaddr[31:0]", "22", None),
    ("s_axi_wdata[31:0]", "22", None),
    ("s_axi_bvalid", "28", None),
    ("s_axi_bresp[1:0]", "28", None),
    ("s_axi_arvalid", "28", None),
    ("s_axi_araddr[31:0]", "22", None),
    ("s_axi_rvalid", "28", None),
    ("s_axi_rdata[31:0]", "22", None),
    ("irq", "28", None),
    ("u_data.tail_q[7:0]", "24", None),
    ("u_data.next_q[7:0]", "24", None),
    ("u_data.base_q[7:0]", "24", None),
    ("u_control.synced_q", "28", None),
    ("u_control.active_q", "28", None),
    ("s_axis_tvalid", "28", None),
    ("s_axis_tdata[31:0]", "22", None),
    ("u_node.u_ingress.state_q[1:0]", "2028", Some("ring_ingress_state")),
    ("u_node.u_ingress.kind_q[1:0]", "2028", Some("kind")),
    ("u_node.u_arbiter.held_q[7:0]", "24", None),
    ("u_node.u_egress.state_q[1:0]", "2028", Some("ring_egress_state")),
    ("m_axis_tvalid", "28", None),
    ("m_axis_tdata[31:0]", "22", None),
    ("m_axis_tlast", "28", None),
    ("link_out.token[2:0]", "2028", Some("token")),
    ("link_out.c_st[4:0]", "28", None),
    ("link_out.source[7:0]", "24", None),
    ("link_out.packet_cnt[7:0]", "24", None),
    ("u_sorter.state_q[2:0]", "28", None),
    ("u_mailbox.wr_q[4:0]", "24", None),
    ("u_mailbox.rd_q[4:0]", "24", None),
];

pub(super) fn file(window: &Window, kind: &str, shown: &[Shown]) -> String {
    let mut out = gtkw::head("wave.vcd", window.from * PERIOD_PS..window.to * PERIOD_PS);
    out.push_str("@28\nring.clk\n");
    for node in &window.nodes {
        let _ = writeln!(out, "@200\n-{kind} {node}");
        for (name, format, filter) in shown {
            let _ = writeln!(out, "@{format}");
            if let Some(filter) = filter {
                let _ = writeln!(out, "^1 {filter}.filter");
            }
            let _ = writeln!(out, "ring.{kind}{node}.{name}");
        }
    }
    out
}
