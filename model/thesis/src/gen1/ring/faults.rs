// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faults of a link (CUR-6).

use super::{Happened, Ring, Token};
use crate::gen1::frame::{Frame, OVERHEAD};
use awgstar_frame::quantity::{Nanoseconds, narrow};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The token is lost with all that is behind it.
    Lose,
    /// This bit of the train is inverted, counted from the token's first; a train that is shorter
    /// passes, and the next one that is long enough is hit.
    Bit(u64),
}

/// A fault, given by link and time: it strikes the first train that leaves node `link` at `at` ns or
/// later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The link after this node.
    pub link: usize,
    /// Not before, in ns.
    pub at: Nanoseconds,
    pub kind: FaultKind,
}

impl Fault {
    /// Returns true if the fault leaves a token without frames intact.
    pub(super) const fn needs_frames(&self) -> bool {
        matches!(self.kind, FaultKind::Bit(bit) if bit >= OVERHEAD as u64 * 8)
    }
}

impl Ring {
    /// Faults of the link on the train that left `node` at `out` and would arrive at `arrives`.
    pub(super) fn strike(&mut self, node: usize, out: Nanoseconds, arrives: Nanoseconds) {
        let mut waiting = std::mem::take(&mut self.faults);
        waiting.retain(|fault| {
            let lost = matches!(self.token, Token::Lost(_));
            let due = fault.link == node && fault.at <= out && !lost;
            match fault.kind {
                _ if !due => true,
                FaultKind::Lose => {
                    let next = (node + 1) % self.line.nodes();
                    self.lose(next, arrives);
                    false
                }
                FaultKind::Bit(bit) => !self.invert(node, out, bit),
            }
        });
        self.faults = waiting;
    }

    /// Inverts a bit of the train; `false` when the train is too short.
    fn invert(&mut self, node: usize, out: Nanoseconds, bit: u64) -> bool {
        if bit / 8 >= self.train_bytes {
            return false;
        }
        self.note(out, node, Happened::Struck { bit });
        let mut first = OVERHEAD as u64 * 8;
        if bit < first {
            // A node takes only a token whose CRC is right: this one is gone, and the train with it.
            self.token_bad = true;
            return true;
        }
        for car in &mut self.train {
            let bits = car.frame.bytes() * 8;
            if bit < first + bits {
                let at: usize = narrow(bit - first);
                let sound = car.frame.encode().is_ok_and(|mut bytes| {
                    bytes[at / 8] ^= 0x80 >> (at % 8);
                    Frame::decode(&bytes).is_ok()
                });
                car.bad = car.bad || !sound;
                return true;
            }
            first += bits;
        }
        false
    }
}
