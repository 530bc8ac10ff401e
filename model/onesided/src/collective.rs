// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collectives of a group of ranks, over messages.

use crate::{Error, World};

/// Ranks that do something together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The members, in the same order in each of them.
    pub ranks: Vec<usize>,
    /// Index of this process among them.
    pub me: usize,
}

/// Tags of messages of collectives; those of a program are less.
const SYNC: u32 = u32::MAX;
const BROADCAST: u32 = SYNC - 1;
const GATHER: u32 = SYNC - 2;
const REDUCE: u32 = SYNC - 3;
const EXCHANGE: u32 = SYNC - 4;

impl World {
    /// All ranks.
    #[must_use]
    pub fn all(&self) -> Group {
        Group { ranks: (0..self.ranks()).collect(), me: self.rank() }
    }

    /// The members and the index of this one.
    fn members<'a>(&self, group: &'a Group) -> Result<(&'a [usize], usize), Error> {
        let (ranks, me) = (self.ranks(), group.me);
        if group.ranks.get(me) != Some(&self.rank()) {
            return Err(Error::Member);
        }
        match group.ranks.iter().find(|&&rank| rank >= ranks) {
            Some(&rank) => Err(Error::Rank { rank, ranks }),
            None => Ok((&group.ranks, me)),
        }
    }

    /// Waits for all members. What they stored before is published.
    ///
    /// # Errors
    /// [`Error::Member`], [`Error::Rank`], [`Error::Call`].
    pub fn sync(&mut self, group: &Group) -> Result<(), Error> {
        let (ranks, me) = self.members(group)?;
        let count = ranks.len();
        let mut step = 1;
        while step < count {
            self.send(ranks[(me + step) % count], SYNC, &[])?;
            self.recv(ranks[(me + count - step) % count], SYNC)?;
            step *= 2;
        }
        // Also alone: stores are published.
        self.progress()
    }

    /// Gives all members the bytes of the member with index `root`.
    ///
    /// # Errors
    /// As of [`World::sync`].
    pub fn broadcast(
        &mut self,
        group: &Group,
        root: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let (ranks, me) = self.members(group)?;
        let count = ranks.len();
        if root >= count {
            return Err(Error::Rank { rank: root, ranks: count });
        }
        let member = |at: usize| ranks[(root + at) % count];
        let me = (me + count - root) % count;
        // Each gets it of the one without its lowest bit, and passes it on to those with a lower bit.
        let low = if me == 0 { count.next_power_of_two() } else { me & me.wrapping_neg() };
        if me != 0 {
            *bytes = self.recv(member(me - low), BROADCAST)?;
        }
        let mut bit = low / 2;
        while bit > 0 {
            if me + bit < count {
                self.send(member(me + bit), BROADCAST, bytes)?;
            }
            bit /= 2;
        }
        Ok(())
    }

    /// The bytes of all members, in the order of the group.
    ///
    /// # Errors
    /// As of [`World::sync`].
    pub fn gather_all(&mut self, group: &Group, bytes: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
        let messages = vec![bytes.to_vec(); group.ranks.len()];
        self.exchange(group, messages, GATHER)
    }

    /// Combines the bytes of all members, in the order of the group: `op` adds those of a later member to those
    /// of the earlier ones.
    ///
    /// # Errors
    /// [`Error::Message`] if not all have as many bytes; as of [`World::sync`].
    pub fn reduce_all(
        &mut self,
        group: &Group,
        bytes: &mut [u8],
        op: &mut dyn FnMut(&mut [u8], &[u8]),
    ) -> Result<(), Error> {
        let (ranks, me) = self.members(group)?;
        let expected = bytes.len();
        let mut all = bytes.to_vec();
        if me == 0 {
            for &rank in &ranks[1..] {
                let one = self.recv(rank, REDUCE)?;
                if one.len() != expected {
                    return Err(Error::Message { found: one.len(), expected });
                }
                op(&mut all, &one);
            }
        } else {
            self.send(ranks[0], REDUCE, &all)?;
        }
        self.broadcast(group, 0, &mut all)?;
        if all.len() != expected {
            return Err(Error::Message { found: all.len(), expected });
        }
        bytes.copy_from_slice(&all);
        Ok(())
    }

    /// Gives each member one of the messages of each other: the first to the first. Messages come in the order of
    /// the group.
    ///
    /// # Errors
    /// [`Error::Messages`] if there is not one for each member; as of [`World::sync`].
    pub fn all_to_all(
        &mut self,
        group: &Group,
        messages: Vec<Vec<u8>>,
    ) -> Result<Vec<Vec<u8>>, Error> {
        self.exchange(group, messages, EXCHANGE)
    }

    fn exchange(
        &mut self,
        group: &Group,
        mut messages: Vec<Vec<u8>>,
        tag: u32,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let (ranks, me) = self.members(group)?;
        let count = ranks.len();
        if messages.len() != count {
            return Err(Error::Messages { found: messages.len(), expected: count });
        }
        // Each begins with another, so that no rank is sent to by all at once.
        for at in (0..count).map(|step| (me + step) % count) {
            let message = std::mem::take(&mut messages[at]);
            self.send(ranks[at], tag, &message)?;
        }
        ranks.iter().map(|&rank| self.recv(rank, tag)).collect()
    }
}
