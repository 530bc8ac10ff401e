// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collectives of a group of ranks, over messages.

use crate::{Error, World};
use awgstar_program::CallError;

/// Ranks that do something together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The members, in the same order in each of them.
    pub ranks: Vec<usize>,
    /// Index of this process among them.
    pub me: usize,
}

const NOT_STARTED: Error = Error::Call(CallError::NotStarted);

impl World {
    /// All ranks.
    #[must_use]
    pub fn all(&self) -> Group {
        Group { ranks: (0..self.ranks()).collect(), me: self.rank() }
    }

    /// Waits for all members.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Call`].
    pub fn sync(&mut self, group: &Group) -> Result<(), Error> {
        let _ = group;
        Err(NOT_STARTED)
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
        let _ = (group, root, bytes);
        Err(NOT_STARTED)
    }

    /// The bytes of all members, in the order of the group.
    ///
    /// # Errors
    /// As of [`World::sync`].
    pub fn gather_all(&mut self, group: &Group, bytes: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
        let _ = (group, bytes);
        Err(NOT_STARTED)
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
        let _ = (group, bytes, op);
        Err(NOT_STARTED)
    }

    /// Gives each member one of the messages of each other: the first to the first. Messages come in the order of
    /// the group.
    ///
    /// # Errors
    /// [`Error::Message`] if there is not one for each member; as of [`World::sync`].
    pub fn all_to_all(
        &mut self,
        group: &Group,
        messages: Vec<Vec<u8>>,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let _ = (group, messages);
        Err(NOT_STARTED)
    }
}
