// SPDX-License-Identifier: MIT OR Apache-2.0
//! Answers.

use crate::{Feature, ProcessSignal};
use awgstar_frame::quantity::{Cycle, Nanoseconds};
use thiserror::Error;

/// Time of a machine since its start, in its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Cycles of the link clock.
    Cycle(Cycle),
    /// Nanoseconds.
    Time(Nanoseconds),
}

impl Default for Moment {
    fn default() -> Self {
        Moment::Cycle(Cycle(0))
    }
}

impl Moment {
    /// In whole cycles of the link clock.
    #[must_use]
    pub fn cycle(self) -> Cycle {
        match self {
            Moment::Cycle(cycle) => cycle,
            Moment::Time(time) => time.to_cycles(),
        }
    }

    /// In whole nanoseconds.
    #[must_use]
    pub fn time(self) -> Nanoseconds {
        match self {
            Moment::Cycle(cycle) => cycle.to_nanoseconds(),
            Moment::Time(time) => time,
        }
    }
}

/// What a request gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Got {
    /// Nothing but its end.
    #[default]
    Nothing,
    Word(u32),
    /// Bytes, that of the lowest address first.
    Bytes(Vec<u8>),
    /// The signal that was waited for; `None` if none came in time.
    Signal(Option<ProcessSignal>),
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// The address is beyond the memory, or the ring is cut.
    #[error("the board refused the access")]
    Bus,
    /// The mailbox was full.
    #[error("the mailbox was full: a signal may be lost")]
    Lost,
    /// The node has no barrier with this number.
    #[error("there is no barrier {0}")]
    NoBarrier(u8),
    /// The machine has no lock with this number.
    #[error("there is no lock {0}")]
    NoLock(u32),
    /// The process takes a lock that it has, or gives up one that it does not have.
    #[error("lock {0}: taken twice, or given up without it")]
    Holding(u32),
    /// The machine has no ring with this number, or it is that of the process.
    #[error("there is no other ring {0}")]
    NoRing(u16),
    /// A far access has no word, or more than its channel.
    #[error("words of a far access: expected 1 to {0}")]
    FarWords(u16),
    /// The machine does not offer it.
    #[error("the machine does not offer {0}")]
    NotOffered(Feature),
}

/// Answer to a request. The first of a process answers nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// When.
    pub now: Moment,
    /// What it gives.
    pub got: Result<Got, Refused>,
}

impl Default for Answer {
    fn default() -> Self {
        Answer { now: Moment::default(), got: Ok(Got::Nothing) }
    }
}

impl Answer {
    /// The word that was read; 0 after any other request.
    #[must_use]
    pub const fn word(&self) -> u32 {
        match self.got {
            Ok(Got::Word(word)) => word,
            _ => 0,
        }
    }

    /// The bytes that were read; none after any other request.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.got {
            Ok(Got::Bytes(bytes)) => bytes,
            _ => &[],
        }
    }

    /// The signal that has come.
    #[must_use]
    pub const fn signal(&self) -> Option<ProcessSignal> {
        match self.got {
            Ok(Got::Signal(signal)) => signal,
            _ => None,
        }
    }
}
