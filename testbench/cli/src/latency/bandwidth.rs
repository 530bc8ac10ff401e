// SPDX-License-Identifier: MIT OR Apache-2.0
//! All boards write as fast as their ports allow.

use crate::latency::{LatencyError, MHZ, up};
use awgstar::quantity::{Cycle, narrow};
use awgstar::ring::HostOp;
use awgstar::ring::boards::WINDOW;
use serde::Serialize;

/// Bytes of the frames that are measured.
pub const LENGTHS: [u32; 5] = [4, 16, 64, 256, 1024];
/// Cycles until the ring is saturated.
const WARM: u64 = 10_000;
/// Cycles that are measured.
const SPAN: u64 = 40_000;

/// Payload that went round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bandwidth {
    /// Boards, all of which write.
    pub boards: usize,
    pub tokens: u8,
    /// Bytes of each frame.
    pub length: u32,
    /// Million bytes a second, of all boards together.
    pub megabytes: f64,
    /// The slowest board's part of the mean.
    pub slowest: f64,
}

/// Measures frames of `length` bytes, a multiple of 4 up to 1,024.
///
/// # Errors
/// If the scenario is invalid.
#[expect(clippy::cast_precision_loss, reason = "figures")]
pub fn bandwidth(boards: usize, tokens: u8, length: u32) -> Result<Bandwidth, LatencyError> {
    let mut ring = up(boards, tokens)?;
    // A port takes no more than a word in three cycles.
    let words = narrow::<u32>((WARM + SPAN) / 3);
    let frame = |k: u32| {
        // A word is left out after each frame, so that the next write closes it; frames of 1,024
        // bytes are full.
        let row = length + 4;
        let at = k / (length / 4) % (8_192 / row) * row + k % (length / 4) * 4;
        HostOp::Write { addr: WINDOW | at, data: k, strobe: 15 }
    };
    for i in 0..boards {
        ring.push(i, (0..words).map(frame))?;
    }
    ring.run_until(ring.cycle() + Cycle(WARM));
    let mut base: Vec<u8> = (0..boards).map(|i| ring.board(i).u_data.base_q).collect();
    let mut frames = vec![0u64; boards];
    let end = ring.cycle() + Cycle(SPAN);
    while ring.cycle() < end {
        ring.run_until(ring.cycle() + Cycle(16));
        for i in 0..boards {
            let now = ring.board(i).u_data.base_q;
            frames[i] += u64::from(now.wrapping_sub(base[i]));
            base[i] = now;
        }
    }
    let all = frames.iter().sum::<u64>() as f64;
    let least = frames.iter().copied().min().unwrap_or(0) as f64;
    Ok(Bandwidth {
        boards,
        tokens,
        length,
        megabytes: all * f64::from(length) * MHZ / SPAN as f64,
        slowest: if all == 0.0 { 0.0 } else { least * boards as f64 / all },
    })
}
