// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of the ring on which firmware is checked: traffic, faults and properties.

/// Reaction of the network to a lost frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Nothing: the firmware's timers do.
    Bare,
    /// A node sends its signals one after the other, each until it has returned.
    Acknowledged,
}

/// Objects that the processes use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Each acquires and releases a lock [`Settings::rounds`] times.
    Lock,
    /// Each passes a barrier [`Settings::rounds`] times.
    Barrier,
}

/// A small ring and what may happen on it.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Locks or barrier.
    pub kind: Kind,
    pub nodes: usize,
    /// Node numbers descend along the ring; otherwise they ascend.
    pub descending: bool,
    /// Locks, at most 4; 1 for a barrier.
    pub locks: usize,
    /// Lock i has the number i · `lock_step`; 1 or more.
    pub lock_step: u32,
    /// Acquisitions or episodes of each process.
    pub rounds: u8,
    /// Bit i: the process of node i takes part (locks only; a barrier is for all).
    pub callers: u32,
    /// Frames lost, at most.
    pub losses: u8,
    /// Timers that run out early, at most.
    pub early: u8,
    /// Most signals that may find a receiver's mailbox full: they pass on and return to their
    /// source.
    pub full: u8,
    /// Bit i: node i is slow, it handles what it received at any later time.
    pub slow: u32,
    /// A slow node handles a return only when it has handled all that reached it before.
    pub drained: bool,
    /// Reaction to losses.
    pub profile: Profile,
    /// The acknowledgement of a request of the distributed lock goes on in the frame of the request,
    /// "by adding an acknowledgment to the broadcast signal" (thesis 5.2.2), and no frame is sent for
    /// it. With [`Profile::Bare`] only. No board of this project can change a frame that it passes on.
    pub in_place: bool,
    /// Each holder of a lock writes to memory that goes with it, and the next one must see it. At a
    /// barrier each writes before it arrives, and all must see it after the barrier.
    pub data: bool,
    /// [`Property::Fair`] is checked.
    pub fair: bool,
    /// [`Property::Unaided`] is checked.
    pub unaided: bool,
    /// The end is reached only when nothing is under way and no timer runs.
    pub rest: bool,
}

impl Settings {
    /// `nodes` nodes that do `kind` once, on a ring without faults that resends by itself.
    #[must_use]
    pub const fn new(kind: Kind, nodes: usize) -> Settings {
        Settings {
            kind,
            nodes,
            descending: false,
            locks: 1,
            lock_step: 1,
            rounds: 1,
            callers: u32::MAX,
            losses: 0,
            early: 0,
            full: 0,
            slow: 0,
            drained: false,
            profile: Profile::Acknowledged,
            in_place: false,
            data: false,
            fair: false,
            unaided: false,
            rest: false,
        }
    }
}

/// A property that must hold in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// At most one process has a lock.
    Exclusion,
    /// A process is let go once for each time it asked.
    OneGrant,
    /// No process passes a barrier before all have arrived.
    Together,
    /// At most one node leads.
    OneLeader,
    /// A process that gets a lock reads what the last holder wrote; one that passes a barrier reads
    /// what all wrote.
    Visible,
    /// A process that requests a lock after another's request has returned gets it after that other
    /// process.
    Fair,
    /// Without a fault, no process has to wait for a timer.
    Unaided,
}
