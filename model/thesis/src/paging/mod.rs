// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shared memory virtualisation in nanoseconds: the firmware of [`awgstar_sync::firmware::paging`] on a ring
//! of frames (thesis 5.4), to find the size of a page.
//!
//! The state machines are those of the product. What is simplified is the ring: a frame takes its time
//! on the line and a hop between nodes, and never waits after a frame of another node; nothing is
//! lost. [`Costs`] says what everything takes.

mod line;
mod pattern;
mod run;
mod state;

use awgstar_frame::{contract::limits::FIBRE_NS_PER_M, quantity::Nanoseconds};
pub use pattern::{Pattern, Piece, Visit};
pub use run::{Figures, Load, run};

use super::{
    settings::{LOCAL_BYTES, LOCAL_WORD},
    time::{line_ns, transfer_ns},
};

/// Bytes of a frame that are not Data, with the idle word after it (FRM-3, LNK-3).
const OVERHEAD: u64 = 18 + 4;
/// Bytes of the shortest frame, with its idle word.
const SHORTEST: u64 = 64 + 4;
/// Most bytes of Data in a frame.
const DATA_MAX: u64 = 1024;

/// Times of all steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// From a node to the next: the node and the fibre after it.
    pub hop: Nanoseconds,
    /// Tokens on the ring.
    pub tokens: usize,
    /// A read of a word of the shared memory, with what the program does about it.
    pub read: Nanoseconds,
    /// A write of a word.
    pub write: Nanoseconds,
    /// Between the last write and the departure of its frame, token apart.
    pub close: Nanoseconds,
    /// Time between two reads of a word, or of the acknowledgement counters.
    pub poll: Nanoseconds,
    /// From a request's arrival at the master's node to the master.
    pub mail: Nanoseconds,
    /// Copying between shared and local memory, bytes per second.
    pub copy: u64,
}

impl Costs {
    /// The board of this project behind its AXI4-Lite port, with `metres` of fibre between nodes and one
    /// token. A hop is 4 cycles of 67.25 MHz (`docs/performance.md`); all else was fitted to the
    /// cycle-accurate ring, which the test `frame_level_times_are_those_of_the_ring` compares it with.
    #[must_use]
    pub const fn board(metres: u64) -> Costs {
        Costs {
            hop: Nanoseconds(59 + FIBRE_NS_PER_M * metres),
            tokens: 1,
            read: Nanoseconds(90),
            write: Nanoseconds(60),
            close: Nanoseconds(90),
            poll: Nanoseconds(360),
            mail: Nanoseconds(1_000),
            copy: 60_000_000,
        }
    }

    /// The next version of the thesis: shared memory is local memory (5.1). A hop is 6 cycles (NODE-2)
    /// and `metres` of fibre. [`LOCAL_WORD`] for a word of memory and [`LOCAL_BYTES`] for a copy are
    /// assumptions about the computers of its Table 3; the thesis has no figures.
    #[must_use]
    pub const fn next_version(nodes: usize, metres: u64) -> Costs {
        Costs {
            hop: Nanoseconds(89 + FIBRE_NS_PER_M * metres),
            tokens: if nodes < 16 { nodes } else { 16 },
            read: LOCAL_WORD,
            write: LOCAL_WORD,
            close: Nanoseconds(0),
            poll: Nanoseconds(200),
            mail: Nanoseconds(1_000),
            copy: LOCAL_BYTES,
        }
    }

    /// A frame with `data` bytes of Data on the line, with the idle word after it.
    #[must_use]
    pub const fn frame(&self, data: u64) -> Nanoseconds {
        let bytes = data + OVERHEAD;
        line_ns(if bytes < SHORTEST { SHORTEST } else { bytes })
    }

    /// A copy of `bytes` between shared and local memory.
    #[must_use]
    pub const fn copying(&self, bytes: u64) -> Nanoseconds {
        transfer_ns(bytes, self.copy)
    }
}
