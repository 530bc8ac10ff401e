// SPDX-License-Identifier: MIT OR Apache-2.0
//! Probe of a node: the ports of every module in one cycle.

use super::{Inputs, RingNode};
use crate::rtl::state::{Visit, show};

impl RingNode {
    /// Calls `visit` with the ports of each instance, inputs first, as they are just before the edge.
    pub fn look(&self, i: &Inputs, visit: &mut Visit<'_>) {
        let p = self.plain(i);
        macro_rules! ports {
            ($($instance:literal: $inputs:expr, $outputs:expr;)*) => {$(
                show(visit, $instance, &self.parameters, $inputs);
                show(visit, $instance, &self.parameters, $outputs);
            )*};
        }
        ports! {
            "u_ingress": &p.ingress, &self.u_ingress.outputs(&p.ingress);
            "u_buffer": &p.buffer, &self.u_buffer.outputs();
            "u_frame_rx": &p.frame_rx, &self.u_frame_rx.outputs();
            "u_filter": &p.filter, &self.u_filter.outputs(&p.filter);
            "u_rx_buffer": &p.rx_buffer, &self.u_rx_buffer.outputs(&p.rx_buffer);
            "u_data_gate": &p.data_gate, &self.u_data_gate.outputs();
            "u_signal_gate": &p.signal_gate, &self.u_signal_gate.outputs();
            "u_arbiter": &p.arbiter, &self.u_arbiter.outputs(&p.arbiter);
            "u_mux": &p.mux, &self.u_mux.outputs(&p.mux);
            "u_frame_tx": &p.frame_tx, &self.u_frame_tx.outputs();
            "u_egress": &p.egress, &self.u_egress.outputs(&p.egress);
            "u_counters": &p.counters, &self.u_counters.outputs();
        }
    }
}
