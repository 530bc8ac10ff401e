// SPDX-License-Identifier: MIT OR Apache-2.0
//! `smb_link`: a board for a ring of boards with clocks of their own (CDC-1, CDC-3, LNK-5).
//!
//! A clock among the inputs is true in a step in which it rises.

use super::{
    AxilCrossing, Parameters, RingLink, Smb, axil_crossing, ring_link, smb,
    state::{ports, state},
    synchronizer::bit::{self, Synchronizer},
};

ports! {
    /// Inputs of `smb_link`.
    pub struct Inputs {
        /// The host's clock.
        host_clk: bool = 1,
        /// Address of a write.
        s_axi_awaddr: u32 = 32,
        /// Ignored.
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
        /// Ignored.
        s_axi_arprot: u8 = 3,
        /// There is an address.
        s_axi_arvalid: bool = 1,
        /// The answer to a read is taken.
        s_axi_rready: bool = 1,
        /// The board's clock.
        clk: bool = 1,
        /// Reset, synchronous to the board's clock.
        rst: bool = 1,
        /// The clock recovered from the line.
        rx_clk: bool = 1,
        /// Loss of signal.
        rx_los: bool = 1,
        /// Bits of the line, first bit lowest.
        rx_code: u64 = 40,
    }
}

ports! {
    /// Outputs of `smb_link`.
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
        /// Interrupt, in the host's clock.
        irq: bool = 1,
        /// Words are understood.
        up: bool = 1,
        /// Words that wait in the elastic buffer.
        words: u8 = 7,
        /// A word of a frame is missing.
        ev_underrun: bool = 1,
        /// Bits for the line, first bit lowest.
        tx_code: u64 = 40,
        /// A word with a wrong code.
        rx_ev_bad: bool = 1,
        /// A frame broke on the line.
        rx_ev_broken: bool = 1,
        /// A frame found no room.
        rx_ev_overflow: bool = 1,
    }
}

state! {
    /// Instances of `smb_link`, which has no registers except theirs.
    pub struct SmbLink("smb_link", Inputs, Outputs) with parameters {
        children {
            /// The reset in the host's clock.
            u_host_rst: Synchronizer,
            /// The interrupt in the host's clock.
            u_irq: Synchronizer,
            /// From the host's clock into that of the board.
            u_host: AxilCrossing,
            /// The board.
            u_board: Smb = Parameters::with_two_idle_words(*parameters),
            /// The end of the line.
            u_link: RingLink,
        }
    }
}

impl SmbLink {
    /// Inputs of the crossing; `board` are outputs of the board.
    fn host_in(&self, i: &Inputs, board: &smb::Outputs) -> axil_crossing::Inputs {
        axil_crossing::Inputs {
            s_clk: i.host_clk,
            s_rst: self.u_host_rst.outputs().q,
            s_axi_awaddr: i.s_axi_awaddr,
            s_axi_awprot: i.s_axi_awprot,
            s_axi_awvalid: i.s_axi_awvalid,
            s_axi_wdata: i.s_axi_wdata,
            s_axi_wstrb: i.s_axi_wstrb,
            s_axi_wvalid: i.s_axi_wvalid,
            s_axi_bready: i.s_axi_bready,
            s_axi_araddr: i.s_axi_araddr,
            s_axi_arprot: i.s_axi_arprot,
            s_axi_arvalid: i.s_axi_arvalid,
            s_axi_rready: i.s_axi_rready,
            m_clk: i.clk,
            m_rst: i.rst,
            m_axi_awready: board.s_axi_awready,
            m_axi_wready: board.s_axi_wready,
            m_axi_bresp: board.s_axi_bresp,
            m_axi_bvalid: board.s_axi_bvalid,
            m_axi_arready: board.s_axi_arready,
            m_axi_rdata: board.s_axi_rdata,
            m_axi_rresp: board.s_axi_rresp,
            m_axi_rvalid: board.s_axi_rvalid,
        }
    }

    /// Inputs of the end of the line; `board` are outputs of the board.
    #[must_use]
    pub fn link_in(i: &Inputs, board: &smb::Outputs) -> ring_link::Inputs {
        ring_link::Inputs {
            clk: i.clk,
            rst: i.rst,
            s_axis_tdata: board.m_axis_tdata,
            s_axis_tkeep: board.m_axis_tkeep,
            s_axis_tvalid: board.m_axis_tvalid,
            s_axis_tlast: board.m_axis_tlast,
            s_axis_tuser: board.m_axis_tuser,
            rx_clk: i.rx_clk,
            rx_los: i.rx_los,
            rx_code: i.rx_code,
        }
    }

    /// Inputs of the board. Those of the crossing and of the line depend on registers and resets only.
    fn board_in(&self, i: &Inputs) -> smb::Inputs {
        let host = self.u_host.outputs(&self.host_in(i, &smb::Outputs::default()));
        let line = self.u_link.outputs(&Self::link_in(i, &smb::Outputs::default()));
        smb::Inputs {
            rst: i.rst,
            s_axi_awaddr: host.m_axi_awaddr,
            s_axi_awprot: host.m_axi_awprot,
            s_axi_awvalid: host.m_axi_awvalid,
            s_axi_wdata: host.m_axi_wdata,
            s_axi_wstrb: host.m_axi_wstrb,
            s_axi_wvalid: host.m_axi_wvalid,
            s_axi_bready: host.m_axi_bready,
            s_axi_araddr: host.m_axi_araddr,
            s_axi_arprot: host.m_axi_arprot,
            s_axi_arvalid: host.m_axi_arvalid,
            s_axi_rready: host.m_axi_rready,
            s_axis_tdata: line.m_axis_tdata,
            s_axis_tkeep: line.m_axis_tkeep,
            s_axis_tvalid: line.m_axis_tvalid,
            s_axis_tlast: line.m_axis_tlast,
            s_axis_tuser: line.m_axis_tuser,
        }
    }

    /// Outputs of the board inside just before the edges.
    #[must_use]
    pub fn board_out(&self, i: &Inputs) -> smb::Outputs {
        self.u_board.outputs(&self.board_in(i))
    }

    /// Just before the edges.
    #[must_use]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let board = self.board_out(i);
        let host = self.u_host.outputs(&self.host_in(i, &board));
        let line = self.u_link.outputs(&Self::link_in(i, &board));
        Outputs {
            s_axi_awready: host.s_axi_awready,
            s_axi_wready: host.s_axi_wready,
            s_axi_bresp: host.s_axi_bresp,
            s_axi_bvalid: host.s_axi_bvalid,
            s_axi_arready: host.s_axi_arready,
            s_axi_rdata: host.s_axi_rdata,
            s_axi_rresp: host.s_axi_rresp,
            s_axi_rvalid: host.s_axi_rvalid,
            irq: self.u_irq.outputs().q,
            up: line.up,
            words: line.words,
            ev_underrun: line.ev_underrun,
            tx_code: line.tx_code,
            rx_ev_bad: line.rx_ev_bad,
            rx_ev_broken: line.rx_ev_broken,
            rx_ev_overflow: line.rx_ev_overflow,
        }
    }

    /// The edges of the clocks that rise.
    pub fn clock(&mut self, i: &Inputs) {
        let board_in = self.board_in(i);
        let board = self.u_board.outputs(&board_in);
        let host = self.host_in(i, &board);
        self.u_host.clock(&host);
        self.u_link.clock(&Self::link_in(i, &board));
        if i.clk {
            self.u_board.clock(&board_in);
        }
        if i.host_clk {
            self.u_irq.clock(&bit::Inputs { rst: host.s_rst, d: board.irq });
            self.u_host_rst.clock(&bit::Inputs { rst: false, d: i.rst });
        }
    }
}
