// SPDX-License-Identifier: MIT OR Apache-2.0
//! Probe of the body of a board: the ports of every module in one cycle, for drawings and waveforms.

use super::{
    Inputs, SmbCore,
    edge::{Wires, known_inputs, mailbox_inputs, memory_inputs},
    wires::{Request, Response},
};
use crate::rtl::ring_node;
use crate::rtl::state::{Ports, Visit, show};

impl SmbCore {
    /// The ports of the node just before the edge, given the address of the host port's request.
    pub(crate) fn node_ports(
        &self,
        i: &Inputs,
        addr: u32,
    ) -> (ring_node::Inputs, ring_node::Outputs) {
        let inputs = self.node_inputs(i, addr);
        let outputs = self.u_node.outputs(&inputs);
        (inputs, outputs)
    }

    /// The signals of a cycle in which the host port has this request.
    pub(crate) fn cycle(&self, i: &Inputs, request: &Request) -> Signals {
        let (node_in, node) = self.node_ports(i, request.addr);
        Signals { wires: self.wires(i, request, &node), node_in, node }
    }

    /// Calls `visit` with the ports of an instance beside the body, inputs first.
    pub(crate) fn show(
        &self,
        visit: &mut Visit<'_>,
        name: &'static str,
        inputs: &impl Ports,
        outputs: &impl Ports,
    ) {
        show(visit, name, &self.parameters, inputs);
        show(visit, name, &self.parameters, outputs);
    }

    /// Calls `visit` with the ports of each instance.
    pub(crate) fn look(&self, i: &Inputs, cycle: &Signals, visit: &mut Visit<'_>) {
        let Signals { node_in, node, wires } = cycle;
        let Wires { receiving: r, sending: s, host: h, counters_in } = wires;
        macro_rules! ports {
            ($($instance:literal: $inputs:expr, $outputs:expr;)*) => {$(
                self.show(visit, $instance, $inputs, $outputs);
            )*};
        }
        let memory_in = memory_inputs(h, r);
        let mailbox_in = mailbox_inputs(i, h, r);
        let known_in = known_inputs(i, h, r);
        ports! {
            "u_regs": &h.regs_in, &self.u_regs.outputs(&h.regs_in);
            "u_window": &h.window_in, &h.window;
            "u_combiner": &h.combiner_in, &h.combiner;
            "u_data": &s.data_in, &self.u_data.outputs(&s.data_in);
            "u_signal": &s.signal_in, &self.u_signal.outputs(&s.signal_in);
            "u_control": &s.control_in, &self.u_control.outputs(&s.control_in);
            "u_fence": &s.fence_in, &s.fence;
            "u_join": &h.join_in, &h.join;
            "u_known": &known_in, &self.u_known.outputs();
            "u_mux": &s.mux_in, &self.u_mux.outputs(&s.mux_in);
            "u_node": node_in, node;
            "u_sorter": &r.sorter_in, &r.sorter;
            "u_engine": &h.engine_in, &self.u_engine.outputs(&h.engine_in);
            "u_writer": &r.writer_in, &self.u_writer.outputs(&r.writer_in);
            "u_memory": &memory_in, &self.u_memory.outputs();
            "u_mailbox": &mailbox_in, &self.u_mailbox.outputs();
            "u_counters": counters_in, &self.u_counters.outputs();
        }
    }
}

/// Combinational signals of a board in one cycle.
pub(crate) struct Signals {
    node_in: ring_node::Inputs,
    node: ring_node::Outputs,
    wires: Wires,
}

impl Signals {
    /// The answer to the request of the host port.
    pub(crate) fn response(&self) -> Response {
        self.wires.host.response
    }
}
