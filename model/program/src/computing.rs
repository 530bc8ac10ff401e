// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time of computing between two calls: processor time, or basic blocks of the program.

use crate::call::{COUNTED, MEASURED};
use awgstar_frame::quantity::{Nanoseconds, narrow};
use std::{cell::Cell, time::Duration};

thread_local! {
    /// Blocks that this thread has counted and no call has taken.
    static BLOCKS: Cell<u64> = const { Cell::new(0) };
}

/// Counts a basic block of the program. A compiler puts calls of `__sanitizer_cov_trace_pc`, which calls this
/// function, into a program (`-fsanitize-coverage=trace-pc`).
///
/// Each thread counts for itself: a call takes the blocks of the thread that makes it, so the count does not
/// depend on how far other threads are.
#[inline]
pub fn count_block() {
    BLOCKS.set(BLOCKS.get().wrapping_add(1));
}

/// Takes the blocks that this thread has counted.
pub(crate) fn take_blocks() -> u64 {
    BLOCKS.take()
}

/// The clock of computing of a process.
#[derive(Debug)]
pub(crate) enum Clock {
    /// None: the program gives the time.
    Told,
    /// Processor time.
    Measured {
        thousandths: u64,
        /// Processor time at the end of the last call.
        since: Duration,
    },
    /// Basic blocks.
    Counted {
        thousandths: u64,
        /// Thousandths of a nanosecond that no call has taken.
        rest: u64,
    },
}

impl Clock {
    /// The clock that the words of a slot describe; it begins now.
    pub(crate) fn new(how: u32, thousandths: u32) -> Self {
        let thousandths = thousandths.into();
        match how {
            MEASURED => Clock::Measured { thousandths, since: processor_time() },
            COUNTED => Clock::Counted { thousandths, rest: 0 },
            _ => Clock::Told,
        }
    }

    /// Returns true if the program gives the time.
    pub(crate) const fn is_told(&self) -> bool {
        matches!(self, Clock::Told)
    }

    /// The time since the last call, and whether the program has counted blocks. `None` is longer than any
    /// computation may be.
    pub(crate) fn take(&mut self) -> (Option<Nanoseconds>, bool) {
        match self {
            Clock::Told => (Some(Nanoseconds(0)), false),
            Clock::Measured { thousandths, since } => {
                let now = processor_time();
                let ns = now.saturating_sub(*since).as_nanos() * u128::from(*thousandths) / 1000;
                *since = now;
                (u64::try_from(ns).ok().map(Nanoseconds), false)
            }
            Clock::Counted { thousandths, rest } => {
                let blocks = take_blocks();
                let all = u128::from(blocks) * u128::from(*thousandths) + u128::from(*rest);
                *rest = narrow(all % 1000);
                (u64::try_from(all / 1000).ok().map(Nanoseconds), blocks > 0)
            }
        }
    }

    /// What this computer has done since the last call is not computing of the program.
    pub(crate) fn skip(&mut self) {
        if let Clock::Measured { since, .. } = self {
            *since = processor_time();
        }
    }
}

fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(narrow(time.tv_sec), narrow(time.tv_nsec))
}
