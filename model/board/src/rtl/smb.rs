// SPDX-License-Identifier: MIT OR Apache-2.0
//! `smb`: the Shared Memory Board, a ring node with its replica of the shared memory and a host
//! port (HST-1 to HST-7).

mod ports;

pub use super::state::Visit;
pub use ports::{Inputs, Outputs};

use super::{
    AxilPort, axil_port, ring_node,
    smb_core::{self, Request, Response, SmbCore},
    state::state,
};
use crate::rtl::bundle::Link;

state! {
    /// Instances of `smb`, which has no registers except theirs.
    pub struct Smb("smb", Inputs, Outputs) {
        children {
            /// AXI4-Lite.
            u_axil: AxilPort,
        }
        include {
            /// All others.
            blocks: SmbCore
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
        let body = i.body();
        let (inputs, node) = self.blocks.node_ports(&body, self.u_axil.addr_q);
        self.blocks.u_node.clock(&inputs);
        self.edge(i, &body, &node);
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
        let body = i.body();
        let inputs = self.blocks.node_inputs(&body, self.u_axil.addr_q);
        let node = self.blocks.u_node.step(&inputs);
        self.edge(i, &body, &node);
    }

    /// As [`SmbCore::rests`], with a host port that may be at work.
    #[inline]
    pub(crate) fn rests(&self, i: &Inputs) -> u64 {
        let port = &self.u_axil;
        let asked = i.s_axi.awvalid || i.s_axi.arvalid;
        if asked || port.state_q != axil_port::IDLE || port.ready_q {
            return 0;
        }
        self.blocks.rests(&i.body(), port.addr_q)
    }

    /// The edge of every module but the node, given what the node said just before it.
    #[inline]
    fn edge(&mut self, i: &Inputs, body: &smb_core::Inputs, node: &ring_node::Outputs) {
        let response = self.blocks.edge(body, &self.request(i), node);
        self.u_axil.clock(&Self::axil_inputs(i, response));
    }

    /// The ports of the node inside the board just before the edge, for an observer of its links such as
    /// [`Recorder`](crate::trace::Recorder).
    #[must_use]
    pub fn node_ports(&self, i: &Inputs) -> (ring_node::Inputs, ring_node::Outputs) {
        self.blocks.node_ports(&i.body(), self.u_axil.addr_q)
    }

    /// Calls `visit` with the ports of the board (as instance `smb`) and of each of its instances,
    /// inputs first, as they are just before the edge.
    pub fn look(&self, i: &Inputs, visit: &mut Visit<'_>) {
        let body = i.body();
        let cycle = self.blocks.cycle(&body, &self.request(i));
        let axil_in = Self::axil_inputs(i, cycle.response());
        self.blocks.show(visit, "smb", i, &self.outputs(i));
        self.blocks.show(visit, "u_axil", &axil_in, &self.u_axil.outputs(&axil_in));
        self.blocks.look(&body, &cycle, visit);
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
