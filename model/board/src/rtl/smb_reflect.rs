// SPDX-License-Identifier: MIT OR Apache-2.0
//! `smb_reflect`: a board of a gateway between two rings (GWY-5 to GWY-7).

use super::{
    AxilPort, WindowInject, WindowTap, axil_port, ring_node,
    smb_core::{self, Request, Response, SmbCore},
    state::{ports, state},
    window_inject, window_tap,
    windows::PLACE_W,
};
use crate::rtl::bundle::{AxilAnswer, AxilRequest, Link};

ports! {
    /// Inputs of `smb_reflect`.
    pub struct Inputs with parameters {
        /// Synchronous reset.
        rst: bool = 1,
        /// What the host drives.
        s_axi: AxilRequest = 0 => axil_request,
        /// A word of the link.
        s_axis: Link = 0 => link_word,
        /// The windows that are used.
        cfg_valid: u8 = parameters.windows(),
        /// Their first places.
        cfg_first: u128 = PLACE_W * parameters.windows(),
        /// Their last places.
        cfg_last: u128 = PLACE_W * parameters.windows(),
        /// What is added to an address, for the other ring.
        cfg_offset: u128 = PLACE_W * parameters.windows(),
        /// There is a word of the other ring.
        s_valid: bool = 1,
        /// Address, strobes and data.
        s_word: u64 = 64,
    }
}

ports! {
    /// Outputs of `smb_reflect`.
    pub struct Outputs {
        /// What the host gets.
        s_axi: AxilAnswer = 0 => axil_answer,
        /// A word of the link.
        m_axis: Link = 0 => link_word,
        irq: bool = 1,
        /// MAC, as in the node.
        mac: u64 = 48,
        /// There is a word for the other ring.
        m_valid: bool = 1,
        /// Address, strobes and data.
        m_word: u64 = 64,
        /// A target was beyond the memory.
        ev_range: bool = 1,
        /// The word of the other ring is taken.
        s_ready: bool = 1,
    }
}

state! {
    /// Instances of `smb_reflect`, which has no registers except theirs.
    pub struct SmbReflect("smb_reflect", Inputs, Outputs) {
        children {
            /// AXI4-Lite.
            u_axil: AxilPort,
            /// What comes from the other ring.
            u_inject: WindowInject,
            /// What goes to it.
            u_tap: WindowTap,
        }
        include {
            /// All others.
            blocks: SmbCore
        }
    }
}

/// What its modules see of each other in a cycle.
struct Wires {
    body: smb_core::Inputs,
    request: Request,
    node_in: ring_node::Inputs,
    node: ring_node::Outputs,
}

impl SmbReflect {
    /// Inputs of the side of words and host, with the answer of the board.
    fn inject_in(&self, i: &Inputs, answer: Response) -> window_inject::Inputs {
        let host = self.u_axil.outputs(&Self::axil_in(i, &window_inject::Outputs::default()));
        window_inject::Inputs {
            rst: i.rst,
            s_valid: i.s_valid,
            s_word: i.s_word,
            h_valid: host.req_valid,
            h_write: host.req_write,
            h_addr: host.req_addr,
            h_wdata: host.req_wdata,
            h_wstrb: host.req_wstrb,
            rsp_valid: answer.valid,
            rsp_error: answer.error,
            rsp_rdata: answer.rdata,
        }
    }

    fn axil_in(i: &Inputs, answer: &window_inject::Outputs) -> axil_port::Inputs {
        axil_port::Inputs {
            rst: i.rst,
            s_axi: i.s_axi,
            rsp_valid: answer.h_done,
            rsp_error: answer.h_error,
            rsp_rdata: answer.h_rdata,
        }
    }

    fn tap_in(&self, i: &Inputs) -> window_tap::Inputs {
        window_tap::Inputs {
            rst: i.rst,
            cfg_valid: i.cfg_valid,
            cfg_first: i.cfg_first,
            cfg_last: i.cfg_last,
            cfg_offset: i.cfg_offset,
            mem_addr: self.blocks.u_writer.mem_addr_q,
            mem_we: self.blocks.u_writer.mem_we_q,
            mem_wdata: self.blocks.u_writer.mem_wdata_q,
        }
    }

    /// The request does not depend on its answer.
    fn wires(&self, i: &Inputs) -> Wires {
        let asked = self.u_inject.outputs(&self.inject_in(i, Response::default()));
        let request = Request {
            valid: asked.req_valid,
            write: asked.req_write,
            addr: asked.req_addr,
            wdata: asked.req_wdata,
            wstrb: asked.req_wstrb,
            word: None,
        };
        let body = smb_core::Inputs { rst: i.rst, s_axis: i.s_axis };
        let (node_in, node) = self.blocks.node_ports(&body, request.addr);
        Wires { body, request, node_in, node }
    }

    /// MAC, as in the node: that of no board before the host has enabled it.
    #[must_use]
    pub fn node_mac(&self) -> u64 {
        self.u_regs.mac() ^ u64::from(!self.u_regs.enable_q) << 40
    }

    /// Just before the edge.
    #[must_use]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let Wires { body, request, .. } = self.wires(i);
        let answer = self.blocks.cycle(&body, &request).response();
        let inject = self.u_inject.outputs(&self.inject_in(i, answer));
        let axil = self.u_axil.outputs(&Self::axil_in(i, &inject));
        let link = &self.blocks.u_node.u_egress;
        let tap = self.u_tap.outputs(&self.tap_in(i));
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
            mac: self.node_mac(),
            m_valid: tap.m_valid,
            m_word: tap.m_word,
            ev_range: tap.ev_range,
            s_ready: inject.s_ready,
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        let Wires { body, request, node_in, node } = self.wires(i);
        let tap_in = self.tap_in(i);
        self.blocks.u_node.clock(&node_in);
        let answer = self.blocks.edge(&body, &request, &node);
        let inject_in = self.inject_in(i, answer);
        let inject = self.u_inject.outputs(&inject_in);
        self.u_inject.clock(&inject_in);
        self.u_axil.clock(&Self::axil_in(i, &inject));
        self.u_tap.clock(&tap_in);
    }
}
