// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks that can be tried.
//!
//! The locks of the machine are queues: who has asked waits. So a rank says in its own word which lock it wants,
//! and waits until all can see that, before it asks. Of two that want a lock at a time one sees the other at least.
//! Who tries gives up if another wants the lock; who wants it lets one that tries decide first.

use super::World;
use crate::{
    Error,
    layout::{HELD, Layout},
};
use awgstar_program::{CallError, Lock, Node};

/// Bit of a word: the lock is tried.
const TRIES: u32 = 1 << 31;

/// The word for a lock.
fn word(lock: u16) -> u32 {
    u32::from(lock) + 1
}

impl World {
    fn lock_number(n: u32) -> Result<u16, Error> {
        u16::try_from(n).map_err(|_| Error::Lock(n))
    }

    /// The word of this rank for a lock that it holds.
    fn holds(&self, lock: u16) -> Option<usize> {
        self.locks.0.iter().position(|one| *one == Some(lock))
    }

    /// Writes the word with this number, and waits until all have it.
    fn say(&mut self, index: usize, value: u32) -> Result<(), Error> {
        let at = self.address(self.rank(), self.layout.wanted(index));
        self.during(|node| {
            node.write(at, &value.to_le_bytes())?;
            node.fence(None)
        })
    }

    /// Says that this rank wants a lock: the number of its word.
    fn want(&mut self, lock: u16, tries: u32) -> Result<usize, Error> {
        if self.holds(lock).is_some() {
            return Err(Error::Call(CallError::Held));
        }
        let index = self.locks.0.iter().position(Option::is_none).ok_or(Error::Locks)?;
        self.locks.0[index] = Some(lock);
        self.say(index, word(lock) | tries)?;
        Ok(index)
    }

    /// Waits until another rank's word with a value is another.
    fn waits_for(&mut self, rank: usize, index: usize, value: u32) -> Result<(), Error> {
        let at = self.address(rank, self.layout.wanted(index));
        self.during(|node| node.wait_change(at, &value.to_le_bytes()))
    }

    /// Ranks and words that say a value.
    fn others(&self, value: u32) -> Vec<(usize, usize)> {
        let (me, layout) = (self.rank(), self.layout);
        let ranks = (0..layout.ranks).filter(|&rank| rank != me);
        let all = ranks.flat_map(|rank| (0..HELD).map(move |index| (rank, index)));
        let said = |&(rank, index): &(usize, usize)| {
            self.memory.arrived(self.address(rank, Layout::wanted(&layout, index))) == value
        };
        all.filter(said).collect()
    }

    /// Takes the lock of the machine.
    fn enter(&mut self, lock: u16) -> Result<(), Error> {
        self.during(|node| node.take(Lock::Mutex(lock)))
    }

    /// Takes a lock, 0 to 65,535. What earlier holders wrote is in place then.
    ///
    /// # Errors
    /// [`Error::Lock`], [`Error::Locks`], [`Error::Call`].
    pub fn lock(&mut self, n: u32) -> Result<(), Error> {
        let lock = World::lock_number(n)?;
        if self.node.homes() {
            return self.enter(lock);
        }
        self.want(lock, 0)?;
        // A later try sees this rank.
        let tried = word(lock) | TRIES;
        for (rank, index) in self.others(tried) {
            self.waits_for(rank, index, tried)?;
        }
        self.enter(lock)
    }

    /// Takes a lock if no other rank holds it or waits for it: true then.
    ///
    /// # Errors
    /// As of [`World::lock`].
    pub fn try_lock(&mut self, n: u32) -> Result<bool, Error> {
        let lock = World::lock_number(n)?;
        if self.node.homes() {
            return self.during(|node| node.try_take(Lock::Mutex(lock)));
        }
        let index = self.want(lock, TRIES)?;
        let (plain, tried) = (word(lock), word(lock) | TRIES);
        let triers = self.others(tried);
        // Of two that try, that of the lower rank may go on.
        let mut free = triers.iter().all(|&(rank, _)| rank > self.rank());
        free &= self.others(plain).is_empty();
        // The other may not have seen this rank, and take the lock. A later try of it sees this rank.
        for &(rank, index) in triers.iter().filter(|_| free) {
            self.waits_for(rank, index, tried)?;
        }
        if !free || !self.others(plain).is_empty() {
            self.locks.0[index] = None;
            self.say(index, 0)?;
            return Ok(false);
        }
        self.enter(lock)?;
        // Others may queue now.
        self.say(index, plain)?;
        Ok(true)
    }

    /// Gives a lock back. What was written before is in place for the next holder.
    ///
    /// # Errors
    /// [`Error::Lock`], [`Error::Call`].
    pub fn unlock(&mut self, n: u32) -> Result<(), Error> {
        let lock = World::lock_number(n)?;
        let index = if self.node.homes() { None } else { self.holds(lock) };
        let at = index.map(|index| self.address(self.rank(), self.layout.wanted(index)));
        self.during(|node: &mut Node| {
            if let Some(at) = at {
                node.write(at, &[0; 4])?;
            }
            node.give(Lock::Mutex(lock))
        })?;
        if let Some(index) = index {
            self.locks.0[index] = None;
        }
        Ok(())
    }
}
