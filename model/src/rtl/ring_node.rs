//! `ring_node`: the modules of a node and the wires between them (NODE-1 to NODE-21).
//!
//! [`RingNode::clock`] gives every module its inputs, as the Verilog does. [`RingNode::step`] is
//! the same edge in one pass: wires are computed once and modules at rest are passed over.

mod advance;
mod ports;
mod wires;

pub use ports::{Inputs, Outputs};
pub(crate) use wires::Wires;

use super::{
    FrameRx, FrameTx, InsertBuffer, NodeCounters, OrderGate, RingEgress, RingIngress, RxBuffer,
    RxFilter, TxArbiter, TxMux, insert_buffer, node_counters, order_gate, ring_egress,
    state::state,
};

state! {
    /// Instances of `ring_node`; it has no register of its own.
    pub struct RingNode("ring_node", Inputs, Outputs) {
        children {
            /// Pass on, strip, take or drop.
            u_ingress: RingIngress,
            /// Frames on their way through.
            u_buffer: InsertBuffer,
            /// Receiver.
            u_frame_rx: FrameRx,
            /// Which frames are for this node.
            u_filter: RxFilter,
            /// Frames delivered.
            u_rx_buffer: RxBuffer,
            /// Order of data frames behind what passes.
            u_data_gate: OrderGate,
            /// Order of signals behind what passes.
            u_signal_gate: OrderGate,
            /// What is sent next.
            u_arbiter: TxArbiter,
            /// Its header and payload.
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
    /// Just before the edge.
    #[must_use]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        self.ports_of(&self.wires(i))
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        let w = self.wires(i);
        let rx = self.u_frame_rx.outputs();
        let tx = self.u_frame_tx.outputs();
        let buffer = self.u_buffer.outputs();
        let ingress_in = Self::ingress_inputs(i, w.arbiter.take_free);
        let ingress = self.u_ingress.outputs(&ingress_in);
        let filter_in = Self::filter_inputs(i, ingress.kind, &rx);
        let rx_buffer_in = Self::rx_buffer_inputs(i, &rx, w.filter.deliver);
        let mux_in = Self::mux_inputs(i, w.arbiter, tx.s_axis_tready);
        let mux = self.u_mux.outputs(&mux_in);
        let gate = |req, grant| order_gate::Inputs {
            rst: i.rst,
            req,
            grant,
            words: buffer.words,
            pop: w.rd_ready && buffer.words != 0,
        };

        self.u_ingress.clock(&ingress_in);
        self.u_buffer.clock(&insert_buffer::Inputs {
            rst: i.rst,
            wr_valid: ingress.wr_valid,
            wr_word: ingress.wr_word,
            rd_ready: w.rd_ready,
        });
        self.u_frame_rx.clock(&Self::frame_rx_inputs(i, &ingress));
        self.u_filter.clock(&filter_in);
        self.u_rx_buffer.clock(&rx_buffer_in);
        self.u_data_gate.clock(&gate(i.s_data_hdr_valid, w.arbiter.grant_data));
        self.u_signal_gate.clock(&gate(i.s_signal_hdr_valid, w.arbiter.grant_signal));
        self.u_arbiter.clock(&w.arbiter_in);
        self.u_mux.clock(&mux_in);
        self.u_frame_tx.clock(&Self::frame_tx_inputs(i, &mux));
        self.u_egress.clock(&ring_egress::Inputs {
            rst: i.rst,
            rd_word: buffer.rd_word,
            words: buffer.words,
            grant: w.grant,
            grant_words: w.arbiter.grant_words,
            tx_tdata: tx.m_axis_tdata,
            tx_tkeep: tx.m_axis_tkeep,
            tx_tvalid: tx.m_axis_tvalid,
            tx_tlast: tx.m_axis_tlast,
            tx_tuser: tx.m_axis_tuser,
        });
        let counters = node_counters::Inputs { rst: i.rst, events: w.events, addr: i.count_addr };
        self.u_counters.clock(&counters);
    }

    /// [`RingNode::outputs`] and [`RingNode::clock`] in one.
    #[inline]
    pub fn step(&mut self, i: &Inputs) -> Outputs {
        let w = self.wires(i);
        let outputs = self.ports_of(&w);
        self.advance(i, &w);
        outputs
    }
}
