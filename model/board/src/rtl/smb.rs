// SPDX-License-Identifier: MIT OR Apache-2.0
//! `smb`: the Shared Memory Board, a ring node with its replica of the shared memory and a host
//! port (HST-1 to HST-7).
//!
//! The wires between the modules have no loop: what the node sees depends on registers only, the
//! link aside, and what it says is needed by all others. So the node has its edge first.

mod edge;
mod look;
mod ports;
mod rest;
mod wires;

pub use look::Visit;
pub use ports::{Inputs, Outputs};
pub(crate) use wires::{Request, Response};

use super::{
    AxilPort, DataWindow, HostRegs, HostWindow, LinkControl, Mailbox, MemWriter, NodeCounters,
    RingNode, RxSorter, SharedMemory, SignalMux, SignalSender, SyncEngine, WriteCombiner,
    axil_port, state::state,
};
use crate::rtl::bundle::Link;

state! {
    /// Instances of `smb`, which has no registers except theirs.
    pub struct Smb("smb", Inputs, Outputs) with parameters {
        children {
            /// AXI4-Lite.
            u_axil: AxilPort,
            /// Registers of the host port.
            u_regs: HostRegs,
            /// Window onto the shared memory.
            u_window: HostWindow,
            /// Data frames out of writes.
            u_combiner: WriteCombiner,
            /// Retransmit buffer: data frames that have not returned.
            u_data: DataWindow,
            /// Queue of signals that have not returned.
            u_signal: SignalSender,
            /// `sync`, `monitor` and tokens.
            u_control: LinkControl,
            /// Signals and control tokens.
            u_mux: SignalMux,
            /// The ring node.
            u_node: RingNode,
            /// Sorts received frames into data, signals and control tokens.
            u_sorter: RxSorter,
            /// Locks and barriers.
            u_engine: SyncEngine,
            /// Data into the memory.
            u_writer: MemWriter,
            /// The replica.
            u_memory: SharedMemory,
            /// Signals that arrived.
            u_mailbox: Mailbox,
            /// Events of the board.
            u_counters: NodeCounters,
        }
    }
}

impl Smb {
    /// Just before the edge.
    #[must_use]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let axil = self.u_axil.outputs(&Self::axil_inputs(i, Response::default()));
        let link = &self.u_node.u_egress;
        Outputs {
            s_axi: axil.s_axi,
            m_axis: Link {
                tdata: link.m_data_q,
                tkeep: link.keep(),
                tvalid: link.m_valid_q,
                tlast: link.m_last_q,
                tuser: link.m_user_q,
            },
            irq: self.irq(),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        let inputs = self.node_inputs(i, self.u_axil.addr_q);
        let node = self.u_node.outputs(&inputs);
        self.u_node.clock(&inputs);
        self.edge(i, &node);
    }

    /// Interrupt.
    #[inline]
    #[must_use]
    pub fn irq(&self) -> bool {
        self.u_regs.irq_q || self.u_engine.u_regs.irq_q
    }

    /// [`Smb::outputs`] and [`Smb::clock`] in one.
    pub fn step(&mut self, i: &Inputs) -> Outputs {
        let outputs = self.outputs(i);
        self.advance(i);
        outputs
    }

    /// [`Smb::clock`] on the fast path of the node, see [`RingNode::step`].
    #[inline]
    pub(crate) fn advance(&mut self, i: &Inputs) {
        let inputs = self.node_inputs(i, self.u_axil.addr_q);
        let node = self.u_node.step(&inputs);
        self.edge(i, &node);
    }

    /// The request of the host port, which depends on registers only.
    #[inline]
    fn request(&self, i: &Inputs) -> Request {
        let port = self.u_axil.outputs(&Self::axil_inputs(i, Response::default()));
        Request {
            valid: port.req_valid,
            write: port.req_write,
            addr: port.req_addr,
            wdata: port.req_wdata,
            wstrb: port.req_wstrb,
            word: None,
        }
    }

    /// Inputs of the host port.
    #[inline]
    fn axil_inputs(i: &Inputs, response: Response) -> axil_port::Inputs {
        axil_port::Inputs {
            rst: i.rst,
            s_axi: i.s_axi,
            rsp_valid: response.valid,
            rsp_error: response.error,
            rsp_rdata: response.rdata,
        }
    }
}
