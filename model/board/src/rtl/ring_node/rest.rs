// SPDX-License-Identifier: MIT OR Apache-2.0
//! When a node is at rest: with these inputs an edge changes nothing but its counters' round.

use super::{Grant, Inputs, RingNode};
use crate::rtl::{order_gate::OrderGate, ring_egress, ring_ingress};

impl RingNode {
    /// Returns true if an edge out of reset, with these inputs and no word on the link, changes
    /// only `u_counters`.
    #[inline]
    pub(crate) fn at_rest(&self, i: &Inputs) -> bool {
        // What fails first when there is traffic comes first.
        !self.u_ingress.s1_valid_q
            && !self.u_ingress.s2_valid_q
            && !self.u_egress.m_valid_q
            && self.u_buffer.words_q == 0
            && self.all_at_rest(i)
    }

    #[inline(never)]
    fn all_at_rest(&self, i: &Inputs) -> bool {
        let (ingress, egress, rx) = (&self.u_ingress, &self.u_egress, &self.u_rx_buffer);
        let ingress_rests = (ingress.state_q == ring_ingress::IDLE
            || ingress.state_q == ring_ingress::SKIP)
            && !ingress.slot_q
            && ingress.kind_q == ingress.kind1_q;
        let buffer = &self.u_buffer;
        let buffer_rests = !buffer.bypass_q;
        let gate_rests = |gate: &OrderGate, req| gate.pending_q == req;
        let headers = self.headers(i, Grant::None);
        let something = i.s_signal_hdr_valid || self.u_arbiter.hand_q;

        ingress_rests
            && buffer_rests
            && egress.state_q == ring_egress::READY
            && !egress.ending_q
            && self.u_frame_tx.at_rest()
            && self.u_frame_rx.at_rest(ingress.s2_keep_q, ingress.s2_last_q)
            && !self.u_filter.ret_valid_q
            && rx.at_rest()
            && gate_rests(&self.u_data_gate, i.s_data_hdr_valid)
            && gate_rests(&self.u_signal_gate, i.s_signal_hdr_valid)
            && self.u_arbiter.has_seen(headers.0, headers.1)
            && !i.issue
            && !(i.discard && self.u_arbiter.hand_q)
            && (!something || self.pick(i).0 == Grant::None)
    }
}
