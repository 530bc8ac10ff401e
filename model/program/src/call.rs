// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls of a process, and their layout in a slot.

use crate::segment::{SLOT_WORDS, Slot};
use awgstar_frame::quantity::Nanoseconds;

/// Words of a slot. Word 0 says whose turn it is.
pub(crate) mod at {
    pub(crate) const KIND: usize = 1;
    pub(crate) const ADDR: usize = 2;
    pub(crate) const WORDS: usize = 3;
    pub(crate) const TIME: usize = 4;
    pub(crate) const STATUS: usize = 6;
    /// Words of the block that hold posted writes.
    pub(crate) const POSTED: usize = 7;
    pub(crate) const NOW: usize = 8;
    pub(crate) const MAGIC: usize = 10;
    pub(crate) const NODE: usize = 11;
    pub(crate) const NODES: usize = 12;
    pub(crate) const MEMORY: usize = 13;
    pub(crate) const BLOCK: usize = 16;
}

/// Marks a slot of this version.
pub(crate) const MAGIC: u32 = 0x4157_4702;

/// Whose turn it is: the process computes.
pub(crate) const COMPUTES: u32 = 0;
/// The process waits for an answer.
pub(crate) const CALLS: u32 = 1;
/// The run is over; no call is answered any more.
pub(crate) const OVER: u32 = 2;

/// Words of the block: posted writes, each with its address and its number of words before it, or words read.
pub(crate) const BLOCK_WORDS: usize = SLOT_WORDS - at::BLOCK;
/// Greatest number of a lock that a program may take.
pub const LOCK_MAX: u32 = 0xfffe;
/// Lock of the atomic operations.
pub(crate) const ATOMIC: u32 = 0xffff;
/// Longest computation: an hour.
pub const COMPUTE_MAX: Nanoseconds = Nanoseconds(3_600_000_000_000);

/// A call of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Joins the run.
    Begin,
    /// Reads words of the node's replica.
    Read {
        /// Byte address, a multiple of 4.
        addr: u32,
        /// Words.
        words: u32,
    },
    /// Writes words. A process posts these: they wait in the block until its next call that has to wait.
    Write {
        /// Byte address, a multiple of 4.
        addr: u32,
        /// Words.
        words: u32,
    },
    /// Waits until the board has taken the writes before it.
    Flush,
    /// Takes a lock.
    Lock(u32),
    /// Releases a lock.
    Unlock(u32),
    /// Waits for all nodes.
    Barrier,
    /// Computes for that long.
    Compute(Nanoseconds),
    /// The process makes no call any more.
    End,
}

/// Returns true if these words are within a memory of `memory` bytes.
fn within(addr: u32, words: u32, memory: u32) -> bool {
    let end = words.checked_mul(4).and_then(|bytes| addr.checked_add(bytes));
    words >= 1 && addr.is_multiple_of(4) && end.is_some_and(|end| end <= memory)
}

impl Call {
    /// Name, as in messages and reports.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Call::Begin => "init",
            Call::Read { .. } => "read",
            Call::Write { .. } => "write",
            Call::Flush => "flush",
            Call::Lock(_) => "lock",
            Call::Unlock(_) => "unlock",
            Call::Barrier => "barrier",
            Call::Compute(_) => "compute",
            Call::End => "finalize",
        }
    }

    /// Words that the call moves; 1 if it moves none.
    pub(crate) const fn words(&self) -> u32 {
        match self {
            Call::Read { words, .. } | Call::Write { words, .. } => *words,
            _ => 1,
        }
    }

    /// Puts the call into a slot, behind `posted` words of writes.
    pub(crate) fn put(self, slot: &Slot, posted: u32) {
        let (kind, addr, words, time) = match self {
            Call::Begin => (1, 0, 0, Nanoseconds(0)),
            Call::Read { addr, words } => (2, addr, words, Nanoseconds(0)),
            Call::Flush | Call::Write { .. } => (3, 0, 0, Nanoseconds(0)),
            Call::Lock(lock) => (4, lock, 0, Nanoseconds(0)),
            Call::Unlock(lock) => (5, lock, 0, Nanoseconds(0)),
            Call::Barrier => (6, 0, 0, Nanoseconds(0)),
            Call::Compute(time) => (7, 0, 0, time),
            Call::End => (8, 0, 0, Nanoseconds(0)),
        };
        slot.set(at::KIND, kind);
        slot.set(at::ADDR, addr);
        slot.set(at::WORDS, words);
        slot.set(at::POSTED, posted);
        slot.set_long(at::TIME, time.0);
        Status::Open.put(slot);
    }

    /// The call in a slot, on a ring with `memory` bytes. A process can write anything there: the answer is
    /// `None` for what its library would have refused.
    pub(crate) fn get(slot: &Slot, memory: u32) -> Option<Call> {
        let (addr, words) = (slot.get(at::ADDR), slot.get(at::WORDS));
        let block = within(addr, words, memory) && words as usize <= BLOCK_WORDS;
        let lock = addr <= ATOMIC;
        let time = Nanoseconds(slot.get_long(at::TIME));
        match slot.get(at::KIND) {
            1 => Some(Call::Begin),
            2 if block => Some(Call::Read { addr, words }),
            3 => Some(Call::Flush),
            4 if lock => Some(Call::Lock(addr)),
            5 if lock => Some(Call::Unlock(addr)),
            6 => Some(Call::Barrier),
            7 if time <= COMPUTE_MAX => Some(Call::Compute(time)),
            8 => Some(Call::End),
            _ => None,
        }
    }

    /// The posted write at word `at` of the block, of which `posted` words are used; as [`Call::get`].
    pub(crate) fn posted(slot: &Slot, at: usize, posted: usize, memory: u32) -> Option<Call> {
        let room = posted.checked_sub(at + 2)?;
        let (addr, words) = (slot.get(at::BLOCK + at), slot.get(at::BLOCK + at + 1));
        let fits = within(addr, words, memory) && words as usize <= room;
        fits.then_some(Call::Write { addr, words })
    }
}

/// How a call was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// The call is done.
    Done,
    /// The board answered SLVERR: its store is full because the ring is cut.
    Refused,
    /// There is no answer yet.
    Open,
}

impl Status {
    pub(crate) fn get(slot: &Slot) -> Status {
        match slot.get(at::STATUS) {
            0 => Status::Done,
            1 => Status::Refused,
            _ => Status::Open,
        }
    }

    pub(crate) fn put(self, slot: &Slot) {
        let code = match self {
            Status::Done => 0,
            Status::Refused => 1,
            Status::Open => 2,
        };
        slot.set(at::STATUS, code);
    }
}
