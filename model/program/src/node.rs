// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of a process: its node on the ring.

mod far;
mod memory;
mod signals;

use crate::{
    call::{
        ALLOCATED, ATOMIC, BLOCK_WORDS, CALLS, CLOSED, COHERENT, COMPUTE, COMPUTE_MAX,
        COMPUTE_WORDS, COMPUTES, COUNTS, Call, HOMES, LOCK_MAX, Lock, MAGIC, RELEASED,
        REPORT_WORDS, SIGNALS, Status, WATCHES, at,
    },
    computing::{Clock, take_blocks},
    error::CallError,
    forked::Forked,
    segment::{Replica, Slot, stride},
};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};
use awgstar_request::{Changes, Coherent, News, Protection};
use rustix::process::{Pid, getpid};
use std::{collections::BTreeSet, os::fd::OwnedFd, time::Duration};

/// Environment variable that the launcher sets: `DESCRIPTOR:NODE`.
pub const VARIABLE: &str = "AWGSTAR_RUN";

/// Time between two looks at whether the run is over, when no answer comes.
const LOOK: Duration = Duration::from_secs(1);

/// A process on a node of the ring.
#[derive(Debug)]
pub struct Node {
    slot: Slot,
    process: Pid,
    id: NodeId,
    nodes: usize,
    ring: u16,
    rings: u16,
    /// The number of this process on all rings, and the most words of a far access.
    number: NodeId,
    far: usize,
    memory: u32,
    /// The machine passes signals between processes.
    signals: bool,
    homes: bool,
    coherent: Option<Protection>,
    clock: Clock,
    /// Descriptor of the memory with the replicas, and this node's if it is mapped.
    replicas: u32,
    replica: Option<Replica>,
    held: BTreeSet<u32>,
    /// Words of the block that hold what is posted.
    posted: usize,
    /// Where allocations begin, and the end of the last one.
    allocated: Vec<ByteAddress>,
    top: ByteAddress,
}

impl Node {
    /// Joins the run that the launcher began.
    ///
    /// # Errors
    /// [`CallError::NotStarted`], [`CallError::Version`] or [`CallError::Over`].
    pub fn join() -> Result<Self, CallError> {
        let said = std::env::var(VARIABLE).map_err(|_| CallError::NotStarted)?;
        let (fd, number) = said.split_once(':').ok_or(CallError::NotStarted)?;
        let fd: u32 = fd.parse().map_err(|_| CallError::NotStarted)?;
        let number = number.parse().map_err(|_| CallError::NotStarted)?;
        Node::in_slot(inherited(fd, number).map_err(|_| CallError::NotStarted)?)
    }

    /// Joins as node `number` by the descriptor `fd` of the slots.
    ///
    /// # Errors
    /// As of [`Node::join`].
    pub fn join_as(fd: u32, number: usize) -> Result<Self, CallError> {
        Node::in_slot(inherited(fd, number).map_err(|_| CallError::NotStarted)?)
    }

    /// The words that the processes of all `nodes` nodes share with the launcher, by the descriptor `fd` of the
    /// slots.
    ///
    /// # Errors
    /// [`CallError::NotStarted`].
    pub fn forked(fd: u32, nodes: usize) -> Result<Forked, CallError> {
        inherited(fd, nodes).map(Forked::new).map_err(|_| CallError::NotStarted)
    }

    /// Joins by a slot.
    ///
    /// # Errors
    /// [`CallError::Version`] or [`CallError::Over`].
    pub fn in_slot(slot: Slot) -> Result<Self, CallError> {
        if slot.get(at::MAGIC) != MAGIC {
            return Err(CallError::Version);
        }
        let mut node = Node {
            process: getpid(),
            id: NodeId(narrow(slot.get(at::NODE))),
            nodes: slot.get(at::NODES) as usize,
            ring: narrow(slot.get(at::RING) & 0xffff),
            rings: narrow(slot.get(at::RING) >> 16),
            number: NodeId(narrow(slot.get(at::PROCESS))),
            far: slot.get(at::FAR) as usize,
            memory: slot.get(at::MEMORY),
            signals: slot.get(at::SIGNAL) & SIGNALS != 0,
            homes: slot.get(at::SIGNAL) & HOMES != 0,
            coherent: first_protection(slot.get(at::SIGNAL)),
            clock: Clock::new(slot.get(at::VALUE), slot.get(at::SCALE)),
            replicas: slot.get(at::ADDR),
            replica: None,
            slot,
            held: BTreeSet::new(),
            posted: 0,
            allocated: Vec::new(),
            top: ByteAddress(0),
        };
        // The process has the word for itself from here on. Blocks before the ring was joined take no time.
        node.slot.set(at::FLAGS, if take_blocks() > 0 { COUNTS } else { 0 });
        node.call(Call::Begin)?;
        Ok(node)
    }

    /// The child of a fork shares the slot with its parent: two callers would spoil it.
    fn own(&self) -> Result<(), CallError> {
        if getpid() == self.process { Ok(()) } else { Err(CallError::Forked) }
    }

    fn call(&mut self, call: Call) -> Result<(), CallError> {
        self.call_with(call, &[])
    }

    /// A call with data, a multiple of 4 bytes.
    fn call_with(&mut self, call: Call, data: &[u8]) -> Result<(), CallError> {
        self.own()?;
        if self.slot.turn() != COMPUTES {
            return Err(CallError::Over);
        }
        if !data.is_empty() && self.posted + data.len() / 4 > self.post_words() {
            self.call(Call::Flush)?;
        }
        self.account()?;
        self.slot.put(at::BLOCK + self.posted, data);
        call.put(&self.slot, narrow(self.posted));
        self.posted = 0;
        self.slot.pass(CALLS);
        while self.slot.wait(CALLS, LOOK) == CALLS {}
        self.clock.skip();
        // The run may be over just after the answer, which counts then.
        match Status::get(&self.slot) {
            Status::Done => Ok(()),
            Status::Refused => Err(CallError::Refused),
            Status::Open => Err(CallError::Over),
        }
    }

    /// Number of this node, from 0.
    #[must_use]
    pub const fn node(&self) -> NodeId {
        self.id
    }

    /// The ring of this node, from 0.
    #[must_use]
    pub const fn ring(&self) -> u16 {
        self.ring
    }

    /// Rings of the machine: 1, if it is no machine of rings.
    #[must_use]
    pub const fn rings(&self) -> u16 {
        self.rings
    }

    /// Nodes of the ring.
    #[must_use]
    pub const fn nodes(&self) -> usize {
        self.nodes
    }

    /// Bytes of the shared memory.
    #[must_use]
    pub const fn memory(&self) -> u32 {
        self.memory
    }

    /// Each node has its own segment of the memory alone ([`crate::Machine::homes`]).
    #[must_use]
    pub const fn homes(&self) -> bool {
        self.homes
    }

    /// What this node has written is written to its own memory once more when it goes out, as on generation 1: a later
    /// write to the same place is undone until that goes out, too. A fence waits for it.
    #[must_use]
    pub const fn echoes(&self) -> bool {
        !self.signals && !self.homes
    }

    /// The replica of this node, mapped into this process until the process ends. It is what had arrived at the end
    /// of the last call that waits; posted writes and computations do not change it. The first call of this function
    /// waits, later ones do not.
    ///
    /// # Errors
    /// [`CallError::NoReplica`] if the system cannot map it, [`CallError::Refused`], [`CallError::Over`].
    pub fn replica(&mut self) -> Result<Replica, CallError> {
        self.own()?;
        if let Some(replica) = &self.replica {
            return Ok(replica.clone());
        }
        let fd = self.replicas()?;
        let replica =
            Replica::open(fd, self.number, self.memory).map_err(|_| CallError::NoReplica)?;
        replica.keep();
        self.slot.set(at::FLAGS, self.slot.get(at::FLAGS) | WATCHES);
        self.call(Call::Watch)?;
        self.replica = Some(replica.clone());
        Ok(replica)
    }

    /// Where the replica of this node begins in the file of all replicas.
    #[must_use]
    pub fn replica_offset(&self) -> u64 {
        stride(self.memory) * self.number.index() as u64
    }

    /// The file with the replicas of all nodes, open to be read, for a mapping of the caller; that of this node
    /// begins at byte [`Node::replica_offset`] and is kept up to date after [`Node::replica`]. With [`Node::homes`]
    /// it can be written: the process has its segment there.
    ///
    /// # Errors
    /// [`CallError::NoReplica`].
    pub fn replicas(&self) -> Result<OwnedFd, CallError> {
        let access = if self.homes { rustix::fs::OFlags::RDWR } else { rustix::fs::OFlags::RDONLY };
        let flags = access | rustix::fs::OFlags::CLOEXEC;
        let path = format!("/proc/self/fd/{}", self.replicas);
        let opened = rustix::fs::open(path, flags, rustix::fs::Mode::empty());
        opened.map_err(|_| CallError::NoReplica)
    }

    /// Waits until all that was posted is done: writes are in this node's replica then.
    ///
    /// # Errors
    /// [`CallError::Refused`] if the board refused one of them, [`CallError::Over`].
    pub fn flush(&mut self) -> Result<(), CallError> {
        if self.posted == 0 && self.clock.is_told() {
            return Ok(());
        }
        self.call(Call::Flush)
    }

    /// Time on the ring, when all that was posted is done.
    ///
    /// # Errors
    /// As of [`Node::flush`].
    pub fn now(&mut self) -> Result<Nanoseconds, CallError> {
        self.flush()?;
        Ok(Nanoseconds(self.slot.get_long(at::NOW)))
    }

    /// Makes room for a posted call of at least so many words: the word at which it begins.
    fn room(&mut self, words: usize) -> Result<usize, CallError> {
        self.own()?;
        if self.slot.turn() != COMPUTES {
            return Err(CallError::Over);
        }
        let computation = BLOCK_WORDS - self.post_words();
        if self.posted + computation + words > self.post_words() {
            self.flush()?;
        } else {
            self.account()?;
        }
        Ok(at::BLOCK + self.posted)
    }

    /// Words of the block for what is posted. The computation before a call that waits comes after them.
    fn post_words(&self) -> usize {
        if self.clock.is_told() { BLOCK_WORDS } else { BLOCK_WORDS - COMPUTE_WORDS }
    }

    /// Posts the computation since the last call, if it is measured or counted. A call that waits always has room
    /// for it: the time would be lost otherwise.
    fn account(&mut self) -> Result<(), CallError> {
        if self.clock.is_told() {
            return Ok(());
        }
        let (time, counts) = self.clock.take();
        if counts {
            self.slot.set(at::FLAGS, self.slot.get(at::FLAGS) | COUNTS);
        }
        let time = time.filter(|&time| time <= COMPUTE_MAX).ok_or(CallError::TooLong)?;
        // A computation of no time would still take a cycle.
        if time == Nanoseconds(0) && matches!(self.clock, Clock::Counted { .. }) {
            return Ok(());
        }
        let head = at::BLOCK + self.posted;
        self.slot.set(head, COMPUTE);
        self.slot.set_long(head + 1, time.0);
        self.posted += COMPUTE_WORDS;
        Ok(())
    }

    /// Begins work that is not the program's: the computation before it is posted, if it is measured or counted.
    ///
    /// # Errors
    /// [`CallError::Forked`], [`CallError::TooLong`], [`CallError::Refused`], [`CallError::Over`].
    pub fn pause(&mut self) -> Result<(), CallError> {
        if self.clock.is_told() { Ok(()) } else { self.room(0).map(|_| ()) }
    }

    /// Ends such work: its processor time does not count.
    pub fn resume(&mut self) {
        self.clock.skip();
    }

    /// Takes a lock. When this returns, no other node holds it, and all that earlier holders wrote before
    /// they released it is in this node's replica.
    ///
    /// # Errors
    /// [`CallError::Lock`], [`CallError::Held`] or [`CallError::Over`].
    pub fn lock(&mut self, lock: u32) -> Result<(), CallError> {
        if lock > LOCK_MAX { Err(CallError::Lock) } else { self.take(Lock::Program(lock)) }
    }

    /// Takes a lock of a library; as [`Node::lock`].
    ///
    /// # Errors
    /// [`CallError::Held`] or [`CallError::Over`].
    pub fn take(&mut self, lock: Lock) -> Result<(), CallError> {
        let lock = lock.number();
        if self.held.contains(&lock) {
            return Err(CallError::Held);
        }
        self.call(Call::Lock(lock))?;
        self.held.insert(lock);
        Ok(())
    }

    /// Takes a lock of a library if it is free: true then. A machine without [`Node::homes`] refuses that, and the run
    /// ends.
    ///
    /// # Errors
    /// [`CallError::Held`] or [`CallError::Over`].
    pub fn try_take(&mut self, lock: Lock) -> Result<bool, CallError> {
        let lock = lock.number();
        if self.held.contains(&lock) {
            return Err(CallError::Held);
        }
        self.call(Call::Try(lock))?;
        let has = self.slot.get(at::VALUE) == 1;
        if has {
            self.held.insert(lock);
        }
        Ok(has)
    }

    /// Releases a lock, behind all writes made before.
    ///
    /// # Errors
    /// [`CallError::Lock`], [`CallError::NotHeld`] or [`CallError::Over`].
    pub fn unlock(&mut self, lock: u32) -> Result<(), CallError> {
        if lock > LOCK_MAX { Err(CallError::Lock) } else { self.give(Lock::Program(lock)) }
    }

    /// Releases a lock of a library; as [`Node::unlock`].
    ///
    /// # Errors
    /// [`CallError::NotHeld`] or [`CallError::Over`].
    pub fn give(&mut self, lock: Lock) -> Result<(), CallError> {
        let lock = lock.number();
        if !self.held.contains(&lock) {
            return Err(CallError::NotHeld);
        }
        self.call(Call::Unlock(lock))?;
        self.held.remove(&lock);
        Ok(())
    }

    /// Waits for all nodes. When this returns, all that any node wrote before its own call is in this
    /// node's replica.
    ///
    /// # Errors
    /// [`CallError::Over`].
    pub fn barrier(&mut self) -> Result<(), CallError> {
        self.call(Call::Barrier)
    }

    /// What the process may do with a shared page at first; `None` if the machine keeps none coherent.
    #[must_use]
    pub const fn first_protection(&self) -> Option<Protection> {
        self.coherent
    }

    /// A call of the protocol of the shared pages, with what this process has changed since the last one. Gives the news
    /// that the answer brings.
    ///
    /// # Errors
    /// [`CallError::Refused`], also without such a protocol, [`CallError::Over`].
    pub fn coherent(&mut self, call: Coherent, changes: &Changes) -> Result<News, CallError> {
        if self.coherent.is_none() {
            return Err(CallError::Refused);
        }
        let data = changes.encode();
        let room = 4 * (self.post_words() - COMPUTE_WORDS);
        let mut parts: Vec<&[u8]> = data.chunks(room).collect();
        let last = parts.pop().unwrap_or_default();
        for part in parts {
            let words = narrow(part.len() / 4);
            self.call_with(Call::Coherent { call, words, more: true }, part)?;
        }
        let words = narrow(last.len() / 4);
        self.call_with(Call::Coherent { call, words, more: false }, last)?;
        let mut news = vec![0; 4 * self.slot.get(at::VALUE) as usize];
        for (at, part) in (0_usize..).zip(news.chunks_mut(4 * BLOCK_WORDS)) {
            if at > 0 {
                self.call(Call::Rest(narrow(at * BLOCK_WORDS)))?;
            }
            self.slot.take(at::BLOCK, part);
        }
        News::decode(&news).ok_or(CallError::Version)
    }

    /// Changes the word at `addr` atomically with respect to other nodes, and returns the old value. It takes
    /// a lock that programs cannot take, so every node that changes the word must do it this way.
    ///
    /// # Errors
    /// As of [`Node::write`].
    pub fn update(
        &mut self,
        addr: ByteAddress,
        new: impl FnOnce(u32) -> u32,
    ) -> Result<u32, CallError> {
        if !addr.is_aligned() {
            return Err(CallError::Unaligned);
        }
        self.within(addr, 4)?;
        self.call(Call::Lock(ATOMIC))?;
        let mut word = [0; 4];
        let done = self.read(addr, &mut word).and_then(|()| {
            let old = u32::from_le_bytes(word);
            self.write(addr, &new(old).to_le_bytes())?;
            // A refusal must not cost the unlock.
            self.flush().map(|()| old)
        });
        self.call(Call::Unlock(ATOMIC))?;
        done
    }

    /// Takes `bytes` bytes, rounded up to words, from the stack of shared memory and gives their address.
    /// Every process must allocate the same in the same order: nothing is sent (thesis 3.1).
    ///
    /// # Errors
    /// [`CallError::NoRoom`], [`CallError::Forked`], [`CallError::Refused`], [`CallError::Over`].
    pub fn allocate(&mut self, bytes: usize) -> Result<ByteAddress, CallError> {
        let size = u32::try_from(bytes).ok().and_then(|b| b.checked_next_multiple_of(4));
        let end = size.and_then(|size| self.top.checked_add(size));
        let end = end.filter(|end| end.0 <= self.memory).ok_or(CallError::NoRoom)?;
        self.report(ALLOCATED, self.top, end.0 - self.top.0)?;
        self.allocated.push(self.top);
        Ok(std::mem::replace(&mut self.top, end))
    }

    /// Gives back the allocation at `addr` and all made after it.
    ///
    /// # Errors
    /// [`CallError::NotAllocated`], [`CallError::Forked`], [`CallError::Refused`], [`CallError::Over`].
    pub fn release(&mut self, addr: ByteAddress) -> Result<(), CallError> {
        let at = self.allocated.iter().position(|&a| a == addr).ok_or(CallError::NotAllocated)?;
        self.report(RELEASED, addr, 0)?;
        self.allocated.truncate(at);
        self.top = addr;
        Ok(())
    }

    /// Posts a report of an allocation or of a release.
    fn report(&mut self, kind: u32, addr: ByteAddress, bytes: u32) -> Result<(), CallError> {
        let head = self.room(REPORT_WORDS)?;
        for (word, at) in [kind, addr.0, bytes].into_iter().zip(head..) {
            self.slot.set(at, word);
        }
        self.posted += REPORT_WORDS;
        Ok(())
    }

    /// Lets time pass on this node: the duration of a computation, rounded up to cycles. Posted, as
    /// [`Node::write`] is.
    ///
    /// # Errors
    /// [`CallError::TooLong`] beyond [`COMPUTE_MAX`], [`CallError::Refused`], [`CallError::Over`].
    pub fn compute(&mut self, time: Nanoseconds) -> Result<(), CallError> {
        if time > COMPUTE_MAX {
            return Err(CallError::TooLong);
        }
        let head = self.room(COMPUTE_WORDS)?;
        self.slot.set(head, COMPUTE);
        self.slot.set_long(head + 1, time.0);
        self.posted += COMPUTE_WORDS;
        Ok(())
    }

    /// Says that the run ends with an exit code, which may be 0, when this process ends: what the others do then is no
    /// failure.
    ///
    /// # Errors
    /// [`CallError::NotStarted`].
    pub fn end_run(&mut self, code: u8) -> Result<(), CallError> {
        let said = std::env::var(VARIABLE).map_err(|_| CallError::NotStarted)?;
        let fd = said.split_once(':').and_then(|(fd, _)| fd.parse().ok());
        let fd: u32 = fd.ok_or(CallError::NotStarted)?;
        Node::forked(fd, self.nodes * usize::from(self.rings))?.exit(code);
        Ok(())
    }

    /// Leaves the run. Further calls are errors.
    ///
    /// # Errors
    /// [`CallError::StillHeld`] if a lock is held, [`CallError::Refused`], [`CallError::Over`].
    pub fn leave(&mut self) -> Result<(), CallError> {
        if !self.held.is_empty() {
            return Err(CallError::StillHeld);
        }
        self.call(Call::End)
    }
}

fn first_protection(has: u32) -> Option<Protection> {
    let first = if has & CLOSED != 0 { Protection::None } else { Protection::Read };
    (has & COHERENT != 0).then_some(first)
}

/// A slot behind the descriptor of this number, which the process inherited.
fn inherited(fd: u32, slot: usize) -> rustix::io::Result<Slot> {
    // The path opens what the number stands for, and fails if it stands for nothing.
    let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::CLOEXEC;
    let mode = rustix::fs::Mode::empty();
    Slot::open(rustix::fs::open(format!("/proc/self/fd/{fd}"), flags, mode)?, slot)
}
