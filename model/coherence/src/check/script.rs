// SPDX-License-Identifier: MIT OR Apache-2.0
//! What processes do in an exploration, and what may go wrong.

use crate::interface::Site;
use std::fmt;

/// An operation of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// The byte at this address is read.
    Load(usize),
    /// The byte is written, with a value that no other store has.
    Store(usize),
    /// The byte is written with the value that it has.
    StoreSame(usize),
    /// The byte is read; if no store was made to it, so many operations are left out.
    Unless(usize, usize),
    Acquire(u32),
    Release(u32),
    Meet(Site),
}

impl Op {
    /// The barrier at this place, before a loop.
    #[must_use]
    pub const fn meet(place: u64) -> Op {
        Op::Meet(Site { place, semi: false })
    }

    /// The barrier at this place, before what is not a loop.
    #[must_use]
    pub const fn meet_semi(place: u64) -> Op {
        Op::Meet(Site { place, semi: true })
    }

    /// The address of an access, and whether it is a write.
    #[must_use]
    pub const fn access(self) -> Option<(usize, bool)> {
        match self {
            Op::Load(at) | Op::Unless(at, _) => Some((at, false)),
            Op::Store(at) | Op::StoreSame(at) => Some((at, true)),
            _ => None,
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Load(at) => write!(f, "reads byte {at}"),
            Op::Store(at) => write!(f, "writes byte {at}"),
            Op::StoreSame(at) => write!(f, "writes byte {at} as it is"),
            Op::Unless(at, _) => write!(f, "reads byte {at}, and looks whether it was written"),
            Op::Acquire(lock) => write!(f, "wants lock {lock}"),
            Op::Release(lock) => write!(f, "gives lock {lock} up"),
            Op::Meet(site) => write!(f, "calls the barrier at {}", site.place),
        }
    }
}

/// A property that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// A read returns the latest write that happens before it.
    Stale,
    /// When all have met and nothing is on its way, the latest write is kept.
    Lost,
    /// No event is refused.
    Calls,
    /// All nodes have the same map.
    Map,
    /// What a node holds by the map is what its owner has.
    Held,
}

impl Property {
    /// The property in words, as one that is violated.
    #[must_use]
    pub const fn violated(self) -> &'static str {
        match self {
            Property::Stale => "a read returns an old value",
            Property::Lost => "a write is lost",
            Property::Calls => "an event is refused",
            Property::Map => "two nodes have different maps",
            Property::Held => "a node holds an old value",
        }
    }
}
