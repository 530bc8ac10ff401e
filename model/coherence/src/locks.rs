// SPDX-License-Identifier: MIT OR Apache-2.0
//! The locks that a node manages, and what each hands on from one holder to the next.

use awgstar_frame::quantity::NodeId;
use std::collections::{BTreeMap, VecDeque};

/// Locks of a node; `N` goes from holder to holder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Locks<N>(BTreeMap<u32, Lock<N>>);

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Lock<N> {
    holder: Option<NodeId>,
    waiting: VecDeque<NodeId>,
    carried: N,
}

/// A lock is given up by a node that does not hold it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotHeld;

/// Nodes with the same lock have the same manager.
pub(crate) fn manager(lock: u32, nodes: usize) -> NodeId {
    NodeId::at(lock as usize % nodes)
}

impl<N: Clone + Default> Locks<N> {
    pub(crate) const fn new() -> Self {
        Locks(BTreeMap::new())
    }

    /// A node wants a lock. What it is granted with; none: it waits.
    pub(crate) fn request(&mut self, lock: u32, node: NodeId) -> Option<N> {
        let lock = self.0.entry(lock).or_default();
        if lock.holder.is_some() {
            lock.waiting.push_back(node);
            return None;
        }
        lock.holder = Some(node);
        Some(lock.carried.clone())
    }

    /// The holder gives a lock up: who gets it next, and what it is granted with.
    pub(crate) fn unlock(
        &mut self,
        lock: u32,
        node: NodeId,
        carry: impl FnOnce(&mut N),
    ) -> Result<Option<(NodeId, N)>, NotHeld> {
        let lock = self.0.get_mut(&lock).filter(|lock| lock.holder == Some(node));
        let lock = lock.ok_or(NotHeld)?;
        carry(&mut lock.carried);
        lock.holder = lock.waiting.pop_front();
        Ok(lock.holder.map(|next| (next, lock.carried.clone())))
    }

    /// Changes what each lock carries.
    pub(crate) fn each(&mut self, mut change: impl FnMut(&mut N)) {
        for lock in self.0.values_mut() {
            change(&mut lock.carried);
        }
    }
}
