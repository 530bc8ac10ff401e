// SPDX-License-Identifier: MIT OR Apache-2.0
//! `smb_axi4`: the Shared Memory Board with an AXI4 host port (AXI-1, AXI-6, AXI-7).

use super::{
    Axi4Port, AxilPort, Parameters, Smb, axi4_port, ring_node,
    smb::{self, Request, Response},
    state::{Layout, MemoryMut, MemoryRef, Ports, State, Visit, ports, show},
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
        /// Interrupt.
        irq: bool = 1,
    }
}

/// The board with an AXI4 host port. All its blocks but the port are those of [`Smb`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmbAxi4 {
    /// AXI4.
    pub u_axi4: Axi4Port,
    /// The other blocks; its AXI4-Lite port is not used and is no part of the state.
    pub blocks: Smb,
    parameters: Parameters,
}

impl Default for SmbAxi4 {
    fn default() -> Self {
        Self::new(&Parameters::DEFAULT)
    }
}

impl SmbAxi4 {
    /// Link and reset as [`Smb`] has them.
    fn blocks_in(i: &Inputs) -> smb::Inputs {
        smb::Inputs { rst: i.rst, s_axis: i.s_axis, ..smb::Inputs::default() }
    }

    /// Inputs of the port.
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
            irq: self.blocks.irq(),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        let blocks_in = Self::blocks_in(i);
        let port = self.u_axi4.outputs(&self.port_in(i, Response::default()));
        let request = Self::request(&port);
        let node_in = self.blocks.node_inputs(&blocks_in, request.addr);
        let node = self.blocks.u_node.outputs(&node_in);
        self.blocks.u_node.clock(&node_in);
        let mut port_in = self.port_in(i, Response::default()); // the word of before the edge
        let response = self.blocks.edge_of_blocks(&blocks_in, &request, &node);
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
        let inputs = self.blocks.node_inputs(&Self::blocks_in(i), port.req_addr);
        let outputs = self.blocks.u_node.outputs(&inputs);
        (inputs, outputs)
    }

    /// Calls `visit` with the ports of the board (as instance `smb_axi4`) and of each of its instances,
    /// inputs first, as they are just before the edge.
    pub fn look(&self, i: &Inputs, visit: &mut Visit<'_>) {
        let blocks_in = Self::blocks_in(i);
        let port = self.u_axi4.outputs(&self.port_in(i, Response::default()));
        let cycle = self.blocks.cycle(&blocks_in, &Self::request(&port));
        let port_in = self.port_in(i, cycle.response());
        show(visit, "smb_axi4", &self.parameters, i);
        show(visit, "smb_axi4", &self.parameters, &self.outputs(i));
        show(visit, "u_axi4", &self.parameters, &port_in);
        show(visit, "u_axi4", &self.parameters, &self.u_axi4.outputs(&port_in));
        self.blocks.look_at_blocks(&blocks_in, &cycle, visit);
    }
}

/// Words of the image of [`Smb`] that are those of its port.
const PORT_WORDS: usize = AxilPort::WORDS;

impl State for SmbAxi4 {
    const WORDS: usize = Axi4Port::WORDS + Smb::WORDS - PORT_WORDS;

    fn layout_of(parameters: &Parameters) -> Layout {
        let blocks = Smb::layout_of(parameters).children.into_iter();
        let port = ("u_axi4", Axi4Port::layout_of(parameters));
        Layout {
            module: "smb_axi4",
            inputs: Inputs::ports(parameters),
            outputs: Outputs::ports(parameters),
            registers: Vec::new(),
            memories: Vec::new(),
            children: std::iter::once(port)
                .chain(blocks.filter(|(name, _)| *name != "u_axil"))
                .collect(),
        }
    }

    fn new(parameters: &Parameters) -> Self {
        SmbAxi4 {
            u_axi4: Axi4Port::new(parameters),
            blocks: Smb::new(parameters),
            parameters: *parameters,
        }
    }

    fn pack(&self, out: &mut [u32]) {
        let mut blocks = [0; Smb::WORDS];
        self.blocks.pack(&mut blocks);
        self.u_axi4.pack(out);
        out[Axi4Port::WORDS..Self::WORDS].copy_from_slice(&blocks[PORT_WORDS..]);
    }

    fn unpack(&mut self, image: &[u32]) {
        let mut blocks = [0; Smb::WORDS];
        blocks[PORT_WORDS..].copy_from_slice(&image[Axi4Port::WORDS..Self::WORDS]);
        self.u_axi4.unpack(image);
        self.blocks.unpack(&blocks);
    }

    fn memories<'a>(&'a self, visit: &mut dyn FnMut(MemoryRef<'a>)) {
        self.blocks.memories(visit);
    }

    fn memories_mut(&mut self, visit: &mut dyn FnMut(MemoryMut<'_>)) {
        self.blocks.memories_mut(visit);
    }

    fn fill_memories(&mut self, bit: bool) {
        self.blocks.fill_memories(bit);
    }
}
