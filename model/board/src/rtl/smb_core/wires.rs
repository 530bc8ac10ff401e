// SPDX-License-Identifier: MIT OR Apache-2.0
//! Combinational signals of the body in one cycle, in dependency order.

use super::{Inputs, SmbCore};
use crate::rtl::{
    data_window, host_regs, host_window, join_fence, join_regs, link_control, mem_writer,
    ring_node, rx_buffer, rx_sorter, signal_mux, signal_sender, sync_engine, write_combiner,
};

/// Transmit side: inputs and outputs of its modules, without the inputs from the host.
pub(super) struct Sending {
    pub(super) data_in: data_window::Inputs,
    pub(super) data: data_window::Outputs,
    pub(super) signal_in: signal_sender::Inputs,
    pub(super) signal: signal_sender::Outputs,
    pub(super) control_in: link_control::Inputs,
    pub(super) control: link_control::Outputs,
    pub(super) fence_in: join_fence::Inputs,
    pub(super) fence: join_fence::Outputs,
    pub(super) mux_in: signal_mux::Inputs,
}

/// Receive side: inputs and outputs of its modules.
pub(super) struct Receiving {
    pub(super) sorter_in: rx_sorter::Inputs,
    pub(super) sorter: rx_sorter::Outputs,
    pub(super) writer_in: mem_writer::Inputs,
    pub(super) writer: mem_writer::Outputs,
    /// Without what the host asks for and what it sends.
    pub(super) engine_in: sync_engine::Inputs,
    pub(super) engine: sync_engine::Outputs,
}

/// A request of the host port to the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) valid: bool,
    pub(crate) write: bool,
    pub(crate) addr: u32,
    pub(crate) wdata: u32,
    pub(crate) wstrb: u8,
    /// The word that the memory reads, if the host port reads one itself.
    pub(crate) word: Option<u32>,
}

/// The board's answer to a request, in the same cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Response {
    pub(crate) valid: bool,
    pub(crate) error: bool,
    pub(crate) rdata: u32,
}

/// Host side: inputs and outputs of its modules.
pub(super) struct Host {
    pub(super) response: Response,
    /// Address of port A of the memory.
    pub(super) a_addr: u32,
    pub(super) regs_in: host_regs::Inputs,
    pub(super) regs: host_regs::Outputs,
    pub(super) window_in: host_window::Inputs,
    pub(super) window: host_window::Outputs,
    pub(super) combiner_in: write_combiner::Inputs,
    pub(super) combiner: write_combiner::Outputs,
    pub(super) engine_in: sync_engine::Inputs,
    pub(super) join_in: join_regs::Inputs,
    pub(super) join: join_regs::Outputs,
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
const fn half(value: u32) -> u16 {
    value as u16
}

/// Counter that the host would read.
#[inline]
pub(super) fn count_addr(addr: u32) -> u8 {
    (addr >> 2).to_le_bytes()[0] & 31
}

impl SmbCore {
    /// Inputs of the node, with the address of the host's request. All depend on registers only, except
    /// the link.
    #[inline]
    pub(crate) fn node_inputs(&self, i: &Inputs, addr: u32) -> ring_node::Inputs {
        let regs = &self.u_regs;
        let data = self.u_data.outputs(&data_window::Inputs::default());
        let mux = self.u_mux.outputs(&self.mux_inputs(i, (false, false), &self.token()));
        let rx = self.u_node.u_rx_buffer.outputs(&rx_buffer::Inputs::default());
        let (hdr_ready, tready) = self.takes(rx.m_axis.tvalid, rx.m_axis.tlast);
        ring_node::Inputs {
            rst: i.rst,
            // Not configured, a board must not strip frames of the board that has its MAC.
            cfg_mac: regs.mac() ^ u64::from(!regs.enable_q) << 40,
            cfg_node_id: regs.node_id_q,
            cfg_groups: regs.groups_q,
            cfg_monitor: self.u_control.active_q,
            issue: self.u_control.add_q != 0,
            discard: self.u_control.discard_q,
            s_axis: i.s_axis,
            s_data_hdr_valid: data.m_hdr_valid,
            s_data_hdr: data.m_hdr,
            s_data_axis: data.m_axis,
            s_signal_hdr_valid: mux.m_hdr_valid,
            s_signal_hdr: mux.m_hdr,
            s_signal_axis: mux.m_axis,
            m_rx_hdr_ready: hdr_ready,
            m_rx_axis_tready: tready,
            count_addr: count_addr(addr) & 15,
        }
    }

    /// Returns (the delivered header is taken, the beat is taken).
    #[inline]
    fn takes(&self, tvalid: bool, tlast: bool) -> (bool, bool) {
        let ends = tvalid && tlast;
        match self.u_sorter.state_q {
            rx_sorter::DATA => {
                let beat = mem_writer::Inputs {
                    s_axis_tvalid: tvalid,
                    s_axis_tlast: tlast,
                    ..mem_writer::Inputs::default()
                };
                let writer = self.u_writer.outputs(&beat);
                (writer.done, writer.s_axis_tready)
            }
            rx_sorter::BODY | rx_sorter::DROP => (ends, true),
            _ => (false, false),
        }
    }

    /// The control token on offer: it depends on registers only.
    #[inline]
    fn token(&self) -> join_fence::Outputs {
        let control = self.u_control.outputs(&link_control::Inputs::default());
        self.u_fence.outputs(&join_fence::Inputs {
            s_hdr_valid: control.c_hdr_valid,
            s_hdr_c_st: control.c_hdr_c_st,
            s_hdr_packet_cnt: control.c_hdr_packet_cnt,
            fresh: self.u_data.fresh_q,
            ..join_fence::Inputs::default()
        })
    }

    /// `ready` is what the node says to header and beat.
    #[inline]
    fn mux_inputs(
        &self,
        i: &Inputs,
        ready: (bool, bool),
        token: &join_fence::Outputs,
    ) -> signal_mux::Inputs {
        let host = self.u_signal.outputs(&signal_sender::Inputs {
            e_data: self.u_engine.signal_data(),
            ..signal_sender::Inputs::default()
        });
        signal_mux::Inputs {
            rst: i.rst,
            c_hdr_valid: token.m_hdr_valid,
            c_hdr_c_st: token.m_hdr_c_st,
            c_hdr_packet_cnt: token.m_hdr_packet_cnt,
            c_hdr_addr: token.m_hdr_addr,
            cfg_node_id: self.u_regs.node_id_q,
            h_hdr_valid: host.m_hdr_valid,
            h_hdr: host.m_hdr,
            h_axis: host.m_axis,
            m_hdr_ready: ready.0,
            m_axis_tready: ready.1,
        }
    }

    /// Sorter and writer.
    #[inline]
    pub(super) fn receiving(&self, i: &Inputs, node: &ring_node::Outputs) -> Receiving {
        let mut writer_in = mem_writer::Inputs {
            rst: i.rst,
            start: false,
            addr: node.m_rx_hdr.addr() & ((4 << self.parameters.mem_addr_w()) - 1),
            len: node.m_rx_hdr.len(),
            s_axis_tdata: node.m_rx_axis.tdata,
            s_axis_tvalid: node.m_rx_axis.tvalid,
            s_axis_tlast: node.m_rx_axis.tlast,
        };
        // Does not depend on `start`.
        let writer = self.u_writer.outputs(&writer_in);
        let mut engine_in = sync_engine::Inputs {
            rst: i.rst,
            enable: self.u_regs.enable_q,
            cfg_node_id: self.u_regs.node_id_q,
            s_token: node.m_rx_hdr.token(),
            s_c_st: node.m_rx_hdr.c_st(),
            m_full: self.u_mailbox.outputs().full,
            ..sync_engine::Inputs::default()
        };
        let gate = self.u_fence.outputs(&join_fence::Inputs {
            cfg_node_id: self.u_regs.node_id_q,
            rx_source: node.m_rx_hdr.mac().to_le_bytes()[0],
            rx_addr: node.m_rx_hdr.addr(),
            ..join_fence::Inputs::default()
        });
        let sorter_in = rx_sorter::Inputs {
            rst: i.rst,
            cfg_mac: self.u_regs.mac(),
            s_hdr_valid: node.m_rx_hdr_valid,
            s_hdr: node.m_rx_hdr,
            s_axis_tdata: node.m_rx_axis.tdata,
            s_axis_tvalid: node.m_rx_axis.tvalid,
            s_axis_tlast: node.m_rx_axis.tlast,
            writer_done: writer.done,
            writer_ready: writer.s_axis_tready,
            blocked: gate.blocked,
            here_new: gate.here_new,
            mail_full: self.u_engine.full(&engine_in),
        };
        let sorter = self.u_sorter.outputs(&sorter_in);
        writer_in.start = sorter.start;
        engine_in.s_we = sorter.mail_we;
        engine_in.s_index = sorter.mail_index;
        engine_in.s_data = sorter.mail_data;
        engine_in.s_commit = sorter.mail_commit;
        let engine = self.u_engine.outputs(&engine_in);
        Receiving { sorter_in, sorter, writer_in, writer, engine_in, engine }
    }

    /// Data window, signals and link control; what the host gives them is still missing.
    #[inline]
    pub(super) fn sending(
        &self,
        i: &Inputs,
        node: &ring_node::Outputs,
        Receiving { sorter, engine, .. }: &Receiving,
    ) -> Sending {
        let (regs, synced) = (&self.u_regs, self.u_control.synced_q);
        let mut data_in = data_window::Inputs {
            rst: i.rst,
            cfg_timeout: regs.timeout_q,
            m_hdr_ready: node.s_data_hdr_ready,
            m_axis_tready: node.s_data_axis_tready,
            ret_valid: node.m_ret_valid,
            ret_good: node.m_ret_good,
            ret_token: node.m_ret_token,
            ret_packet_cnt: node.m_ret_packet_cnt,
            ..data_window::Inputs::default()
        };
        data_in.fence = self.u_fence.holds();
        let data = self.u_data.outputs(&data_in);
        let ready = (node.s_signal_hdr_ready, node.s_signal_axis_tready);
        let mux_in = self.mux_inputs(i, ready, &self.token());
        let mux = self.u_mux.outputs(&mux_in);
        let signal_in = signal_sender::Inputs {
            rst: i.rst,
            enable: synced,
            cfg_timeout: regs.timeout_q,
            e_valid: engine.e_valid,
            e_order: engine.e_order,
            e_mark: engine.e_mark,
            e_c_st: engine.e_c_st,
            e_node_id: engine.e_node_id,
            e_data: engine.e_data,
            data_base: data.base,
            data_next: data.next,
            m_hdr_ready: mux.h_hdr_ready,
            m_axis_tready: mux.h_axis_tready,
            ret_valid: node.m_ret_valid,
            ret_good: node.m_ret_good,
            ret_token: node.m_ret_token,
            ret_c_st: node.m_ret_c_st,
            ret_packet_cnt: node.m_ret_packet_cnt,
            ..signal_sender::Inputs::default()
        };
        let signal = self.u_signal.outputs(&signal_in);
        data_in.enable = synced && !signal.hold;
        let mut control_in = link_control::Inputs {
            rst: i.rst,
            enable: regs.enable_q,
            cfg_node_id: regs.node_id_q,
            cfg_tokens: regs.tokens_q,
            cfg_timeout: regs.timeout_q,
            cfg_period: regs.period_q,
            c_hdr_ready: false,
            ret_valid: node.m_ret_valid,
            ret_good: node.m_ret_good,
            ret_token: node.m_ret_token,
            ret_c_st: node.m_ret_c_st,
            ret_packet_cnt: node.m_ret_packet_cnt,
            monitor_seen: sorter.monitor_seen,
            monitor_lower: sorter.monitor_lower,
            monitor_count: node.m_rx_hdr.packet_cnt(),
            token_seen: node.token_seen,
            buffered: node.buffered,
            held: node.held,
            ev_discarded: node.ev_discarded,
        };
        let control = self.u_control.outputs(&control_in);
        let fence_in = join_fence::Inputs {
            rst: i.rst,
            synced,
            cfg_node_id: regs.node_id_q,
            cfg_timeout: regs.timeout_q,
            clearing: self.u_known.busy_q,
            s_hdr_valid: control.c_hdr_valid,
            s_hdr_c_st: control.c_hdr_c_st,
            s_hdr_packet_cnt: control.c_hdr_packet_cnt,
            m_hdr_ready: mux.c_hdr_ready,
            ret_valid: node.m_ret_valid,
            ret_good: node.m_ret_good,
            ret_token: node.m_ret_token,
            ret_c_st: node.m_ret_c_st,
            ret_packet_cnt: node.m_ret_packet_cnt,
            rx_source: node.m_rx_hdr.mac().to_le_bytes()[0],
            rx_addr: node.m_rx_hdr.addr(),
            fence_seen: sorter.fence_seen,
            here_seen: sorter.here_seen,
            drained: data.drained,
            fresh: data.fresh,
            ..join_fence::Inputs::default()
        };
        let fence = self.u_fence.outputs(&fence_in);
        control_in.c_hdr_ready = fence.s_hdr_ready;
        Sending { data_in, data, signal_in, signal, control_in, control, fence_in, fence, mux_in }
    }

    /// Registers, window and combiner; the events of the interrupt are still missing.
    #[inline]
    pub(super) fn host(
        &self,
        i: &Inputs,
        request: &Request,
        node: &ring_node::Outputs,
        Receiving { engine_in, engine, writer, .. }: &Receiving,
        s: &Sending,
    ) -> Host {
        let to_window = request.addr >> 31 != 0;
        let to_engine = self.u_engine.answers(request.addr);
        let to_join = self.u_join.answers(request.addr);
        let addr = request.addr & 0x7fff_ffff;
        let mail = self.u_mailbox.outputs();
        let regs_in = host_regs::Inputs {
            rst: i.rst,
            reg_valid: request.valid && !to_window && !to_engine && !to_join,
            reg_write: request.write,
            reg_addr: addr,
            reg_wdata: request.wdata,
            reg_wstrb: request.wstrb,
            mail_data: mail.get_data,
            mail_count: mail.count,
            node_count: node.count_data,
            board_count: self.u_counters.data_q,
            synced: s.control.synced,
            active: s.control.active,
            stalled: s.data.stalled || s.signal.stalled,
            open: self.u_combiner.open_q,
            signal_full: s.signal.full,
            signal_pending: s.signal.pending,
            held: node.held,
            base: s.data.base,
            next: s.data.next,
            tail: s.data.tail,
            words_free: s.data.words_free,
            events: 0,
        };
        let regs = self.u_regs.outputs(&regs_in);
        let mut window_in = host_window::Inputs {
            rst: i.rst,
            win_valid: request.valid && to_window,
            win_write: request.write,
            win_addr: addr,
            win_wdata: request.wdata,
            win_wstrb: request.wstrb,
            // HST-6: no room, and no hope of any. Before sync nothing leaves.
            stalled: (s.data.stalled || !self.u_control.synced_q)
                && !(s.data.word_room && s.data.frame_room),
            closed: self.parameters.join() != 0 && !s.fence.whole,
            put_ready: false,
        };
        let put = self.u_window.outputs(&window_in);
        let combiner_in = write_combiner::Inputs {
            rst: i.rst,
            cfg_combine: regs.cfg_combine,
            flush: regs.flush,
            e_flush: engine.flush,
            put_valid: put.put_valid,
            put_addr: put.put_addr,
            put_len: put.put_len,
            put_data: put.put_data,
            word_room: s.data.word_room,
            frame_room: s.data.frame_room,
        };
        let combiner = self.u_combiner.outputs(&combiner_in);
        window_in.put_ready = combiner.put_ready;
        let window = self.u_window.outputs(&window_in);
        let join_in = join_regs::Inputs {
            rst: i.rst,
            reg_valid: request.valid && to_join,
            reg_write: request.write,
            reg_addr: half(addr) & 0x7ff,
            reg_wdata: request.wdata,
            reg_wstrb: request.wstrb,
            data_pending: self.u_combiner.open_q || s.data.base != s.data.tail,
            whole: s.fence.whole,
            joining: s.fence.joining,
            settled: s.fence.settled,
            busy: s.fence.busy,
            fenced: s.fence.fenced,
            held: s.fence.hold,
            heard: s.fence.heard,
            peer: s.fence.peer,
            known: self.u_known.known_q,
            writing: writer.mem_we != 0,
            ev_fenced: s.fence.ev_fenced,
            ev_here: s.fence.ev_here,
            ev_peer: s.fence.ev_peer,
        };
        let join = self.u_join.outputs(&join_in);
        let refused = regs.reg_error || engine.reg_error || join.reg_error;
        let response = Response {
            valid: window.win_done || regs.reg_done || engine.reg_done || join.reg_done,
            error: if to_window { window.win_error } else { refused },
            rdata: if to_window {
                self.u_memory.rdata_q
            } else {
                regs.reg_rdata | engine.reg_rdata | join.reg_rdata
            },
        };
        let engine_in = sync_engine::Inputs {
            reg_valid: request.valid && to_engine,
            reg_write: request.write,
            reg_addr: half(addr) & 0x7ff,
            reg_wdata: request.wdata,
            reg_wstrb: request.wstrb,
            mark: s.data.tail.wrapping_add(combiner.open.into()),
            e_done: s.signal.e_done,
            ..*engine_in
        };
        Host {
            response,
            a_addr: request.word.unwrap_or(window.mem_addr),
            regs_in,
            regs,
            window_in,
            window,
            combiner_in,
            combiner,
            engine_in,
            join_in,
            join,
        }
    }
}
