// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a process knows of mutexes: sets of locks of the machine.

use awgstar_caller::wrong::Wrong;
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::c_int,
};

/// Locks of a machine.
pub(crate) const LOCKS: usize = 0x1_0000;

/// The end of a mutex that is locked would leave others waiting.
pub(crate) const LOCKED: Wrong = Wrong::Order("a mutex is still locked");

/// Mutexes that a group has created together: first slot and number of each member, by process.
pub(crate) type Set = BTreeMap<usize, (usize, usize)>;

/// The sets of mutexes of a process. Mutex `slot` of process `p` of `n` is the lock `slot * n + p`: each process deals
/// its own locks, so that groups without a common member need no agreement.
pub(crate) struct Mutexes {
    pub(crate) me: usize,
    pub(crate) ranks: usize,
    pub(crate) sets: BTreeMap<usize, Set>,
    pub(crate) next: usize,
    /// The set of the functions without a handle.
    pub(crate) only: Option<usize>,
    pub(crate) held: BTreeSet<u32>,
}

impl Mutexes {
    pub(crate) const fn new(me: usize, ranks: usize) -> Mutexes {
        let sets = BTreeMap::new();
        Mutexes { me, ranks, sets, next: 1, only: None, held: BTreeSet::new() }
    }

    /// The first of so many free slots of this process.
    pub(crate) fn room(&self, count: usize) -> Option<usize> {
        let mut used: Vec<(usize, usize)> =
            self.sets.values().filter_map(|set| set.get(&self.me).copied()).collect();
        used.sort_unstable();
        let mut first = 0;
        for (at, slots) in used {
            if at >= first + count {
                break;
            }
            first = first.max(at + slots);
        }
        (first + count <= LOCKS / self.ranks).then_some(first)
    }

    /// The lock of a mutex.
    pub(crate) fn lock_of(&self, set: usize, mutex: c_int, rank: usize) -> Result<u32, Wrong> {
        let set = self.set(set)?;
        let &(first, count) = set.get(&rank).ok_or_else(|| {
            Wrong::argument("proc", rank, "a member of the group that created the mutexes")
        })?;
        let slot = usize::try_from(mutex).ok().filter(|&mutex| mutex < count);
        let slot = slot.ok_or_else(|| {
            let expected = format!("one of the {count} mutexes of process {rank}");
            Wrong::argument("mutex", mutex, expected)
        })?;
        let lock = u32::try_from((first + slot) * self.ranks + rank);
        lock.map_err(|_| Wrong::argument("mutex", mutex, "a lock of the machine"))
    }

    pub(crate) fn set(&self, set: usize) -> Result<&Set, Wrong> {
        let none = "no mutexes: expected ARMCI_Create_mutexes before, and no destruction";
        self.sets.get(&set).ok_or(Wrong::Order(none))
    }

    /// The set of the functions without a handle.
    pub(crate) fn only(&self) -> usize {
        self.only.unwrap_or(0)
    }

    pub(crate) fn none_held(&self) -> Result<(), Wrong> {
        if self.held.is_empty() { Ok(()) } else { Err(LOCKED) }
    }
}
