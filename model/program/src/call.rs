// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls of a process, and their layout in a slot.

use crate::{
    change,
    segment::{SLOT_WORDS, Slot},
};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};
use awgstar_request::{Coherent, PAGES, Protection};
use std::fmt;

/// Words of a slot. Word 0 says whose turn it is.
pub(crate) mod at {
    pub(crate) const KIND: usize = 1;
    /// Before the first call: the descriptor of the memory with the replicas.
    pub(crate) const ADDR: usize = 2;
    pub(crate) const WORDS: usize = 3;
    /// Value of a signal; or the two words of the longest time to wait for one. Before the first call: how
    /// computing is timed, [`super::TOLD`], [`super::MEASURED`] or [`super::COUNTED`].
    pub(crate) const VALUE: usize = 4;
    /// Before the first call: the ring of the process, and how many rings there are.
    pub(crate) const RING: usize = 5;
    pub(crate) const STATUS: usize = 6;
    /// Words of the block that hold posted writes.
    pub(crate) const POSTED: usize = 7;
    pub(crate) const NOW: usize = 8;
    /// Before the first call: the number of the process on all rings, and the most words of a far access.
    pub(crate) const PROCESS: usize = NOW;
    pub(crate) const FAR: usize = 9;
    pub(crate) const MAGIC: usize = 10;
    pub(crate) const NODE: usize = 11;
    pub(crate) const NODES: usize = 12;
    pub(crate) const MEMORY: usize = 13;
    /// Before the first call: the scale of computing that is measured or counted, in thousandths. After it:
    /// [`super::COUNTS`] and other bits that the process sets.
    pub(crate) const SCALE: usize = 14;
    pub(crate) const FLAGS: usize = SCALE;
    /// Of an answer: node of a signal, or [`super::NOBODY`]. Before the first call: [`super::SIGNALS`] and
    /// [`super::HOMES`] and others.
    pub(crate) const SIGNAL: usize = 15;
    pub(crate) const BLOCK: usize = 16;
}

/// Marks a slot of this version.
pub(crate) const MAGIC: u32 = 0x4157_4709;

/// Bits of what the machine has.
pub(crate) const SIGNALS: u32 = 1;
pub(crate) const HOMES: u32 = 2;
pub(crate) const COHERENT: u32 = 4;
/// Shared pages cannot be accessed at first; without it they can be read.
pub(crate) const CLOSED: u32 = 8;

/// How computing is timed.
pub(crate) const TOLD: u32 = 0;
pub(crate) const MEASURED: u32 = 1;
pub(crate) const COUNTED: u32 = 2;

/// Bit of the flags: the program calls [`crate::count_block`].
pub(crate) const COUNTS: u32 = 1;
/// Bit of the flags: the process has mapped the replica of its node.
pub(crate) const WATCHES: u32 = 2;

/// Whose turn it is: the process computes.
pub(crate) const COMPUTES: u32 = 0;
/// The process waits for an answer.
pub(crate) const CALLS: u32 = 1;
/// The run is over; no call is answered any more.
pub(crate) const OVER: u32 = 2;

/// Words of the block: posted calls, or words read. A posted write is its address, its number of words, and
/// those; a posted computation is [`COMPUTE`] and its time in two words; a posted write of part of a word is
/// [`PART`], the word's address, the word, and a bit for each byte; a posted value of 64 bits is [`LONG`], its address,
/// and its two words. After what is posted come the data of a call.
pub(crate) const BLOCK_WORDS: usize = SLOT_WORDS - at::BLOCK;
/// Begins a posted computation; no address of a word.
pub(crate) const COMPUTE: u32 = 1;
/// Begins a posted write of part of a word; no address of a word.
pub(crate) const PART: u32 = 2;
/// Begin the report of an allocation, with address and bytes, or of a release, with the address; no addresses of
/// words.
pub(crate) const ALLOCATED: u32 = 3;
pub(crate) const RELEASED: u32 = 5;
/// Begins a posted value of 64 bits; no address of a word.
pub(crate) const LONG: u32 = 7;
/// Words of such a report.
pub(crate) const REPORT_WORDS: usize = 3;
/// Words of a posted computation, of a write of part of a word, and of a posted write before its data.
pub(crate) const COMPUTE_WORDS: usize = 3;
pub(crate) const PART_WORDS: usize = 4;
pub(crate) const LONG_WORDS: usize = 4;
pub(crate) const WRITE_HEAD: usize = 2;
/// No node: a signal to all others, or no signal.
pub(crate) const NOBODY: u32 = u32::MAX;
/// Any number of a signal.
const ANY: u32 = u32::MAX;
/// Greatest number of a lock that a program may take.
pub const LOCK_MAX: u32 = 0xfffe;
/// Lock of the atomic operations.
pub(crate) const ATOMIC: u32 = 0xffff;
/// First of the mutexes of libraries, and first of the locks of segments.
const MUTEX: u32 = ATOMIC + 1;
const SEGMENT: u32 = MUTEX + 0x1_0000;
/// Locks of all kinds.
pub const LOCKS: u32 = SEGMENT + 256;

/// A lock of a machine, by its number from [`Machine::first_lock`] on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// A program's, up to [`LOCK_MAX`]; or that of the atomic operations.
    Program(u32),
    /// A library's for programs that name locks otherwise.
    Mutex(u16),
    /// A library's for changes of the segment of a node.
    Segment(NodeId),
}

impl Lock {
    /// That of the atomic operations.
    pub const ATOMIC: Lock = Lock::Program(ATOMIC);

    /// The lock with this number; a number that no lock has is a program's.
    #[must_use]
    pub fn of(number: u32) -> Lock {
        let mutex = number.checked_sub(MUTEX).and_then(|n| u16::try_from(n).ok());
        let segment = number.checked_sub(SEGMENT).and_then(|n| u8::try_from(n).ok());
        let segment = || segment.map(|node| Lock::Segment(NodeId(node)));
        mutex.map(Lock::Mutex).or_else(segment).unwrap_or(Lock::Program(number))
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Lock::Program(number) => number,
            Lock::Mutex(number) => MUTEX + number as u32,
            Lock::Segment(node) => SEGMENT + node.0 as u32,
        }
    }
}

impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lock::Program(number) => write!(f, "lock {number}"),
            Lock::Mutex(number) => write!(f, "mutex {number}"),
            Lock::Segment(node) => write!(f, "the lock of the segment of node {node}"),
        }
    }
}
/// Longest computation: an hour.
pub const COMPUTE_MAX: Nanoseconds = Nanoseconds(3_600_000_000_000);

/// How the time of computing comes to the ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Computing {
    /// The program tells it.
    #[default]
    Told,
    /// The library measures the processor time between calls and scales it. Such a run differs from the next.
    Measured {
        /// Scale in thousandths, 1 or more: 2000 for a processor half as fast as this one.
        thousandths: u32,
    },
    /// The program counts its basic blocks with [`count_block`](crate::count_block), and each takes a time. Such
    /// a run is the same every time.
    Counted {
        /// Time of a block in thousandths of a nanosecond, 1 or more.
        thousandths: u32,
    },
}

impl Computing {
    /// The words of a slot that say it: how, and the scale.
    pub(crate) const fn words(self) -> (u32, u32) {
        match self {
            Computing::Told => (TOLD, 0),
            Computing::Measured { thousandths } => (MEASURED, thousandths),
            Computing::Counted { thousandths } => (COUNTED, thousandths),
        }
    }
}

/// Rings that are alike, for processes of which each ring has as many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rings {
    pub count: u16,
    /// Processes of each ring.
    pub processes: u16,
    /// Most words of a far read or write.
    pub words: u16,
}

/// What a machine has for its processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Bytes of the shared memory.
    pub memory: u32,
    /// Its first byte that is a program's: address 0 of programs.
    pub first_byte: ByteAddress,
    /// Its first lock: lock 0 of programs.
    pub first_lock: u32,
    /// The first node of a ring that is a process's: node 0 of programs.
    pub first_node: NodeId,
    /// The rings, if there are several: each process has the memory, the signals and the locks of one.
    pub rings: Option<Rings>,
    /// It is the ring: it passes signals between processes, and boards have registers.
    pub signals: bool,
    /// Each node has its own segment of the memory alone, which the machine reads and changes for the others
    /// ([`Call::Update`]). On other machines each node has a replica of all.
    pub homes: bool,
    /// It keeps shared pages coherent by a protocol ([`Call::Coherent`]): what a process may do with each at first.
    pub coherent: Option<Protection>,
}

impl Machine {
    /// The ring of a process, and its node there.
    #[must_use]
    pub fn place(&self, process: usize) -> (u16, NodeId) {
        let each = self.rings.map_or(usize::MAX, |rings| usize::from(rings.processes.max(1)));
        (narrow(process / each), NodeId::at(process % each))
    }
}

/// A call of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Joins the run.
    Begin,
    /// Reads words of the node's replica.
    Read {
        /// Byte address, a multiple of 4.
        addr: ByteAddress,
        words: u32,
    },
    /// Writes words. A process posts this call: it waits in the block until the next call that has an answer.
    Write {
        /// Byte address, a multiple of 4.
        addr: ByteAddress,
        words: u32,
    },
    /// Writes some bytes of a word; posted, as [`Call::Write`] is.
    WritePart {
        /// Byte address, a multiple of 4.
        addr: ByteAddress,
        /// A bit for each byte, that of the lowest address first. Those that are set follow one another.
        bytes: u8,
    },
    /// Writes a value of 64 bits at a multiple of 8, which arrives everywhere at once; posted, as [`Call::Write`] is.
    WriteLong(ByteAddress),
    /// Reads words of the memory of another ring.
    FarRead {
        ring: u16,
        /// Byte address, a multiple of 4.
        addr: ByteAddress,
        words: u32,
    },
    /// Writes words to the memory of another ring; waits until they are in all replicas there.
    FarWrite {
        ring: u16,
        /// Byte address, a multiple of 4.
        addr: ByteAddress,
        words: u32,
    },
    /// Changes memory in one step.
    Update {
        /// Byte address.
        addr: ByteAddress,
        /// Bytes that change.
        bytes: u32,
        /// Words that say how.
        words: u32,
    },
    /// Waits until all that was written is in every memory, or in that of a node.
    Fence(Option<NodeId>),
    /// Waits until bytes of the node's replica change.
    Changed {
        /// Byte address.
        addr: ByteAddress,
        bytes: u32,
    },
    /// Sends a signal; to all other nodes with `to` `None`.
    Signal {
        /// The receiver.
        to: Option<NodeId>,
        number: u16,
        /// Word that comes with it.
        value: u32,
    },
    /// Waits for a signal with a number, or with any.
    Await {
        number: Option<u16>,
        /// Longest time to wait.
        limit: Option<Nanoseconds>,
    },
    /// Reads the `STATUS` register of the board.
    Status,
    /// Waits until the replica of the node is in the process's mapping.
    Watch,
    /// Waits until all that was posted is done.
    Flush,
    /// Takes a lock.
    Lock(u32),
    /// Takes a lock if it is free.
    Try(u32),
    /// Releases a lock.
    Unlock(u32),
    /// Waits for all nodes.
    Barrier,
    /// Computes for that long; posted, as writes are.
    Compute(Nanoseconds),
    /// A call of the protocol of the shared pages, with words that say what the process has changed. Each call but the
    /// last one has `more`: it only hands words over.
    Coherent { call: Coherent, words: u32, more: bool },
    /// The words of the answer to [`Call::Coherent`] from one on.
    Rest(u32),
    /// Reports an allocation of shared memory; posted, and takes no time.
    Allocated {
        /// Byte address, a multiple of 4.
        addr: ByteAddress,
        bytes: u32,
    },
    /// Reports that this allocation and all after it are released; posted, and takes no time.
    Released(ByteAddress),
    /// The process makes no call any more.
    End,
}

/// Bit of the kind of a call of the protocol of pages: it has more words.
const MORE: u32 = 1 << 31;

/// Bits of the pages of an area.
const AREA: u64 = (1 << 28) - 1;

/// Number and value of a call of the protocol of pages.
const fn coherent(call: Coherent) -> (u32, u64) {
    match call {
        Coherent::Fault { page, write } => (if write { 1 } else { 0 }, page),
        Coherent::Acquire(lock) => (2, lock as u64),
        Coherent::Release(lock) => (3, lock as u64),
        Coherent::Barrier(place) => (4, place),
        Coherent::Lacked => (5, 0),
        Coherent::Area { page, pages } => (6, page << 28 | pages as u64 & AREA),
    }
}

fn coherent_of(number: u32, value: u64) -> Option<Coherent> {
    let lock = || u32::try_from(value).ok().filter(|lock| *lock < LOCKS);
    let page = |page| Some(page).filter(|page| *page < PAGES);
    Some(match number {
        0 | 1 => Coherent::Fault { page: page(value)?, write: number == 1 },
        2 => Coherent::Acquire(lock()?),
        3 => Coherent::Release(lock()?),
        4 => Coherent::Barrier(value),
        5 => Coherent::Lacked,
        6 => Coherent::Area { page: page(value >> 28)?, pages: (value & AREA) as u32 },
        _ => return None,
    })
}

/// Returns true if these bytes are within a memory of `memory` bytes.
fn holds(addr: ByteAddress, bytes: u32, memory: u32) -> bool {
    bytes >= 1 && addr.checked_add(bytes).is_some_and(|end| end.0 <= memory)
}

/// Returns true if these words are within a memory of `memory` bytes.
fn within(addr: ByteAddress, words: u32, memory: u32) -> bool {
    let end = words.checked_mul(4).and_then(|bytes| addr.checked_add(bytes));
    words >= 1 && addr.is_aligned() && end.is_some_and(|end| end.0 <= memory)
}

impl Call {
    /// Name, as in messages and reports.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Call::Begin => "init",
            Call::Read { .. } => "read",
            Call::Write { .. } | Call::WritePart { .. } | Call::WriteLong(_) => "write",
            Call::FarRead { .. } => "far read",
            Call::FarWrite { .. } => "far write",
            Call::Update { .. } => "update",
            Call::Fence(_) => "fence",
            Call::Changed { .. } => "change",
            Call::Signal { .. } => "signal",
            Call::Await { .. } => "wait",
            Call::Status => "status",
            Call::Watch => "replica",
            Call::Flush => "flush",
            Call::Lock(_) | Call::Coherent { call: Coherent::Acquire(_), .. } => "lock",
            Call::Try(_) => "try",
            Call::Unlock(_) | Call::Coherent { call: Coherent::Release(_), .. } => "unlock",
            Call::Barrier | Call::Coherent { call: Coherent::Barrier(_), .. } => "barrier",
            Call::Coherent { call: Coherent::Fault { write: false, .. }, .. } => "read fault",
            Call::Coherent { call: Coherent::Fault { write: true, .. }, .. } => "write fault",
            Call::Coherent { call: Coherent::Lacked | Coherent::Area { .. }, .. }
            | Call::Rest(_) => "pages",
            Call::Compute(_) => "compute",
            Call::Allocated { .. } | Call::Released(_) => "allocation",
            Call::End => "finalize",
        }
    }

    /// Address and bytes of memory that the call reads or writes; `None` if it does neither.
    #[must_use]
    pub const fn area(&self) -> Option<(ByteAddress, u32)> {
        match *self {
            Call::Read { addr, words } | Call::Write { addr, words } => Some((addr, 4 * words)),
            Call::WritePart { addr, bytes } => {
                let first = bytes.trailing_zeros();
                Some((ByteAddress(addr.0.saturating_add(first)), bytes.count_ones()))
            }
            Call::WriteLong(addr) => Some((addr, 8)),
            Call::Update { addr, bytes, .. } => Some((addr, bytes)),
            _ => None,
        }
    }

    /// It is posted: a process goes on.
    pub(crate) const fn is_posted(&self) -> bool {
        matches!(
            self,
            Call::Write { .. } | Call::WritePart { .. } | Call::WriteLong(_) | Call::Compute(_)
        )
    }

    /// Puts the call into a slot, behind `posted` words of writes.
    pub(crate) fn put(self, slot: &Slot, posted: u32) {
        let (kind, addr, words) = match self {
            Call::Begin => (1, 0, 0),
            Call::Read { addr, words } => (2, addr.0, words),
            // What is posted comes before any call.
            Call::Flush
            | Call::Write { .. }
            | Call::WritePart { .. }
            | Call::WriteLong(_)
            | Call::Compute(_)
            | Call::Allocated { .. }
            | Call::Released(_) => (3, 0, 0),
            Call::Fence(to) => (13, to.map_or(NOBODY, u32::from), 0),
            Call::Changed { addr, bytes } => (14, addr.0, bytes),
            Call::Update { addr, words, .. } => (15, addr.0, words),
            Call::FarRead { ring, addr, words } => {
                slot.set(at::VALUE, ring.into());
                (19, addr.0, words)
            }
            Call::FarWrite { ring, addr, words } => {
                slot.set(at::VALUE, ring.into());
                (20, addr.0, words)
            }
            Call::Lock(lock) => (4, lock, 0),
            Call::Unlock(lock) => (5, lock, 0),
            Call::Try(lock) => (16, lock, 0),
            Call::Barrier => (6, 0, 0),
            Call::End => (8, 0, 0),
            Call::Coherent { call, words, more } => {
                let (kind, value) = coherent(call);
                slot.set_long(at::VALUE, value);
                (17, kind | if more { MORE } else { 0 }, words)
            }
            Call::Rest(from) => (18, from, 0),
            Call::Status => (11, 0, 0),
            Call::Watch => (12, 0, 0),
            Call::Signal { to, number, value } => {
                slot.set(at::VALUE, value);
                (9, to.map_or(NOBODY, u32::from), number.into())
            }
            Call::Await { number, limit } => {
                slot.set_long(at::VALUE, limit.map_or(u64::MAX, |limit| limit.0));
                (10, number.map_or(ANY, u32::from), 0)
            }
        };
        slot.set(at::KIND, kind);
        slot.set(at::ADDR, addr);
        slot.set(at::WORDS, words);
        slot.set(at::POSTED, posted);
        Status::Open.put(slot);
    }

    /// The call in a slot, of this node of a ring of the machine. A process can write anything there: the answer is
    /// `None` for what its library would have refused.
    pub(crate) fn get(slot: &Slot, node: NodeId, machine: Machine) -> Option<Call> {
        let (number, words) = (slot.get(at::ADDR), slot.get(at::WORDS));
        let addr = ByteAddress(number);
        let block = within(addr, words, machine.memory) && words as usize <= BLOCK_WORDS;
        let lock = number < LOCKS;
        let after = slot.get(at::POSTED) as usize;
        let room = BLOCK_WORDS.saturating_sub(after);
        match slot.get(at::KIND) {
            1 => Some(Call::Begin),
            2 if block => Some(Call::Read { addr, words }),
            3 => Some(Call::Flush),
            4 if lock => Some(Call::Lock(number)),
            5 if lock => Some(Call::Unlock(number)),
            16 if lock => Some(Call::Try(number)),
            6 => Some(Call::Barrier),
            8 => Some(Call::End),
            9 if machine.signals => {
                let to = u8::try_from(number).ok().map(NodeId);
                let known =
                    if number == NOBODY { to.is_none() } else { to.is_some_and(|to| to != node) };
                let number = u16::try_from(words).ok().filter(|_| known)?;
                Some(Call::Signal { to, number, value: slot.get(at::VALUE) })
            }
            11 if machine.signals => Some(Call::Status),
            12 => Some(Call::Watch),
            13 => {
                let to = u8::try_from(number).ok().map(NodeId);
                (number == NOBODY || to.is_some()).then_some(Call::Fence(to))
            }
            14 => {
                let known = (words as usize).div_ceil(4) <= room;
                let fits = known && holds(addr, words, machine.memory);
                fits.then_some(Call::Changed { addr, bytes: words })
            }
            15 if words as usize <= room => {
                let word = |at| slot.get(at::BLOCK + after + at);
                let change = change::read(word, words as usize)?;
                let bytes = u32::try_from(change.bytes()).ok()?;
                let unit = u32::from(change::unit(&change));
                let fits = addr.0.is_multiple_of(unit) && holds(addr, bytes, machine.memory);
                fits.then_some(Call::Update { addr, bytes, words })
            }
            17 if words as usize <= room && machine.coherent.is_some() => {
                let call = coherent_of(number & !MORE, slot.get_long(at::VALUE))?;
                Some(Call::Coherent { call, words, more: number & MORE != 0 })
            }
            19 | 20 => {
                let ring = u16::try_from(slot.get(at::VALUE)).ok()?;
                let known = |rings: Rings| ring < rings.count && words <= rings.words.into();
                let fits = machine.rings.is_some_and(known) && words as usize <= room;
                let call = if slot.get(at::KIND) == 19 {
                    Call::FarRead { ring, addr, words }
                } else {
                    Call::FarWrite { ring, addr, words }
                };
                (fits && within(addr, words, machine.memory)).then_some(call)
            }
            18 if machine.coherent.is_some() => Some(Call::Rest(number)),
            10 if machine.signals => {
                let limit = slot.get_long(at::VALUE);
                let limit = (limit != u64::MAX).then_some(Nanoseconds(limit));
                let any = number == ANY;
                let number = u16::try_from(number).ok();
                (any || number.is_some()).then_some(Call::Await { number, limit })
            }
            _ => None,
        }
    }

    /// The posted call at word `at` of the block, of which `posted` words are used; as [`Call::get`].
    pub(crate) fn posted(slot: &Slot, at: usize, posted: usize, memory: u32) -> Option<Call> {
        if slot.get(at::BLOCK + at) == COMPUTE {
            posted.checked_sub(at + COMPUTE_WORDS)?;
            let time = Nanoseconds(slot.get_long(at::BLOCK + at + 1));
            return (time <= COMPUTE_MAX).then_some(Call::Compute(time));
        }
        if slot.get(at::BLOCK + at) == PART {
            posted.checked_sub(at + PART_WORDS)?;
            let addr = ByteAddress(slot.get(at::BLOCK + at + 1));
            let bytes = u8::try_from(slot.get(at::BLOCK + at + 3)).ok()?;
            let run = bytes.checked_shr(bytes.trailing_zeros()).unwrap_or(0);
            let together = bytes < 16 && run & run.wrapping_add(1) == 0;
            let valid = bytes != 0 && together && within(addr, 1, memory);
            return valid.then_some(Call::WritePart { addr, bytes });
        }
        if slot.get(at::BLOCK + at) == LONG {
            posted.checked_sub(at + LONG_WORDS)?;
            let addr = ByteAddress(slot.get(at::BLOCK + at + 1));
            let fits = addr.0.is_multiple_of(8) && holds(addr, 8, memory);
            return fits.then_some(Call::WriteLong(addr));
        }
        if matches!(slot.get(at::BLOCK + at), ALLOCATED | RELEASED) {
            posted.checked_sub(at + REPORT_WORDS)?;
            let addr = ByteAddress(slot.get(at::BLOCK + at + 1));
            if slot.get(at::BLOCK + at) == RELEASED {
                return Some(Call::Released(addr));
            }
            let bytes = slot.get(at::BLOCK + at + 2);
            let fits = addr.checked_add(bytes).is_some_and(|end| end.0 <= memory);
            return fits.then_some(Call::Allocated { addr, bytes });
        }
        let room = posted.checked_sub(at + WRITE_HEAD)?;
        let addr = ByteAddress(slot.get(at::BLOCK + at));
        let words = slot.get(at::BLOCK + at + 1);
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
