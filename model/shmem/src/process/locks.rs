// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks of a process.

use super::Process;
use crate::{heap::at, locks::LOCKS};
use awgstar_caller::{memory::Array, wrong::Wrong};
use awgstar_onesided::{Op, Place, Update};
use std::ffi::c_long;

impl Process {
    fn lock_number(&mut self, lock: Array<c_long>) -> Result<u32, Wrong> {
        let place = self.word("lock", lock, 0)?;
        let mut bytes = [0; 8];
        self.world.get(place, &mut bytes)?;
        let mut value = u64::from_le_bytes(bytes);
        if value == 0 {
            let counter = self.world.place(at(Some(self.first)).pointer(), 0).unwrap_or(place);
            let next = self.changed_word(counter, Update::of(Op::Add, 8, 1))? + 1;
            if next > LOCKS {
                return Err(Wrong::argument("lock", next, format!("{LOCKS} locks or fewer")));
            }
            let old = self.changed_word(place, Update::compare(8, 0, next))?;
            value = if old == 0 { next } else { old };
        }
        match u32::try_from(value) {
            Ok(number) if value <= LOCKS => Ok(number - 1),
            _ => Err(Wrong::argument("lock", value, "0 before its first use")),
        }
    }

    /// A word of 64 bits before an update of it.
    fn changed_word(&mut self, place: Place, update: Update) -> Result<u64, Wrong> {
        let old = self.world.update(place, update)?;
        Ok(u64::from_le_bytes(std::array::from_fn(|at| old[at])))
    }

    /// Locks; if it only tries, false is that another process holds it.
    pub(crate) fn acquire(&mut self, lock: Array<c_long>, tries: bool) -> Result<bool, Wrong> {
        let address = lock.memory().address();
        if self.held.contains_key(&address) {
            let found = format!("{:p}", lock.memory().pointer());
            return Err(Wrong::argument("lock", found, "a lock that this process does not hold"));
        }
        let number = self.lock_number(lock)?;
        let has = if tries {
            self.world.try_lock(number)?
        } else {
            self.world.lock(number)?;
            true
        };
        if has {
            self.held.insert(address, number);
        }
        Ok(has)
    }

    /// Unlocks, after what was put and stored is in place.
    pub(crate) fn release(&mut self, lock: Array<c_long>) -> Result<(), Wrong> {
        let Some(number) = self.held.remove(&lock.memory().address()) else {
            let found = format!("{:p}", lock.memory().pointer());
            return Err(Wrong::argument("lock", found, "a lock that this process holds"));
        };
        self.world.fence(None)?;
        Ok(self.world.unlock(number)?)
    }

    pub(crate) fn none_held(&self) -> Result<(), Wrong> {
        if self.held.is_empty() { Ok(()) } else { Err(Wrong::Order("a lock is still held")) }
    }
}
