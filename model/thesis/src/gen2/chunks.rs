// SPDX-License-Identifier: MIT OR Apache-2.0
//! Division of a host's writes into frames. Times are in cycles.

use awgstar_frame::contract::limits::{CLOCK_HZ, DATA_MAX};
use awgstar_frame::quantity::{Cycle, Nanoseconds};
use std::collections::VecDeque;

/// Cycles without a write after which a frame that is not full is closed (`COMBINE` after reset).
pub(super) const COMBINE: Cycle = Cycle(64);

/// Bytes of a write that become one frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    /// From the chunk before to the last word of this one, if the board has room.
    pub(super) cycles: Cycle,
    pub(super) bytes: u64,
}

/// A write of `len` bytes at once.
pub(super) fn block(len: u64, rate: u64) -> VecDeque<Chunk> {
    let bytes = |from: u64| (len - from).min(DATA_MAX as u64);
    let starts = (0..len).step_by(DATA_MAX).map(bytes);
    starts.map(|bytes| Chunk { cycles: transfer(bytes, rate), bytes }).collect()
}

/// Words that are written one by one, each when it is computed: those that the board combines are one
/// frame.
pub(super) fn words(ready: &[Nanoseconds], rate: u64) -> VecDeque<Chunk> {
    let mut chunks = VecDeque::new();
    // When the last frame and the last word were handed over, and bytes since then.
    let (mut from, mut last, mut bytes) = (Cycle(0), Cycle(0), 0);
    for (word, &ready) in (1..).zip(ready) {
        let now = ready.to_cycles_ceil() + transfer(4 * word, rate);
        if bytes == DATA_MAX as u64 || bytes > 0 && now - last > COMBINE {
            chunks.push_back(Chunk { cycles: last - from, bytes });
            (from, bytes) = (last, 0);
        }
        (last, bytes) = (now, bytes + 4);
    }
    chunks.push_back(Chunk { cycles: last - from, bytes });
    chunks
}

/// Cycles for `bytes` at `rate` bytes per second, rounded to the nearest.
pub(super) const fn transfer(bytes: u64, rate: u64) -> Cycle {
    Cycle((bytes * CLOCK_HZ + rate / 2) / rate)
}
