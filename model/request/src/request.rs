// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests.

use crate::{Change, Changes, Coherent, ProcessSignal};
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Cycle, Nanoseconds, NodeId};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Memory that an address is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// The shared memory.
    #[default]
    Shared,
    /// The virtual shared memory: its pages are swapped in when they are accessed.
    Virtual,
}

/// Way of an access from the processor to the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Path {
    /// The processor waits for every word.
    #[default]
    Words,
    /// By DMA: the processor starts it. A write goes on beside the processor ([`Fence::Dma`] waits for it); a read is
    /// answered when it is done.
    Dma,
}

/// Place of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Byte address; that of a word is a multiple of 4.
    pub addr: ByteAddress,
    /// Memory.
    pub space: Space,
    /// Way to it.
    pub path: Path,
}

impl Place {
    /// An address in the shared memory, accessed word by word.
    #[must_use]
    pub const fn shared(addr: ByteAddress) -> Self {
        Place { addr, space: Space::Shared, path: Path::Words }
    }

    /// An address in the virtual shared memory.
    #[must_use]
    pub const fn paged(addr: ByteAddress) -> Self {
        Place { addr, space: Space::Virtual, path: Path::Words }
    }

    /// The place so many bytes further on.
    #[must_use]
    pub fn after(self, bytes: u32) -> Self {
        Place { addr: self.addr + bytes, ..self }
    }
}

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Len {
    /// A word, in the machine's order of bytes.
    Word,
    /// So many bytes.
    Bytes(u64),
    /// So many bytes whose values do not matter: the address is without meaning.
    Blank(u64),
}

/// What is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// Bytes of a word, in the machine's order.
    Word {
        /// The word.
        data: u32,
        /// A bit for each byte that is written, that of the lowest address first.
        lanes: u8,
    },
    Bytes(Arc<[u8]>),
    /// The bytes of a value of 64 bits at a multiple of 8. They arrive everywhere together.
    Long([u8; 8]),
    /// So many bytes whose values do not matter: they take their time on bus and ring and change no memory, so much
    /// data costs little to simulate.
    Blank(u64),
}

/// What a process waits for before it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fence {
    /// The DMA of this process is done.
    Dma,
    /// All that this process has written is in every memory.
    Confirmed,
    /// All that this process has written to the memory of this node is there.
    To(NodeId),
}

/// Span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// Cycles of the link clock.
    Cycles(Cycle),
    /// Nanoseconds: a machine with a clock takes whole cycles.
    Time(Nanoseconds),
}

impl Span {
    /// In cycles of the link clock, rounded up.
    #[must_use]
    pub fn cycles(self) -> Cycle {
        match self {
            Span::Cycles(cycles) => cycles,
            Span::Time(time) => time.to_cycles_ceil(),
        }
    }

    /// In nanoseconds, rounded up.
    #[must_use]
    pub fn time(self) -> Nanoseconds {
        match self {
            Span::Cycles(cycles) => cycles.to_nanoseconds_ceil(),
            Span::Time(time) => time,
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Span::Cycles(cycles) => write!(f, "{cycles} cycles"),
            Span::Time(time) => write!(f, "{:?}", Duration::from_nanos(time.0)),
        }
    }
}

/// Request of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// To compute for that long.
    Compute(Span),
    Read(Place, Len),
    Write(Place, Data),
    /// To change memory in one step, which no other access and no other change divides.
    Update(Place, Change),
    /// To wait until the bytes of this node's memory at a place differ from these, which are one or more.
    Changed(Place, Arc<[u8]>),
    /// To compute words one after the other, and to write each with the processor as soon as it is computed. As with
    /// [`Data::Blank`], their values do not matter.
    ComputeWrite {
        /// Byte address of the first.
        addr: ByteAddress,
        /// Processor time of computing, in ns, from the beginning to each word; writes are not in it.
        ready: Arc<[Nanoseconds]>,
    },
    /// To wait for what this process has begun.
    Fence(Fence),
    /// The lock with this number. Answered when the process holds it.
    Lock(u32),
    /// To take the lock with this number if it is free: the word 1 if the process holds it then, 0 if not.
    Try(u32),
    /// To give the lock back. Answered when it may be asked for again.
    Unlock(u32),
    /// To wait for all others at the barrier with this number.
    Barrier(u8),
    /// The `STATUS` register of the board.
    Status,
    /// To send a signal to other processes. Answered when it has returned: it is in every mailbox then.
    Signal(ProcessSignal, Order),
    /// The oldest signal with this number, or with any, that has arrived; waits for one that long at most.
    Await(Option<u16>, Option<Span>),
    /// A call of the protocol of the shared pages, with what this process has changed since the last one. Answered by
    /// the bytes of [`News`](crate::News).
    Coherent(Coherent, Arc<Changes>),
    /// So many words of the memory of a ring, from an address on, as bytes.
    FarRead {
        ring: u16,
        address: ByteAddress,
        words: u16,
    },
    /// To write words to the memory of a ring. Answered when they are in all its replicas.
    FarWrite {
        ring: u16,
        address: ByteAddress,
        data: Arc<[u32]>,
    },
    /// Nothing any more.
    End,
}

/// What not every machine offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Virtual shared memory.
    Pages,
    /// DMA between processor and board.
    Dma,
    /// Data without values.
    Blank,
    /// To wait until all replicas have what was written.
    Confirmation,
    /// More than one barrier.
    Barriers,
    /// Registers of the board.
    Registers,
    /// Signals between processes.
    Signals,
    /// Changes of memory by the machine.
    Updates,
    /// To wait until memory changes.
    Changes,
    /// Locks.
    Locks,
    /// To try a lock.
    Tries,
    /// Shared pages that a protocol keeps coherent.
    Coherence,
    /// Memory of other rings.
    Rings,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Feature::Pages => "pages",
            Feature::Dma => "DMA",
            Feature::Blank => "data without values",
            Feature::Confirmation => "a wait for confirmation",
            Feature::Barriers => "a barrier with a number",
            Feature::Registers => "registers of the board",
            Feature::Signals => "signals between processes",
            Feature::Updates => "changes of memory in one step",
            Feature::Changes => "a wait for a change of memory",
            Feature::Locks => "locks",
            Feature::Tries => "to try a lock",
            Feature::Coherence => "coherent pages",
            Feature::Rings => "other rings",
        })
    }
}

impl Request {
    /// To read the word of the shared memory at this byte address, a multiple of 4.
    #[must_use]
    pub const fn read(addr: ByteAddress) -> Self {
        Request::Read(Place::shared(addr), Len::Word)
    }

    /// To write the word of the shared memory at this byte address, a multiple of 4.
    #[must_use]
    pub const fn write(addr: ByteAddress, data: u32) -> Self {
        Request::Write(Place::shared(addr), Data::Word { data, lanes: 0b1111 })
    }

    /// To write these bytes of the shared memory, from a byte address on.
    #[must_use]
    pub fn write_bytes(addr: ByteAddress, bytes: &[u8]) -> Self {
        Request::Write(Place::shared(addr), Data::Bytes(bytes.into()))
    }

    /// To compute for so many ns.
    #[must_use]
    pub const fn compute(time: Nanoseconds) -> Self {
        Request::Compute(Span::Time(time))
    }

    /// To compute for so many cycles.
    #[must_use]
    pub const fn wait(cycles: Cycle) -> Self {
        Request::Compute(Span::Cycles(cycles))
    }

    /// The machine of the process answers, whatever other processes do.
    #[must_use]
    pub const fn ends_by_itself(&self) -> bool {
        match self {
            Request::Lock(_)
            | Request::Try(_)
            | Request::Unlock(_)
            | Request::Barrier(_)
            | Request::Signal(..)
            | Request::Await(_, None)
            | Request::Fence(Fence::Confirmed | Fence::To(_))
            | Request::Update(..)
            | Request::Changed(..)
            | Request::Coherent(..)
            | Request::FarRead { .. }
            | Request::FarWrite { .. }
            | Request::Read(Place { space: Space::Virtual, .. }, _)
            | Request::Write(Place { space: Space::Virtual, .. }, _) => false,
            Request::Read(..)
            | Request::Write(..)
            | Request::ComputeWrite { .. }
            | Request::Fence(Fence::Dma)
            | Request::Status
            | Request::Await(_, Some(_))
            | Request::Compute(_)
            | Request::End => true,
        }
    }
}

/// What a process waits for when it waits for this.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |place: &Place| match place.space {
            Space::Shared => "",
            Space::Virtual => " in its page",
        };
        match self {
            Request::Lock(lock) => write!(f, "lock {lock}"),
            Request::Try(lock) => write!(f, "its try of lock {lock}"),
            Request::Unlock(lock) => write!(f, "its unlock of {lock}"),
            Request::Barrier(0) => f.write_str("the barrier"),
            Request::Barrier(number) => write!(f, "barrier {number}"),
            Request::Read(place, _) => write!(f, "a read of {:#x}{}", place.addr, of(place)),
            Request::Write(place, _) => write!(f, "a write to {:#x}{}", place.addr, of(place)),
            Request::ComputeWrite { addr, .. } => write!(f, "words computed for {addr:#x}"),
            Request::Fence(Fence::Dma) => f.write_str("the end of its DMA"),
            Request::Fence(Fence::Confirmed) => f.write_str("the confirmation of its writes"),
            Request::Fence(Fence::To(node)) => write!(f, "its writes to node {node}"),
            Request::Update(place, _) => write!(f, "a change of {:#x}{}", place.addr, of(place)),
            Request::Changed(place, _) => write!(f, "{:#x}{} to change", place.addr, of(place)),
            Request::Status => f.write_str("a read of its STATUS"),
            Request::Signal(signal, _) => write!(f, "the return of its signal {}", signal.number),
            Request::Await(Some(number), _) => write!(f, "signal {number}"),
            Request::Await(None, _) => f.write_str("a signal"),
            Request::Compute(span) => write!(f, "the end of {span} of work"),
            Request::Coherent(call, _) => call.fmt(f),
            Request::FarRead { ring, address, .. } => {
                write!(f, "a read of {address:#x} of ring {ring}")
            }
            Request::FarWrite { ring, address, .. } => {
                write!(f, "a write to {address:#x} of ring {ring}")
            }
            Request::End => f.write_str("its end"),
        }
    }
}
