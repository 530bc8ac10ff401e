// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings that run side by side, on threads.

use super::common::{Common, Counts, Failure};
use crate::words::RingNumber;
use awgstar_frame::quantity::{Cycle, NodeId};
use awgstar_host::{DrivenRing, Protocols, Waiting};
use awgstar_request::Process;
use std::num::NonZeroUsize;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// The most cycles between two looks at who has ended.
const WINDOW_MAX: Cycle = Cycle(1_024);

/// Error of a run of rings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RingsError {
    #[error("ring {ring}: {failure}", ring = .0.0, failure = .1)]
    Failed(RingNumber, Failure),
    #[error("cycle {cycle}: {}", waiting.iter().map(|(ring, one)| format!("ring {ring}: {one}")).collect::<Vec<_>>().join("; "))]
    Timeout { cycle: Cycle, waiting: Vec<(usize, Waiting)> },
}

/// A ring, and the nodes whose processes end.
pub struct Side<P: Protocols> {
    pub ring: DrivenRing<P, dyn Process + Send>,
    pub ending: Vec<NodeId>,
}

impl<P: Protocols> Side<P> {
    fn ended(&self) -> bool {
        self.ending.iter().all(|node| !self.ring.waits(*node))
    }

    fn advance(&mut self, cycles: Cycle) {
        for _ in 0..cycles.0 {
            self.ring.advance();
        }
    }
}

/// Rings that run side by side.
pub struct Rings<P: Protocols> {
    sides: Vec<Side<P>>,
    window: Cycle,
    common: Common,
}

impl<P: Protocols> Rings<P>
where
    Side<P>: Send,
{
    /// Rings whose wires all have this latency, 1 cycle or more, or a longer one.
    #[must_use]
    pub fn new(sides: Vec<Side<P>>, latency: Cycle, common: Common) -> Self {
        Rings { sides, window: latency.clamp(Cycle(1), WINDOW_MAX), common }
    }

    pub fn sides(&self) -> &[Side<P>] {
        &self.sides
    }

    /// What the gateways did.
    pub fn counts(&self) -> Counts {
        self.common.counts()
    }

    /// The cycle that all rings have reached.
    pub fn cycle(&self) -> Cycle {
        self.sides.iter().map(|side| side.ring.ring().cycle()).min().unwrap_or(Cycle(0))
    }

    /// Runs until all processes that end have ended, on so many threads at most.
    ///
    /// # Errors
    /// [`RingsError`]: a gateway that cannot go on, and processes that have not ended after so many cycles.
    pub fn run(&mut self, threads: NonZeroUsize, limit: Cycle) -> Result<(), RingsError> {
        let each = self.sides.len().div_ceil(threads.get()).max(1);
        let parts: Vec<&mut [Side<P>]> = self.sides.chunks_mut(each).collect();
        let ended: Vec<AtomicBool> = parts.iter().map(|_| AtomicBool::new(false)).collect();
        let meeting = Barrier::new(parts.len());
        let (window, common) = (self.window, &self.common);
        std::thread::scope(|scope| {
            for (part, mine) in parts.into_iter().zip(&ended) {
                let (ended, meeting) = (&ended, &meeting);
                let work = move || {
                    let mut left = limit;
                    while left > Cycle(0) {
                        let cycles = window.min(left);
                        left = left - cycles;
                        for side in part.iter_mut() {
                            side.advance(cycles);
                        }
                        mine.store(part.iter().all(Side::ended), Ordering::Relaxed);
                        meeting.wait();
                        let all = ended.iter().all(|one| one.load(Ordering::Relaxed));
                        let over = all || common.failure().is_some();
                        meeting.wait();
                        if over {
                            break;
                        }
                    }
                    for side in part {
                        side.ring.wake();
                    }
                };
                scope.spawn(work);
            }
        });
        if let Some((ring, failure)) = self.common.failure() {
            return Err(RingsError::Failed(ring, failure));
        }
        if self.sides.iter().all(Side::ended) {
            return Ok(());
        }
        let of = |(ring, side): (usize, &Side<P>)| {
            let all = side.ring.waiting().into_iter();
            let ending = all.filter(|one| side.ending.contains(&one.node));
            ending.map(|one| (ring, one)).collect::<Vec<_>>()
        };
        let waiting = self.sides.iter().enumerate().flat_map(of).collect();
        Err(RingsError::Timeout { cycle: self.cycle(), waiting })
    }
}
