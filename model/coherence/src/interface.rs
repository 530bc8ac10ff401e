// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interface of the protocols: one state machine on each node, without input or output.

use crate::memory::Memory;
use awgstar_frame::quantity::NodeId;
use awgstar_request::Protection;
use serde::{Deserialize, Serialize};
use std::{
    fmt::{Debug, Display},
    hash::Hash,
};
use thiserror::Error;

/// The place in the program of a call of the barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Site {
    /// Hash of the return address and of the stack pointer: an address alone does not tell calls of a
    /// function from two places apart.
    pub place: u64,
    /// No loop that is shared begins here: paper 003, section 3.5, calls what follows a semi access block.
    pub semi: bool,
}

/// Event of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event<M> {
    /// The process faults at a page, and waits.
    Fault { page: usize, write: bool },
    /// The process wants a lock, and waits.
    Acquire(u32),
    /// The process gives a lock up, and waits. A flush is an acquire and a release of a lock that is kept
    /// for it.
    Release(u32),
    /// The process calls the barrier, and waits.
    Barrier(Site),
    /// A message of this node is here.
    Message(NodeId, M),
}

/// Action of a node; the driver carries actions out in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action<M> {
    /// Send this message, after those to the same node before it; never to the node itself.
    Send(NodeId, M),
    /// From now on the process may do this with a page.
    Protect(usize, Protection),
    /// The process uses a page, or a byte of a page, that the pattern of its block does not have.
    Beyond(usize),
    /// What the process waits for is done. After a fault it tries the access again.
    Done,
}

/// An event that is refused; nothing has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum Refused {
    #[error("{0}")]
    Misuse(#[from] Misuse),
    #[error("page: {found}; expected 0 to {}", pages.saturating_sub(1))]
    Page { found: usize, pages: usize },
    #[error("node: {found}; expected 0 to {}", nodes.saturating_sub(1))]
    Node { found: NodeId, nodes: usize },
    #[error("bytes: beyond the end of page {page}; expected {size} at most")]
    Bytes { page: usize, size: usize },
    #[error("message from node {0}: not expected in this state")]
    Unexpected(NodeId),
}

/// An error of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum Misuse {
    #[error("process: it calls while it waits; expected one call at a time")]
    Nested,
    #[error("page {0}: a fault at a page that is open")]
    Open(usize),
    #[error("lock {0}: wanted by a process that holds it")]
    Twice(u32),
    #[error("lock {0}: given up by a process that does not hold it")]
    NotHeld(u32),
}

/// The state machine of a node.
pub trait Coherence: Clone + Debug + Eq + Hash {
    type Message: Clone + Debug + Display + Eq + Hash;

    /// Handles an event and appends the resulting actions. `memory` is that of the node.
    ///
    /// # Errors
    /// [`Refused`] for an error of the program and for a message that no node sends.
    fn step(
        &mut self,
        event: Event<Self::Message>,
        memory: &mut impl Memory,
        actions: &mut Vec<Action<Self::Message>>,
    ) -> Result<(), Refused>;

    /// What the process may do with a page.
    fn protection(&self, page: usize) -> Protection;

    /// Pages of which this node has not all bytes: its process cannot use them without a message.
    fn lacked(&self) -> Vec<usize>;

    /// The node in a few words, for a run that is read.
    fn summary(&self) -> String;

    /// Bytes of a message.
    fn size(message: &Self::Message) -> usize;
}
