// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock edge of `ring_node` in one pass.

use super::{Grant, Inputs, RingNode, Wires};
use crate::rtl::bundle::{Link, Stream};
use crate::rtl::{
    frame_rx, frame_tx, insert_buffer, node_counters, order_gate, ring_egress, rx_buffer,
    tx_arbiter::{self, Header},
};

impl RingNode {
    /// The clock edge, given the wires of the cycle.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the hot loop: 2 times as fast")]
    pub(crate) fn advance(&mut self, i: &Inputs, w: &Wires) {
        if i.rst {
            self.clock(i);
            return;
        }
        let (head, words) = (self.u_buffer.head(), self.u_buffer.words_q);
        let granted = w.grant != Grant::None;
        // From back to front: each edge reads what the registers before it held.
        self.u_counters.clock(&node_counters::Inputs {
            rst: false,
            events: w.events,
            addr: i.count_addr,
        });
        let tx = &self.u_frame_tx;
        self.u_egress.clock(&ring_egress::Inputs {
            rst: false,
            rd_word: head,
            some: self.u_buffer.some_q,
            grant: granted,
            grant_cycles: w.grant_cycles,
            tx_tdata: tx.m_data_q,
            tx_tkeep: tx.m_keep_q,
            tx_tvalid: tx.m_valid_q,
            tx_tlast: tx.m_last_q,
            tx_tuser: tx.m_user_q,
        });
        if granted {
            self.transmit(i, w.grant);
        } else if !tx.at_rest() {
            self.go_on_transmitting(i, w);
        }
        let comes = w.decision.token_in | w.decision.free_passed | i.issue | w.refused;
        if granted | comes | w.discarded {
            self.tokens(i, w);
        }
        let pop = w.rd_ready && self.u_buffer.some_q;
        let next = i32::from(words) + i32::from(w.decision.write.is_some()) - i32::from(pop);
        self.see(i, w.grant, next);
        let gate = |req, grant| order_gate::Inputs { rst: false, req, grant, words, pop };
        self.u_data_gate.clock(&gate(i.s_data_hdr_valid, w.grant == Grant::Data));
        self.u_signal_gate.clock(&gate(i.s_signal_hdr_valid, w.grant == Grant::Signal));
        self.receive(i, w);
        self.u_buffer.clock(&insert_buffer::Inputs {
            rst: false,
            wr_valid: w.decision.write.is_some(),
            wr_word: w.decision.write.unwrap_or_default(),
            rd_ready: w.rd_ready,
        });
        self.u_ingress.apply(&Self::ingress_inputs(i, false), &w.decision);
    }

    /// The arbiter sees the headers that wait, and the words in the insertion buffer in the next
    /// cycle.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the hot loop")]
    pub(super) fn see(&mut self, i: &Inputs, grant: Grant, words: i32) {
        let (data, signal) = self.headers(i, grant);
        self.u_arbiter.see(data, signal, words);
    }

    /// The header ports as the arbiter sees them: data and signal.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the hot loop")]
    pub(super) fn headers(&self, i: &Inputs, grant: Grant) -> (Header, Header) {
        let data = Header {
            stays: i.s_data_hdr_valid && grant != Grant::Data,
            pending: self.u_data_gate.pending_q,
            len: i.s_data_hdr.len(),
        };
        let signal = Header {
            stays: i.s_signal_hdr_valid && grant != Grant::Signal,
            pending: self.u_signal_gate.pending_q,
            len: i.s_signal_hdr.len(),
        };
        (data, signal)
    }

    /// A header for `frame_tx`.
    #[inline(never)]
    fn transmit(&mut self, i: &Inputs, grant: Grant) {
        let grants = tx_arbiter::Outputs {
            pick_data: grant == Grant::Data,
            pick_signal: grant == Grant::Signal,
            grant_data: grant == Grant::Data,
            grant_signal: grant == Grant::Signal,
            grant_free: grant == Grant::Free,
            ..Default::default()
        };
        let mux_in = Self::mux_inputs(i, grants, self.u_frame_tx.beat_ready_q);
        let mux = self.u_mux.outputs(&mux_in);
        self.u_frame_tx.clock(&Self::frame_tx_inputs(i, &mux));
        self.u_mux.clock(&mux_in);
    }

    /// No header, but perhaps a beat.
    #[inline]
    fn go_on_transmitting(&mut self, i: &Inputs, w: &Wires) {
        let mut tx_in = frame_tx::Inputs::default();
        if w.data_tready {
            tx_in.s_axis.tdata = i.s_data_axis.tdata;
            tx_in.s_axis.tkeep = i.s_data_axis.tkeep;
            tx_in.s_axis.tvalid = i.s_data_axis.tvalid;
            tx_in.s_axis.tlast = i.s_data_axis.tlast;
        } else if w.signal_tready {
            tx_in.s_axis.tdata = i.s_signal_axis.tdata;
            tx_in.s_axis.tkeep = i.s_signal_axis.tkeep;
            tx_in.s_axis.tvalid = i.s_signal_axis.tvalid;
            tx_in.s_axis.tlast = i.s_signal_axis.tlast;
        }
        self.u_frame_tx.clock(&tx_in);
    }

    /// Tokens come or go, or a free token passes.
    #[inline(never)]
    fn tokens(&mut self, i: &Inputs, w: &Wires) {
        let inputs = tx_arbiter::Inputs {
            token_in: w.decision.token_in,
            free_passed: w.decision.free_passed,
            issue: i.issue,
            refused: w.refused,
            ..Default::default()
        };
        let grants = tx_arbiter::Outputs {
            grant_data: w.grant == Grant::Data,
            grant_signal: w.grant == Grant::Signal,
            grant_free: w.grant == Grant::Free,
            ev_discarded: w.discarded,
            ..Default::default()
        };
        self.u_arbiter.apply(&inputs, grants);
    }

    /// Receiver, filter and receive buffer.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the hot loop")]
    fn receive(&mut self, i: &Inputs, w: &Wires) {
        let rx = &self.u_frame_rx;
        let hdr = rx.v_hdr_q;
        let beats = rx_buffer::Inputs {
            s_axis: Stream {
                tdata: rx.m_data_q,
                tkeep: rx.m_keep_q,
                tvalid: rx.m_valid_q,
                tlast: rx.m_last_q,
            },
            verdict: rx.v_valid_q,
            deliver: w.deliver,
            m_hdr_ready: i.m_rx_hdr_ready,
            m_axis_tready: i.m_rx_axis_tready,
            ..Default::default()
        };
        self.u_rx_buffer.edge(&beats, |_| hdr);
        if rx.v_valid_q {
            let rx = rx.outputs();
            self.u_filter.clock(&Self::filter_inputs(i, self.u_ingress.kind1_q, &rx));
        } else {
            self.u_filter.ret_valid_q = false;
        }
        let s2 = &self.u_ingress;
        self.u_frame_rx.clock(&frame_rx::Inputs {
            rst: false,
            s_axis: Link {
                tdata: s2.s2_data_q,
                tkeep: s2.s2_keep_q,
                tvalid: s2.s2_valid_q,
                tlast: s2.s2_last_q,
                tuser: s2.s2_user_q,
            },
        });
    }
}
