// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls of a process, and their layout in a slot.

use crate::segment::{SLOT_WORDS, Slot};
use thiserror::Error;

/// Words of a slot: whose turn it is, the call, the answer, what a process is told at its start.
pub(crate) mod at {
    pub(crate) const KIND: usize = 1;
    pub(crate) const ADDR: usize = 2;
    pub(crate) const WORDS: usize = 3;
    pub(crate) const CYCLES: usize = 4;
    pub(crate) const STATUS: usize = 6;
    pub(crate) const NOW: usize = 8;
    pub(crate) const MAGIC: usize = 10;
    pub(crate) const NODE: usize = 11;
    pub(crate) const NODES: usize = 12;
    pub(crate) const MEMORY: usize = 13;
    pub(crate) const BLOCK: usize = 16;
}

/// Marks a slot of this version.
pub(crate) const MAGIC: u32 = 0x4157_4701;

/// Whose turn it is: the process computes.
pub(crate) const COMPUTES: u32 = 0;
/// The process waits for an answer.
pub(crate) const CALLS: u32 = 1;
/// The run is over; no call is answered any more.
pub(crate) const OVER: u32 = 2;

/// Bytes that one call can move.
pub const BLOCK_BYTES: usize = 4 * (SLOT_WORDS - at::BLOCK);
/// Greatest number of a lock that a program may take.
pub const LOCK_MAX: u32 = 0xfffe;
/// Lock of the atomic operations.
pub(crate) const ATOMIC: u32 = 0xffff;

/// A call of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Says that the process is there.
    Begin,
    /// Words of the node's replica.
    Read {
        /// Byte address, a multiple of 4.
        addr: u32,
        /// Words.
        words: u32,
    },
    /// Writes words.
    Write {
        /// Byte address, a multiple of 4.
        addr: u32,
        /// Words.
        words: u32,
    },
    /// Takes a lock.
    Lock(u32),
    /// Releases a lock.
    Unlock(u32),
    /// Waits for all nodes.
    Barrier,
    /// Computes for so many cycles.
    Compute(u64),
    /// The process makes no call any more.
    End,
}

impl Call {
    /// Name, as in messages and reports.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Call::Begin => "init",
            Call::Read { .. } => "read",
            Call::Write { .. } => "write",
            Call::Lock(_) => "lock",
            Call::Unlock(_) => "unlock",
            Call::Barrier => "barrier",
            Call::Compute(_) => "compute",
            Call::End => "finalize",
        }
    }

    pub(crate) fn put(self, slot: Slot<'_>) {
        let (kind, addr, words, cycles) = match self {
            Call::Begin => (1, 0, 0, 0),
            Call::Read { addr, words } => (2, addr, words, 0),
            Call::Write { addr, words } => (3, addr, words, 0),
            Call::Lock(lock) => (4, lock, 0, 0),
            Call::Unlock(lock) => (5, lock, 0, 0),
            Call::Barrier => (6, 0, 0, 0),
            Call::Compute(cycles) => (7, 0, 0, cycles),
            Call::End => (8, 0, 0, 0),
        };
        slot.set(at::KIND, kind);
        slot.set(at::ADDR, addr);
        slot.set(at::WORDS, words);
        slot.set_long(at::CYCLES, cycles);
        Status::Open.put(slot);
    }

    /// The call in a slot. A process can write anything there.
    pub(crate) fn get(slot: Slot<'_>) -> Option<Call> {
        let (addr, words) = (slot.get(at::ADDR), slot.get(at::WORDS));
        let block = words >= 1 && words as usize <= SLOT_WORDS - at::BLOCK && addr % 4 == 0;
        let ends = words.checked_mul(4).and_then(|bytes| addr.checked_add(bytes));
        let block = block && ends.is_some_and(|end| end <= slot.get(at::MEMORY));
        let lock = addr <= ATOMIC;
        match slot.get(at::KIND) {
            1 => Some(Call::Begin),
            2 if block => Some(Call::Read { addr, words }),
            3 if block => Some(Call::Write { addr, words }),
            4 if lock => Some(Call::Lock(addr)),
            5 if lock => Some(Call::Unlock(addr)),
            6 => Some(Call::Barrier),
            7 => Some(Call::Compute(slot.get_long(at::CYCLES))),
            8 => Some(Call::End),
            _ => None,
        }
    }
}

/// How a call was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Status {
    /// The call is done.
    #[error("done")]
    Done,
    /// The board answered SLVERR: its store is full because the ring is cut.
    #[error("the board refused the access")]
    Refused,
    /// There is no answer yet.
    #[error("not answered")]
    Open,
}

impl Status {
    pub(crate) fn get(slot: Slot<'_>) -> Status {
        match slot.get(at::STATUS) {
            0 => Status::Done,
            1 => Status::Refused,
            _ => Status::Open,
        }
    }

    pub(crate) fn put(self, slot: Slot<'_>) {
        slot.set(
            at::STATUS,
            match self {
                Status::Done => 0,
                Status::Refused => 1,
                Status::Open => 2,
            },
        );
    }
}
