// SPDX-License-Identifier: MIT OR Apache-2.0
//! `node_counters`: sixteen event counters in one small memory; no event is missed (NODE-20).

use super::state::{ports, state};
use super::value::Value;
use awgstar_frame::contract::node::PENDING_W;

pub const COUNTERS: usize = 16;
const PENDING_MAX: u8 = (1 << PENDING_W) - 1;

/// Sixteen pending counts of 5 bits, count 0 lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pending(pub [u8; COUNTERS]);

impl Value for Pending {
    fn pack(self, out: &mut [u32]) {
        let mut all = 0u128;
        for count in self.0.into_iter().rev() {
            all = all << PENDING_W | u128::from(count);
        }
        Value::pack(all, out);
    }

    #[expect(clippy::cast_possible_truncation, reason = "masked")]
    fn unpack(image: &[u32]) -> Self {
        let all: u128 = Value::unpack(image);
        let mut counts = [0; COUNTERS];
        for (k, count) in counts.iter_mut().enumerate() {
            *count = (all >> (k * PENDING_W)) as u8 & PENDING_MAX;
        }
        Pending(counts)
    }
}

ports! {
    /// Inputs of `node_counters`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// Bit k: count k.
        events: u16 = COUNTERS,
        /// Counter to be read.
        addr: u8 = 4,
    }
}

ports! {
    /// Outputs of `node_counters`.
    pub struct Outputs {
        /// The counter of the cycle before's address.
        data: u32 = 32,
    }
}

state! {
    /// Registers and memory of `node_counters`.
    pub struct NodeCounters("node_counters", Inputs, Outputs) {
        registers {
            /// Counter whose turn it is.
            scan_q: u8 = 4,
            /// The first round after reset: it writes zeros.
            clear_q: bool = 1,
            /// Events not yet added.
            pending_q: Pending = COUNTERS * PENDING_W,
            /// The counter that was read.
            data_q: u32 = 32,
        }
        memories {
            /// The counters.
            mem: [u32; COUNTERS] = 32 => U32,
        }
    }
}

impl NodeCounters {
    /// Just before the edge. Depends on registers only.
    #[must_use]
    #[inline]
    pub fn outputs(&self) -> Outputs {
        Outputs { data: self.data_q }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        self.data_q = self.mem[usize::from(i.addr & 15)];
        let scan = usize::from(self.scan_q & 15);
        if self.clear_q {
            self.mem[scan] = 0;
            self.clear_q = scan != COUNTERS - 1;
        } else {
            self.mem[scan] = self.mem[scan].wrapping_add(self.pending_q.0[scan].into());
            self.pending_q.0[scan] = 0;
        }
        let mut events = i.events;
        while events != 0 {
            let k = events.trailing_zeros() as usize & 15;
            self.pending_q.0[k] = (self.pending_q.0[k] + 1) & PENDING_MAX;
            events &= events - 1;
        }
        self.scan_q = (self.scan_q + 1) & 15;
        if i.rst {
            (self.scan_q, self.clear_q, self.pending_q) = (0, true, Pending::default());
        }
    }

    /// The cycles `from` to `to` without an event, with the cycle as address.
    pub(crate) fn idle(&mut self, mut from: u64, to: u64) {
        let tick = |this: &mut Self, cycle: u64| {
            let addr = cycle.to_le_bytes()[0] & 15;
            this.clock(&Inputs { rst: false, events: 0, addr });
        };
        // After two rounds nothing is pending and a round changes nothing.
        let settled = from.saturating_add(2 * COUNTERS as u64).min(to);
        while from < settled {
            tick(self, from);
            from += 1;
        }
        from += (to - from) / COUNTERS as u64 * COUNTERS as u64;
        while from < to {
            tick(self, from);
            from += 1;
        }
    }
}
