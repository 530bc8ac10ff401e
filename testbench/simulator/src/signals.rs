// SPDX-License-Identifier: MIT OR Apache-2.0
//! The signals of a testbench in groups, as GTKWave shows them.

use crate::Module;
use awgstar_draw::gtkw::{Save, Shown};
use std::{ops::Range, path::Path};

/// (group, signals) of a module; the name of a signal is that in the wave file, below the
/// testbench.
#[must_use]
pub fn groups(module: Module) -> &'static [(&'static str, &'static [&'static str])] {
    match module {
        Module::Crc32 => {
            &[("crc32", &["crc_in[31:0]", "tdata[31:0]", "tkeep[3:0]", "crc_out[31:0]"])]
        }
        Module::FrameTx => &[
            ("clock", &["clk", "rst"]),
            (
                "header in",
                &[
                    "s_hdr_valid",
                    "s_hdr_ready",
                    "s_hdr_mac[47:0]",
                    "s_hdr_token[2:0]",
                    "s_hdr_c_st[4:0]",
                    "s_hdr_node_id[7:0]",
                    "s_hdr_multi_g[3:0]",
                    "s_hdr_act_seq[3:0]",
                    "s_hdr_packet_cnt[7:0]",
                    "s_hdr_addr[31:0]",
                    "s_hdr_len[10:0]",
                ],
            ),
            (
                "payload in",
                &[
                    "s_axis_tvalid",
                    "s_axis_tready",
                    "s_axis_tdata[31:0]",
                    "s_axis_tkeep[3:0]",
                    "s_axis_tlast",
                ],
            ),
            ("link out", LINK_OUT),
            ("status", &["status_valid", "status_error[2:0]"]),
            ("state", &["dut.state_q[1:0]"]),
        ],
        Module::FrameRx => &[
            ("clock", &["clk", "rst"]),
            (
                "link in",
                &[
                    "s_axis_tvalid",
                    "s_axis_tdata[31:0]",
                    "s_axis_tkeep[3:0]",
                    "s_axis_tlast",
                    "s_axis_tuser",
                ],
            ),
            ("data out", LINK_OUT),
            (
                "header out",
                &[
                    "m_hdr_valid",
                    "m_hdr_good",
                    "m_hdr_check[3:0]",
                    "m_hdr_monitor",
                    "m_hdr_mac[47:0]",
                    "m_hdr_token[2:0]",
                    "m_hdr_c_st[4:0]",
                    "m_hdr_node_id[7:0]",
                    "m_hdr_multi_g[3:0]",
                    "m_hdr_act_seq[3:0]",
                    "m_hdr_packet_cnt[7:0]",
                    "m_hdr_addr[31:0]",
                    "m_hdr_len[10:0]",
                ],
            ),
            ("state", &["dut.state_q[1:0]"]),
        ],
    }
}

const LINK_OUT: &[&str] =
    &["m_axis_tvalid", "m_axis_tdata[31:0]", "m_axis_tkeep[3:0]", "m_axis_tlast", "m_axis_tuser"];

/// The save file for `vcd`, which is in the same folder and covers `times`. `top` is
/// the scope of the testbench: Verilator puts it below `TOP`.
#[must_use]
pub fn save_file(module: Module, vcd: &Path, top: &str, times: Range<u64>) -> String {
    let name = vcd.file_name().unwrap_or_default().to_string_lossy();
    let mut save = Save::new(&name, times, 0);
    for (group, signals) in groups(module) {
        save.group(group);
        for signal in *signals {
            save.row(shown_as(module, signal), &format!("{top}{signal}"));
        }
    }
    save.text()
}

fn shown_as(module: Module, signal: &str) -> Shown<'static> {
    let name = signal.split('[').next().unwrap_or(signal);
    let filter = match (module, name.trim_start_matches("s_hdr_").trim_start_matches("m_hdr_")) {
        (_, "token") => "token",
        (_, "check") => "check",
        (_, "status_error") => "tx_status",
        (Module::FrameTx, "dut.state_q") => "frame_tx_state",
        (Module::FrameRx, "dut.state_q") => "frame_rx_state",
        (_, "c_st") => "c_st",
        (_, "node_id" | "multi_g" | "act_seq" | "packet_cnt" | "len") => return Shown::Decimal,
        _ if signal.contains('[') => return Shown::Hex,
        _ => return Shown::Binary,
    };
    Shown::Names(filter)
}
