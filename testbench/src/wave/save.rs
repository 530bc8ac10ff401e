//! The save file that GTKWave opens.

use super::{PERIOD_PS, Window};
use crate::sim::gtkw;
use std::fmt::Write;

/// (name, format, filter) of what is shown of each node; 22 is hexadecimal, 24 decimal, 28 binary,
/// 2028 binary read through a filter.
const SHOWN: &[(&str, &str, Option<&str>)] = &[
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

pub(super) fn file(window: &Window) -> String {
    let mut out = gtkw::head("wave.vcd", window.from * PERIOD_PS..window.to * PERIOD_PS);
    out.push_str("@28\nring.clk\n");
    for node in &window.nodes {
        let _ = writeln!(out, "@200\n-node {node}");
        for (name, format, filter) in SHOWN {
            let _ = writeln!(out, "@{format}");
            if let Some(filter) = filter {
                let _ = writeln!(out, "^1 {filter}.filter");
            }
            let _ = writeln!(out, "ring.node{node}.{name}");
        }
    }
    out
}
