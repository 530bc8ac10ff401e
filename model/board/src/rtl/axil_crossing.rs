// SPDX-License-Identifier: MIT OR Apache-2.0
//! `axil_crossing`: AXI4-Lite from the clock of a host into that of a board (CDC-3).
//!
//! A clock among the inputs is true in a step in which it rises.

use super::{
    clock_crossing::{
        address::{self, AddressCrossing},
        answer::{self, AnswerCrossing},
        data::{self, DataCrossing},
        read::{self, ReadCrossing},
    },
    state::{ports, state},
};
use crate::rtl::bundle::{AxilAnswer, AxilRequest};

ports! {
    /// Inputs of `axil_crossing`.
    pub struct Inputs {
        /// The host's clock.
        s_clk: bool = 1,
        /// Synchronous reset of the host's side.
        s_rst: bool = 1,
        /// What the host drives.
        s_axi: AxilRequest = 0 => axil_request,
        /// The board's clock.
        m_clk: bool = 1,
        /// Synchronous reset of the board's side.
        m_rst: bool = 1,
        /// What the host gets.
        m_axi: AxilAnswer = 0 => axil_answer,
    }
}

ports! {
    /// Outputs of `axil_crossing`.
    pub struct Outputs {
        /// What the host gets.
        s_axi: AxilAnswer = 0 => axil_answer,
        /// What the host drives.
        m_axi: AxilRequest = 0 => axil_request,
    }
}

state! {
    /// Instances of `axil_crossing`, which has no registers except theirs.
    pub struct AxilCrossing("axil_crossing", Inputs, Outputs) {
        children {
            /// Addresses of writes, to the board.
            u_aw: AddressCrossing,
            /// Data of writes, to the board.
            u_w: DataCrossing,
            /// Addresses of reads, to the board.
            u_ar: AddressCrossing,
            /// Answers to writes, to the host.
            u_b: AnswerCrossing,
            /// Answers to reads, to the host.
            u_r: ReadCrossing,
        }
    }
}

impl AxilCrossing {
    /// Just before the edges. Depends on registers and resets only.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the parts of a word")]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let (aw, w, ar) = (self.u_aw.outputs(), self.u_w.outputs(), self.u_ar.outputs());
        let (b, r) = (self.u_b.outputs(), self.u_r.outputs());
        Outputs {
            s_axi: AxilAnswer {
                awready: aw.wr_free != 0 && !i.s_rst,
                wready: w.wr_free != 0 && !i.s_rst,
                bresp: b.rd_data,
                bvalid: b.rd_words != 0,
                arready: ar.wr_free != 0 && !i.s_rst,
                rdata: r.rd_data as u32,
                rresp: (r.rd_data >> 32) as u8,
                rvalid: r.rd_words != 0,
            },
            m_axi: AxilRequest {
                awaddr: aw.rd_data as u32,
                awprot: (aw.rd_data >> 32) as u8,
                awvalid: aw.rd_words != 0,
                wdata: w.rd_data as u32,
                wstrb: (w.rd_data >> 32) as u8,
                wvalid: w.rd_words != 0,
                bready: b.wr_free != 0 && !i.m_rst,
                araddr: ar.rd_data as u32,
                arprot: (ar.rd_data >> 32) as u8,
                arvalid: ar.rd_words != 0,
                rready: r.wr_free != 0 && !i.m_rst,
            },
        }
    }

    /// The edges of the clocks that rise.
    pub fn clock(&mut self, i: &Inputs) {
        let word = |high: u8, low: u32| u64::from(high) << 32 | u64::from(low);
        let address = |valid, word, ready| address::Inputs {
            wr_clk: i.s_clk,
            wr_rst: i.s_rst,
            wr_valid: valid,
            wr_data: word,
            rd_clk: i.m_clk,
            rd_rst: i.m_rst,
            rd_ready: ready,
        };
        let aw = word(i.s_axi.awprot, i.s_axi.awaddr);
        self.u_aw.clock(&address(i.s_axi.awvalid, aw, i.m_axi.awready));
        let ar = word(i.s_axi.arprot, i.s_axi.araddr);
        self.u_ar.clock(&address(i.s_axi.arvalid, ar, i.m_axi.arready));
        self.u_w.clock(&data::Inputs {
            wr_clk: i.s_clk,
            wr_rst: i.s_rst,
            wr_valid: i.s_axi.wvalid,
            wr_data: word(i.s_axi.wstrb, i.s_axi.wdata),
            rd_clk: i.m_clk,
            rd_rst: i.m_rst,
            rd_ready: i.m_axi.wready,
        });
        self.u_b.clock(&answer::Inputs {
            wr_clk: i.m_clk,
            wr_rst: i.m_rst,
            wr_valid: i.m_axi.bvalid,
            wr_data: i.m_axi.bresp,
            rd_clk: i.s_clk,
            rd_rst: i.s_rst,
            rd_ready: i.s_axi.bready,
        });
        self.u_r.clock(&read::Inputs {
            wr_clk: i.m_clk,
            wr_rst: i.m_rst,
            wr_valid: i.m_axi.rvalid,
            wr_data: word(i.m_axi.rresp, i.m_axi.rdata),
            rd_clk: i.s_clk,
            rd_rst: i.s_rst,
            rd_ready: i.s_axi.rready,
        });
    }
}
