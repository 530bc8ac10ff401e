// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ring_node`: the modules of a node and the wires between them (NODE-1 to NODE-24).
//!
//! [`RingNode::clock`] gives every module its inputs, as the Verilog does. [`RingNode::step`] is
//! the same edge in one pass: what nothing happens to is passed over. It takes for granted what holds
//! from the first cycle of a reset on.

mod advance;
mod look;
mod plain;
mod ports;
mod rest;
mod stream;
mod wires;

pub use ports::{Inputs, Outputs};
pub(crate) use wires::{Grant, Wires};

use super::{
    FrameRx, FrameTx, InsertBuffer, NodeCounters, OrderGate, Parameters, RingEgress, RingIngress,
    RxBuffer, RxFilter, TxArbiter, TxMux, state::state,
};

state! {
    /// Instances of `ring_node`, which has no registers except theirs.
    pub struct RingNode("ring_node", Inputs, Outputs) with parameters {
        children {
            /// Pass on, strip, take or drop.
            u_ingress: RingIngress,
            /// Frames on their way through.
            u_buffer: InsertBuffer,
            /// Receiver.
            u_frame_rx: FrameRx,
            /// Selects the frames for this node.
            u_filter: RxFilter,
            /// Frames delivered.
            u_rx_buffer: RxBuffer,
            /// Order of data frames after what passes.
            u_data_gate: OrderGate,
            /// Order of signals after what passes.
            u_signal_gate: OrderGate,
            /// Selects the next frame to send.
            u_arbiter: TxArbiter,
            /// Multiplexes header and payload of the granted class.
            u_mux: TxMux,
            /// Transmitter.
            u_frame_tx: FrameTx,
            /// Link out.
            u_egress: RingEgress,
            /// Events counted.
            u_counters: NodeCounters,
        }
    }
}

impl RingNode {
    /// Sizes that it was made with.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Just before the edge.
    #[must_use]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        self.plain(i).outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        let plain = self.plain(i);
        self.u_ingress.clock(&plain.ingress);
        self.u_buffer.clock(&plain.buffer);
        self.u_frame_rx.clock(&plain.frame_rx);
        self.u_filter.clock(&plain.filter);
        self.u_rx_buffer.clock(&plain.rx_buffer);
        self.u_data_gate.clock(&plain.data_gate);
        self.u_signal_gate.clock(&plain.signal_gate);
        self.u_arbiter.clock(&plain.arbiter);
        self.u_mux.clock(&plain.mux);
        self.u_frame_tx.clock(&plain.frame_tx);
        self.u_egress.clock(&plain.egress);
        self.u_counters.clock(&plain.counters);
    }

    /// [`RingNode::outputs`] and [`RingNode::clock`] in one.
    pub fn step(&mut self, i: &Inputs) -> Outputs {
        let before = self.ports((false, false), (false, false));
        if self.stream(i) {
            return before;
        }
        let w = self.wires(i);
        let data_ready = (w.grant == Grant::Data, w.data_tready);
        let mut outputs = self.ports(data_ready, (w.grant == Grant::Signal, w.signal_tready));
        (outputs.ev_orphan, outputs.ev_discarded) = (w.decision.orphan, w.discarded);
        self.advance(i, &w);
        outputs
    }
}
