// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs and networks to be checked, and what must hold.

use crate::firmware::onesided::Access;

/// A call of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// A put to this process.
    Put(usize),
    /// A put of the library, which no process counts.
    LibraryPut(usize),
    /// The barrier after which all puts are written.
    Barrier,
    Acquire(u32),
    /// As [`Call::Acquire`], but a process that does not get the lock goes on after its next release.
    Try(u32),
    /// Under a lock: to get a word of this process, and to put it back, one more.
    Update(usize),
    Release(u32),
    /// On a ring: an access to a word of the replicas.
    Word(u32, Access),
    /// On a ring: a get of a word, which must be as much as this.
    Read(u32, u32),
    /// On a ring: the process waits until the word is not 0 in its replica.
    Until(u32),
    /// On a ring: all that the process did before is in place.
    Fence,
}

/// What processes do, and what the network does.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The node of each process.
    pub nodes: Vec<usize>,
    /// The calls of each process.
    pub scripts: Vec<Vec<Call>>,
    /// Messages of a process to a server arrive in their order.
    pub ordered: bool,
    /// Messages between the processes of a queue may arrive once more, so often.
    pub copies: u8,
    /// Nodes have replicas of the memory, one process each.
    pub replicas: bool,
    /// Signals that are lost, at most.
    pub losses: u8,
    /// Timers that run out early, at most.
    pub early: u8,
}

impl Settings {
    /// A process on each node, for each of these scripts, and no fault.
    #[must_use]
    pub fn new(scripts: Vec<Vec<Call>>) -> Self {
        let nodes = (0..scripts.len()).collect();
        let (ordered, replicas) = (true, false);
        Settings { nodes, scripts, ordered, copies: 0, replicas, losses: 0, early: 0 }
    }

    /// A ring with a process on each node.
    #[must_use]
    pub fn ring(scripts: Vec<Vec<Call>>) -> Self {
        Settings { replicas: true, ..Settings::new(scripts) }
    }
}

/// A property that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// After the barrier all puts in the group that were made before it are written.
    Written,
    /// No process passes the barrier before all have arrived.
    Together,
    /// No two processes have the lock.
    Exclusion,
    /// Who has the lock gets what the holders before it put.
    Current,
    /// No call of the script is an error.
    Calls,
    /// A process reads what was written before.
    Seen,
    /// In the end all replicas are the same.
    Same,
    /// In the end each word is the sum of its updates.
    Counted,
}

impl Property {
    /// The property in words, as one that is violated.
    #[must_use]
    pub const fn violated(self) -> &'static str {
        match self {
            Property::Written => "a put is missing after the barrier",
            Property::Together => "a process passes before all have arrived",
            Property::Exclusion => "two processes have the lock",
            Property::Current => "a holder reads stale data",
            Property::Calls => "a call is taken for an error",
            Property::Seen => "a process reads a word without an update before it",
            Property::Same => "replicas differ in the end",
            Property::Counted => "an update is missing, or is made twice",
        }
    }
}
