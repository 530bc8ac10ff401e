// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of the next version (EVA-6).

use crate::settings::LOCAL_BYTES;
pub use crate::settings::SettingsError;
use awgstar_frame::contract::limits::{CLOCK_HZ, DATA_MAX, DATA_MIN};
use awgstar_frame::quantity::{Cycle, Nanoseconds};

/// Header and FCS of a frame, in bytes (FRM-1).
const OVERHEAD: u64 = 18;

/// Words of a data frame of `bytes` bytes, without the idle word after it.
///
/// ```
/// use awgstar_thesis::gen2::frame_words;
/// assert_eq!((frame_words(4), frame_words(1024)), (16, 261));
/// ```
#[must_use]
pub const fn frame_words(bytes: u64) -> u64 {
    let data = if bytes < DATA_MIN as u64 { DATA_MIN as u64 } else { bytes };
    (data + OVERHEAD).div_ceil(4)
}

/// Access of a host to the shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// Bytes per second that it writes, as long as the board has room.
    pub write: u64,
    /// Bytes per second that it reads.
    pub read: u64,
}

impl Store {
    /// The AXI4-Lite port of our board: three cycles a write of a word, four a read
    /// (`docs/performance.md`).
    pub const PORT: Store = Store { write: 4 * CLOCK_HZ / 3, read: CLOCK_HZ };
    /// The shared memory is a part of local memory and as fast (thesis 5.1). What the program does for
    /// each word besides ([`LOCAL_WORD`](crate::settings::LOCAL_WORD)) is its own cost.
    pub const LOCAL: Store = Store { write: LOCAL_BYTES, read: LOCAL_BYTES };
}

/// The ring and its hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Nodes, 1 to 256.
    pub nodes: usize,
    /// Tokens, 1 to 255.
    pub tokens: usize,
    /// Cycles that a frame needs through a node without load.
    pub node: Cycle,
    /// Delay in cycles of the fibre after each node.
    pub fibre: Cycle,
    /// Bytes that a board keeps until they have returned.
    pub room: u64,
    /// Frames that a board keeps.
    pub frames: usize,
    pub host: Store,
    /// The run is stopped then, in ns.
    pub limit: Nanoseconds,
}

impl Settings {
    /// `nodes` nodes with 10 m of fibre after each, as many tokens, 16 at most, and our board.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Settings {
            nodes,
            tokens: nodes.clamp(1, 16),
            node: Cycle(4),
            fibre: Cycle(4),
            room: 4_096,
            frames: 16,
            host: Store::PORT,
            limit: Nanoseconds(3_600_000_000_000),
        }
    }

    /// From a node to the next.
    #[must_use]
    pub fn hop(&self) -> Cycle {
        self.node + self.fibre
    }

    #[must_use]
    pub fn rotation(&self) -> Cycle {
        self.hop() * self.nodes as u64
    }

    /// # Errors
    /// The first setting that is out of its range.
    pub fn check(&self) -> Result<(), SettingsError> {
        let all = [
            ("nodes", self.nodes as u64, 1, 256),
            ("tokens", self.tokens as u64, 1, 255),
            ("node", self.node.0, 1, 1 << 20),
            ("fibre", self.fibre.0, 0, 1 << 20),
            ("room", self.room, DATA_MAX as u64, 1 << 30),
            ("frames", self.frames as u64, 1, 128),
            ("write", self.host.write, 1, 1_000_000_000_000),
            ("read", self.host.read, 1, 1_000_000_000_000),
        ];
        all.into_iter().try_for_each(|(field, found, least, most)| {
            SettingsError::within(field, found, least, most)
        })
    }
}
