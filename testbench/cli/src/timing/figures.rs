// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals and cycles of each drawing.

use crate::timing::runs;
use awgstar_stimulus::board::BoardStimulus;

/// A line of a drawing.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Port (`u_data.m_hdr_valid`), field of a header (`u_data.m_hdr[addr]`) or register
    /// (`u_data.next_q`), with its instance in `smb`.
    pub signal: &'static str,
    /// Name of a row that qualifies this one: the values have a meaning only while it is 1.
    pub when: Option<&'static str>,
    /// Name of a module: the value is a state of its state machine.
    pub states: Option<&'static str>,
}

/// Cycles of a run.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Signals that become true together...
    pub all: &'static [&'static str],
    /// ... while these two are equal...
    pub same: Option<(&'static str, &'static str)>,
    /// ... for the n-th time, counted from 0.
    pub nth: usize,
    /// Cycles before that one.
    pub before: usize,
    /// That one and the cycles after it.
    pub after: usize,
}

/// A drawing.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// File name of the drawing.
    pub file: &'static str,
    /// The instance whose signals carry no prefix.
    pub instance: &'static str,
    /// Title of the drawing.
    pub title: &'static str,
    pub run: fn() -> BoardStimulus,
    /// Cycles of the run that are drawn.
    pub windows: &'static [Window],
    /// Lines, from the top.
    pub rows: &'static [Row],
}

const fn row(signal: &'static str) -> Row {
    Row { signal, when: None, states: None }
}

const fn data(signal: &'static str, when: &'static str) -> Row {
    Row { signal, when: Some(when), states: None }
}

const fn state(signal: &'static str, module: &'static str) -> Row {
    Row { signal, when: None, states: Some(module) }
}

const fn at(all: &'static [&'static str], nth: usize, before: usize, after: usize) -> Window {
    Window { all, same: None, nth, before, after }
}

/// All drawings.
pub const FIGURES: &[Figure] = &[
    Figure {
        file: "docs/blocks/axil_port.svg",
        instance: "u_axil",
        title: "A write to the window, then a read",
        run: runs::host,
        windows: &[at(&["u_window.win_valid"], 0, 2, 13)],
        rows: &[
            row("u_axil.s_axi_awvalid"),
            data("u_axil.s_axi_awaddr", "u_axil.s_axi_awvalid"),
            row("u_axil.s_axi_awready"),
            row("u_axil.s_axi_wvalid"),
            data("u_axil.s_axi_wdata", "u_axil.s_axi_wvalid"),
            row("u_axil.s_axi_bvalid"),
            row("u_axil.s_axi_bready"),
            row("u_axil.s_axi_arvalid"),
            row("u_axil.s_axi_arready"),
            row("u_axil.s_axi_rvalid"),
            data("u_axil.s_axi_rdata", "u_axil.s_axi_rvalid"),
            state("u_axil.state_q", "axil_port"),
            row("u_axil.req_valid"),
            data("u_axil.req_write", "u_axil.req_valid"),
            row("u_axil.rsp_valid"),
        ],
    },
    Figure {
        file: "docs/blocks/host_window.svg",
        instance: "u_window",
        title: "A read, then a write of the strobe 1101: two runs",
        run: runs::host,
        windows: &[at(&["u_window.win_valid"], 1, 1, 12)],
        rows: &[
            row("u_window.win_valid"),
            data("u_window.win_write", "u_window.win_valid"),
            data("u_window.win_wstrb", "u_window.win_valid"),
            data("u_window.win_wdata", "u_window.win_valid"),
            state("u_window.state_q", "host_window"),
            row("u_window.put_valid"),
            row("u_window.put_ready"),
            data("u_window.put_addr", "u_window.put_valid"),
            data("u_window.put_len", "u_window.put_valid"),
            data("u_window.put_data", "u_window.put_valid"),
            row("u_window.mem_we"),
            row("u_window.win_done"),
        ],
    },
    Figure {
        file: "docs/blocks/write_combiner.svg",
        instance: "u_combiner",
        title: "Three words that join, one elsewhere, and 12 cycles without a write",
        run: runs::host,
        windows: &[at(&["u_combiner.put_valid"], 2, 2, 26)],
        rows: &[
            row("u_combiner.put_valid"),
            row("u_combiner.put_ready"),
            data("u_combiner.put_addr", "u_combiner.put_valid"),
            row("u_combiner.open_q"),
            data("u_combiner.next_q", "u_combiner.open_q"),
            data("u_combiner.len_q", "u_combiner.open_q"),
            data("u_combiner.idle_q", "u_combiner.open_q"),
            row("u_combiner.word_valid"),
            row("u_combiner.close_valid"),
            data("u_combiner.close_addr", "u_combiner.close_valid"),
            data("u_combiner.close_len", "u_combiner.close_valid"),
        ],
    },
    Figure {
        file: "docs/blocks/data_window.svg",
        instance: "u_data",
        title: "A frame is closed and sent; it comes back broken, and is sent again",
        run: runs::broken,
        windows: &[
            at(&["u_data.close_valid"], 0, 2, 4),
            at(&["u_data.m_hdr_valid", "u_data.m_hdr_ready"], 0, 3, 4),
            at(&["u_data.rewound"], 0, 3, 5),
            at(&["u_data.m_hdr_valid", "u_data.m_hdr_ready"], 1, 2, 5),
        ],
        rows: &[
            row("u_data.close_valid"),
            row("u_data.enable"),
            state("u_data.state_q", "data_window"),
            row("u_data.tail_q"),
            row("u_data.next_q"),
            row("u_data.base_q"),
            row("u_data.m_hdr_valid"),
            row("u_data.m_hdr_ready"),
            data("u_data.m_hdr[packet_cnt]", "u_data.m_hdr_valid"),
            row("u_data.m_axis_tvalid"),
            row("u_data.m_axis_tready"),
            data("u_data.m_axis_tdata", "u_data.m_axis_tvalid"),
            row("u_data.ret_valid"),
            data("u_data.ret_good", "u_data.ret_valid"),
            row("u_data.rewind_q"),
            row("u_data.recover_q"),
            row("u_data.rewound"),
        ],
    },
    Figure {
        file: "docs/blocks/signal_sender.svg",
        instance: "u_signal",
        title: "A `sent` signal waits until the data before it has left; it comes back",
        run: runs::host,
        windows: &[
            at(&["u_signal.push"], 0, 1, 4),
            at(&["u_signal.m_hdr_valid"], 0, 2, 3),
            at(&["u_signal.m_axis_tvalid"], 0, 1, 4),
            at(&["u_signal.ev_done"], 0, 2, 3),
        ],
        rows: &[
            row("u_signal.push"),
            data("u_signal.push_mark", "u_signal.push"),
            row("u_signal.pending"),
            row("u_signal.data_next"),
            row("u_signal.data_base"),
            state("u_signal.state_q", "signal_sender"),
            row("u_signal.m_hdr_valid"),
            row("u_signal.m_hdr_ready"),
            data("u_signal.m_hdr[addr]", "u_signal.m_hdr_valid"),
            row("u_signal.m_axis_tvalid"),
            row("u_signal.m_axis_tready"),
            data("u_signal.m_axis_tdata", "u_signal.m_axis_tvalid"),
            data("u_signal.m_axis_tkeep", "u_signal.m_axis_tvalid"),
            row("u_signal.ret_valid"),
            row("u_signal.ev_done"),
            row("u_signal.number_q"),
        ],
    },
    Figure {
        file: "docs/blocks/signal_mux.svg",
        instance: "u_mux",
        title: "A heartbeat is on offer when a signal joins it: the heartbeat leaves first",
        run: runs::both,
        windows: &[
            at(&["u_mux.c_hdr_valid", "u_mux.h_hdr_valid"], 1, 4, 4),
            at(&["u_mux.c_hdr_ready", "u_mux.h_hdr_valid"], 0, 2, 4),
            at(&["u_mux.h_hdr_ready", "u_mux.h_hdr_valid"], 1, 2, 3),
        ],
        rows: &[
            row("u_mux.c_hdr_valid"),
            row("u_mux.c_hdr_ready"),
            row("u_mux.h_hdr_valid"),
            row("u_mux.h_hdr_ready"),
            row("u_mux.busy_q"),
            row("u_mux.pick_q"),
            row("u_mux.m_hdr_valid"),
            row("u_mux.m_hdr_ready"),
            data("u_mux.m_hdr[token]", "u_mux.m_hdr_valid"),
        ],
    },
    Figure {
        file: "docs/blocks/link_control.svg",
        instance: "u_control",
        title: "The sync that makes the board known; the fourth short census; two tokens are made",
        run: runs::monitor,
        windows: &[
            at(&["u_control.c_hdr_valid"], 0, 2, 4),
            at(&["u_control.synced"], 0, 2, 2),
            at(&["u_control.active"], 0, 1, 6),
            at(&["u_control.issue"], 0, 3, 4),
        ],
        rows: &[
            row("u_control.enable"),
            state("u_control.state_q", "link_control"),
            row("u_control.c_hdr_valid"),
            row("u_control.c_hdr_ready"),
            data("u_control.c_hdr_c_st", "u_control.c_hdr_valid"),
            row("u_control.count_q"),
            row("u_control.ret_valid"),
            row("u_control.synced"),
            row("u_control.active"),
            row("u_control.quiet_q"),
            row("u_control.due_q"),
            row("u_control.seen_q"),
            row("u_control.short_q"),
            row("u_control.add_q"),
            row("u_control.issue"),
        ],
    },
    Figure {
        file: "docs/blocks/rx_sorter.svg",
        instance: "u_sorter",
        title: "A data frame goes to the memory, a signal after it to the mailbox",
        run: runs::arrivals,
        windows: &[at(&["u_sorter.ev_data"], 0, 3, 8), at(&["u_sorter.ev_signal"], 0, 3, 19)],
        rows: &[
            row("u_sorter.s_hdr_valid"),
            data("u_sorter.s_hdr[token]", "u_sorter.s_hdr_valid"),
            data("u_sorter.s_hdr[packet_cnt]", "u_sorter.s_hdr_valid"),
            row("u_sorter.s_hdr_ready"),
            state("u_sorter.state_q", "rx_sorter"),
            row("u_sorter.ev_data"),
            row("u_sorter.ev_signal"),
            row("u_sorter.s_axis_tvalid"),
            row("u_sorter.s_axis_tready"),
            row("u_sorter.s_axis_tlast"),
            row("u_sorter.start"),
            row("u_sorter.writer_done"),
            row("u_sorter.mail_we"),
            data("u_sorter.mail_index", "u_sorter.mail_we"),
            row("u_sorter.mail_commit"),
        ],
    },
    Figure {
        file: "docs/blocks/mem_writer.svg",
        instance: "u_writer",
        title: "Seven bytes at address 0x41, and no byte beside them",
        run: runs::arrivals,
        windows: &[at(&["u_writer.start"], 0, 2, 15)],
        rows: &[
            row("u_writer.start"),
            data("u_writer.addr", "u_writer.start"),
            data("u_writer.len", "u_writer.start"),
            state("u_writer.state_q", "mem_writer"),
            row("u_writer.s_axis_tvalid"),
            data("u_writer.s_axis_tdata", "u_writer.s_axis_tvalid"),
            row("u_writer.s_axis_tlast"),
            row("u_writer.at_q"),
            row("u_writer.mem_we"),
            data("u_writer.mem_addr", "u_writer.mem_we"),
            data("u_writer.mem_wdata", "u_writer.mem_we"),
            row("u_writer.done"),
        ],
    },
    Figure {
        file: "docs/blocks/shared_memory.svg",
        instance: "u_memory",
        title: "Host and ring write one word in one cycle; the host reads it back",
        run: runs::one_word,
        windows: &[Window {
            same: Some(("u_memory.a_addr", "u_memory.b_addr")),
            ..at(&["u_memory.a_we", "u_memory.b_we"], 0, 4, 7)
        }],
        rows: &[
            row("u_memory.a_addr"),
            row("u_memory.a_we"),
            data("u_memory.a_wdata", "u_memory.a_we"),
            row("u_memory.b_addr"),
            row("u_memory.b_we"),
            data("u_memory.b_wdata", "u_memory.b_we"),
            row("u_memory.a_rdata"),
            row("u_window.win_done"),
        ],
    },
    Figure {
        file: "docs/blocks/mail_box.svg",
        instance: "u_mailbox",
        title: "A message is stored and committed; the host reads a word and drops it",
        run: runs::arrivals,
        windows: &[at(&["u_mailbox.we"], 0, 1, 19), at(&["u_mailbox.pop"], 0, 2, 4)],
        rows: &[
            row("u_mailbox.we"),
            data("u_mailbox.index", "u_mailbox.we"),
            data("u_mailbox.data", "u_mailbox.we"),
            row("u_mailbox.commit"),
            row("u_mailbox.count"),
            row("u_regs.irq"),
            row("u_mailbox.get_index"),
            row("u_mailbox.get_data"),
            row("u_mailbox.pop"),
        ],
    },
    Figure {
        file: "docs/blocks/host_regs.svg",
        instance: "u_regs",
        title: "A signal is sent with a write; a write that the map does not allow; a signal is done: interrupt",
        run: runs::host,
        windows: &[
            at(&["u_regs.push"], 0, 2, 4),
            at(&["u_signal.ev_done"], 0, 2, 4),
            at(&["u_regs.reg_error"], 0, 3, 3),
        ],
        rows: &[
            row("u_regs.reg_valid"),
            data("u_regs.reg_write", "u_regs.reg_valid"),
            data("u_regs.reg_addr", "u_regs.reg_valid"),
            data("u_regs.reg_wdata", "u_regs.reg_valid"),
            state("u_regs.state_q", "host_regs"),
            row("u_regs.push"),
            row("u_regs.flush"),
            row("u_regs.reg_done"),
            row("u_regs.reg_error"),
            row("u_regs.events"),
            row("u_regs.status_q"),
            row("u_regs.mask_q"),
            row("u_regs.irq"),
        ],
    },
    Figure {
        file: "docs/blocks/smb.svg",
        instance: "smb",
        title: "A write of the host on its way round: taken, closed, sent, back",
        run: runs::host,
        windows: &[
            at(&["u_window.win_valid"], 0, 2, 5),
            at(&["u_combiner.close_valid"], 0, 1, 6),
            at(&["u_data.m_hdr_valid", "u_data.m_hdr_ready"], 0, 1, 6),
            at(&["u_node.m_ret_valid"], 1, 2, 3),
        ],
        rows: &[
            row("smb.s_axi_awvalid"),
            row("smb.s_axi_bvalid"),
            row("u_window.mem_we"),
            row("u_combiner.word_valid"),
            row("u_combiner.open_q"),
            row("u_combiner.close_valid"),
            row("u_data.tail_q"),
            row("u_data.m_hdr_valid"),
            row("u_data.m_hdr_ready"),
            row("u_data.next_q"),
            row("smb.m_axis_tvalid"),
            data("smb.m_axis_tdata", "smb.m_axis_tvalid"),
            row("u_node.m_ret_valid"),
            row("u_data.base_q"),
        ],
    },
];
