// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board of a ring with its host and its link, and its idle skip: a quiescent board is not stepped. The run
//! is the same in a fraction of the time.

use super::member::{Member, Now};
use crate::ring::fibre::{Fibre, Word};

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

/// A board and what is around it.
#[derive(Clone, Debug)]
pub(super) struct Place<M: Member> {
    pub(super) board: M,
    pub(super) host: M::Host,
    /// Link from the board to the next one.
    pub(super) fibre: Fibre,
    /// Cycle from which on it is reset no more.
    pub(super) reset_until: u64,
    /// Cycle from which on it is dead.
    pub(super) dead_from: u64,
    /// No receiver gets the light of the board.
    pub(super) dark: bool,
    /// Set while the board is quiescent and not stepped.
    pub(super) rest: Option<Rest>,
    /// Cycles in which nothing happened, up to the last one.
    pub(super) calm: u8,
}

impl<M: Member> Place<M> {
    /// The word on the output of the board, as it is before the next edge.
    #[inline]
    pub(super) fn leaving(&self) -> Option<Word> {
        let out = &self.board.blocks().u_node.u_egress;
        out.m_valid_q.then(|| Word {
            data: out.m_data_q,
            keep: out.keep(),
            last: out.m_last_q,
            user: out.m_user_q,
        })
    }

    #[inline]
    pub(super) fn clock(
        &mut self,
        cycle: u64,
        word: Option<Word>,
        look: impl FnOnce(&M, &M::Inputs, &M::Outputs),
    ) {
        let reset = cycle < self.reset_until;
        self.board.cycle(&mut self.host, Now { cycle, reset, word }, look);
        if let Some(word) = self.leaving() {
            if self.dark {
                self.fibre.lose(word);
            } else {
                self.fibre.push(cycle + 1, word);
            }
        }
    }

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
