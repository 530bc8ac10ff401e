//! The save file that GTKWave opens.

use crate::wave::{PERIOD_PS, Window};
use awgstar_draw::gtkw::Shown::{Binary, Decimal, Hex, Names};
use awgstar_draw::gtkw::{Save, Shown};

/// Path below the node or board, and how it is shown.
type Row = (&'static str, Shown<'static>);

/// Of each node.
pub(super) const NODE: &[Row] = &[
    ("s_axis_tvalid", Binary),
    ("s_axis_tdata[31:0]", Hex),
    ("u_ingress.state_q[1:0]", Names("ring_ingress_state")),
    ("u_ingress.kind_q[1:0]", Names("kind")),
    ("u_buffer.words_q[9:0]", Decimal),
    ("held[7:0]", Decimal),
    ("u_mux.class_q[1:0]", Names("class")),
    ("u_egress.state_q[1:0]", Names("ring_egress_state")),
    ("m_axis_tvalid", Binary),
    ("m_axis_tdata[31:0]", Hex),
    ("m_axis_tlast", Binary),
    ("link_out.token[2:0]", Names("token")),
    ("link_out.c_st[4:0]", Names("c_st")),
    ("link_out.source[7:0]", Decimal),
    ("link_out.packet_cnt[7:0]", Decimal),
    ("u_frame_rx.v_valid_q", Binary),
    ("u_frame_rx.v_check_q[3:0]", Names("check")),
    ("m_rx_hdr_valid", Binary),
    ("m_ret_valid", Binary),
];

/// Of each board: its host, what is under way, the node.
pub(super) const BOARD: &[Row] = &[
    ("s_axi_awvalid", Binary),
    ("s_axi_awaddr[31:0]", Hex),
    ("s_axi_wdata[31:0]", Hex),
    ("s_axi_bvalid", Binary),
    ("s_axi_bresp[1:0]", Binary),
    ("s_axi_arvalid", Binary),
    ("s_axi_araddr[31:0]", Hex),
    ("s_axi_rvalid", Binary),
    ("s_axi_rdata[31:0]", Hex),
    ("irq", Binary),
    ("u_data.tail_q[7:0]", Decimal),
    ("u_data.next_q[7:0]", Decimal),
    ("u_data.base_q[7:0]", Decimal),
    ("u_control.synced_q", Binary),
    ("u_control.active_q", Binary),
    ("s_axis_tvalid", Binary),
    ("s_axis_tdata[31:0]", Hex),
    ("u_node.u_ingress.state_q[1:0]", Names("ring_ingress_state")),
    ("u_node.u_ingress.kind_q[1:0]", Names("kind")),
    ("u_node.u_arbiter.held_q[7:0]", Decimal),
    ("u_node.u_egress.state_q[1:0]", Names("ring_egress_state")),
    ("m_axis_tvalid", Binary),
    ("m_axis_tdata[31:0]", Hex),
    ("m_axis_tlast", Binary),
    ("link_out.token[2:0]", Names("token")),
    ("link_out.c_st[4:0]", Names("c_st")),
    ("link_out.source[7:0]", Decimal),
    ("link_out.packet_cnt[7:0]", Decimal),
    ("u_sorter.state_q[2:0]", Binary),
    ("u_mailbox.wr_q[4:0]", Decimal),
    ("u_mailbox.rd_q[4:0]", Decimal),
];

/// The file of the waves `dump` for a window of a run that ended at cycle `end`.
pub(super) fn file(dump: &str, window: &Window, end: u64, kind: &str, rows: &[Row]) -> String {
    let mut save = Save::new(dump, window.from * PERIOD_PS..end * PERIOD_PS, 0);
    save.row(Binary, "ring.clk");
    for node in &window.nodes {
        save.group(&format!("{kind} {node}"));
        for (path, shown) in rows {
            save.row(*shown, &format!("ring.{kind}{node}.{path}"));
        }
    }
    save.text()
}
