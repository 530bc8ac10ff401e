// SPDX-License-Identifier: MIT OR Apache-2.0
//! `axil_crossing`: AXI4-Lite from the clock of a host into that of a board (CDC-3, CDC-6).
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
        /// The host is in reset, the board is not.
        s_clear: bool = 1,
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
    /// Registers and instances of `axil_crossing`.
    pub struct AxilCrossing("axil_crossing", Inputs, Outputs) {
        registers {
            /// Addresses of writes whose data have not come.
            ahead_q: u8 = 3,
            /// Writes without an answer.
            writes_q: u8 = 4,
            /// Reads without an answer.
            reads_q: u8 = 4,
            /// Of those addresses: from before a clear.
            owed_q: u8 = 3,
            /// Of those writes: from before a clear.
            old_writes_q: u8 = 4,
            /// Of those reads: from before a clear.
            old_reads_q: u8 = 4,
        }
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
    /// Just before the edges. What goes to the board depends on registers and resets only.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the parts of a word")]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let (aw, w, ar) = (self.u_aw.outputs(), self.u_w.outputs(), self.u_ar.outputs());
        let (b, r) = (self.u_b.outputs(), self.u_r.outputs());
        let held = i.s_rst || i.s_clear;
        let awready = aw.wr_free != 0 && self.ahead_q != 4 && self.writes_q != 15 && !held;
        let address = self.ahead_q != 0 || i.s_axi.awvalid && awready;
        Outputs {
            s_axi: AxilAnswer {
                awready,
                wready: w.wr_free != 0 && self.owed_q == 0 && address && !held,
                bresp: b.rd_data,
                bvalid: b.rd_words != 0 && self.old_writes_q == 0 && !i.s_clear,
                arready: ar.wr_free != 0 && self.reads_q != 15 && !held,
                rdata: r.rd_data as u32,
                rresp: (r.rd_data >> 32) as u8,
                rvalid: r.rd_words != 0 && self.old_reads_q == 0 && !i.s_clear,
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
        let s_axi = self.outputs(i).s_axi;
        let new_write = i.s_axi.awvalid && s_axi.awready;
        let new_read = i.s_axi.arvalid && s_axi.arready;
        let owed = self.owed_q != 0;
        let pays = owed && self.u_w.outputs().wr_free != 0;
        let data_in = pays || i.s_axi.wvalid && s_axi.wready;
        let (drop_b, drop_r) = (self.old_writes_q != 0, self.old_reads_q != 0);
        let ready_b = drop_b || i.s_axi.bready && !i.s_clear;
        let ready_r = drop_r || i.s_axi.rready && !i.s_clear;
        let take_b = ready_b && self.u_b.outputs().rd_words != 0;
        let take_r = ready_r && self.u_r.outputs().rd_words != 0;
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
        self.u_aw.clock(&address(new_write, aw, i.m_axi.awready));
        let ar = word(i.s_axi.arprot, i.s_axi.araddr);
        self.u_ar.clock(&address(new_read, ar, i.m_axi.arready));
        self.u_w.clock(&data::Inputs {
            wr_clk: i.s_clk,
            wr_rst: i.s_rst,
            wr_valid: data_in,
            // Without a strobe nothing is written.
            wr_data: if owed { 0 } else { word(i.s_axi.wstrb, i.s_axi.wdata) },
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
            rd_ready: ready_b,
        });
        self.u_r.clock(&read::Inputs {
            wr_clk: i.m_clk,
            wr_rst: i.m_rst,
            wr_valid: i.m_axi.rvalid,
            wr_data: word(i.m_axi.rresp, i.m_axi.rdata),
            rd_clk: i.s_clk,
            rd_rst: i.s_rst,
            rd_ready: ready_r,
        });
        if !i.s_clk {
            return;
        }
        let count = |n: u8, more: bool, less: bool, mask: u8| {
            n.wrapping_add(more.into()).wrapping_sub(less.into()) & mask
        };
        self.ahead_q = count(self.ahead_q, new_write, data_in, 7);
        self.writes_q = count(self.writes_q, new_write, take_b, 15);
        self.reads_q = count(self.reads_q, new_read, take_r, 15);
        self.owed_q = count(self.owed_q, false, pays, 7);
        self.old_writes_q = count(self.old_writes_q, false, drop_b && take_b, 15);
        self.old_reads_q = count(self.old_reads_q, false, drop_r && take_r, 15);
        if i.s_clear {
            (self.owed_q, self.old_writes_q, self.old_reads_q) =
                (self.ahead_q, self.writes_q, self.reads_q);
        }
        if i.s_rst {
            (self.ahead_q, self.writes_q, self.reads_q) = (0, 0, 0);
            (self.owed_q, self.old_writes_q, self.old_reads_q) = (0, 0, 0);
        }
    }
}
