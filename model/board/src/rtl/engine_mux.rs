// SPDX-License-Identifier: MIT OR Apache-2.0
//! `engine_mux`: signals of the lock and of the barrier engine, one after the other (ENG-8).

use super::state::{ports, state};
use awgstar_frame::contract::Order;

ports! {
    /// Inputs of `engine_mux`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// The lock engine has a signal, until it has returned.
        l_valid: bool = 1,
        /// Order of its signal relative to earlier data.
        l_order: u8 = 2,
        /// C.ST of its signal.
        l_c_st: u8 = 5,
        /// Node_ID of its signal.
        l_node_id: u8 = 8,
        /// Data of its signal, byte 0 in the lowest bits.
        l_data: u128 = 80,
        /// The barrier engine has a signal, until it has returned.
        b_valid: bool = 1,
        /// Order of its signal relative to earlier data.
        b_order: u8 = 2,
        /// C.ST of its signal.
        b_c_st: u8 = 5,
        /// Node_ID of its signal.
        b_node_id: u8 = 8,
        /// Data of its signal, byte 0 in the lowest bits.
        b_data: u128 = 80,
        /// Number of the first data frame after a signal that begins now.
        mark: u8 = 8,
        /// The signal has returned good.
        m_done: bool = 1,
    }
}

ports! {
    /// Outputs of `engine_mux`.
    pub struct Outputs {
        /// The lock engine's signal has returned good.
        l_done: bool = 1,
        /// The barrier engine's signal has returned good.
        b_done: bool = 1,
        /// The data frame under way is closed.
        flush: bool = 1,
        /// A signal for `signal_sender`, until it has returned.
        m_valid: bool = 1,
        /// Order of the signal.
        m_order: u8 = 2,
        /// Number of the first data frame after the signal.
        m_mark: u8 = 8,
        /// C.ST of the signal.
        m_c_st: u8 = 5,
        /// Node_ID of the signal.
        m_node_id: u8 = 8,
        /// Data of the signal.
        m_data: u128 = 80,
    }
}

state! {
    /// Registers of `engine_mux`.
    pub struct EngineMux("engine_mux", Inputs, Outputs) {
        registers {
            /// A signal is offered.
            busy_q: bool = 1,
            /// The signal, or the last one, is the barrier engine's.
            pick_q: bool = 1,
            /// Number of the first data frame after the signal.
            mark_q: u8 = 8,
        }
    }
}

impl EngineMux {
    /// A signal begins: true if it is the barrier engine's.
    #[inline]
    fn begins(&self, i: &Inputs) -> Option<bool> {
        (!self.busy_q && (i.l_valid || i.b_valid)).then(|| self.picks_barrier(i.l_valid, i.b_valid))
    }

    /// The signal on offer is the barrier engine's, given which engines offer one.
    #[inline]
    pub(super) fn picks_barrier(&self, lock: bool, barrier: bool) -> bool {
        if self.busy_q { self.pick_q } else { barrier && !(lock && self.pick_q) }
    }

    /// Just before the edge. What goes to `signal_sender` does not depend on `m_done` and `mark`.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let begins = self.begins(i);
        let pick = self.picks_barrier(i.l_valid, i.b_valid);
        let (order, c_st, node_id, data) = if pick {
            (i.b_order, i.b_c_st, i.b_node_id, i.b_data)
        } else {
            (i.l_order, i.l_c_st, i.l_node_id, i.l_data)
        };
        Outputs {
            l_done: self.busy_q && i.m_done && !self.pick_q,
            b_done: self.busy_q && i.m_done && self.pick_q,
            flush: begins.is_some() && order != Order::None.code(),
            m_valid: self.busy_q || begins.is_some() && order == Order::None.code(),
            m_order: order,
            m_mark: self.mark_q,
            m_c_st: c_st,
            m_node_id: node_id,
            m_data: data,
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        if let Some(barrier) = self.begins(i) {
            (self.busy_q, self.pick_q, self.mark_q) = (true, barrier, i.mark);
        } else if i.m_done {
            self.busy_q = false;
        }
        if i.rst {
            (self.busy_q, self.pick_q) = (false, false);
        }
    }
}
