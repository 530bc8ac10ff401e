// SPDX-License-Identifier: MIT OR Apache-2.0
//! Latency and bandwidth of a ring of boards as its hosts see them, on the cycle-accurate model.

mod bandwidth;
mod one_host;

use awgstar::quantity::{ByteAddress, Cycle, NodeId, narrow};
pub use bandwidth::{Bandwidth, LENGTHS, bandwidth};
pub use one_host::{LINE, OneHost, Port, TOKEN_RUNS, one_host};

use awgstar::contract::{
    Order, Token,
    board::{COMBINE, IRQ_ENABLE, IRQ_STATUS, MAIL_POP, SIGNAL_SEND},
};
use awgstar::ring::boards::{bytes, configure, in_window, register, send_signal, write_block};
use awgstar::ring::{BoardRing, BoardScenario, HostOp, ScenarioError};
use serde::Serialize;

/// Cycles of each link: 10 m.
pub const FIBRE: u32 = 4;
/// Cycles of a microsecond.
pub const MHZ: f64 = 67.25;
/// Runs of each figure, each at another moment of the rotation.
const RUNS: u32 = 24;
/// Nothing takes longer.
const LIMIT: Cycle = Cycle(100_000);
/// Byte address of the word that is written.
const WORD: ByteAddress = ByteAddress(0x400);

/// Cycles of several runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Cycles {
    pub mean: f64,
    /// Longest.
    pub max: Cycle,
}

impl Cycles {
    #[expect(clippy::cast_precision_loss, reason = "a figure")]
    fn of(runs: &[Cycle]) -> Self {
        let max = runs.iter().copied().max().unwrap_or(Cycle(0));
        Cycles {
            mean: runs.iter().copied().sum::<Cycle>().0 as f64 / runs.len().max(1) as f64,
            max,
        }
    }
}

impl std::fmt::Display for Cycles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.0} ({:.2})", self.mean, self.mean / MHZ)
    }
}

/// Latencies that hosts of an idle ring see, from the AXI handshake on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Latency {
    pub boards: usize,
    pub tokens: u8,
    /// A word is in the memory of every board; `COMBINE` 0.
    pub visible: Cycles,
    /// `FRAMES.base` has passed it; `COMBINE` 0.
    pub confirmed: Cycles,
    /// A word is in the memory of every board; `COMBINE` as after reset.
    pub visible_combined: Cycles,
    /// `FRAMES.base` has passed it; `COMBINE` as after reset.
    pub confirmed_combined: Cycles,
    /// A signal of order `none` raises `irq` of the farthest board.
    pub signal: Cycles,
    /// Latency of a signal of order `sent`, right after the write of a word.
    pub signal_sent: Cycles,
}

/// Measures a ring.
///
/// # Errors
/// If the scenario is invalid, or something does not happen.
pub fn latency(boards: usize, tokens: u8) -> Result<Latency, LatencyError> {
    let start = up(boards, tokens)?;
    let mut combined = start.clone();
    let mut at_once = start.clone();
    at_once.push(1, [register(&COMBINE, 0)])?;
    at_once.run_until(at_once.cycle() + Cycle(50));
    let (visible, confirmed) = writes(&mut at_once)?;
    let (visible_combined, confirmed_combined) = writes(&mut combined)?;
    Ok(Latency {
        boards,
        tokens,
        visible,
        confirmed,
        visible_combined,
        confirmed_combined,
        signal: signals(&mut start.clone(), Order::None)?,
        signal_sent: signals(&mut start.clone(), Order::Sent)?,
    })
}

/// Error of a measurement.
#[derive(Debug, thiserror::Error)]
pub enum LatencyError {
    /// The scenario is invalid.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The event did not happen.
    #[error("{boards} boards: {what} did not happen in {LIMIT} cycles")]
    Never {
        /// Boards of the ring.
        boards: usize,
        /// The event that was waited for.
        what: &'static str,
    },
}

/// A ring that has its monitor and its tokens.
fn up(boards: usize, tokens: u8) -> Result<BoardRing, LatencyError> {
    let scenario = BoardScenario { fibre: vec![FIBRE; boards], ..BoardScenario::new(boards) };
    let mut ring = BoardRing::new(&scenario)?;
    for i in 0..boards {
        // Longer than any rotation, also of a saturated ring.
        let timeout = narrow::<u32>(boards) * 600;
        ring.push(i, configure(NodeId::at(i), tokens, timeout, PERIOD))?;
    }
    let made = |ring: &BoardRing| {
        let made = awgstar::ring::boards::count(
            ring.board(0),
            awgstar::contract::BoardCounter::TokenAdded,
        );
        made == u32::from(tokens)
    };
    wait(&mut ring, "a ring that is up", made)?;
    ring.run_until(ring.cycle() + Cycle(500));
    Ok(ring)
}

/// Cycles between heartbeats: more than the longest rotation of 64 boards without load.
const PERIOD: u32 = 2_000;

fn wait(
    ring: &mut BoardRing,
    what: &'static str,
    done: impl FnMut(&BoardRing) -> bool,
) -> Result<Cycle, LatencyError> {
    if ring.run_until_done(LIMIT, done) {
        Ok(ring.cycle())
    } else {
        Err(LatencyError::Never { boards: ring.boards(), what })
    }
}

/// Runs until board `i` takes a write of `addr`; the cycle after it.
fn accepted(ring: &mut BoardRing, i: usize, addr: ByteAddress) -> Result<Cycle, LatencyError> {
    let end = ring.cycle() + LIMIT;
    let mut taken = false;
    while !taken && ring.cycle() < end {
        ring.step_observed(&mut |at, _, inputs, o| {
            taken |=
                at == i && inputs.s_axi.awaddr == addr.0 && inputs.s_axi.awvalid && o.s_axi.awready;
        });
    }
    let what = "a write that is accepted";
    if taken { Ok(ring.cycle()) } else { Err(LatencyError::Never { boards: ring.boards(), what }) }
}

/// Board 1 writes words, one at a time: until all have it, and until it knows.
fn writes(ring: &mut BoardRing) -> Result<(Cycles, Cycles), LatencyError> {
    let (mut visible, mut confirmed) = (Vec::new(), Vec::new());
    for run in 0..RUNS {
        pause(ring, run);
        let word = (run + 1).to_le_bytes();
        let base = ring.board(1).u_data.base_q;
        ring.push(1, write_block(WORD, &word))?;
        let from = accepted(ring, 1, in_window(WORD))?;
        let mut seen = None;
        let to = wait(ring, "an acknowledgement", |ring| {
            let all = || (0..ring.boards()).all(|i| bytes(ring.board(i), WORD, 4) == word);
            if seen.is_none() && all() {
                seen = Some(ring.cycle());
            }
            seen.is_some() && ring.board(1).u_data.base_q != base
        })?;
        visible.extend(seen.map(|cycle| cycle - from));
        confirmed.push(to - from);
    }
    Ok((Cycles::of(&visible), Cycles::of(&confirmed)))
}

/// Another moment of the rotation for each run.
fn pause(ring: &mut BoardRing, run: u32) {
    ring.run_until(ring.cycle() + Cycle(700 + 37 * u64::from(run)));
}

/// Board 1 sends signals to the board ahead of it, which is the farthest.
fn signals(ring: &mut BoardRing, order: Order) -> Result<Cycles, LatencyError> {
    ring.push(0, [register(&IRQ_STATUS, !0), register(&IRQ_ENABLE, 1)])?;
    let mut runs = Vec::new();
    for run in 0..RUNS {
        pause(ring, run);
        if order != Order::None {
            ring.push(1, write_block(WORD, &(run + 1).to_le_bytes()))?;
        }
        ring.push(1, send_signal(Token::P2p, 1, NodeId(0), order, &[]))?;
        let from = accepted(ring, 1, SIGNAL_SEND.offset)?;
        let to = wait(ring, "an interrupt", |ring| ring.board(0).irq())?;
        runs.push(to - from);
        let clear =
            [register(&MAIL_POP, 0), register(&IRQ_STATUS, !0), HostOp::Wait { cycles: Cycle(5) }];
        ring.push(0, clear)?;
        wait(ring, "a quiet ring", |ring| {
            ring.hosts_idle() && ring.board(1).u_signal.rd_q == ring.board(1).u_signal.wr_q
        })?;
    }
    Ok(Cycles::of(&runs))
}
