// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host of a board: one operation after the other, through AXI4-Lite or AXI4 (HST-1).
//!
//! Its outputs depend on its own registers only, never on the board's outputs in the same cycle.

use super::super::access::{HostOp, HostResult, Outcome};
use super::super::scenario::ScenarioError;
use super::pins::{Answered, Axil, Pins};
use awgstar_frame::quantity::Cycle;
use std::collections::VecDeque;

/// Phase of the current operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// None is under way.
    #[default]
    Idle,
    /// The host waits until this cycle.
    Waiting(u64),
    /// Accesses are under way.
    Access,
    /// The host waits for `irq`.
    Irq,
}

/// Host of a board, on the pins `P` of its port: a queue of operations and their results.
#[derive(Clone, Debug)]
pub struct BoardHost<P = Axil> {
    pub(in crate::ring) pins: P,
    queue: VecDeque<HostOp>,
    phase: Phase,
    began: u64,
    results: Vec<HostResult>,
}

impl<P: Pins> Default for BoardHost<P> {
    fn default() -> Self {
        let (queue, results) = (VecDeque::new(), Vec::new());
        BoardHost { pins: P::default(), queue, phase: Phase::Idle, began: 0, results }
    }
}

impl<P: Pins> BoardHost<P> {
    /// Operations that are over, in their order.
    pub fn results(&self) -> &[HostResult] {
        &self.results
    }

    /// Removes and returns the finished operations.
    pub fn take_results(&mut self) -> Vec<HostResult> {
        std::mem::take(&mut self.results)
    }

    /// No operation waits or is under way.
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    pub(in crate::ring) fn push(
        &mut self,
        operations: impl IntoIterator<Item = HostOp>,
    ) -> Result<(), ScenarioError> {
        let operations: Vec<_> = operations.into_iter().collect();
        operations.iter().enumerate().try_for_each(|(index, op)| op.check(index))?;
        self.queue.extend(operations);
        Ok(())
    }

    /// Up to which cycle it does nothing; `None` when it is at work.
    #[inline]
    pub(in crate::ring) fn free_until(&self) -> Option<u64> {
        match self.phase {
            Phase::Idle if self.queue.is_empty() => Some(u64::MAX),
            Phase::Waiting(until) => Some(until),
            _ => None,
        }
    }

    /// Nothing waits or is under way any more.
    pub(in crate::ring) fn forget(&mut self) {
        self.queue.clear();
        self.phase = Phase::Idle;
        self.pins.silence();
    }

    /// Sets the host's outputs for `cycle`.
    #[inline]
    pub(in crate::ring) fn drive(&mut self, cycle: u64) {
        match self.phase {
            Phase::Idle if !self.queue.is_empty() => self.begin(cycle),
            Phase::Waiting(until) if cycle >= until => {
                self.end(cycle, 0, Outcome::Done);
                self.begin(cycle);
            }
            _ => {}
        }
    }

    /// The first operation that waits, if there is one.
    fn begin(&mut self, cycle: u64) {
        self.began = cycle;
        self.phase = match self.queue.front() {
            None => Phase::Idle,
            Some(&HostOp::Wait { cycles }) => Phase::Waiting(cycle.saturating_add(cycles.0)),
            Some(HostOp::Interrupt { .. }) => Phase::Irq,
            Some(_) => {
                self.pins.begin(&self.queue);
                Phase::Access
            }
        };
    }

    /// Takes the board's outputs of `cycle`, just before the edge.
    #[inline]
    pub(in crate::ring) fn take(&mut self, cycle: u64, o: &P::Outputs) {
        match self.phase {
            Phase::Access => {
                if let Some(answered) = self.pins.take(o) {
                    self.answer(cycle, answered);
                }
            }
            Phase::Irq => {
                let over = |op| matches!(op, &HostOp::Interrupt { limit } if cycle - self.began >= limit.0);
                if P::irq(o) {
                    self.end(cycle, 0, Outcome::Done);
                } else if self.queue.front().is_some_and(over) {
                    self.end(cycle, 0, Outcome::Expired);
                }
            }
            Phase::Idle | Phase::Waiting(_) => {}
        }
    }

    /// Accesses were answered.
    fn answer(&mut self, cycle: u64, Answered { ops, data, outcome }: Answered) {
        match self.queue.front() {
            Some(&HostOp::Poll { mask, value, limit, .. })
                if outcome == Outcome::Done && data & mask != value =>
            {
                if cycle - self.began >= limit.0 {
                    self.end(cycle, data, Outcome::Expired);
                } else {
                    self.pins.begin(&self.queue);
                }
            }
            _ => {
                let phase = if self.pins.is_busy() { Phase::Access } else { Phase::Idle };
                for _ in 0..ops {
                    self.end(cycle, data, outcome);
                }
                self.phase = phase;
            }
        }
    }

    fn end(&mut self, cycle: u64, data: u32, outcome: Outcome) {
        self.phase = Phase::Idle;
        if let Some(op) = self.queue.pop_front() {
            let (began, ended) = (Cycle(self.began), Cycle(cycle));
            self.results.push(HostResult { op, began, ended, data, outcome });
        }
    }
}
