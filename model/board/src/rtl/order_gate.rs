// SPDX-License-Identifier: MIT OR Apache-2.0
//! `order_gate`: opens for a request when everything that lay in the insertion buffer when it came
//! has left (NODE-10).

use super::state::{ports, state};

ports! {
    /// Inputs of `order_gate`.
    pub struct Inputs with parameters {
        /// Synchronous reset.
        rst: bool = 1,
        /// Valid of the header port.
        req: bool = 1,
        /// The header is taken in this cycle.
        grant: bool = 1,
        /// Words in the insertion buffer.
        words: u16 = parameters.buffer_addr_w() + 1,
        /// One of them leaves in this cycle.
        pop: bool = 1,
    }
}

ports! {
    /// Outputs of `order_gate`.
    pub struct Outputs {
        /// The request was there in the cycle before.
        pending: bool = 1,
        /// Nothing is ahead of the request any more.
        open: bool = 1,
    }
}

state! {
    /// Registers of `order_gate`.
    pub struct OrderGate("order_gate", Inputs, Outputs) with parameters {
        registers {
            /// A request is known.
            pending_q: bool = 1,
            /// Words still to leave before it.
            ahead_q: u16 = parameters.buffer_addr_w() + 1,
            /// A request is known, and no word is still to leave before it.
            open_q: bool = 1,
        }
    }
}

impl OrderGate {
    /// Just before the edge. Depends on registers only.
    #[must_use]
    #[inline]
    pub fn outputs(&self) -> Outputs {
        Outputs { pending: self.pending_q, open: self.open_q }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        if !self.pending_q {
            if i.req {
                self.ahead_q = i.words.saturating_sub(i.pop.into());
            }
        } else if i.pop && self.ahead_q != 0 {
            self.ahead_q -= 1;
        }
        self.pending_q = i.req && !i.grant && !i.rst;
        self.open_q = self.pending_q && self.ahead_q == 0;
    }
}
