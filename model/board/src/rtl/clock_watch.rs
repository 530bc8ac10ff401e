// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clock_watch`: says whether another clock runs (CDC-1, CDC-7), with the parameters of `ring_link`.
//!
//! A clock among the inputs is true in a step in which it rises.

use super::{
    state::{ports, state},
    synchronizer::bit::{self, Synchronizer},
};

ports! {
    /// Inputs of `clock_watch`.
    pub struct Inputs {
        /// This clock.
        clk: bool = 1,
        /// Synchronous reset.
        rst: bool = 1,
        /// The other clock.
        watched: bool = 1,
    }
}

ports! {
    /// Outputs of `clock_watch`.
    pub struct Outputs {
        /// The other clock runs.
        runs: bool = 1,
    }
}

state! {
    /// Registers of `clock_watch`.
    pub struct ClockWatch("clock_watch", Inputs, Outputs) {
        registers {
            /// Cycles of the other clock; the upper bit crosses.
            beat_q: u8 = 3,
            /// That bit in the cycle before.
            last_q: bool = 1,
            /// Cycles since it changed.
            span_q: u8 = 5,
            /// Spans in a row that were good; 4 is enough.
            good_q: u8 = 3,
        }
        children {
            /// The bit in this clock.
            u_beat: Synchronizer,
        }
    }
}

/// Spans that make a clock run.
const ENOUGH: u8 = 4;
/// Cycles of the longest span.
const LONGEST: u8 = 31;

impl ClockWatch {
    /// Just before the edges. Depends on registers only.
    #[must_use]
    pub fn outputs(&self) -> Outputs {
        Outputs { runs: self.good_q & ENOUGH != 0 }
    }

    /// The edges of the clocks that rise.
    pub fn clock(&mut self, i: &Inputs) {
        let crossing = bit::Inputs { rst: i.rst, d: self.beat_q & 4 != 0 };
        if i.watched {
            self.beat_q = (self.beat_q + 1) & 7;
        }
        if !i.clk {
            return;
        }
        let beat = self.u_beat.outputs().q;
        self.u_beat.clock(&crossing);
        let change = beat != self.last_q;
        let bad = if change { self.span_q == 0 } else { self.span_q == LONGEST };
        if bad {
            self.good_q = 0;
        } else if change && self.good_q & ENOUGH == 0 {
            self.good_q += 1;
        }
        self.span_q = if change { 1 } else { (self.span_q + 1).min(LONGEST) };
        self.last_q = beat;
        if i.rst {
            // Trusted until it is seen to stop.
            (self.last_q, self.span_q, self.good_q) = (false, 0, ENOUGH);
        }
    }
}
