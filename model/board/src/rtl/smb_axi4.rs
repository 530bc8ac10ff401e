// SPDX-License-Identifier: MIT OR Apache-2.0
//! `smb_axi4`: the Shared Memory Board with an AXI4 host port (AXI-1, AXI-6, AXI-7).

use super::{
    Axi4Port, axi4_port, ring_node,
    smb_core::{self, Request, Response, SmbCore},
    state::{Visit, ports, state},
};

ports! {
    /// Inputs of `smb_axi4`.
    pub struct Inputs with parameters {
        /// Synchronous reset.
        rst: bool = 1,
        /// ID of a write burst.
        s_axi_awid: u16 = parameters.axi_id_w(),
        /// Byte address of its first beat.
        s_axi_awaddr: u32 = 32,
        /// Beats, less one.
        s_axi_awlen: u8 = 8,
        /// Bytes of a beat: 2^n.
        s_axi_awsize: u8 = 3,
        /// FIXED, INCR or WRAP.
        s_axi_awburst: u8 = 2,
        /// There is a write burst.
        s_axi_awvalid: bool = 1,
        /// Write data.
        s_axi_wdata: u32 = 32,
        /// Byte lanes to write.
        s_axi_wstrb: u8 = 4,
        /// Last beat of its burst.
        s_axi_wlast: bool = 1,
        /// There is write data.
        s_axi_wvalid: bool = 1,
        /// The write's answer is taken.
        s_axi_bready: bool = 1,
        /// ID of a read burst.
        s_axi_arid: u16 = parameters.axi_id_w(),
        /// Byte address of its first beat.
        s_axi_araddr: u32 = 32,
        /// Beats, less one.
        s_axi_arlen: u8 = 8,
        /// Bytes of a beat: 2^n.
        s_axi_arsize: u8 = 3,
        /// FIXED, INCR or WRAP.
        s_axi_arburst: u8 = 2,
        /// There is a read burst.
        s_axi_arvalid: bool = 1,
        /// The read's answer is taken.
        s_axi_rready: bool = 1,
        /// Link word in.
        s_axis_tdata: u32 = 32,
        /// Valid byte lanes of the beat.
        s_axis_tkeep: u8 = 4,
        /// There is a word.
        s_axis_tvalid: bool = 1,
        /// Last of the frame.
        s_axis_tlast: bool = 1,
        /// M, or "aborted".
        s_axis_tuser: bool = 1,
    }
}

ports! {
    /// Outputs of `smb_axi4`.
    pub struct Outputs with parameters {
        /// The write burst is taken.
        s_axi_awready: bool = 1,
        /// The write data is taken.
        s_axi_wready: bool = 1,
        /// ID of the write burst that is answered.
        s_axi_bid: u16 = parameters.axi_id_w(),
        /// OKAY or SLVERR.
        s_axi_bresp: u8 = 2,
        /// A write burst is answered.
        s_axi_bvalid: bool = 1,
        /// The read burst is taken.
        s_axi_arready: bool = 1,
        /// ID of the read burst.
        s_axi_rid: u16 = parameters.axi_id_w(),
        /// Read data.
        s_axi_rdata: u32 = 32,
        /// OKAY or SLVERR.
        s_axi_rresp: u8 = 2,
        /// Last beat of its burst.
        s_axi_rlast: bool = 1,
        /// A beat of a read is answered.
        s_axi_rvalid: bool = 1,
        /// Link word out.
        m_axis_tdata: u32 = 32,
        /// Valid byte lanes of the beat.
        m_axis_tkeep: u8 = 4,
        /// There is a word.
        m_axis_tvalid: bool = 1,
        /// Last of the frame.
        m_axis_tlast: bool = 1,
        /// M, or "aborted".
        m_axis_tuser: bool = 1,
        /// Interrupt.
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
        smb_core::Inputs {
            rst: self.rst,
            s_axis_tdata: self.s_axis_tdata,
            s_axis_tkeep: self.s_axis_tkeep,
            s_axis_tvalid: self.s_axis_tvalid,
            s_axis_tlast: self.s_axis_tlast,
            s_axis_tuser: self.s_axis_tuser,
        }
    }
}

impl SmbAxi4 {
    /// Inputs of the port.
    fn port_in(&self, i: &Inputs, response: Response) -> axi4_port::Inputs {
        axi4_port::Inputs {
            rst: i.rst,
            s_axi_awid: i.s_axi_awid,
            s_axi_awaddr: i.s_axi_awaddr,
            s_axi_awlen: i.s_axi_awlen,
            s_axi_awsize: i.s_axi_awsize,
            s_axi_awburst: i.s_axi_awburst,
            s_axi_awvalid: i.s_axi_awvalid,
            s_axi_wdata: i.s_axi_wdata,
            s_axi_wstrb: i.s_axi_wstrb,
            s_axi_wlast: i.s_axi_wlast,
            s_axi_wvalid: i.s_axi_wvalid,
            s_axi_bready: i.s_axi_bready,
            s_axi_arid: i.s_axi_arid,
            s_axi_araddr: i.s_axi_araddr,
            s_axi_arlen: i.s_axi_arlen,
            s_axi_arsize: i.s_axi_arsize,
            s_axi_arburst: i.s_axi_arburst,
            s_axi_arvalid: i.s_axi_arvalid,
            s_axi_rready: i.s_axi_rready,
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
            s_axi_awready: port.s_axi_awready,
            s_axi_wready: port.s_axi_wready,
            s_axi_bid: port.s_axi_bid,
            s_axi_bresp: port.s_axi_bresp,
            s_axi_bvalid: port.s_axi_bvalid,
            s_axi_arready: port.s_axi_arready,
            s_axi_rid: port.s_axi_rid,
            s_axi_rdata: port.s_axi_rdata,
            s_axi_rresp: port.s_axi_rresp,
            s_axi_rlast: port.s_axi_rlast,
            s_axi_rvalid: port.s_axi_rvalid,
            m_axis_tdata: link.m_data_q,
            m_axis_tkeep: link.keep(),
            m_axis_tvalid: link.m_valid_q,
            m_axis_tlast: link.m_last_q,
            m_axis_tuser: link.m_user_q,
            irq: self.irq(),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        let body = i.body();
        let mut port_in = self.port_in(i, Response::default()); // the word of before the edge
        let request = Self::request(&self.u_axi4.outputs(&port_in));
        let (node_in, node) = self.blocks.node_ports(&body, request.addr);
        self.blocks.u_node.clock(&node_in);
        let response = self.blocks.edge(&body, &request, &node);
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
