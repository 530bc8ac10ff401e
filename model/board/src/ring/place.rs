// SPDX-License-Identifier: MIT OR Apache-2.0
//! The place of a member in a ring, and its rest: a quiescent member is not stepped. The run is the same in a
//! fraction of the time.

use super::fibre::Fibre;
use super::member::Member;

/// A member at rest, or a dead one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rest {
    /// Cycle whose edge does more than count; 0 if the member is awake.
    pub(super) until: u64,
    /// Its registers are those before the edge of this cycle.
    since: u64,
}

impl Rest {
    /// That of a dead member, whose registers stay.
    pub(super) const DEAD: Rest = Rest { until: u64::MAX, since: u64::MAX };

    /// The registers of a member at rest, brought up to `cycle`.
    #[inline]
    pub(super) fn catch_up(&mut self, member: &mut impl Member, cycle: u64) {
        if self.until != 0 && self.since < cycle {
            member.pass(self.since, cycle);
            self.since = cycle;
        }
    }

    /// Ends the rest; returns true if there was one.
    #[inline]
    pub(super) fn wake(&mut self, member: &mut impl Member, cycle: u64) -> bool {
        self.catch_up(member, cycle);
        std::mem::take(&mut self.until) != 0
    }
}

/// What is around a member.
#[derive(Clone, Debug)]
pub(super) struct Place<H> {
    pub(super) host: H,
    /// Link from the member to the next one.
    pub(super) fibre: Fibre,
    pub(super) rest: Rest,
    /// Cycles in which it could rest, up to the last one.
    pub(super) calm: u8,
    /// Cycle from which on it is reset no more.
    pub(super) reset_until: u64,
    /// Cycle from which on it is dead.
    pub(super) dead_from: u64,
    /// No receiver gets its light.
    pub(super) dark: bool,
}

impl<H> Place<H> {
    pub(super) fn new(host: H, fibre: Fibre) -> Self {
        Place {
            host,
            fibre,
            rest: Rest::default(),
            calm: 0,
            reset_until: 0,
            dead_from: u64::MAX,
            dark: false,
        }
    }

    /// After the edge of the cycle before `cycle`, in which nothing had arrived: the member begins to rest, or not.
    #[inline]
    pub(super) fn try_rest<M: Member<Host = H>>(&mut self, member: &M, cycle: u64) -> bool {
        let cycles = member.rests(&self.host, cycle);
        if cycles == 0 || cycle < self.reset_until {
            self.calm = 0;
            return false;
        }
        self.calm += 1;
        if self.calm < M::CALM {
            return false;
        }
        let until = cycle.saturating_add(cycles).min(self.dead_from);
        self.rest = Rest { until, since: cycle };
        self.calm = 0;
        true
    }
}
