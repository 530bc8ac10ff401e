// SPDX-License-Identifier: MIT OR Apache-2.0
//! Barriers, critical sections and flushes.

use crate::{commit, record::FLUSH, team, wire};

/// Waits for all threads of the team.
pub(crate) fn barrier() {
    if !team::alone() {
        commit::barrier();
    }
}

/// Takes a lock of the ring, with all that its holders have published.
pub(crate) fn enter(lock: u32, what: &str) {
    if team::in_region() {
        wire::take(lock, what);
        commit::update(lock);
    }
}

/// Publishes what has changed, and releases a lock.
pub(crate) fn leave(lock: u32) {
    if team::in_region() {
        commit::publish(lock);
        wire::with(|node| node.unlock(lock));
    }
}

/// Publishes what has changed, and takes what has arrived.
pub(crate) fn flush() {
    if team::in_region() {
        commit::publish(FLUSH);
        commit::update(FLUSH);
    }
}

/// Lock of a named critical section. gcc makes a variable of eight bytes for each name.
pub(crate) fn lock_of_name(addr: usize) -> u32 {
    let (first, count) = wire::lock::NAMES;
    first + u32::try_from(addr / 8 % count as usize).unwrap_or(0)
}
