// SPDX-License-Identifier: MIT OR Apache-2.0
//! `axil_port`: one AXI4-Lite access at a time becomes one request (HST-1).

use super::state::{ports, state};
use crate::rtl::bundle::{AxilAnswer, AxilRequest};
use awgstar_frame::contract::fsm;

/// No access.
pub const IDLE: u8 = fsm::code("axil_port", "idle");
/// The request is being answered.
pub const BUSY: u8 = fsm::code("axil_port", "busy");
/// The answer is on the port.
pub const DONE: u8 = fsm::code("axil_port", "done");

ports! {
    /// Inputs of `axil_port`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// What the host drives.
        s_axi: AxilRequest = 0 => axil_request,
        /// The request is answered.
        rsp_valid: bool = 1,
        /// The request was refused.
        rsp_error: bool = 1,
        /// Read data.
        rsp_rdata: u32 = 32,
    }
}

ports! {
    /// Outputs of `axil_port`.
    pub struct Outputs {
        /// What the host gets.
        s_axi: AxilAnswer = 0 => axil_answer,
        req_valid: bool = 1,
        /// The request is a write; otherwise a read.
        req_write: bool = 1,
        /// Byte address of the request.
        req_addr: u32 = 32,
        /// Write data of the request.
        req_wdata: u32 = 32,
        /// Byte lanes to write.
        req_wstrb: u8 = 4,
    }
}

state! {
    /// Registers of `axil_port`.
    pub struct AxilPort("axil_port", Inputs, Outputs) {
        registers {
            state_q: u8 = 2,
            /// The access is a write.
            write_q: bool = 1,
            /// Byte address of the access.
            addr_q: u32 = 32,
            /// Write data of the access.
            wdata_q: u32 = 32,
            /// Byte lanes to write.
            wstrb_q: u8 = 4,
            /// Answer to the access: read data.
            rdata_q: u32 = 32,
            /// Answer to the access: it was refused (SLVERR).
            error_q: bool = 1,
            /// The last access was a write.
            turn_q: bool = 1,
            /// The access has just been picked: the ready outputs are registers, as AXI asks for.
            ready_q: bool = 1,
        }
    }
}

impl AxilPort {
    /// Picks the next access in this cycle: (write, read), at most one of them true.
    #[inline]
    fn pick(&self, i: &Inputs) -> (bool, bool) {
        let idle = self.state_q == IDLE;
        let write = idle && i.s_axi.awvalid && i.s_axi.wvalid && !(i.s_axi.arvalid && self.turn_q);
        (write, idle && i.s_axi.arvalid && !write)
    }

    /// Just before the edge. The request depends on registers only.
    #[must_use]
    #[inline]
    pub fn outputs(&self, _: &Inputs) -> Outputs {
        let done = self.state_q == DONE;
        let resp = u8::from(self.error_q) << 1;
        Outputs {
            s_axi: AxilAnswer {
                awready: self.ready_q && self.write_q,
                wready: self.ready_q && self.write_q,
                bresp: resp,
                bvalid: done && self.write_q,
                arready: self.ready_q && !self.write_q,
                rdata: self.rdata_q,
                rresp: resp,
                rvalid: done && !self.write_q,
            },
            req_valid: self.state_q == BUSY,
            req_write: self.write_q,
            req_addr: self.addr_q,
            req_wdata: self.wdata_q,
            req_wstrb: self.wstrb_q,
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        self.ready_q = false;
        match self.state_q {
            IDLE => self.take(i),
            BUSY if i.rsp_valid => {
                (self.rdata_q, self.error_q) = (i.rsp_rdata, i.rsp_error);
                self.state_q = DONE;
            }
            DONE if (if self.write_q { i.s_axi.bready } else { i.s_axi.rready }) => {
                self.state_q = IDLE;
            }
            _ => {}
        }
        if i.rst {
            (self.state_q, self.turn_q, self.ready_q) = (IDLE, false, false);
        }
    }

    #[inline]
    fn take(&mut self, i: &Inputs) {
        let (write, read) = self.pick(i);
        if write {
            (self.addr_q, self.wdata_q, self.wstrb_q) =
                (i.s_axi.awaddr, i.s_axi.wdata, i.s_axi.wstrb);
        } else if read {
            self.addr_q = i.s_axi.araddr;
        }
        if write || read {
            (self.write_q, self.turn_q, self.state_q) = (write, write, BUSY);
            self.ready_q = true;
        }
    }
}
