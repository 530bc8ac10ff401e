// SPDX-License-Identifier: MIT OR Apache-2.0
//! Barriers, critical sections and flushes.

use crate::{coherent, commit, locks, rank, record::FLUSH, team, wire};

/// Waits for all threads of the team.
pub(crate) fn barrier() {
    if !team::alone() {
        commit::barrier();
    }
}

/// Enters the critical section with a name: gcc makes a variable of eight bytes for each.
pub(crate) fn enter_name(addr: usize) {
    if team::in_region() {
        enter(locks::number(addr).0, "a critical section");
    }
}

pub(crate) fn leave_name(addr: usize) {
    if team::in_region() {
        leave(locks::number(addr).0);
    }
}

/// With a protocol of pages: takes what others have published, under any of the locks that this thread knows.
pub(crate) fn settle_all() {
    if rank::has_protocol() {
        for lock in [wire::lock::ATOMIC, wire::lock::CRITICAL].into_iter().chain(locks::known()) {
            coherent::flush(lock);
        }
        commit::settle(FLUSH);
    }
}

/// Takes a lock of the ring, with all that its holders have published.
pub(crate) fn enter(lock: u32, what: &str) {
    if team::in_region() {
        coherent::take(lock, what);
        commit::update(lock);
    }
}

/// Publishes what has changed, and releases a lock.
pub(crate) fn leave(lock: u32) {
    if team::in_region() {
        commit::publish(lock);
        coherent::give(lock);
    }
}

/// Publishes what has changed, and takes what has arrived.
pub(crate) fn flush() {
    if team::in_region() {
        commit::publish(FLUSH);
        commit::settle(FLUSH);
        commit::update(FLUSH);
    }
}
