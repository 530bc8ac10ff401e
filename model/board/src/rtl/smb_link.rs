// SPDX-License-Identifier: MIT OR Apache-2.0
//! `smb_link`: a board for a ring of boards with clocks of their own (CDC-1, CDC-3, CDC-4, CDC-6, LNK-5).
//!
//! A clock among the inputs is true in a step in which it rises.

use super::{
    AxilCrossing, Parameters, RingLink, Smb, axil_crossing, ring_link, smb,
    state::{ports, state},
    synchronizer::bit::{self, Synchronizer},
};
use crate::rtl::bundle::{AxilAnswer, AxilRequest};

ports! {
    /// Inputs of `smb_link`.
    pub struct Inputs {
        /// The host's clock.
        host_clk: bool = 1,
        /// The host is in reset, the board is not.
        host_clear: bool = 1,
        /// What the host drives.
        s_axi: AxilRequest = 0 => axil_request,
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
    pub struct Outputs with parameters {
        /// What the host gets.
        s_axi: AxilAnswer = 0 => axil_answer,
        /// Interrupt, in the host's clock.
        irq: bool = 1,
        /// Words are understood.
        up: bool = 1,
        /// Words that wait in the elastic buffer.
        words: u16 = parameters.elastic_addr_w() + 1,
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
    /// Instances of `smb_link`, and its register.
    pub struct SmbLink("smb_link", Inputs, Outputs) with parameters {
        registers {
            /// The interrupt of the board, on the way to the host's clock.
            irq_q: bool = 1,
        }
        children {
            /// The reset in the host's clock.
            u_host_rst: Synchronizer,
            /// The interrupt in the host's clock.
            u_irq: Synchronizer,
            /// From the host's clock into that of the board.
            u_host: AxilCrossing,
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
            s_clear: i.host_clear,
            s_axi: i.s_axi,
            m_clk: i.clk,
            m_rst: i.rst,
            m_axi: board.s_axi,
        }
    }

    /// Inputs of the end of the line; `board` are outputs of the board.
    #[must_use]
    pub fn link_in(i: &Inputs, board: &smb::Outputs) -> ring_link::Inputs {
        ring_link::Inputs {
            clk: i.clk,
            rst: i.rst,
            s_axis: board.m_axis,
            rx_clk: i.rx_clk,
            rx_los: i.rx_los,
            rx_code: i.rx_code,
        }
    }

    /// Inputs of the board. Those of the crossing and of the line depend on registers and resets only.
    fn board_in(&self, i: &Inputs) -> smb::Inputs {
        let host = self.u_host.outputs(&self.host_in(i, &smb::Outputs::default()));
        let line = self.u_link.outputs(&Self::link_in(i, &smb::Outputs::default()));
        smb::Inputs { rst: i.rst, s_axi: host.m_axi, s_axis: line.m_axis }
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
            s_axi: host.s_axi,
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
        if i.host_clk {
            self.u_irq.clock(&bit::Inputs { rst: host.s_rst, d: self.irq_q });
            self.u_host_rst.clock(&bit::Inputs { rst: false, d: i.rst });
        }
        if i.clk {
            self.irq_q = board.irq && !i.rst;
            self.u_board.clock(&board_in);
        }
    }
}
