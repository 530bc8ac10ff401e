// SPDX-License-Identifier: MIT OR Apache-2.0
//! A gateway at the lock of all rings (P4). Paper 004 has only the names `lock` and `unlock` (Table 1).
//!
//! Each ring has a queue lock, which its gateway owns first, and so have the gateways above. A process of the ring gets
//! the lower lock only while its gateway has the upper one, so that both together are one lock of all rings. A gateway
//! above is at the lock of its ring as each one below is.

use crate::repairs::LockRepairs;

/// What a gateway sees of a queue lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Queue {
    /// This gateway holds the lock.
    pub held: bool,
    /// This gateway waits for it.
    pub asked: bool,
    /// Another member waits for it.
    pub wanted: bool,
}

/// What a gateway does with its locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    AskUpper,
    AskLower,
    GiveUpper,
    GiveLower,
}

/// The state machine of a gateway at a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LockGateway {
    repairs: LockRepairs,
    /// The upper lock was asked for, and no process of the ring has had it since. A restart loses it, which costs the
    /// ring a turn.
    fresh: bool,
}

impl LockGateway {
    /// A gateway that begins, with the locks as they are.
    #[must_use]
    pub const fn new(repairs: LockRepairs) -> LockGateway {
        LockGateway { repairs, fresh: false }
    }

    /// What the gateway does next; `None`: it waits.
    pub fn step(&mut self, lower: Queue, upper: Queue) -> Option<Step> {
        match (lower.held, upper.held) {
            (true, true) => {
                let turn = match (upper.wanted, self.fresh) {
                    (false, _) => true,
                    (true, true) => self.repairs.has(LockRepairs::FRESH),
                    (true, false) => !self.repairs.has(LockRepairs::TURNS),
                };
                if lower.wanted && turn {
                    self.fresh = false;
                    Some(Step::GiveLower)
                } else {
                    upper.wanted.then_some(Step::GiveUpper)
                }
            }
            (true, false) if lower.wanted && !upper.asked => {
                self.fresh = true;
                Some(Step::AskUpper)
            }
            // The lower lock is a queue: at most as many others as the ring has come first.
            (false, true) if upper.wanted && !lower.asked => Some(Step::AskLower),
            _ => None,
        }
    }

    /// The gateway in a few words, for a run that is read.
    #[must_use]
    pub const fn summary(&self) -> &'static str {
        if self.fresh { "fresh" } else { "-" }
    }
}
