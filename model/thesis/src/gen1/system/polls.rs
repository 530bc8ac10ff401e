// SPDX-License-Identifier: MIT OR Apache-2.0
//! How often the threads that poll have looked.

/// Rounds of the threads that poll.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Polls {
    /// Rounds so far: in each, every thread that polls has looked.
    pub(super) rounds: u64,
    /// Bit i: worker i has not looked in this round; bit 0: the control thread.
    pub(super) left: u32,
}
