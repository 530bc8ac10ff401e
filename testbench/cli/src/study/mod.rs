// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks and barriers compared: how long they take on the cycle-accurate ring of boards, through
//! the host port, and how many frames they cost.
//!
//! Every figure is of simulated time. A run follows from its `Point` alone.

pub mod armci;
pub mod barrier;
pub mod bounds;
pub mod bypass;
pub mod clusters;
pub mod clusters_lu;
pub mod clusters_ring;
pub mod clusters_tables;
pub mod engine;
pub mod fdsm;
pub mod fdsm_tables;
pub mod lock;
pub mod mandelbrot;
pub mod openmp;
pub mod paging;
pub mod report;
pub mod results;
pub mod rings;
pub mod sharing;
pub mod star;
pub mod stats;
pub mod sweep;

use awgstar::contract::Order;
use awgstar::host::{HostError, Setup};
use awgstar::quantity::Cycle;
use awgstar::ring::boards::Noise;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;
use serde::Serialize;
pub use stats::Stats;
use thiserror::Error;

/// Cycles of a microsecond.
pub const MHZ: f64 = 67.25;

/// Called after each point that was measured.
pub type Tick<'a> = dyn Fn() + Sync + 'a;

/// Error of a measurement.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StudyError {
    /// The scenario is invalid, or the run did not end.
    #[error("{point}: {error}")]
    Host {
        /// The point that was measured.
        point: String,
        /// Reason of the failure.
        error: HostError,
    },
    /// A replica was wrong afterwards.
    #[error("{point}: {wrong}")]
    Wrong {
        /// The point that was measured.
        point: String,
        /// The value that was wrong.
        wrong: String,
    },
}

impl StudyError {
    /// The same, with the protocol's name before it.
    #[must_use]
    pub fn of(self, protocol: &str) -> Self {
        let name = |point| format!("{protocol}: {point}");
        match self {
            StudyError::Host { point, error } => StudyError::Host { point: name(point), error },
            StudyError::Wrong { point, wrong } => StudyError::Wrong { point: name(point), wrong },
        }
    }
}

/// The ring and the firmware of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ring {
    pub nodes: usize,
    /// Cycles of each link.
    pub fibre: u32,
    /// Bits inverted of 2^32 on every link.
    pub noise: u32,
    /// Order of unlocks and arrivals.
    #[serde(serialize_with = "order_name")]
    pub order: Order,
    /// Where random pauses and bit errors are.
    pub seed: u64,
    pub tokens: u8,
    /// Boards have the lock and barrier engine, for all nodes.
    #[serde(skip)]
    pub engine: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn order_name<S: serde::Serializer>(order: &Order, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(order.name())
}

impl Ring {
    /// A ring of `nodes` with links of 10 m, without errors, one token, `confirmed`.
    #[must_use]
    pub const fn new(nodes: usize) -> Self {
        Ring {
            nodes,
            fibre: 4,
            noise: 0,
            order: Order::Confirmed,
            seed: 1,
            tokens: 1,
            engine: false,
        }
    }

    /// Cycles of a rotation without load: every node takes 4.
    #[must_use]
    pub fn rotation(&self) -> Cycle {
        Cycle(self.nodes as u64 * (4 + u64::from(self.fibre)))
    }

    /// The boards.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let (records, tokens) = (true, self.tokens);
        let mut setup = Setup { records, tokens, ..Setup::new(self.nodes, self.fibre) };
        setup.scenario.noise = Noise { rate: self.noise, seed: self.seed };
        if self.engine { setup.with_engines() } else { setup }
    }

    /// Random numbers for `node`.
    #[must_use]
    pub fn random(&self, node: usize) -> XorShiftRng {
        XorShiftRng::seed_from_u64(self.seed.wrapping_mul(1_000_003).wrapping_add(node as u64))
    }
}

/// A random number below `end`; 0 when `end` is.
pub fn below(random: &mut XorShiftRng, end: u64) -> u64 {
    if end == 0 { 0 } else { random.next_u64() % end }
}
