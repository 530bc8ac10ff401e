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

ports! {
    /// Inputs of `axil_crossing`.
    pub struct Inputs {
        /// The host's clock.
        s_clk: bool = 1,
        /// Synchronous reset of the host's side.
        s_rst: bool = 1,
        /// Address of a write.
        s_axi_awaddr: u32 = 32,
        /// Kind of the access.
        s_axi_awprot: u8 = 3,
        /// There is an address.
        s_axi_awvalid: bool = 1,
        /// Data of a write.
        s_axi_wdata: u32 = 32,
        /// Bytes of it that count.
        s_axi_wstrb: u8 = 4,
        /// There is data.
        s_axi_wvalid: bool = 1,
        /// The answer to a write is taken.
        s_axi_bready: bool = 1,
        /// Address of a read.
        s_axi_araddr: u32 = 32,
        /// Kind of the access.
        s_axi_arprot: u8 = 3,
        /// There is an address.
        s_axi_arvalid: bool = 1,
        /// The answer to a read is taken.
        s_axi_rready: bool = 1,
        /// The board's clock.
        m_clk: bool = 1,
        /// Synchronous reset of the board's side.
        m_rst: bool = 1,
        /// The board takes the address of a write.
        m_axi_awready: bool = 1,
        /// The board takes the data.
        m_axi_wready: bool = 1,
        /// Answer to a write.
        m_axi_bresp: u8 = 2,
        /// There is one.
        m_axi_bvalid: bool = 1,
        /// The board takes the address of a read.
        m_axi_arready: bool = 1,
        /// Data read.
        m_axi_rdata: u32 = 32,
        /// Answer to a read.
        m_axi_rresp: u8 = 2,
        /// There is one.
        m_axi_rvalid: bool = 1,
    }
}

ports! {
    /// Outputs of `axil_crossing`.
    pub struct Outputs {
        /// The address of a write is taken.
        s_axi_awready: bool = 1,
        /// The data is taken.
        s_axi_wready: bool = 1,
        /// Answer to a write.
        s_axi_bresp: u8 = 2,
        /// There is one.
        s_axi_bvalid: bool = 1,
        /// The address of a read is taken.
        s_axi_arready: bool = 1,
        /// Data read.
        s_axi_rdata: u32 = 32,
        /// Answer to a read.
        s_axi_rresp: u8 = 2,
        /// There is one.
        s_axi_rvalid: bool = 1,
        /// Address of a write.
        m_axi_awaddr: u32 = 32,
        /// Kind of the access.
        m_axi_awprot: u8 = 3,
        /// There is an address.
        m_axi_awvalid: bool = 1,
        /// Data of a write.
        m_axi_wdata: u32 = 32,
        /// Bytes of it that count.
        m_axi_wstrb: u8 = 4,
        /// There is data.
        m_axi_wvalid: bool = 1,
        /// The answer to a write is taken.
        m_axi_bready: bool = 1,
        /// Address of a read.
        m_axi_araddr: u32 = 32,
        /// Kind of the access.
        m_axi_arprot: u8 = 3,
        /// There is an address.
        m_axi_arvalid: bool = 1,
        /// The answer to a read is taken.
        m_axi_rready: bool = 1,
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
            s_axi_awready: aw.wr_free != 0 && !i.s_rst,
            s_axi_wready: w.wr_free != 0 && !i.s_rst,
            s_axi_bresp: b.rd_data,
            s_axi_bvalid: b.rd_words != 0,
            s_axi_arready: ar.wr_free != 0 && !i.s_rst,
            s_axi_rdata: r.rd_data as u32,
            s_axi_rresp: (r.rd_data >> 32) as u8,
            s_axi_rvalid: r.rd_words != 0,
            m_axi_awaddr: aw.rd_data as u32,
            m_axi_awprot: (aw.rd_data >> 32) as u8,
            m_axi_awvalid: aw.rd_words != 0,
            m_axi_wdata: w.rd_data as u32,
            m_axi_wstrb: (w.rd_data >> 32) as u8,
            m_axi_wvalid: w.rd_words != 0,
            m_axi_bready: b.wr_free != 0 && !i.m_rst,
            m_axi_araddr: ar.rd_data as u32,
            m_axi_arprot: (ar.rd_data >> 32) as u8,
            m_axi_arvalid: ar.rd_words != 0,
            m_axi_rready: r.wr_free != 0 && !i.m_rst,
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
        let aw = word(i.s_axi_awprot, i.s_axi_awaddr);
        self.u_aw.clock(&address(i.s_axi_awvalid, aw, i.m_axi_awready));
        let ar = word(i.s_axi_arprot, i.s_axi_araddr);
        self.u_ar.clock(&address(i.s_axi_arvalid, ar, i.m_axi_arready));
        self.u_w.clock(&data::Inputs {
            wr_clk: i.s_clk,
            wr_rst: i.s_rst,
            wr_valid: i.s_axi_wvalid,
            wr_data: word(i.s_axi_wstrb, i.s_axi_wdata),
            rd_clk: i.m_clk,
            rd_rst: i.m_rst,
            rd_ready: i.m_axi_wready,
        });
        self.u_b.clock(&answer::Inputs {
            wr_clk: i.m_clk,
            wr_rst: i.m_rst,
            wr_valid: i.m_axi_bvalid,
            wr_data: i.m_axi_bresp,
            rd_clk: i.s_clk,
            rd_rst: i.s_rst,
            rd_ready: i.s_axi_bready,
        });
        self.u_r.clock(&read::Inputs {
            wr_clk: i.m_clk,
            wr_rst: i.m_rst,
            wr_valid: i.m_axi_rvalid,
            wr_data: word(i.m_axi_rresp, i.m_axi_rdata),
            rd_clk: i.s_clk,
            rd_rst: i.s_rst,
            rd_ready: i.s_axi_rready,
        });
    }
}
