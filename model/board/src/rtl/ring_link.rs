// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ring_link`: a node's end of the line (COD-9, LNK-5, CDC-7).
//!
//! A clock among the inputs is true in a step in which it rises.

use super::{
    ClockWatch, Dec8b10b, ElasticBuffer, Enc8b10b, LinkRx, LinkTx, WordAligner, clock_watch,
    dec_8b10b, elastic_buffer, enc_8b10b, link_rx, link_tx,
    state::{ports, state},
    synchronizer::bit::{self, Synchronizer},
    word_aligner,
};
use crate::rtl::bundle::Link;

ports! {
    /// Inputs of `ring_link`.
    pub struct Inputs {
        /// The node's clock.
        clk: bool = 1,
        /// Synchronous reset.
        rst: bool = 1,
        /// A word of the link.
        s_axis: Link = 0 => link_word,
        /// The clock recovered from the line.
        rx_clk: bool = 1,
        /// Loss of signal.
        rx_los: bool = 1,
        /// Bits of the line, first bit lowest.
        rx_code: u64 = 40,
    }
}

ports! {
    /// Outputs of `ring_link`.
    pub struct Outputs with parameters {
        /// A word of the link.
        m_axis: Link = 0 => link_word,
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
    /// Instances of `ring_link`, and its register.
    pub struct RingLink("ring_link", Inputs, Outputs) {
        registers {
            /// In reset, or the line has no clock.
            line_rst_q: bool = 1,
        }
        children {
            /// Words into bytes.
            u_tx: LinkTx,
            /// Bytes into codes.
            u_enc: Enc8b10b,
            /// Whether the line has a clock.
            u_watch: ClockWatch,
            /// The reset in the clock of the line.
            u_rst: Synchronizer,
            /// Place of the words.
            u_aligner: WordAligner,
            /// Codes into bytes.
            u_dec: Dec8b10b,
            /// Bytes into words.
            u_rx: LinkRx,
            /// From the clock of the line into that of the node.
            u_elastic: ElasticBuffer,
            /// The lock in the clock of the node.
            u_up: Synchronizer,
        }
    }
}

/// Inputs of the instances.
struct Wires {
    tx: link_tx::Inputs,
    enc: enc_8b10b::Inputs,
    aligner: word_aligner::Inputs,
    dec: dec_8b10b::Inputs,
    rx: link_rx::Inputs,
    elastic: elastic_buffer::Inputs,
}

impl RingLink {
    fn wires(&self, i: &Inputs) -> Wires {
        let rx_rst = self.u_rst.outputs().q;
        let tx = link_tx::Inputs { rst: i.rst, s_axis: i.s_axis };
        let bytes = self.u_tx.outputs(&tx);
        let word = self.u_aligner.outputs();
        let decoded = self.u_dec.outputs();
        let bad = decoded.m_code_err | decoded.m_disp_err != 0;
        let rx = link_rx::Inputs {
            rst: rx_rst,
            s_data: decoded.m_data,
            s_k: decoded.m_k,
            s_bad: bad,
            locked: word.locked,
        };
        let line = self.u_rx.outputs(&rx);
        Wires {
            tx,
            enc: enc_8b10b::Inputs { rst: i.rst, s_data: bytes.m_data, s_k: bytes.m_k },
            aligner: word_aligner::Inputs { rst: rx_rst, s_code: i.rx_code, los: i.rx_los, bad },
            dec: dec_8b10b::Inputs { rst: rx_rst, s_code: word.m_code },
            rx,
            elastic: elastic_buffer::Inputs {
                wr_clk: i.rx_clk,
                wr_rst: rx_rst,
                s_axis: line.m_axis,
                rd_clk: i.clk,
                rd_rst: self.line_rst_q,
            },
        }
    }

    /// Just before the edges.
    #[must_use]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let wires = self.wires(i);
        let elastic = self.u_elastic.outputs(&wires.elastic);
        Outputs {
            m_axis: elastic.m_axis,
            up: self.u_up.outputs().q,
            words: elastic.words,
            ev_underrun: elastic.ev_underrun,
            tx_code: self.u_enc.outputs().m_code,
            rx_ev_bad: wires.rx.locked && wires.rx.s_bad,
            rx_ev_broken: self.u_rx.outputs(&wires.rx).ev_broken,
            rx_ev_overflow: elastic.ev_overflow,
        }
    }

    /// The edges of the clocks that rise.
    pub fn clock(&mut self, i: &Inputs) {
        let wires = self.wires(i);
        let (locked, line_rst) = (wires.rx.locked, self.line_rst_q);
        let runs = self.u_watch.outputs().runs;
        let watch = clock_watch::Inputs { clk: i.clk, rst: i.rst, watched: i.rx_clk };
        self.u_watch.clock(&watch);
        self.u_elastic.clock(&wires.elastic);
        if i.clk {
            self.u_tx.clock(&wires.tx);
            self.u_enc.clock(&wires.enc);
            self.u_up.clock(&bit::Inputs { rst: self.line_rst_q, d: locked });
            self.line_rst_q = i.rst || !runs;
        }
        if i.rx_clk {
            self.u_rst.clock(&bit::Inputs { rst: false, d: line_rst });
            self.u_aligner.clock(&wires.aligner);
            self.u_dec.clock(&wires.dec);
            self.u_rx.clock(&wires.rx);
        }
    }
}
