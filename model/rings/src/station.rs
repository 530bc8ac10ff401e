// SPDX-License-Identifier: MIT OR Apache-2.0
//! A gateway on a ring of gateways: its messages and those that it passes on share a buffer (P2).

use std::collections::VecDeque;

/// A message on a ring of gateways: the place to which it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parcel {
    pub to: usize,
}

/// The buffer of a gateway on a ring of gateways.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Station {
    slots: usize,
    /// Repair: a message of this gateway leaves a slot free, for one that passes.
    keeps_free: bool,
    buffer: VecDeque<Parcel>,
}

impl Station {
    /// An empty buffer of so many messages.
    #[must_use]
    pub const fn new(slots: usize, keeps_free: bool) -> Station {
        Station { slots, keeps_free, buffer: VecDeque::new() }
    }

    /// There is room for a message, one of this gateway or one that is passed on.
    #[must_use]
    pub fn has_room(&self, own: bool) -> bool {
        let free = self.slots.saturating_sub(self.buffer.len());
        free > usize::from(own && self.keeps_free)
    }

    /// Takes a message; false, and nothing happens, without room.
    pub fn take(&mut self, parcel: Parcel, own: bool) -> bool {
        let room = self.has_room(own);
        if room {
            self.buffer.push_back(parcel);
        }
        room
    }

    /// The message that leaves next.
    #[must_use]
    pub fn front(&self) -> Option<Parcel> {
        self.buffer.front().copied()
    }

    /// It has left.
    pub fn leaves(&mut self) {
        self.buffer.pop_front();
    }

    /// Messages here.
    #[must_use]
    pub fn len(&self) -> usize {
        self.buffer.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }
}
