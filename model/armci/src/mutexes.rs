// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutexes: they are created, destroyed, locked and unlocked.

use crate::{
    groups::GroupHandle,
    sets::{LOCKED, LOCKS},
    state::Armci,
};
use awgstar_caller::{
    memory::Array,
    numbers::pair,
    wrong::{Wrong, size},
};
use std::ffi::c_int;

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
        let slots = |(&rank, answer): (&usize, &Vec<u8>)| {
            let [first, count] = pair(answer).map(|number| usize::try_from(number).ok());
            Some((rank, (first?, count?)))
        };
        let set = group.ranks.iter().zip(&all).filter_map(slots).collect();
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

    /// Locks a mutex; if it only tries, false is that another process holds it.
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
