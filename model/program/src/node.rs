// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of a process: its node on the ring.

use crate::call::{ATOMIC, BLOCK_BYTES, CALLS, COMPUTES, Call, LOCK_MAX, MAGIC, Status, at};
use crate::segment::{Segment, Slot};
use awgstar_frame::contract::limits::CLOCK_HZ;
use awgstar_frame::quantity::{Cycle, Nanoseconds, NodeId};
use std::{collections::BTreeSet, os::fd::BorrowedFd, time::Duration};
use thiserror::Error;

/// Environment variable that the launcher sets: `DESCRIPTOR:NODE`.
pub const VARIABLE: &str = "AWGSTAR_RUN";

/// A look at whether the run is over, when no answer comes.
const LOOK: Duration = Duration::from_secs(1);

/// Why a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CallError {
    /// The process was not started by the launcher.
    #[error("not on a ring: start the program with `awgstar run -n NODES -- PROGRAM`")]
    NotStarted,
    /// The launcher is of another version.
    #[error("the library and the command `awgstar` are of different versions")]
    Version,
    /// The run is over: another process failed, or the launcher ended it.
    #[error("the run is over")]
    Over,
    /// The board refused an access.
    #[error("the board refused the access")]
    Refused,
    /// An address or a length is no multiple of 4 bytes.
    #[error("address and length must be multiples of 4 bytes")]
    Unaligned,
    /// Beyond the shared memory.
    #[error("beyond the end of the shared memory")]
    Range,
    /// There is no lock of this number.
    #[error("expected a lock from 0 to 65534")]
    Lock,
    /// This node has the lock already.
    #[error("this node holds the lock already")]
    Held,
    /// This node does not have the lock.
    #[error("this node does not hold the lock")]
    NotHeld,
    /// A lock is still held at the end.
    #[error("a lock is still held")]
    StillHeld,
    /// The shared memory has no room for an allocation.
    #[error("no room in the shared memory")]
    NoRoom,
    /// No allocation begins at this address.
    #[error("no allocation begins here")]
    NotAllocated,
}

/// A process on a node of the ring.
#[derive(Debug)]
pub struct Node {
    segment: Segment,
    number: usize,
    held: BTreeSet<u32>,
    /// Where allocations begin, and the end of the last one.
    allocated: Vec<u32>,
    top: u32,
}

impl Node {
    /// Joins the run that the launcher began.
    ///
    /// # Errors
    /// [`CallError::NotStarted`], [`CallError::Version`] or [`CallError::Over`].
    pub fn join() -> Result<Self, CallError> {
        let said = std::env::var(VARIABLE).map_err(|_| CallError::NotStarted)?;
        let (fd, number) = said.split_once(':').ok_or(CallError::NotStarted)?;
        let fd: i32 = fd.parse().map_err(|_| CallError::NotStarted)?;
        let number = number.parse().map_err(|_| CallError::NotStarted)?;
        if fd < 0 {
            return Err(CallError::NotStarted);
        }
        let segment = Segment::inherited(fd).map_err(|_| CallError::NotStarted)?;
        Node::in_slot(segment, number)
    }

    /// Joins by a mapping.
    ///
    /// # Errors
    /// As of [`Node::join`].
    pub fn in_slot(segment: Segment, number: usize) -> Result<Self, CallError> {
        let slot = segment.slot(number).ok_or(CallError::NotStarted)?;
        if slot.get(at::MAGIC) != MAGIC {
            return Err(CallError::Version);
        }
        let mut node =
            Node { segment, number, held: BTreeSet::new(), allocated: Vec::new(), top: 0 };
        node.call(Call::Begin)?;
        Ok(node)
    }

    fn slot(&self) -> Result<Slot<'_>, CallError> {
        self.segment.slot(self.number).ok_or(CallError::NotStarted)
    }

    fn call(&mut self, call: Call) -> Result<(), CallError> {
        let slot = self.slot()?;
        if slot.turn() != COMPUTES {
            return Err(CallError::Over);
        }
        call.put(slot);
        slot.pass(CALLS);
        while slot.wait(CALLS, LOOK) == CALLS {}
        // The run may be over just after the answer, which counts then.
        match Status::get(slot) {
            Status::Done => Ok(()),
            Status::Refused => Err(CallError::Refused),
            Status::Open => Err(CallError::Over),
        }
    }

    /// Number of this node, from 0.
    #[must_use]
    pub fn node(&self) -> NodeId {
        NodeId::at(self.slot().map_or(0, |slot| slot.get(at::NODE) as usize))
    }

    /// Nodes of the ring.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.slot().map_or(0, |slot| slot.get(at::NODES) as usize)
    }

    /// Bytes of the shared memory.
    #[must_use]
    pub fn memory(&self) -> u32 {
        self.slot().map_or(0, |slot| slot.get(at::MEMORY))
    }

    /// Cycle in which the last call was answered.
    #[must_use]
    pub fn cycle(&self) -> Cycle {
        Cycle(self.slot().map_or(0, |slot| slot.get_long(at::NOW)))
    }

    /// Time on the ring at which the last call was answered.
    #[must_use]
    pub fn now(&self) -> Nanoseconds {
        let ns = u128::from(self.cycle().0) * 1_000_000_000 / u128::from(CLOCK_HZ);
        Nanoseconds(u64::try_from(ns).unwrap_or(u64::MAX))
    }

    fn block(&self, addr: u32, bytes: usize) -> Result<(), CallError> {
        if !addr.is_multiple_of(4) || !bytes.is_multiple_of(4) {
            return Err(CallError::Unaligned);
        }
        let end = u32::try_from(bytes).ok().and_then(|bytes| addr.checked_add(bytes));
        if end.is_some_and(|end| end <= self.memory()) { Ok(()) } else { Err(CallError::Range) }
    }

    /// Reads bytes of this node's replica. They are those that had arrived when each word was read.
    ///
    /// # Errors
    /// If address or length is no multiple of 4, beyond the memory, or the run is over.
    pub fn read(&mut self, mut addr: u32, to: &mut [u8]) -> Result<(), CallError> {
        self.block(addr, to.len())?;
        for part in to.chunks_mut(BLOCK_BYTES) {
            let words = words(part.len());
            self.call(Call::Read { addr, words })?;
            let slot = self.slot()?;
            for (at, bytes) in (at::BLOCK..).zip(part.chunks_exact_mut(4)) {
                bytes.copy_from_slice(&slot.get(at).to_le_bytes());
            }
            addr = addr.wrapping_add(4 * words);
        }
        Ok(())
    }

    /// Writes bytes: to this node's replica at once, to the others when their frame arrives there.
    /// Writes of one node arrive everywhere in the order of the calls.
    ///
    /// # Errors
    /// As of [`Node::read`]; [`CallError::Refused`] if the board's store is full and the ring is cut.
    pub fn write(&mut self, mut addr: u32, from: &[u8]) -> Result<(), CallError> {
        self.block(addr, from.len())?;
        for part in from.chunks(BLOCK_BYTES) {
            let words = words(part.len());
            let slot = self.slot()?;
            for (at, bytes) in (at::BLOCK..).zip(part.chunks_exact(4)) {
                slot.set(at, u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
            }
            self.call(Call::Write { addr, words })?;
            addr = addr.wrapping_add(4 * words);
        }
        Ok(())
    }

    /// Takes a lock. When this returns, no other node holds it, and all that earlier holders wrote before
    /// they released it is in this node's replica.
    ///
    /// # Errors
    /// [`CallError::Lock`], [`CallError::Held`] or [`CallError::Over`].
    pub fn lock(&mut self, lock: u32) -> Result<(), CallError> {
        if lock > LOCK_MAX {
            return Err(CallError::Lock);
        }
        if self.held.contains(&lock) {
            return Err(CallError::Held);
        }
        self.call(Call::Lock(lock))?;
        self.held.insert(lock);
        Ok(())
    }

    /// Releases a lock, behind all writes made before.
    ///
    /// # Errors
    /// [`CallError::Lock`], [`CallError::NotHeld`] or [`CallError::Over`].
    pub fn unlock(&mut self, lock: u32) -> Result<(), CallError> {
        if lock > LOCK_MAX {
            return Err(CallError::Lock);
        }
        if !self.held.remove(&lock) {
            return Err(CallError::NotHeld);
        }
        self.call(Call::Unlock(lock))
    }

    /// Waits for all nodes. When this returns, all that any node wrote before its own call is in this
    /// node's replica.
    ///
    /// # Errors
    /// [`CallError::Over`].
    pub fn barrier(&mut self) -> Result<(), CallError> {
        self.call(Call::Barrier)
    }

    /// Changes the word at `addr` atomically with respect to other nodes, and returns the old value. It holds
    /// a lock of its own, so every node that changes the word must do it this way.
    ///
    /// # Errors
    /// As of [`Node::write`].
    pub fn update(&mut self, addr: u32, new: impl FnOnce(u32) -> u32) -> Result<u32, CallError> {
        self.block(addr, 4)?;
        self.call(Call::Lock(ATOMIC))?;
        let mut word = [0; 4];
        let done = self.read(addr, &mut word).and_then(|()| {
            let old = u32::from_le_bytes(word);
            self.write(addr, &new(old).to_le_bytes()).map(|()| old)
        });
        self.call(Call::Unlock(ATOMIC))?;
        done
    }

    /// Takes `bytes` bytes, rounded up to words, from the stack of shared memory and gives their address.
    /// Every process must allocate the same in the same order: nothing is sent (thesis 3.1).
    ///
    /// # Errors
    /// [`CallError::NoRoom`].
    pub fn allocate(&mut self, bytes: usize) -> Result<u32, CallError> {
        let size = u32::try_from(bytes).ok().and_then(|b| b.checked_next_multiple_of(4));
        let end = size.and_then(|size| self.top.checked_add(size));
        let end = end.filter(|&end| end <= self.memory()).ok_or(CallError::NoRoom)?;
        self.allocated.push(self.top);
        Ok(std::mem::replace(&mut self.top, end))
    }

    /// Gives back the allocation at `addr` and all made after it.
    ///
    /// # Errors
    /// [`CallError::NotAllocated`].
    pub fn release(&mut self, addr: u32) -> Result<(), CallError> {
        let at = self.allocated.iter().position(|&a| a == addr).ok_or(CallError::NotAllocated)?;
        self.allocated.truncate(at);
        self.top = addr;
        Ok(())
    }

    /// Lets time pass on this node: what a computation takes. A time below a cycle is a cycle.
    ///
    /// # Errors
    /// [`CallError::Over`].
    pub fn compute(&mut self, time: Nanoseconds) -> Result<(), CallError> {
        let cycles = (u128::from(time.0) * u128::from(CLOCK_HZ)).div_ceil(1_000_000_000);
        self.call(Call::Compute(u64::try_from(cycles).unwrap_or(u64::MAX).max(1)))
    }

    /// Leaves the run.
    ///
    /// # Errors
    /// [`CallError::StillHeld`] if a lock is held, [`CallError::Over`].
    pub fn finish(mut self) -> Result<(), CallError> {
        self.leave()
    }

    /// [`Node::finish`], for who keeps the node.
    ///
    /// # Errors
    /// As of it.
    pub fn leave(&mut self) -> Result<(), CallError> {
        if !self.held.is_empty() {
            return Err(CallError::StillHeld);
        }
        self.call(Call::End)
    }
}

fn words(bytes: usize) -> u32 {
    // A block has at most BLOCK_BYTES.
    awgstar_frame::quantity::narrow(bytes / 4)
}

impl Segment {
    /// The memory behind the descriptor of this number, which the process inherited.
    fn inherited(fd: i32) -> rustix::io::Result<Segment> {
        // The path opens what the number stands for, and fails if it stands for nothing.
        let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::CLOEXEC;
        let mode = rustix::fs::Mode::empty();
        let fd = rustix::fs::open(format!("/proc/self/fd/{fd}"), flags, mode)?;
        let fd: BorrowedFd<'_> = std::os::fd::AsFd::as_fd(&fd);
        Segment::open(fd)
    }
}
