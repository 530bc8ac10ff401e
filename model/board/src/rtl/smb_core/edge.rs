// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock edge of the body after that of its node.

use super::{
    Inputs, SmbCore,
    wires::{Host, Receiving, Request, Response, Sending, count_addr},
};
use crate::rtl::{known_map, mail_box, node_counters, ring_node, shared_memory};
use awgstar_frame::contract::{BoardCounter, Interrupt};

const fn counter(event: bool, counter: BoardCounter) -> u16 {
    (event as u16) << counter.code()
}

const fn interrupt(event: bool, interrupt: Interrupt) -> u16 {
    (event as u16) << interrupt.code()
}

impl SmbCore {
    /// The edge of every module but the node, given what the node said just before it, and the request of the host
    /// port: the answer to that.
    #[inline]
    pub(crate) fn edge(
        &mut self,
        i: &Inputs,
        request: &Request,
        node: &ring_node::Outputs,
    ) -> Response {
        let Wires { receiving, sending, host, counters_in } = self.wires(i, request, node);
        self.u_counters.clock(&counters_in);
        self.u_memory.clock(&memory_inputs(&host, &receiving));
        self.u_mailbox.clock(&mailbox_inputs(i, &host, &receiving));
        self.u_engine.clock(&host.engine_in);
        self.u_regs.clock(&host.regs_in);
        self.u_window.clock(&host.window_in);
        self.u_combiner.clock(&host.combiner_in);
        self.u_data.clock(&sending.data_in);
        self.u_signal.clock(&sending.signal_in);
        self.u_control.clock(&sending.control_in);
        self.u_mux.clock(&sending.mux_in);
        self.u_known.clock(&known_inputs(i, &host, &receiving));
        self.u_fence.clock(&sending.fence_in);
        self.u_join.clock(&host.join_in);
        self.u_sorter.clock(&receiving.sorter_in);
        self.u_writer.clock(&receiving.writer_in);
        host.response
    }
}

/// All wires of a cycle but those of the node.
pub(super) struct Wires {
    pub(super) receiving: Receiving,
    pub(super) sending: Sending,
    pub(super) host: Host,
    pub(super) counters_in: node_counters::Inputs,
}

impl SmbCore {
    /// Combinational signals of the board, given the request of the host port and the outputs of the node.
    #[inline]
    pub(super) fn wires(&self, i: &Inputs, request: &Request, node: &ring_node::Outputs) -> Wires {
        let receiving = self.receiving(i, node);
        let mut sending = self.sending(i, node, &receiving);
        let mut host = self.host(i, request, node, &receiving, &sending);
        let hits = sending.data.ret_hit || sending.signal.ret_hit || sending.control.ret_hit;
        let hits = hits || sending.fence.ret_hit;
        let stray = node.m_ret_valid && node.m_ret_good && !hits;
        host.regs_in.events = interrupts(&receiving, &sending, stray);
        let counters_in = node_counters::Inputs {
            rst: i.rst,
            events: events(&receiving, &sending, node, stray),
            addr: count_addr(request.addr) & 15,
        };
        give(&mut sending, &host);
        Wires { receiving, sending, host, counters_in }
    }
}

#[inline]
pub(super) fn memory_inputs(host: &Host, receiving: &Receiving) -> shared_memory::Inputs {
    let (b_addr, b_we, b_wdata) = port_b(host, receiving);
    shared_memory::Inputs {
        a_addr: host.a_addr,
        a_we: host.window.mem_we,
        a_wdata: host.window.mem_wdata,
        b_addr,
        b_we,
        b_wdata,
    }
}

/// Port B of the memory: address, lanes and word. A fill writes in a cycle in which the ring does not (JOIN-4).
#[inline]
fn port_b(host: &Host, receiving: &Receiving) -> (u32, u8, u32) {
    let (join, writer) = (&host.join, &receiving.writer);
    if join.fill_we == 0 {
        (writer.mem_addr, writer.mem_we, writer.mem_wdata)
    } else {
        (join.fill_addr, writer.mem_we | join.fill_we, join.fill_wdata)
    }
}

#[inline]
pub(super) fn known_inputs(i: &Inputs, host: &Host, receiving: &Receiving) -> known_map::Inputs {
    let (addr, we, _) = port_b(host, receiving);
    known_map::Inputs {
        rst: i.rst,
        clear: host.join.cmd_begin,
        addr,
        we,
        look_addr: host.join.fill_addr,
    }
}

#[inline]
pub(super) fn mailbox_inputs(i: &Inputs, host: &Host, receiving: &Receiving) -> mail_box::Inputs {
    mail_box::Inputs {
        rst: i.rst,
        we: receiving.engine.m_we,
        index: receiving.engine.m_index,
        data: receiving.engine.m_data,
        commit: receiving.engine.m_commit,
        get_index: host.regs.mail_index,
        pop: host.regs.mail_pop,
    }
}

/// The host's part of what is sent.
#[inline]
fn give(s: &mut Sending, host: &Host) {
    let (combiner, regs) = (&host.combiner, &host.regs);
    s.fence_in.cmd_begin = host.join.cmd_begin;
    s.fence_in.cmd_number = host.join.cmd_number;
    s.fence_in.cmd_again = host.join.cmd_again;
    s.fence_in.cmd_settle = host.join.cmd_settle;
    s.fence_in.cmd_whole = host.join.cmd_whole;
    s.data_in.word_valid = combiner.word_valid;
    s.data_in.word_data = combiner.word_data;
    s.data_in.close_valid = combiner.close_valid;
    s.data_in.close_addr = combiner.close_addr;
    s.data_in.close_len = combiner.close_len;
    s.data_in.close_seq = combiner.close_seq;
    s.signal_in.word_we = regs.word_we;
    s.signal_in.word_index = regs.word_index;
    s.signal_in.word_data = regs.word_data;
    s.signal_in.push = regs.push;
    s.signal_in.push_order = regs.push_order;
    s.signal_in.push_token = regs.push_token;
    s.signal_in.push_c_st = regs.push_c_st;
    s.signal_in.push_node_id = regs.push_node_id;
    s.signal_in.push_multi_g = regs.push_multi_g;
    s.signal_in.push_len = regs.push_len;
    s.signal_in.push_mark = s.data.tail.wrapping_add(combiner.open.into());
}

/// Events of `u_counters`.
#[inline]
fn events(r: &Receiving, s: &Sending, node: &ring_node::Outputs, stray: bool) -> u16 {
    use BoardCounter as C;
    counter(r.sorter.ev_data, C::Data)
        | counter(r.sorter.ev_data_again, C::DataAgain)
        | counter(r.sorter.ev_data_gap, C::DataGap)
        | counter(r.sorter.ev_data_range, C::DataRange)
        | counter(r.sorter.ev_signal, C::Signal)
        | counter(r.sorter.ev_signal_again, C::SignalAgain)
        | counter(r.sorter.ev_signal_early, C::SignalEarly)
        | counter(r.sorter.ev_signal_long, C::SignalLong)
        | counter(r.sorter.ev_mail_full || r.engine.ev_mail_full, C::MailFull)
        | counter(s.data.rewound, C::Rewound)
        | counter(s.signal.ev_resend, C::SignalResend)
        | counter(s.data.ev_timeout, C::Timeout)
        | counter(node.ev_orphan, C::Orphan)
        | counter(s.control.ev_added, C::TokenAdded)
        | counter(s.control.ev_removed, C::TokenRemoved)
        | counter(stray, C::Stray)
}

/// Events of the interrupt (IRQ-1). The event of a message comes when the message is complete, not
/// when it begins: otherwise a host could find the mailbox empty and get no second interrupt.
#[inline]
fn interrupts(r: &Receiving, s: &Sending, stray: bool) -> u16 {
    use Interrupt as I;
    interrupt(r.engine.m_commit, I::Mail)
        | interrupt(r.sorter.ev_mail_full || r.engine.ev_mail_full, I::MailFull)
        | interrupt(s.signal.ev_done, I::SignalDone)
        | interrupt(s.data.stalled || s.signal.stalled, I::Stalled)
        | interrupt(s.control.ev_role, I::Role)
        | interrupt(s.control.ev_added || s.control.ev_removed, I::Tokens)
        | interrupt(r.sorter.ev_same_id, I::SameId)
        | interrupt(r.sorter.ev_data_range, I::DataRange)
        | interrupt(stray, I::Stray)
}
