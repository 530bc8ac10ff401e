// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether the program does nothing but wait: it has few states for a while.

use crate::cell;

/// Looks without a new state after which the program waits.
const LOOKS: u32 = 40;
/// States that a loop that waits may have.
const STATES: usize = 12;

/// What a program is seen to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Calls of the library and pages opened so far: the program works if they grow.
    pub(crate) work: u64,
    /// Hash of the registers and the top of the stack.
    pub(crate) state: u64,
}

/// What the looks have seen. It takes no memory from the allocator, which the timer may interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Waits {
    states: [u64; STATES],
    count: usize,
    looks: u32,
    work: u64,
}

impl Waits {
    /// Nothing seen yet.
    pub(crate) const NEW: Waits = Waits { states: [0; STATES], count: 0, looks: 0, work: 0 };

    /// Looks at the program; true if it waits. While the library works, `see` is not called: it enters the
    /// library. It gives nothing if the program is elsewhere than in its own code.
    pub(crate) fn look(&mut self, see: impl FnOnce() -> Option<Seen>) -> bool {
        let seen = if cell::at_work() { None } else { see() };
        let Some(Seen { work, state }) = seen else {
            *self = Waits::NEW;
            return false;
        };
        if self.work != work {
            *self = Waits { work, ..Waits::NEW };
            return false;
        }
        if !self.states[..self.count].contains(&state) {
            if self.count >= STATES {
                *self = Waits { work, ..Waits::NEW };
            }
            self.states[self.count] = state;
            self.count += 1;
        }
        self.looks += 1;
        if self.looks < LOOKS {
            return false;
        }
        *self = Waits { work, ..Waits::NEW };
        true
    }
}
