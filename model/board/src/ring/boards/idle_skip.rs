// SPDX-License-Identifier: MIT OR Apache-2.0
//! Idle skip: quiescent boards are not stepped. The run is the same in a fraction of the time.

use super::{BoardRing, Member, Place};

/// Cycles in which nothing happened, before a board may rest.
const CALM: u8 = 4;

/// A board at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    /// Cycle of the registers: they have the values before the edge of this cycle.
    since: u64,
    /// Cycle whose edge does more than count.
    until: u64,
}

impl<M: Member> Place<M> {
    /// Returns true if the board need not be stepped in `cycle`.
    #[inline]
    pub(super) fn dozes(&self, cycle: u64) -> bool {
        self.rest.is_some_and(|rest| cycle < rest.until)
    }

    /// Brings the registers to their values before the edge of `cycle`, and steps the board again.
    #[inline]
    pub(super) fn wake(&mut self, cycle: u64) {
        if let Some(rest) = self.rest.take() {
            self.board.pass(cycle - rest.since);
            self.calm = 0;
        }
    }

    /// After the edge of the cycle before `cycle`, in which nothing had arrived.
    #[inline]
    pub(super) fn try_rest(&mut self, cycle: u64) {
        let cycles = self.board.rests(&self.host, cycle);
        if cycles == 0 || cycle < self.reset_until {
            self.calm = 0;
            return;
        }
        self.calm += 1;
        if self.calm >= CALM {
            let until = cycle.saturating_add(cycles).min(self.dead_from);
            self.rest = Some(Rest { since: cycle, until });
        }
    }
}

impl<M: Member> BoardRing<M> {
    /// Board `i` was passed over in the last cycle: what it reports has not changed.
    #[inline]
    pub fn is_skipped(&self, i: usize) -> bool {
        self.places[i].rest.is_some()
    }
}
