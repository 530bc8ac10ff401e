//! The wires of `ring_node` in one cycle.

use super::{Inputs, Outputs, RingNode};
use crate::contract::{Counter, TxClass, TxStatus};
use crate::rtl::{frame_rx, frame_tx, ring_ingress, rx_buffer, rx_filter, tx_arbiter, tx_mux};

/// What the modules say to each other in a cycle, beyond their registers.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wire")]
pub(crate) struct Wires {
    pub(crate) decision: ring_ingress::Decision,
    pub(crate) arbiter_in: tx_arbiter::Inputs,
    pub(crate) arbiter: tx_arbiter::Outputs,
    pub(crate) grant: bool,
    pub(crate) rd_ready: bool,
    pub(crate) filter: rx_filter::Outputs,
    pub(crate) data_tready: bool,
    pub(crate) signal_tready: bool,
    pub(crate) events: u16,
}

impl RingNode {
    /// All wires, each computed once, in an order that has what each of them needs.
    #[inline]
    pub(crate) fn wires(&self, i: &Inputs) -> Wires {
        let (head, words) = (self.u_buffer.head_q, self.u_buffer.words_q);
        let tx = &self.u_frame_tx;
        let class_data = self.u_mux.class_q == TxClass::Data.code();
        let refused = tx.status_valid_q && class_data && {
            let error = tx.status_error_q;
            error == TxStatus::Token.code() || error == TxStatus::Length.code()
        };
        let mut arbiter_in = tx_arbiter::Inputs {
            rst: i.rst,
            token_in: false,
            free_passed: false,
            issue: i.issue,
            refused,
            data_valid: i.s_data_hdr_valid,
            data_len: i.s_data_hdr_len,
            data_open: self.u_data_gate.outputs().open,
            signal_valid: i.s_signal_hdr_valid,
            signal_len: i.s_signal_hdr_len,
            signal_open: self.u_signal_gate.outputs().open,
            boundary: self.u_egress.boundary(head, words),
            tx_ready: tx.hdr_ready_q,
            words,
        };
        let decision = self.u_ingress.decide(i.cfg_mac, self.u_arbiter.take_free(&arbiter_in));
        arbiter_in.token_in = decision.token_in;
        arbiter_in.free_passed = decision.free_passed;
        let arbiter = self.u_arbiter.outputs(&arbiter_in);
        let grant = arbiter.grant_data || arbiter.grant_signal || arbiter.grant_free;

        let filter = if self.u_frame_rx.v_valid_q {
            let rx = self.u_frame_rx.outputs();
            self.u_filter.outputs(&Self::filter_inputs(i, self.u_ingress.kind1_q, &rx))
        } else {
            self.u_filter.outputs(&rx_filter::Inputs::default())
        };
        let mut w = Wires {
            decision,
            arbiter_in,
            arbiter,
            grant,
            rd_ready: self.u_egress.rd_ready(grant),
            filter,
            data_tready: tx.beat_ready_q && class_data,
            signal_tready: tx.beat_ready_q && self.u_mux.class_q == TxClass::Signal.code(),
            events: 0,
        };
        w.events = self.events(&w);
        w
    }

    /// Bit k: count k of the contract (NODE-20).
    #[inline]
    fn events(&self, w: &Wires) -> u16 {
        let (rx, tx) = (&self.u_frame_rx, &self.u_frame_tx);
        let (delivered, overflow) =
            self.u_rx_buffer.verdict(rx.v_valid_q, w.filter.deliver, rx.m_valid_q);
        let bit = |event: bool, counter: Counter| u16::from(event) << counter.code();
        let (d, f, a) = (&w.decision, &w.filter, &w.arbiter);
        bit(d.passed, Counter::Passed)
            | bit(f.ev_returned_good, Counter::ReturnedGood)
            | bit(f.ev_returned_bad, Counter::ReturnedBad)
            | bit(d.taken, Counter::TokenTaken)
            | bit(d.reserved, Counter::Reserved)
            | bit(d.cut, Counter::Cut)
            | bit(d.dropped, Counter::Dropped)
            | bit(delivered, Counter::Delivered)
            | bit(f.ev_bad_fcs, Counter::BadFcs)
            | bit(f.ev_bad_other, Counter::BadOther)
            | bit(overflow, Counter::RxOverflow)
            | bit(a.grant_data, Counter::DataSent)
            | bit(a.grant_signal, Counter::SignalSent)
            | bit(a.grant_free, Counter::FreeSent)
            | bit(tx.status_valid_q && tx.status_error_q != 0, Counter::TxError)
            | bit(a.ev_token_overflow, Counter::TokenOverflow)
    }

    /// The output ports.
    #[inline]
    pub(crate) fn ports_of(&self, w: &Wires) -> Outputs {
        let (egress, tx, ret) = (&self.u_egress, &self.u_frame_tx, &self.u_filter);
        let rx = self.u_rx_buffer.outputs(&rx_buffer::Inputs::default());
        Outputs {
            m_axis_tdata: egress.m_data_q,
            m_axis_tkeep: egress.m_keep_q,
            m_axis_tvalid: egress.m_valid_q,
            m_axis_tlast: egress.m_last_q,
            m_axis_tuser: egress.m_user_q,
            s_data_hdr_ready: w.arbiter.grant_data,
            s_data_axis_tready: w.data_tready,
            s_signal_hdr_ready: w.arbiter.grant_signal,
            s_signal_axis_tready: w.signal_tready,
            m_rx_hdr_valid: rx.m_hdr_valid,
            m_rx_hdr_mac: rx.m_hdr_mac,
            m_rx_hdr_token: rx.m_hdr_token,
            m_rx_hdr_c_st: rx.m_hdr_c_st,
            m_rx_hdr_node_id: rx.m_hdr_node_id,
            m_rx_hdr_multi_g: rx.m_hdr_multi_g,
            m_rx_hdr_act_seq: rx.m_hdr_act_seq,
            m_rx_hdr_packet_cnt: rx.m_hdr_packet_cnt,
            m_rx_hdr_addr: rx.m_hdr_addr,
            m_rx_hdr_len: rx.m_hdr_len,
            m_rx_axis_tdata: rx.m_axis_tdata,
            m_rx_axis_tkeep: rx.m_axis_tkeep,
            m_rx_axis_tvalid: rx.m_axis_tvalid,
            m_rx_axis_tlast: rx.m_axis_tlast,
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
        }
    }

    #[inline]
    pub(super) fn ingress_inputs(i: &Inputs, take_free: bool) -> ring_ingress::Inputs {
        ring_ingress::Inputs {
            rst: i.rst,
            s_axis_tdata: i.s_axis_tdata,
            s_axis_tkeep: i.s_axis_tkeep,
            s_axis_tvalid: i.s_axis_tvalid,
            s_axis_tlast: i.s_axis_tlast,
            s_axis_tuser: i.s_axis_tuser,
            cfg_mac: i.cfg_mac,
            take_free,
        }
    }

    #[inline]
    pub(super) fn frame_rx_inputs(i: &Inputs, link: &ring_ingress::Outputs) -> frame_rx::Inputs {
        frame_rx::Inputs {
            rst: i.rst,
            s_axis_tdata: link.link_tdata,
            s_axis_tkeep: link.link_tkeep,
            s_axis_tvalid: link.link_tvalid,
            s_axis_tlast: link.link_tlast,
            s_axis_tuser: link.link_tuser,
        }
    }

    #[inline]
    pub(super) fn filter_inputs(i: &Inputs, kind: u8, rx: &frame_rx::Outputs) -> rx_filter::Inputs {
        rx_filter::Inputs {
            rst: i.rst,
            kind,
            hdr_valid: rx.m_hdr_valid,
            hdr_good: rx.m_hdr_good,
            hdr_check: rx.m_hdr_check,
            hdr_token: rx.m_hdr_token,
            hdr_c_st: rx.m_hdr_c_st,
            hdr_node_id: rx.m_hdr_node_id,
            hdr_multi_g: rx.m_hdr_multi_g,
            hdr_packet_cnt: rx.m_hdr_packet_cnt,
            cfg_node_id: i.cfg_node_id,
            cfg_groups: i.cfg_groups,
        }
    }

    #[inline]
    pub(super) fn rx_buffer_inputs(
        i: &Inputs,
        rx: &frame_rx::Outputs,
        deliver: bool,
    ) -> rx_buffer::Inputs {
        rx_buffer::Inputs {
            rst: i.rst,
            s_axis_tdata: rx.m_axis_tdata,
            s_axis_tkeep: rx.m_axis_tkeep,
            s_axis_tvalid: rx.m_axis_tvalid,
            s_axis_tlast: rx.m_axis_tlast,
            verdict: rx.m_hdr_valid,
            deliver,
            hdr_mac: rx.m_hdr_mac,
            hdr_token: rx.m_hdr_token,
            hdr_c_st: rx.m_hdr_c_st,
            hdr_node_id: rx.m_hdr_node_id,
            hdr_multi_g: rx.m_hdr_multi_g,
            hdr_act_seq: rx.m_hdr_act_seq,
            hdr_packet_cnt: rx.m_hdr_packet_cnt,
            hdr_addr: rx.m_hdr_addr,
            hdr_len: rx.m_hdr_len,
            m_hdr_ready: i.m_rx_hdr_ready,
            m_axis_tready: i.m_rx_axis_tready,
        }
    }

    #[inline]
    pub(super) fn mux_inputs(
        i: &Inputs,
        arbiter: tx_arbiter::Outputs,
        m_axis_tready: bool,
    ) -> tx_mux::Inputs {
        tx_mux::Inputs {
            rst: i.rst,
            grant_data: arbiter.grant_data,
            grant_signal: arbiter.grant_signal,
            grant_free: arbiter.grant_free,
            cfg_mac: i.cfg_mac,
            cfg_node_id: i.cfg_node_id,
            s_data_hdr_act_seq: i.s_data_hdr_act_seq,
            s_data_hdr_packet_cnt: i.s_data_hdr_packet_cnt,
            s_data_hdr_addr: i.s_data_hdr_addr,
            s_data_hdr_len: i.s_data_hdr_len,
            s_data_axis_tdata: i.s_data_axis_tdata,
            s_data_axis_tkeep: i.s_data_axis_tkeep,
            s_data_axis_tvalid: i.s_data_axis_tvalid,
            s_data_axis_tlast: i.s_data_axis_tlast,
            s_signal_hdr_token: i.s_signal_hdr_token,
            s_signal_hdr_c_st: i.s_signal_hdr_c_st,
            s_signal_hdr_node_id: i.s_signal_hdr_node_id,
            s_signal_hdr_multi_g: i.s_signal_hdr_multi_g,
            s_signal_hdr_act_seq: i.s_signal_hdr_act_seq,
            s_signal_hdr_packet_cnt: i.s_signal_hdr_packet_cnt,
            s_signal_hdr_addr: i.s_signal_hdr_addr,
            s_signal_hdr_len: i.s_signal_hdr_len,
            s_signal_axis_tdata: i.s_signal_axis_tdata,
            s_signal_axis_tkeep: i.s_signal_axis_tkeep,
            s_signal_axis_tvalid: i.s_signal_axis_tvalid,
            s_signal_axis_tlast: i.s_signal_axis_tlast,
            m_axis_tready,
        }
    }

    #[inline]
    pub(super) fn frame_tx_inputs(i: &Inputs, mux: &tx_mux::Outputs) -> frame_tx::Inputs {
        frame_tx::Inputs {
            rst: i.rst,
            s_hdr_valid: mux.m_hdr_valid,
            s_hdr_mac: mux.m_hdr_mac,
            s_hdr_token: mux.m_hdr_token,
            s_hdr_c_st: mux.m_hdr_c_st,
            s_hdr_node_id: mux.m_hdr_node_id,
            s_hdr_multi_g: mux.m_hdr_multi_g,
            s_hdr_act_seq: mux.m_hdr_act_seq,
            s_hdr_packet_cnt: mux.m_hdr_packet_cnt,
            s_hdr_addr: mux.m_hdr_addr,
            s_hdr_len: mux.m_hdr_len,
            s_axis_tdata: mux.m_axis_tdata,
            s_axis_tkeep: mux.m_axis_tkeep,
            s_axis_tvalid: mux.m_axis_tvalid,
            s_axis_tlast: mux.m_axis_tlast,
        }
    }
}
