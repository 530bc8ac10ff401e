// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutexes: sets of locks of the machine.

use crate::{
    caller::Array,
    groups::GroupHandle,
    memory::pair,
    state::Armci,
    wrong::{Wrong, size},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::c_int,
};

/// Locks of a machine.
const LOCKS: usize = 0x1_0000;

/// The end of a mutex that is locked would leave others waiting.
const LOCKED: Wrong = Wrong::Order("a mutex is still locked");

/// Mutexes that a group has created together: first slot and number of each member, by process.
type Set = BTreeMap<usize, (usize, usize)>;

/// The sets of mutexes of a process. Mutex `slot` of process `p` of `n` is the lock `slot * n + p`: each process deals
/// its own locks, so that groups without a common member need no agreement.
pub(crate) struct Mutexes {
    me: usize,
    ranks: usize,
    sets: BTreeMap<usize, Set>,
    next: usize,
    /// The set of [`Armci::create_mutexes`].
    only: Option<usize>,
    held: BTreeSet<u32>,
}

impl Mutexes {
    pub(crate) const fn new(me: usize, ranks: usize) -> Mutexes {
        let sets = BTreeMap::new();
        Mutexes { me, ranks, sets, next: 1, only: None, held: BTreeSet::new() }
    }

    /// The first of so many free slots of this process.
    fn room(&self, count: usize) -> Option<usize> {
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
    fn lock_of(&self, set: usize, mutex: c_int, rank: usize) -> Result<u32, Wrong> {
        let set = self.set(set)?;
        let &(first, count) = set.get(&rank).ok_or_else(|| {
            Wrong::argument("proc", rank, "a member of the group that created the mutexes")
        })?;
        let slot = usize::try_from(mutex).ok().filter(|&mutex| mutex < count);
        let slot = slot.ok_or_else(|| {
            let expected = format!("one of the {count} mutexes of process {rank}");
            Wrong::argument("mutex", mutex, expected)
        })?;
        Ok(u32::try_from((first + slot) * self.ranks + rank).unwrap_or(u32::MAX))
    }

    fn set(&self, set: usize) -> Result<&Set, Wrong> {
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

impl Armci {
    /// Creates mutexes together with the members of a group: so many at this process. It gives the set's number.
    pub(crate) fn create_set(
        &mut self,
        count: c_int,
        group: Array<GroupHandle>,
    ) -> Result<usize, Wrong> {
        let count = size("count", count)?;
        let group = self.groups.of("pgroup", group)?;
        let first = self.mutexes.room(count).ok_or_else(|| {
            let expected = format!("{} in all sets of a process", LOCKS / self.mutexes.ranks);
            Wrong::argument("count", count, expected)
        })?;
        let mine = [first as u64, count as u64].map(u64::to_le_bytes).concat();
        let all = self.world.gather_all(&group, &mine)?;
        let slots = all.iter().map(|answer| {
            let [first, count] = pair(answer).map(|n| usize::try_from(n).unwrap_or(0));
            (first, count)
        });
        let set = group.ranks.iter().copied().zip(slots).collect();
        let number = self.mutexes.next;
        self.mutexes.next += 1;
        self.mutexes.sets.insert(number, set);
        Ok(number)
    }

    pub(crate) fn destroy_set(&mut self, set: usize) -> Result<(), Wrong> {
        let slots = self.mutexes.set(set)?;
        let ranks: Vec<usize> = slots.keys().copied().collect();
        let of_set = |&lock: &u32| {
            let (slot, rank) =
                (lock as usize / self.mutexes.ranks, lock as usize % self.mutexes.ranks);
            slots.get(&rank).is_some_and(|&(first, count)| (first..first + count).contains(&slot))
        };
        if self.mutexes.held.iter().any(of_set) {
            return Err(LOCKED);
        }
        // A lock that is dealt again must not be in use.
        let me = ranks.iter().position(|&rank| rank == self.mutexes.me).unwrap_or(0);
        self.world.sync(&awgstar_onesided::Group { ranks, me })?;
        self.mutexes.sets.remove(&set);
        Ok(())
    }

    pub(crate) fn create_mutexes(&mut self, count: c_int) -> Result<(), Wrong> {
        if self.mutexes.only.is_some() {
            return Err(Wrong::Order("a second time: expected ARMCI_Destroy_mutexes before"));
        }
        self.mutexes.only = Some(self.create_set(count, Array::NULL)?);
        Ok(())
    }

    pub(crate) fn destroy_mutexes(&mut self) -> Result<(), Wrong> {
        self.destroy_set(self.mutexes.only())?;
        self.mutexes.only = None;
        Ok(())
    }

    /// Locks a mutex; if it only tries, false is that another process has it.
    pub(crate) fn acquire(
        &mut self,
        set: usize,
        mutex: c_int,
        proc: c_int,
        tries: bool,
    ) -> Result<bool, Wrong> {
        let rank = self.process("proc", proc)?;
        let lock = self.mutexes.lock_of(set, mutex, rank)?;
        if self.mutexes.held.contains(&lock) {
            return Err(Wrong::argument(
                "mutex",
                mutex,
                "a mutex that this process has not locked",
            ));
        }
        let has = if tries {
            self.world.try_lock(lock)?
        } else {
            self.world.lock(lock)?;
            true
        };
        if has {
            self.mutexes.held.insert(lock);
        }
        Ok(has)
    }

    pub(crate) fn release(&mut self, set: usize, mutex: c_int, proc: c_int) -> Result<(), Wrong> {
        let rank = self.process("proc", proc)?;
        let lock = self.mutexes.lock_of(set, mutex, rank)?;
        if !self.mutexes.held.remove(&lock) {
            return Err(Wrong::argument("mutex", mutex, "a mutex that this process has locked"));
        }
        Ok(self.world.unlock(lock)?)
    }
}
