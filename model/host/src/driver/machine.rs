// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers of state machines.

/// A state machine: that of a lock or of a barrier, with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Machine {
    Lock(u32),
    Barrier(u32),
}
