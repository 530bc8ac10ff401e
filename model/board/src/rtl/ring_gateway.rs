// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ring_gateway`: two boards on two rings with different clocks, and their windows (GWY-1, GWY-5, GWY-6).
//!
//! A clock among the inputs is true in a step in which it rises.

use super::{
    SmbReflect, WindowGate,
    clock_crossing::store::{self, StoreCrossing},
    smb_reflect,
    state::{ports, state},
    window_gate,
    windows::PLACE_W,
};
use crate::rtl::bundle::{AxilAnswer, AxilRequest, Link};

ports! {
    /// Inputs of `ring_gateway`.
    pub struct Inputs with parameters {
        /// Clock of ring a.
        a_clk: bool = 1,
        /// Its synchronous reset.
        a_rst: bool = 1,
        /// What its host drives.
        a_axi: AxilRequest = 0 => axil_request,
        /// A word of its link.
        a_in: Link = 0 => link_word,
        /// Its windows that are used.
        a_cfg_valid: u8 = parameters.windows(),
        /// Their first places.
        a_cfg_first: u128 = PLACE_W * parameters.windows(),
        /// Their last places.
        a_cfg_last: u128 = PLACE_W * parameters.windows(),
        /// What is added to an address, for ring b.
        a_cfg_offset: u128 = PLACE_W * parameters.windows(),
        /// Cycles with room that are kept for a frame.
        a_cfg_wait: u16 = 16,
        /// Clock of ring b.
        b_clk: bool = 1,
        /// Its synchronous reset.
        b_rst: bool = 1,
        /// What its host drives.
        b_axi: AxilRequest = 0 => axil_request,
        /// A word of its link.
        b_in: Link = 0 => link_word,
        /// Its windows that are used.
        b_cfg_valid: u8 = parameters.windows(),
        /// Their first places.
        b_cfg_first: u128 = PLACE_W * parameters.windows(),
        /// Their last places.
        b_cfg_last: u128 = PLACE_W * parameters.windows(),
        /// What is added to an address, for ring a.
        b_cfg_offset: u128 = PLACE_W * parameters.windows(),
        /// Cycles with room that are kept for a frame.
        b_cfg_wait: u16 = 16,
    }
}

ports! {
    /// Outputs of `ring_gateway`.
    pub struct Outputs {
        /// What the host of ring a gets.
        a_axi: AxilAnswer = 0 => axil_answer,
        /// A word of its link.
        a_out: Link = 0 => link_word,
        /// Its interrupt.
        a_irq: bool = 1,
        /// A frame of ring a is cut.
        a_ev_cut: bool = 1,
        /// A word's target is beyond the memory.
        a_ev_range: bool = 1,
        /// A word found no room; it never does.
        a_ev_lost: bool = 1,
        /// What the host of ring b gets.
        b_axi: AxilAnswer = 0 => axil_answer,
        /// A word of its link.
        b_out: Link = 0 => link_word,
        /// Its interrupt.
        b_irq: bool = 1,
        /// A frame of ring b is cut.
        b_ev_cut: bool = 1,
        /// A word's target is beyond the memory.
        b_ev_range: bool = 1,
        /// A word found no room; it never does.
        b_ev_lost: bool = 1,
    }
}

state! {
    /// Instances of `ring_gateway`, which has no registers except theirs.
    pub struct RingGateway("ring_gateway", Inputs, Outputs) {
        children {
            /// In front of the board of ring a.
            u_a_gate: WindowGate,
            /// The board of ring a.
            u_a_board: SmbReflect,
            /// What goes from ring a to ring b.
            u_a_store: StoreCrossing,
            /// In front of the board of ring b.
            u_b_gate: WindowGate,
            /// The board of ring b.
            u_b_board: SmbReflect,
            /// What goes from ring b to ring a.
            u_b_store: StoreCrossing,
        }
    }
}

/// The inputs of one ring.
struct Half {
    clk: bool,
    rst: bool,
    s_axi: AxilRequest,
    link: Link,
    cfg_valid: u8,
    cfg_first: u128,
    cfg_last: u128,
    cfg_offset: u128,
    cfg_wait: u16,
}

macro_rules! half {
    ($i:ident, $clk:ident, $rst:ident, $axi:ident, $link:ident, $valid:ident, $first:ident, $last:ident, $offset:ident, $wait:ident) => {
        Half {
            clk: $i.$clk,
            rst: $i.$rst,
            s_axi: $i.$axi,
            link: $i.$link,
            cfg_valid: $i.$valid,
            cfg_first: $i.$first,
            cfg_last: $i.$last,
            cfg_offset: $i.$offset,
            cfg_wait: $i.$wait,
        }
    };
}

impl Inputs {
    #[rustfmt::skip]
    fn halves(&self) -> [Half; 2] {
        [
            half!(self, a_clk, a_rst, a_axi, a_in, a_cfg_valid, a_cfg_first, a_cfg_last, a_cfg_offset, a_cfg_wait),
            half!(self, b_clk, b_rst, b_axi, b_in, b_cfg_valid, b_cfg_first, b_cfg_last, b_cfg_offset, b_cfg_wait),
        ]
    }
}

/// Gate, board and store of one ring.
type Side<'a> = (&'a WindowGate, &'a SmbReflect, &'a StoreCrossing);

/// Inputs of the gate of a ring.
fn gate_in(half: &Half, (_, board, store): Side<'_>) -> window_gate::Inputs {
    window_gate::Inputs {
        rst: half.rst,
        cfg_mac: board.node_mac(),
        cfg_valid: half.cfg_valid,
        cfg_first: half.cfg_first,
        cfg_last: half.cfg_last,
        cfg_wait: half.cfg_wait,
        free: store.outputs().wr_free,
        s_axis: half.link,
    }
}

/// Inputs of the board of a ring; `far` is the store of the other one.
fn board_in(half: &Half, side: Side<'_>, far: &StoreCrossing) -> smb_reflect::Inputs {
    let due = far.outputs();
    smb_reflect::Inputs {
        rst: half.rst,
        s_axi: half.s_axi,
        s_axis: side.0.outputs(&gate_in(half, side)).m_axis,
        cfg_valid: half.cfg_valid,
        cfg_first: half.cfg_first,
        cfg_last: half.cfg_last,
        cfg_offset: half.cfg_offset,
        s_valid: due.rd_words != 0,
        s_word: due.rd_data,
    }
}

/// Inputs of the store from one ring to the other.
fn store_in([near, far]: [&Half; 2], [from, to]: [&smb_reflect::Outputs; 2]) -> store::Inputs {
    store::Inputs {
        wr_clk: near.clk,
        wr_rst: near.rst,
        wr_valid: from.m_valid,
        wr_data: from.m_word,
        rd_clk: far.clk,
        rd_rst: far.rst,
        rd_ready: to.s_ready,
    }
}

impl RingGateway {
    fn a(&self) -> Side<'_> {
        (&self.u_a_gate, &self.u_a_board, &self.u_a_store)
    }

    fn b(&self) -> Side<'_> {
        (&self.u_b_gate, &self.u_b_board, &self.u_b_store)
    }

    /// Just before the edges.
    #[must_use]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let [near, far] = &i.halves();
        let a = self.u_a_board.outputs(&board_in(near, self.a(), &self.u_b_store));
        let b = self.u_b_board.outputs(&board_in(far, self.b(), &self.u_a_store));
        Outputs {
            a_axi: a.s_axi,
            a_out: a.m_axis,
            a_irq: a.irq,
            a_ev_cut: self.u_a_gate.outputs(&gate_in(near, self.a())).ev_cut,
            a_ev_range: a.ev_range,
            a_ev_lost: a.m_valid && self.u_a_store.outputs().wr_free == 0,
            b_axi: b.s_axi,
            b_out: b.m_axis,
            b_irq: b.irq,
            b_ev_cut: self.u_b_gate.outputs(&gate_in(far, self.b())).ev_cut,
            b_ev_range: b.ev_range,
            b_ev_lost: b.m_valid && self.u_b_store.outputs().wr_free == 0,
        }
    }

    /// The edges of the clocks that rise.
    pub fn clock(&mut self, i: &Inputs) {
        let halves @ [near, far] = &i.halves();
        let boards =
            [board_in(near, self.a(), &self.u_b_store), board_in(far, self.b(), &self.u_a_store)];
        let gates = [gate_in(near, self.a()), gate_in(far, self.b())];
        let a = self.u_a_board.outputs(&boards[0]);
        let b = self.u_b_board.outputs(&boards[1]);
        self.u_a_store.clock(&store_in([near, far], [&a, &b]));
        self.u_b_store.clock(&store_in([far, near], [&b, &a]));
        let [a_clk, b_clk] = halves.each_ref().map(|half| half.clk);
        if a_clk {
            self.u_a_gate.clock(&gates[0]);
            self.u_a_board.clock(&boards[0]);
        }
        if b_clk {
            self.u_b_gate.clock(&gates[1]);
            self.u_b_board.clock(&boards[1]);
        }
    }
}
