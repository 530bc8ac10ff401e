// SPDX-License-Identifier: MIT OR Apache-2.0
//! Barriers, critical sections and flushes.

use crate::{coherent, commit, locks, record::FLUSH, team, wire};

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

/// Takes a lock of the ring; with a protocol of pages that which its node knows.
pub(crate) fn take(lock: u32, what: &str) {
    if coherent::on() {
        coherent::acquire(lock, what);
    } else {
        wire::take(lock, what);
    }
}

/// Releases it.
pub(crate) fn give(lock: u32) {
    if coherent::on() {
        coherent::release(lock);
    } else {
        wire::with(|node| node.unlock(lock));
    }
}

/// With a protocol of pages: publishes what has changed, and takes what others have published, where no lock is.
pub(crate) fn settle(cause: u32) {
    if coherent::on() {
        coherent::flush(if cause == FLUSH { wire::lock::FLUSH } else { cause });
        commit::update(cause);
    }
}

/// The same with all locks that this thread knows: what another one has published may be under any of them.
pub(crate) fn settle_all() {
    if coherent::on() {
        for lock in [wire::lock::ATOMIC, wire::lock::CRITICAL].into_iter().chain(locks::known()) {
            coherent::flush(lock);
        }
        settle(FLUSH);
    }
}

/// Takes a lock of the ring, with all that its holders have published.
pub(crate) fn enter(lock: u32, what: &str) {
    if team::in_region() {
        take(lock, what);
        commit::update(lock);
    }
}

/// Publishes what has changed, and releases a lock.
pub(crate) fn leave(lock: u32) {
    if team::in_region() {
        commit::publish(lock);
        give(lock);
    }
}

/// Publishes what has changed, and takes what has arrived.
pub(crate) fn flush() {
    if team::in_region() {
        commit::publish(FLUSH);
        settle(FLUSH);
        commit::update(FLUSH);
    }
}
