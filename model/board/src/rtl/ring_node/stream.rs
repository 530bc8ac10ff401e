// SPDX-License-Identifier: MIT OR Apache-2.0
//! The edge of a node in the middle of frames, which is most of what a busy ring does.

use super::{Grant, Inputs, RingNode};
use crate::rtl::{node_counters, order_gate, ring_ingress};

impl RingNode {
    /// Does the edge if a word inside a frame comes, a word inside a frame leaves, and nothing
    /// else can happen: no verdict, no grant, no event. Says whether it did.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the hot loop")]
    pub(crate) fn stream(&mut self, i: &Inputs) -> bool {
        let head = self.u_buffer.head();
        let streams = self.u_ingress.is_inside()
            && self.u_frame_rx.is_inside()
            && self.u_egress.is_inside(head, self.u_buffer.some_q)
            && self.u_frame_tx.at_rest()
            && !self.u_filter.ret_valid_q
            && !i.rst
            && !i.issue
            && !i.discard;
        if !streams {
            return false;
        }
        // From back to front: each edge reads what the registers before it held.
        self.u_counters.clock(&node_counters::Inputs { rst: false, events: 0, addr: i.count_addr });
        self.u_egress.pass_inside(head);
        let words = self.u_buffer.words_q;
        let pass = self.u_ingress.state_q == ring_ingress::PASS;
        self.see(i, Grant::None, i32::from(words) + i32::from(pass) - 1);
        let gate = |req| order_gate::Inputs { rst: false, req, grant: false, words, pop: true };
        self.u_data_gate.clock(&gate(i.s_data_hdr_valid));
        self.u_signal_gate.clock(&gate(i.s_signal_hdr_valid));

        let rx = &self.u_frame_rx;
        let beat = u64::from(rx.m_data_q) << 4 | u64::from(rx.m_keep_q);
        let beat = if rx.m_valid_q { Some((beat, rx.m_last_q)) } else { None };
        self.u_rx_buffer.stream(beat, i.m_rx_hdr_ready, i.m_rx_axis_tready);
        let (word, user) = (self.u_ingress.s2_data_q, self.u_ingress.s2_user_q);
        self.u_frame_rx.word_inside(word, user);

        self.u_buffer.stream(pass, u64::from(user) << 35 | u64::from(word));
        self.u_ingress.shift_inside(pass, &Self::ingress_inputs(i, false));
        true
    }
}
