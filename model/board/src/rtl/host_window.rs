// SPDX-License-Identifier: MIT OR Apache-2.0
//! `host_window`: the window onto the shared memory (HST-4, HST-6, WRT-1, WRT-2, JOIN-5).

use super::state::{ports, state};
use awgstar_frame::contract::fsm;

/// No access, or the first cycle of one.
pub const IDLE: u8 = fsm::code("host_window", "idle");
/// The memory gives what is read.
pub const READ: u8 = fsm::code("host_window", "read");
/// The second run of a write.
pub const SECOND: u8 = fsm::code("host_window", "second");

ports! {
    /// Inputs of `host_window`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// A request to the window.
        win_valid: bool = 1,
        /// The request is a write; otherwise a read.
        win_write: bool = 1,
        /// Byte address of the request.
        win_addr: u32 = 31,
        /// Write data of the request.
        win_wdata: u32 = 32,
        /// Byte lanes to write.
        win_wstrb: u8 = 4,
        /// `data_window` gave up hope (ACK-6).
        stalled: bool = 1,
        /// Writes are refused (JOIN-5).
        closed: bool = 1,
        /// The combiner takes the piece.
        put_ready: bool = 1,
    }
}

ports! {
    /// Outputs of `host_window`.
    pub struct Outputs with parameters {
        /// The request is answered.
        win_done: bool = 1,
        /// The request is refused.
        win_error: bool = 1,
        /// Word of the memory.
        mem_addr: u32 = parameters.mem_addr_w(),
        /// Lanes written.
        mem_we: u8 = 4,
        /// Write data for the memory.
        mem_wdata: u32 = 32,
        /// A piece for the combiner.
        put_valid: bool = 1,
        /// Byte address of the piece.
        put_addr: u32 = 32,
        /// Number of bytes in the piece.
        put_len: u8 = 3,
        /// Bytes of the piece, from lane 0 on.
        put_data: u32 = 32,
    }
}

state! {
    /// Register of `host_window`.
    pub struct HostWindow("host_window", Inputs, Outputs) with parameters {
        registers {
            state_q: u8 = 2,
        }
    }
}

/// The lowest run of `strobe`: its first lane and its lanes; 0 and 0 when there is none.
#[inline]
const fn lowest_run(strobe: u8) -> (u8, u8) {
    let strobe = strobe & 15;
    if strobe == 0 {
        return (0, 0);
    }
    let low = strobe.trailing_zeros();
    #[expect(clippy::cast_possible_truncation, reason = "below 5")]
    (low as u8, (!(strobe >> low)).trailing_zeros() as u8)
}

/// Lanes of a run.
#[inline]
const fn lanes((low, n): (u8, u8)) -> u8 {
    ((1 << n) - 1) << low
}

/// A write of the first or second run, and whether another one follows.
#[derive(Clone, Copy)]
struct Piece {
    run: (u8, u8),
    more: bool,
}

impl HostWindow {
    /// No lane is written.
    #[inline]
    fn nothing(i: &Inputs) -> bool {
        lowest_run(i.win_wstrb).1 == 0
    }

    /// The run that is, or would be, put in this cycle.
    #[inline]
    fn piece(&self, i: &Inputs) -> Piece {
        let first = lowest_run(i.win_wstrb);
        let rest = i.win_wstrb & 15 & !lanes(first);
        if self.state_q == SECOND {
            Piece { run: lowest_run(rest), more: false }
        } else {
            Piece { run: first, more: rest != 0 }
        }
    }

    #[inline]
    fn in_range(&self, i: &Inputs) -> bool {
        i.win_addr >> (self.parameters.mem_addr_w() + 2) == 0
    }

    /// A piece is offered to the combiner. Does not depend on `put_ready` and `stalled`.
    #[inline]
    fn puts(&self, i: &Inputs) -> bool {
        match self.state_q {
            IDLE => {
                let write = i.win_valid && i.win_write && !i.closed;
                write && self.in_range(i) && !Self::nothing(i)
            }
            SECOND => i.win_valid,
            _ => false,
        }
    }

    /// Just before the edge. What goes to the combiner does not depend on `put_ready`.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let piece = self.piece(i);
        let (low, n) = piece.run;
        let put_valid = self.puts(i);
        let taken = put_valid && i.put_ready;
        let hopeless = put_valid && !i.put_ready && i.stalled;
        let at_once = self.state_q == IDLE
            && i.win_valid
            && (!self.in_range(i) || (i.win_write && (i.closed || Self::nothing(i))));
        let refused = !self.in_range(i) || (i.closed && !Self::nothing(i));
        let mem_addr = i.win_addr >> 2 & ((1 << self.parameters.mem_addr_w()) - 1);
        #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
        let mask = ((1u64 << (8 * n)) - 1) as u32;
        Outputs {
            win_done: at_once || self.state_q == READ || (taken && !piece.more) || hopeless,
            win_error: (at_once && refused) || hopeless,
            mem_addr,
            mem_we: if taken { lanes(piece.run) } else { 0 },
            mem_wdata: i.win_wdata,
            put_valid,
            put_addr: mem_addr << 2 | u32::from(low),
            put_len: n,
            put_data: (i.win_wdata >> (8 * low)) & mask,
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        match self.state_q {
            IDLE if i.win_valid && self.in_range(i) && !i.win_write => self.state_q = READ,
            READ => self.state_q = IDLE,
            IDLE | SECOND if self.puts(i) => {
                if i.put_ready {
                    self.state_q = if self.piece(i).more { SECOND } else { IDLE };
                } else if i.stalled {
                    self.state_q = IDLE;
                }
            }
            _ => {}
        }
        if i.rst {
            self.state_q = IDLE;
        }
    }
}
