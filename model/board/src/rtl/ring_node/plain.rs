// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every module's inputs as the wires of `ring_node` give them, from the modules' own outputs.

use super::{Inputs, Outputs, RingNode};
use crate::rtl::bundle::Link;
use crate::rtl::{
    frame_rx, frame_tx, insert_buffer, node_counters, order_gate, ring_egress, ring_ingress,
    rx_buffer, rx_filter, tx_arbiter, tx_mux,
};
use awgstar_frame::contract::{Counter, TxClass, TxStatus};

/// Inputs of every module in a cycle.
pub(super) struct Plain {
    pub(super) ingress: ring_ingress::Inputs,
    pub(super) buffer: insert_buffer::Inputs,
    pub(super) frame_rx: frame_rx::Inputs,
    pub(super) filter: rx_filter::Inputs,
    pub(super) rx_buffer: rx_buffer::Inputs,
    pub(super) data_gate: order_gate::Inputs,
    pub(super) signal_gate: order_gate::Inputs,
    pub(super) arbiter: tx_arbiter::Inputs,
    pub(super) mux: tx_mux::Inputs,
    pub(super) frame_tx: frame_tx::Inputs,
    pub(super) egress: ring_egress::Inputs,
    pub(super) counters: node_counters::Inputs,
    pub(super) outputs: Outputs,
}

impl RingNode {
    pub(super) fn plain(&self, i: &Inputs) -> Plain {
        let buffer = self.u_buffer.outputs();
        let rx = self.u_frame_rx.outputs();
        let tx = self.u_frame_tx.outputs();
        let mut egress_in = ring_egress::Inputs {
            rst: i.rst,
            rd_word: buffer.rd_word,
            some: buffer.some,
            tx_tdata: tx.m_axis.tdata,
            tx_tkeep: tx.m_axis.tkeep,
            tx_tvalid: tx.m_axis.tvalid,
            tx_tlast: tx.m_axis.tlast,
            tx_tuser: tx.m_axis.tuser,
            ..Default::default()
        };
        let class = self.u_mux.outputs(&tx_mux::Inputs::default()).tx_class;
        let length_or_token = [TxStatus::Token.code(), TxStatus::Length.code()];
        let mut arbiter_in = tx_arbiter::Inputs {
            rst: i.rst,
            issue: i.issue,
            discard: i.discard,
            refused: tx.status_valid
                && class == TxClass::Data.code()
                && length_or_token.contains(&tx.status_error),
            data_valid: i.s_data_hdr_valid,
            data_len: i.s_data_hdr.len(),
            data_pending: self.u_data_gate.outputs().pending,
            data_open: self.u_data_gate.outputs().open,
            signal_valid: i.s_signal_hdr_valid,
            signal_len: i.s_signal_hdr.len(),
            signal_pending: self.u_signal_gate.outputs().pending,
            signal_open: self.u_signal_gate.outputs().open,
            // Neither depends on the grant.
            boundary: self.u_egress.outputs(&egress_in).boundary,
            tx_ready: tx.s_hdr_ready,
            words: buffer.words,
            ..Default::default()
        };
        // `take_free` depends neither on `token_in` nor on `free_passed`.
        let take_free = self.u_arbiter.outputs(&arbiter_in).take_free;
        let ingress_in = Self::ingress_inputs(i, take_free);
        let ingress = self.u_ingress.outputs(&ingress_in);
        arbiter_in.token_in = ingress.token_in;
        arbiter_in.free_passed = ingress.free_passed;
        let arbiter = self.u_arbiter.outputs(&arbiter_in);
        egress_in.grant = arbiter.grant_data || arbiter.grant_signal || arbiter.grant_free;
        egress_in.grant_cycles = arbiter.grant_cycles;
        let egress = self.u_egress.outputs(&egress_in);
        let pop = egress.rd_ready && buffer.some;
        (arbiter_in.push, arbiter_in.pop) = (ingress.wr_valid, pop);
        let gate =
            |req, grant| order_gate::Inputs { rst: i.rst, req, grant, words: buffer.words, pop };
        let filter_in = Self::filter_inputs(i, ingress.kind, &rx);
        let filter = self.u_filter.outputs(&filter_in);
        let rx_buffer_in = Self::rx_buffer_inputs(i, &rx, filter.deliver);
        let rx_buffer = self.u_rx_buffer.outputs(&rx_buffer_in);
        let mux_in = Self::mux_inputs(i, arbiter, tx.s_axis_tready);
        let mux = self.u_mux.outputs(&mux_in);
        let events = [
            (ingress.ev_passed, Counter::Passed),
            (filter.ev_returned_good, Counter::ReturnedGood),
            (filter.ev_returned_bad, Counter::ReturnedBad),
            (ingress.ev_taken, Counter::TokenTaken),
            (ingress.ev_reserved, Counter::Reserved),
            (ingress.ev_cut, Counter::Cut),
            (ingress.ev_dropped, Counter::Dropped),
            (rx_buffer.ev_delivered, Counter::Delivered),
            (filter.ev_bad_fcs, Counter::BadFcs),
            (filter.ev_bad_other, Counter::BadOther),
            (rx_buffer.ev_overflow, Counter::RxOverflow),
            (arbiter.grant_data, Counter::DataSent),
            (arbiter.grant_signal, Counter::SignalSent),
            (arbiter.grant_free, Counter::FreeSent),
            (tx.status_valid && tx.status_error != 0, Counter::TxError),
            (arbiter.ev_token_overflow, Counter::TokenOverflow),
        ];
        let bit =
            |sum, &(event, counter): &(bool, Counter)| sum | u16::from(event) << counter.code();
        Plain {
            ingress: ingress_in,
            buffer: insert_buffer::Inputs {
                rst: i.rst,
                wr_valid: ingress.wr_valid,
                wr_word: ingress.wr_word,
                rd_ready: egress.rd_ready,
            },
            frame_rx: Self::frame_rx_inputs(i, &ingress),
            filter: filter_in,
            rx_buffer: rx_buffer_in,
            data_gate: gate(i.s_data_hdr_valid, arbiter.grant_data),
            signal_gate: gate(i.s_signal_hdr_valid, arbiter.grant_signal),
            arbiter: arbiter_in,
            mux: mux_in,
            frame_tx: Self::frame_tx_inputs(i, &mux),
            egress: egress_in,
            counters: node_counters::Inputs {
                rst: i.rst,
                events: events.iter().fold(0, bit),
                addr: i.count_addr,
            },
            outputs: Outputs {
                token_seen: ingress.token_seen,
                ev_orphan: ingress.ev_orphan,
                ev_discarded: arbiter.ev_discarded,
                ..self.ports(
                    (arbiter.grant_data, mux.s_data_axis_tready),
                    (arbiter.grant_signal, mux.s_signal_axis_tready),
                )
            },
        }
    }

    /// The output ports; the readys of header and payload are no registers. Neither are `ev_orphan`
    /// and `ev_discarded`: they are left 0.
    #[inline]
    pub(super) fn ports(&self, data_ready: (bool, bool), signal_ready: (bool, bool)) -> Outputs {
        let (egress, tx, ret) = (&self.u_egress, &self.u_frame_tx, &self.u_filter);
        let rx = self.u_rx_buffer.outputs(&rx_buffer::Inputs::default());
        Outputs {
            m_axis: Link {
                tdata: egress.m_data_q,
                tkeep: egress.keep(),
                tvalid: egress.m_valid_q,
                tlast: egress.m_last_q,
                tuser: egress.m_user_q,
            },
            s_data_hdr_ready: data_ready.0,
            s_data_axis_tready: data_ready.1,
            s_signal_hdr_ready: signal_ready.0,
            s_signal_axis_tready: signal_ready.1,
            m_rx_hdr_valid: rx.m_hdr_valid,
            m_rx_hdr: rx.m_hdr,
            m_rx_axis: rx.m_axis,
            m_ret_valid: ret.ret_valid_q,
            m_ret_good: ret.ret_good_q,
            m_ret_token: ret.ret_token_q,
            m_ret_c_st: ret.ret_c_st_q,
            m_ret_packet_cnt: ret.ret_packet_cnt_q,
            m_sent_valid: tx.status_valid_q,
            m_sent_class: self.u_mux.class_q,
            m_sent_error: tx.status_error_q,
            count_data: self.u_counters.data_q,
            held: self.u_arbiter.held_q,
            token_seen: self.u_ingress.token_seen(),
            buffered: self.u_buffer.some_q,
            ev_orphan: false,
            ev_discarded: false,
        }
    }

    pub(super) fn ingress_inputs(i: &Inputs, take_free: bool) -> ring_ingress::Inputs {
        ring_ingress::Inputs {
            rst: i.rst,
            s_axis: i.s_axis,
            cfg_mac: i.cfg_mac,
            cfg_monitor: i.cfg_monitor,
            take_free,
        }
    }

    pub(super) fn frame_rx_inputs(i: &Inputs, link: &ring_ingress::Outputs) -> frame_rx::Inputs {
        frame_rx::Inputs {
            rst: i.rst,
            s_axis: Link {
                tdata: link.link_tdata,
                tkeep: link.link_tkeep,
                tvalid: link.link_tvalid,
                tlast: link.link_tlast,
                tuser: link.link_tuser,
            },
        }
    }

    pub(super) fn filter_inputs(i: &Inputs, kind: u8, rx: &frame_rx::Outputs) -> rx_filter::Inputs {
        rx_filter::Inputs {
            rst: i.rst,
            kind,
            hdr_valid: rx.m_hdr_valid,
            hdr_good: rx.m_hdr_good,
            hdr_check: rx.m_hdr_check,
            hdr: rx.m_hdr,
            cfg_node_id: i.cfg_node_id,
            cfg_groups: i.cfg_groups,
        }
    }

    pub(super) fn rx_buffer_inputs(
        i: &Inputs,
        rx: &frame_rx::Outputs,
        deliver: bool,
    ) -> rx_buffer::Inputs {
        rx_buffer::Inputs {
            rst: i.rst,
            s_axis: rx.m_axis.stream(),
            verdict: rx.m_hdr_valid,
            deliver,
            hdr: rx.m_hdr,
            m_hdr_ready: i.m_rx_hdr_ready,
            m_axis_tready: i.m_rx_axis_tready,
        }
    }

    pub(super) fn mux_inputs(
        i: &Inputs,
        arbiter: tx_arbiter::Outputs,
        m_axis_tready: bool,
    ) -> tx_mux::Inputs {
        tx_mux::Inputs {
            rst: i.rst,
            pick_data: arbiter.pick_data,
            pick_signal: arbiter.pick_signal,
            grant_data: arbiter.grant_data,
            grant_signal: arbiter.grant_signal,
            grant_free: arbiter.grant_free,
            cfg_mac: i.cfg_mac,
            cfg_node_id: i.cfg_node_id,
            s_data_hdr: i.s_data_hdr,
            s_data_axis: i.s_data_axis,
            s_signal_hdr: i.s_signal_hdr,
            s_signal_axis: i.s_signal_axis,
            m_axis_tready,
        }
    }

    pub(super) fn frame_tx_inputs(i: &Inputs, mux: &tx_mux::Outputs) -> frame_tx::Inputs {
        frame_tx::Inputs {
            rst: i.rst,
            s_hdr_valid: mux.m_hdr_valid,
            s_hdr: mux.m_hdr,
            s_axis: mux.m_axis,
        }
    }
}
