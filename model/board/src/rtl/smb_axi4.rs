// SPDX-License-Identifier: MIT OR Apache-2.0
//! `smb_axi4`: the Shared Memory Board with an AXI4 host port (AXI-1, AXI-6, AXI-7).

use super::{
    Axi4Port, axi4_port, ring_node,
    smb_core::{self, Request, Response, SmbCore},
    state::{Visit, ports, state},
};
use crate::rtl::bundle::{Axi4Answer, Axi4Request, Link};

ports! {
    /// Inputs of `smb_axi4`.
    pub struct Inputs with parameters {
        /// Synchronous reset.
        rst: bool = 1,
        /// What the host drives.
        s_axi: Axi4Request = parameters.axi_id_w() => axi4_request,
        /// A word of the link.
        s_axis: Link = 0 => link_word,
    }
}

ports! {
    /// Outputs of `smb_axi4`.
    pub struct Outputs with parameters {
        /// What the host gets.
        s_axi: Axi4Answer = parameters.axi_id_w() => axi4_answer,
        /// A word of the link.
        m_axis: Link = 0 => link_word,
        irq: bool = 1,
    }
}

state! {
    /// Instances of `smb_axi4`, which has no registers except theirs.
    pub struct SmbAxi4("smb_axi4", Inputs, Outputs) {
        children {
            /// AXI4.
            u_axi4: Axi4Port,
        }
        include {
            /// All others.
            blocks: SmbCore
        }
    }
}

impl Inputs {
    /// Those of the board's body.
    #[inline]
    pub(crate) fn body(&self) -> smb_core::Inputs {
        smb_core::Inputs { rst: self.rst, s_axis: self.s_axis }
    }
}

impl SmbAxi4 {
    fn port_in(&self, i: &Inputs, response: Response) -> axi4_port::Inputs {
        axi4_port::Inputs {
            rst: i.rst,
            s_axi: i.s_axi,
            rsp_valid: response.valid,
            rsp_error: response.error,
            rsp_rdata: response.rdata,
            mem_rdata: self.blocks.u_memory.rdata_q,
        }
    }

    fn request(port: &axi4_port::Outputs) -> Request {
        Request {
            valid: port.req_valid,
            write: port.req_write,
            addr: port.req_addr,
            wdata: port.req_wdata,
            wstrb: port.req_wstrb,
            word: port.mem_read.then_some(port.mem_addr),
        }
    }

    /// Just before the edge.
    #[must_use]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let port = self.u_axi4.outputs(&self.port_in(i, Response::default()));
        let link = &self.blocks.u_node.u_egress;
        Outputs {
            s_axi: port.s_axi,
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
        let port_in = self.port_in(i, Response::default()); // the word of before the edge
        let request = Self::request(&self.u_axi4.outputs(&port_in));
        let (node_in, node) = self.blocks.node_ports(&body, request.addr);
        self.blocks.u_node.clock(&node_in);
        self.edge(port_in, &body, &request, &node);
    }

    /// [`SmbAxi4::clock`] on the fast path of the node, see [`RingNode::step`](ring_node::RingNode::step).
    #[inline]
    pub(crate) fn advance(&mut self, i: &Inputs) {
        let body = i.body();
        let port_in = self.port_in(i, Response::default());
        let request = Self::request(&self.u_axi4.outputs(&port_in));
        let node_in = self.blocks.node_inputs(&body, request.addr);
        let node = self.blocks.u_node.step(&node_in);
        self.edge(port_in, &body, &request, &node);
    }

    /// As [`SmbCore::rests`], with a host port that may be at work.
    #[inline]
    pub(crate) fn rests(&self, i: &Inputs) -> u64 {
        let asked = i.s_axi.awvalid || i.s_axi.wvalid || i.s_axi.arvalid;
        if asked || !self.u_axi4.is_idle() {
            return 0;
        }
        let port = self.u_axi4.outputs(&self.port_in(i, Response::default()));
        self.blocks.rests(&i.body(), port.req_addr)
    }

    /// The edge of every module but the node, given what the node said just before it.
    #[inline]
    fn edge(
        &mut self,
        mut port_in: axi4_port::Inputs,
        body: &smb_core::Inputs,
        request: &Request,
        node: &ring_node::Outputs,
    ) {
        let response = self.blocks.edge(body, request, node);
        (port_in.rsp_valid, port_in.rsp_error) = (response.valid, response.error);
        port_in.rsp_rdata = response.rdata;
        self.u_axi4.clock(&port_in);
    }

    /// [`SmbAxi4::outputs`] and [`SmbAxi4::clock`] in one.
    pub fn step(&mut self, i: &Inputs) -> Outputs {
        let outputs = self.outputs(i);
        self.clock(i);
        outputs
    }

    /// The ports of the node inside the board just before the edge.
    #[must_use]
    pub fn node_ports(&self, i: &Inputs) -> (ring_node::Inputs, ring_node::Outputs) {
        let port = self.u_axi4.outputs(&self.port_in(i, Response::default()));
        self.blocks.node_ports(&i.body(), port.req_addr)
    }

    /// Calls `visit` with the ports of the board (as instance `smb_axi4`) and of each of its instances,
    /// inputs first, as they are just before the edge.
    pub fn look(&self, i: &Inputs, visit: &mut Visit<'_>) {
        let body = i.body();
        let port = self.u_axi4.outputs(&self.port_in(i, Response::default()));
        let cycle = self.blocks.cycle(&body, &Self::request(&port));
        let port_in = self.port_in(i, cycle.response());
        self.blocks.show(visit, "smb_axi4", i, &self.outputs(i));
        self.blocks.show(visit, "u_axi4", &port_in, &self.u_axi4.outputs(&port_in));
        self.blocks.look(&body, &cycle, visit);
    }
}
