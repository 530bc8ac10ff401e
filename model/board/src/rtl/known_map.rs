// SPDX-License-Identifier: MIT OR Apache-2.0
//! `known_map`: bytes of the replica that are known to be those of the ring (JOIN-4).

use super::{
    Parameters,
    state::{ports, state},
};

ports! {
    /// Inputs of `known_map`.
    pub struct Inputs with parameters {
        /// Synchronous reset.
        rst: bool = 1,
        /// From now on no byte is known.
        clear: bool = 1,
        /// Word that is written.
        addr: u32 = parameters.mem_addr_w(),
        /// Lanes written.
        we: u8 = 4,
        /// Word that is looked at.
        look_addr: u32 = parameters.mem_addr_w(),
    }
}

ports! {
    /// Outputs of `known_map`.
    pub struct Outputs {
        /// Words are being cleared.
        busy: bool = 1,
        /// Lanes of the word looked at in the cycle before.
        known: u8 = 4,
    }
}

state! {
    /// Registers and memory of `known_map`.
    pub struct KnownMap("known_map", Inputs, Outputs) with parameters {
        registers {
            /// Words are being cleared.
            busy_q: bool = 1,
            /// The next word to be cleared.
            at_q: u32 = addr_w(parameters),
            /// Lanes of the word looked at.
            known_q: u8 = 4,
        }
        buffers {
            /// A bit for each byte of a word.
            mem: [u8; 1 << addr_w(parameters)] = 4 => U8,
        }
    }
}

/// A board that cannot join has the least memory.
const fn addr_w(parameters: &Parameters) -> usize {
    if parameters.join() == 0 { 2 } else { parameters.mem_addr_w() }
}

impl KnownMap {
    /// Just before the edge. Depends on registers only.
    #[must_use]
    #[inline]
    pub fn outputs(&self) -> Outputs {
        Outputs { busy: self.busy_q, known: self.known_q }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let on = self.parameters.join() != 0;
        self.known_q = self.mem.at(i.look_addr as usize);
        if self.busy_q {
            *self.mem.at_mut(self.at_q as usize) = 0;
        } else if on && i.we != 0 {
            *self.mem.at_mut(i.addr as usize) |= i.we;
        }
        if self.busy_q {
            self.at_q = (self.at_q + 1) & ((1 << addr_w(&self.parameters)) - 1);
            self.busy_q = self.at_q != 0;
        }
        if on && i.clear {
            (self.busy_q, self.at_q) = (true, 0);
        }
        if i.rst || !on {
            (self.busy_q, self.at_q) = (false, 0);
        }
    }
}
