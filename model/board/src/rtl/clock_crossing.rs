// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clock_crossing`: a FIFO between two clocks (CDC-2), for the widths and depths that are used.
//!
//! A clock among the inputs is true in a step in which it rises.

use super::{
    state::{ports, state},
    synchronizer::{pointer, small_pointer, store_pointer},
    window_gate::STORE_ADDR_W,
};

const fn gray(binary: u16) -> u16 {
    binary ^ binary >> 1
}

const fn binary(gray: u16) -> u16 {
    let mut value = gray;
    value ^= value >> 8;
    value ^= value >> 4;
    value ^= value >> 2;
    value ^ value >> 1
}

macro_rules! clock_crossing {
    ($(#[$meta:meta])* $module:ident, $name:ident, $type:ty, $variant:ident, $width:literal, $pointer:ident, $sync:ident, $bits:expr $(, $p:ident)?) => {
        $(#[$meta])*
        pub mod $module {
            use super::*;

            ports! {
                /// Inputs of `clock_crossing`.
                pub struct Inputs {
                    /// The writer's clock.
                    wr_clk: bool = 1,
                    /// Synchronous reset of the writer.
                    wr_rst: bool = 1,
                    /// Write in this cycle.
                    wr_valid: bool = 1,
                    /// The word.
                    wr_data: $type = $width,
                    /// The reader's clock.
                    rd_clk: bool = 1,
                    /// Synchronous reset of the reader.
                    rd_rst: bool = 1,
                    /// Take the word in this cycle.
                    rd_ready: bool = 1,
                }
            }

            ports! {
                /// Outputs of `clock_crossing`.
                pub struct Outputs $(with $p)? {
                    /// Room for so many words, at least.
                    wr_free: u16 = $bits,
                    /// The word to be read.
                    rd_data: $type = $width,
                    /// Words that wait, at least.
                    rd_words: u16 = $bits,
                }
            }

            state! {
                /// Registers and memory of `clock_crossing`.
                pub struct $name("clock_crossing", Inputs, Outputs) $(with $p)? {
                    registers {
                        /// Where the next word goes.
                        wr_ptr_q: u16 = $bits,
                        /// The same in Gray code.
                        wr_gray_q: u16 = $bits,
                        /// Where the next word is read.
                        rd_ptr_q: u16 = $bits,
                        /// The same in Gray code.
                        rd_gray_q: u16 = $bits,
                    }
                    buffers {
                        /// The words.
                        mem: [$type; 1 << ($bits - 1)] = $width => $variant,
                    }
                    children {
                        /// The writer's pointer in the reader's clock.
                        u_wr_gray: $pointer::$sync,
                        /// The reader's pointer in the writer's clock.
                        u_rd_gray: $pointer::$sync,
                    }
                }
            }

            impl $name {
                /// Just before the edges. Depends on registers only.
                #[must_use]
                pub fn outputs(&self) -> Outputs {
                    let read = binary(self.u_rd_gray.outputs().q);
                    let written = binary(self.u_wr_gray.outputs().q);
                    let mask = self.mem.pointer_mask();
                    let held = self.wr_ptr_q.wrapping_sub(read) & mask;
                    Outputs {
                        wr_free: self.mem.full().wrapping_sub(held) & mask,
                        rd_data: self.mem.at(self.rd_ptr_q),
                        rd_words: written.wrapping_sub(self.rd_ptr_q) & mask,
                    }
                }

                /// The edges of the clocks that rise.
                pub fn clock(&mut self, i: &Inputs) {
                    let (outputs, mask) = (self.outputs(), self.mem.pointer_mask());
                    let (wr_gray, rd_gray) = (self.wr_gray_q, self.rd_gray_q);
                    if i.wr_clk {
                        if i.wr_valid && outputs.wr_free != 0 {
                            *self.mem.at_mut(self.wr_ptr_q) = i.wr_data;
                            self.wr_ptr_q = (self.wr_ptr_q + 1) & mask;
                        }
                        self.wr_gray_q = gray(self.wr_ptr_q);
                        if i.wr_rst {
                            (self.wr_ptr_q, self.wr_gray_q) = (0, 0);
                        }
                        self.u_rd_gray.clock(&$pointer::Inputs { rst: i.wr_rst, d: rd_gray });
                    }
                    if i.rd_clk {
                        let read = i.rd_ready && outputs.rd_words != 0;
                        self.rd_ptr_q = (self.rd_ptr_q + u16::from(read)) & mask;
                        self.rd_gray_q = gray(self.rd_ptr_q);
                        if i.rd_rst {
                            (self.rd_ptr_q, self.rd_gray_q) = (0, 0);
                        }
                        self.u_wr_gray.clock(&$pointer::Inputs { rst: i.rd_rst, d: wr_gray });
                    }
                }
            }
        }
    };
}

clock_crossing!(
    /// That of `elastic_buffer`: words of a link with `tkeep`, `tlast` and `tuser`.
    link, ClockCrossing, u64, U64, 38, pointer, PointerSynchronizer,
    parameters.elastic_addr_w() + 1, parameters
);
clock_crossing!(
    /// A store of `ring_gateway`: address, strobes and data.
    store, StoreCrossing, u64, U64, 64, store_pointer, StorePointerSynchronizer,
    STORE_ADDR_W + 1
);
clock_crossing!(
    /// An address of AXI4-Lite with `prot`.
    address, AddressCrossing, u64, U64, 35, small_pointer, SmallPointerSynchronizer, 3
);
clock_crossing!(
    /// Data of a write with its strobes.
    data, DataCrossing, u64, U64, 36, small_pointer, SmallPointerSynchronizer, 3
);
clock_crossing!(
    /// Answer to a write.
    answer, AnswerCrossing, u8, U8, 2, small_pointer, SmallPointerSynchronizer, 3
);
clock_crossing!(
    /// Data of a read with its answer.
    read, ReadCrossing, u64, U64, 34, small_pointer, SmallPointerSynchronizer, 3
);

pub use link::{ClockCrossing, Inputs, Outputs};
