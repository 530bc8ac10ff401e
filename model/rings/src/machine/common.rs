// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the hosts of all rings leave.

use crate::layout::LayoutError;
use crate::words::{RingNumber, Slot};
use awgstar_frame::quantity::ByteAddress;
use awgstar_request::Refused;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// What ends a run of rings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    #[error("the board refused an access of the gateway's protocol: {0}")]
    Access(Refused),
    #[error("{0}")]
    Layout(#[from] LayoutError),
    /// A window of another ring.
    #[error("a board has written at {address:#x}, in a window of ring {of}")]
    Window { address: ByteAddress, of: RingNumber },
}

/// What gateways of all rings did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Messages between them, and their words.
    pub messages: u64,
    pub words: u64,
    /// Gateways that have begun again, those that then went on with a request, and messages that were lost.
    pub restarts: u64,
    pub recovered: u64,
    pub lost: u64,
    /// Gateways whose boards died, and those that took over.
    pub deaths: u64,
    pub take_overs: u64,
    /// Words of windows that were sent to other rings.
    pub reflected: u64,
    /// How often a manager gave a lock of all rings to another ring.
    pub turns: u64,
    /// Far reads that found all words in the memory of their ring, and those that did not.
    pub hits: u64,
    pub misses: u64,
    /// Lines that were sent to other rings, and how often one was asked to drop a line.
    pub lines: u64,
    pub drops: u64,
}

/// What gateways and clients of all rings leave.
#[derive(Debug, Default)]
struct Left {
    failures: Vec<(RingNumber, Failure)>,
    counts: Counts,
    looks: BTreeMap<RingNumber, Looks>,
    /// Messages to each gateway that were sent, and not taken.
    on_the_way: BTreeMap<(RingNumber, Slot), u64>,
}

/// What a gateway does, for the stall rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Looks {
    /// The gateway that is active.
    pub(super) slot: Slot,
    /// How often it has looked at all of its words, or, while it waits with a timer, how often that has run out.
    pub(super) rounds: u64,
    /// A digest of what its firmware knows.
    pub(super) state: u64,
    /// It looks again and again, and finds nothing.
    pub(super) polls: bool,
}

/// The same, for all of them.
#[derive(Clone, Debug, Default)]
pub struct Common(Arc<Mutex<Left>>);

impl Common {
    fn with<T>(&self, what: impl FnOnce(&mut Left) -> T) -> T {
        what(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn fail(&self, ring: RingNumber, failure: Failure) {
        self.with(|left| left.failures.push((ring, failure)));
    }

    pub(super) fn count(&self, count: impl FnOnce(&mut Counts)) {
        self.with(|left| count(&mut left.counts));
    }

    /// A message is on its way to a gateway.
    pub(super) fn sent(&self, to: (RingNumber, Slot)) {
        self.with(|left| *left.on_the_way.entry(to).or_default() += 1);
    }

    /// The gateway has taken one.
    pub(super) fn taken(&self, by: (RingNumber, Slot)) {
        self.with(|left| {
            let count = left.on_the_way.entry(by).or_default();
            *count = count.saturating_sub(1);
        });
    }

    /// Something is on its way to a gateway.
    pub(super) fn comes(&self, to: (RingNumber, Slot)) -> bool {
        self.with(|left| left.on_the_way.get(&to).is_some_and(|count| *count > 0))
    }

    pub(super) fn look(&self, ring: RingNumber, look: impl FnOnce(&mut Looks)) {
        self.with(|left| look(left.looks.entry(ring).or_default()));
    }

    /// What the gateway of a ring does; `None` of a ring without one.
    pub(super) fn looks(&self, ring: RingNumber) -> Option<Looks> {
        self.with(|left| left.looks.get(&ring).copied())
    }

    pub(super) fn counts(&self) -> Counts {
        self.with(|left| left.counts)
    }

    /// The failure of the ring with the least number.
    pub(super) fn failure(&self) -> Option<(RingNumber, Failure)> {
        self.with(|left| left.failures.iter().min_by_key(|one| one.0).cloned())
    }
}
