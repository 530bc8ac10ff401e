// SPDX-License-Identifier: MIT OR Apache-2.0
//! `shared_memory`: the replica of this node; the host reads and writes it, the ring writes it
//! (HST-4, RCV-6).

use super::state::{ports, state};

ports! {
    /// Inputs of `shared_memory`.
    pub struct Inputs with parameters {
        /// Word of the host.
        a_addr: u32 = parameters.mem_addr_w(),
        /// Lanes it writes.
        a_we: u8 = 4,
        /// Write data of port A.
        a_wdata: u32 = 32,
        /// Word of the ring.
        b_addr: u32 = parameters.mem_addr_w(),
        /// Lanes it writes.
        b_we: u8 = 4,
        /// Write data of port B.
        b_wdata: u32 = 32,
    }
}

ports! {
    /// Outputs of `shared_memory`.
    pub struct Outputs {
        /// The host's word of the cycle before.
        a_rdata: u32 = 32,
    }
}

state! {
    /// Register and memory of `shared_memory`.
    pub struct SharedMemory("shared_memory", Inputs, Outputs) with parameters {
        registers {
            /// `a_rdata`.
            rdata_q: u32 = 32,
        }
        buffers {
            /// The words.
            mem: [u32; 1 << parameters.mem_addr_w()] = 32 => U32,
        }
    }
}

/// Bits of the lanes in `we`.
#[inline]
const fn lanes(we: u8) -> u32 {
    let spread =
        we as u32 & 1 | (we as u32 & 2) << 7 | (we as u32 & 4) << 14 | (we as u32 & 8) << 21;
    spread * 0xff
}

impl SharedMemory {
    /// Just before the edge. Depends on registers only.
    #[must_use]
    #[inline]
    pub fn outputs(&self) -> Outputs {
        Outputs { a_rdata: self.rdata_q }
    }

    #[inline]
    fn write(&mut self, addr: u32, we: u8, data: u32) {
        if we != 0 {
            let word = self.mem.at_mut(addr as usize);
            *word = *word & !lanes(we) | data & lanes(we);
            self.mem.note(addr as usize);
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        self.rdata_q = self.mem.at(i.a_addr as usize);
        self.write(i.a_addr, i.a_we, i.a_wdata);
        self.write(i.b_addr, i.b_we, i.b_wdata); // RCV-6
    }
}
