// SPDX-License-Identifier: MIT OR Apache-2.0
//! Look-ahead for faults of the first frames of a kind: a copy of the ring runs three cycles ahead
//! and shows which frames begin.
//!
//! The first two words of a frame give its kind. So when the copy shows the second, the first has
//! not left its board in the ring itself. A fault, or an operation of a host, cannot reach an
//! output within three cycles. So the frames that the copy has shown stay true when the copy is
//! taken anew. Frames that pass a dead board are not seen.

use crate::run::boards::plan::{FrameFilter, Hit};
use awgstar::quantity::Cycle;
use awgstar::{
    Tap,
    codec::Mac,
    contract::Token,
    ring::{Fault, FaultKind, Ring, ScenarioError, boards::Board},
};

/// Cycles that the copy is ahead.
const AHEAD: Cycle = Cycle(3);

/// A frame that begins on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameStart {
    pub link: usize,
    /// Number of the frame on the link, from 0.
    pub frame: u64,
    /// Cycle of its first word.
    pub cycle: Cycle,
    /// TOKEN, if it is assigned.
    pub token: Option<Token>,
    pub c_st: u8,
    /// Low byte of MAC.
    pub source: u8,
}

/// A fault that was found a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InjectedFault {
    pub frame: FrameStart,
    pub fault: FaultKind,
    /// Index of the entry of [`BoardsPlan::hits`](crate::run::boards::BoardsPlan::hits) that
    /// selected it.
    pub hit: usize,
}

/// Words of a link, and the cycle of the frame's first one.
type Words = (Tap, u64);

/// Looks for frames.
#[derive(Debug)]
pub(super) struct LookAhead<M: Board> {
    ahead: Ring<M>,
    taps: Vec<Words>,
    hits: Vec<Hit>,
    struck: Vec<InjectedFault>,
}

impl<M: Board> LookAhead<M> {
    /// For a ring before its first cycle; `None` if nothing is looked for.
    pub(super) fn new(ring: &Ring<M>, hits: &[Hit]) -> Option<Self> {
        if hits.is_empty() {
            return None;
        }
        let mut ahead = ring.clone();
        // In reset nothing is on a link.
        ahead.run_until(ring.cycle() + AHEAD);
        let taps = vec![Words::default(); ring.boards()];
        Some(LookAhead { ahead, taps, hits: hits.to_vec(), struck: Vec::new() })
    }

    /// Faults that were placed.
    pub(super) fn struck(&self) -> &[InjectedFault] {
        &self.struck
    }

    /// Something is still looked for.
    pub(super) fn looks(&self) -> bool {
        self.hits.iter().any(|hit| hit.times > 0)
    }

    /// The ring is another one than the copy takes it for.
    pub(super) fn renew(&mut self, ring: &Ring<M>) {
        self.ahead = ring.clone();
        self.ahead.run_until(ring.cycle() + AHEAD);
    }

    /// Before a cycle of the ring: faults for frames that begin.
    pub(super) fn step(&mut self, ring: &mut Ring<M>) -> Result<(), ScenarioError> {
        let cycle = self.ahead.cycle();
        let (taps, mut seen) = (&mut self.taps, Vec::new());
        self.ahead.step_observed(&mut |link, board, _, _| {
            let (tap, first) = &mut taps[link];
            let Some(word) = board.leaving() else {
                tap.idle();
                return;
            };
            tap.word(word.data, word.last);
            if tap.words() == 1 {
                *first = cycle.0;
            } else if tap.words() == 2 {
                let header = tap.header();
                seen.push(FrameStart {
                    link,
                    frame: 0,
                    cycle: Cycle(*first),
                    token: Token::from_code(header.token),
                    c_st: header.c_st,
                    source: Mac::from_u64(header.mac).0[5],
                });
            }
        });
        let mut changed = false;
        for mut frame in seen {
            // Those before it have left whole, it has not.
            frame.frame = self.ahead.frames(frame.link);
            let wanted = |(_, hit): &(usize, &mut Hit)| {
                let kind = hit.kind.is_none_or(|k: FrameFilter| k.is(frame.token, frame.c_st));
                let source = hit.source.is_none_or(|s| s == frame.source);
                let place = hit.link == frame.link && frame.cycle >= hit.from;
                hit.times > 0 && place && kind && source
            };
            for (at, hit) in self.hits.iter_mut().enumerate().filter(wanted) {
                hit.times -= 1;
                let FrameStart { link, frame: number, .. } = frame;
                ring.add_fault(Fault { link, frame: number, kind: hit.fault })?;
                self.struck.push(InjectedFault { frame, fault: hit.fault, hit: at });
                changed = true;
            }
        }
        if changed {
            self.renew(ring);
            // The cycle that was shown is not shown again.
            self.ahead.step();
        }
        Ok(())
    }
}
