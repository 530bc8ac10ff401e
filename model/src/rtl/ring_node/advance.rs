//! The clock edge of `ring_node` in one pass.

use super::{Inputs, RingNode, Wires};
use crate::rtl::{
    frame_rx, frame_tx, insert_buffer, node_counters, order_gate, ring_egress, rx_filter,
};

impl RingNode {
    /// The clock edge, given the wires of the cycle.
    #[inline]
    pub(crate) fn advance(&mut self, i: &Inputs, w: &Wires) {
        let (head, words) = (self.u_buffer.head_q, self.u_buffer.words_q);
        let link = frame_rx::Inputs {
            rst: i.rst,
            s_axis_tdata: self.u_ingress.s2_data_q,
            s_axis_tkeep: self.u_ingress.s2_keep_q,
            s_axis_tvalid: self.u_ingress.s2_valid_q,
            s_axis_tlast: self.u_ingress.s2_last_q,
            s_axis_tuser: self.u_ingress.s2_user_q,
        };
        // From back to front: each edge reads what the registers before it held.
        self.u_counters.clock(&node_counters::Inputs {
            rst: i.rst,
            events: w.events,
            addr: i.count_addr,
        });
        let tx = &self.u_frame_tx;
        self.u_egress.clock(&ring_egress::Inputs {
            rst: i.rst,
            rd_word: head,
            words,
            grant: w.grant,
            grant_words: w.arbiter.grant_words,
            tx_tdata: tx.m_data_q,
            tx_tkeep: tx.m_keep_q,
            tx_tvalid: tx.m_valid_q,
            tx_tlast: tx.m_last_q,
            tx_tuser: tx.m_user_q,
        });
        if w.grant || tx.beat_ready_q || tx.state_q == frame_tx::DRAIN || i.rst {
            let mux_in = Self::mux_inputs(i, w.arbiter, tx.beat_ready_q);
            let mux = self.u_mux.outputs(&mux_in);
            self.u_frame_tx.clock(&Self::frame_tx_inputs(i, &mux));
            self.u_mux.clock(&mux_in);
        } else {
            // No header and no beat: it does not look at the ports.
            self.u_frame_tx.clock(&frame_tx::Inputs::default());
        }
        self.u_arbiter.apply(&w.arbiter_in, w.arbiter);
        let gate = |req, grant| order_gate::Inputs {
            rst: i.rst,
            req,
            grant,
            words,
            pop: w.rd_ready && words != 0,
        };
        self.u_data_gate.clock(&gate(i.s_data_hdr_valid, w.arbiter.grant_data));
        self.u_signal_gate.clock(&gate(i.s_signal_hdr_valid, w.arbiter.grant_signal));
        self.advance_receiver(i, w, &link);
        self.u_buffer.clock(&insert_buffer::Inputs {
            rst: i.rst,
            wr_valid: w.decision.write.is_some(),
            wr_word: w.decision.write.unwrap_or_default(),
            rd_ready: w.rd_ready,
        });
        self.u_ingress.apply(&Self::ingress_inputs(i, w.arbiter.take_free), &w.decision);
    }

    #[inline]
    fn advance_receiver(&mut self, i: &Inputs, w: &Wires, link: &frame_rx::Inputs) {
        let rx = self.u_frame_rx.outputs();
        self.u_rx_buffer.clock(&Self::rx_buffer_inputs(i, &rx, w.filter.deliver));
        if rx.m_hdr_valid {
            self.u_filter.clock(&Self::filter_inputs(i, self.u_ingress.kind1_q, &rx));
        } else {
            self.u_filter.clock(&rx_filter::Inputs { rst: i.rst, ..Default::default() });
        }
        self.u_frame_rx.clock(link);
    }
}
