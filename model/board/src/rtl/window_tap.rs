// SPDX-License-Identifier: MIT OR Apache-2.0
//! `window_tap`: takes the words of other boards that are written in a window of the memory (GWY-5).

use super::state::{ports, state};
use super::windows::{PLACE_W, place};

ports! {
    /// Inputs of `window_tap`.
    pub struct Inputs with parameters {
        /// Synchronous reset.
        rst: bool = 1,
        /// The windows that are used.
        cfg_valid: u8 = parameters.windows(),
        /// Their first places.
        cfg_first: u128 = PLACE_W * parameters.windows(),
        /// Their last places.
        cfg_last: u128 = PLACE_W * parameters.windows(),
        /// What is added to an address, for the other ring.
        cfg_offset: u128 = PLACE_W * parameters.windows(),
        /// Word of the memory.
        mem_addr: u32 = parameters.mem_addr_w(),
        /// Lanes written.
        mem_we: u8 = 4,
        /// Its data.
        mem_wdata: u32 = 32,
    }
}

ports! {
    /// Outputs of `window_tap`.
    pub struct Outputs {
        /// There is a word.
        m_valid: bool = 1,
        /// Address, strobes and data.
        m_word: u64 = 64,
        /// A word's target is beyond the memory.
        ev_range: bool = 1,
    }
}

state! {
    /// Registers of `window_tap`.
    pub struct WindowTap("window_tap", Inputs, Outputs) with parameters {
        registers {
            /// There is a word.
            valid_q: bool = 1,
            /// Address, strobes and data.
            word_q: u64 = 64,
            /// The target of a word was beyond the memory.
            range_q: bool = 1,
        }
    }
}

/// A word in the store.
#[must_use]
pub fn word(address: u32, strobes: u8, data: u32) -> u64 {
    u64::from(address & ((1 << 28) - 1)) << 36 | u64::from(strobes) << 32 | u64::from(data)
}

impl WindowTap {
    /// Just before the edge. Depends on registers only.
    #[must_use]
    pub fn outputs(&self, _: &Inputs) -> Outputs {
        Outputs { m_valid: self.valid_q, m_word: self.word_q, ev_range: self.range_q }
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        let at = i.mem_addr >> 4;
        let hit = (0..self.parameters.windows()).find(|&n| {
            i.cfg_valid >> n & 1 != 0
                && (place(i.cfg_first, n)..=place(i.cfg_last, n)).contains(&at)
        });
        let offset = hit.map_or(0, |n| place(i.cfg_offset, n));
        let far = at.wrapping_add(offset) & ((1 << PLACE_W) - 1);
        let target = far << 4 | i.mem_addr & 15;
        let some = hit.is_some() && i.mem_we != 0;
        let inside = target >> self.parameters.mem_addr_w() == 0;
        self.valid_q = some && inside && !i.rst;
        self.range_q = some && !inside && !i.rst;
        self.word_q = word(target, i.mem_we, i.mem_wdata);
    }
}
