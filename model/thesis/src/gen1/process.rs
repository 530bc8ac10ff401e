// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes that run on the nodes: each makes one request after the other.

use super::mailbox::Request;
use awgstar_frame::quantity::{ByteAddress, Nanoseconds};
use std::{collections::VecDeque, sync::Arc};

/// Access of a CPU to the board over PCI (thesis 2.2.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// With a pointer: the CPU waits for every word.
    #[default]
    Pointer,
    /// By DMA: the CPU starts it. A write goes on beside the CPU ([`Op::DmaWait`] waits for it); a
    /// read answers when it is done.
    Dma,
}

/// Request of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// To compute for that many ns.
    Compute(Nanoseconds),
    /// To write these bytes of the shared memory.
    Write {
        /// Byte address.
        addr: ByteAddress,
        /// The bytes.
        bytes: Arc<[u8]>,
        /// How.
        access: Access,
    },
    /// To write that many bytes whose values do not matter: they take their time on bus and ring
    /// and change no memory, so much data costs little to simulate.
    WriteBlank {
        /// Byte address.
        addr: ByteAddress,
        /// Number of bytes.
        len: u64,
        /// How.
        access: Access,
    },
    /// To compute words one after the other, and to write each with a pointer as soon as it is
    /// computed. As with [`Op::WriteBlank`], the values do not matter.
    ComputeBlank {
        /// Byte address of the first.
        addr: ByteAddress,
        /// CPU time of computing, in ns, from the beginning to each word; writes are not in it.
        ready: Arc<[Nanoseconds]>,
    },
    /// Bytes of the shared memory, which the answer brings.
    Read {
        /// Byte address.
        addr: ByteAddress,
        /// Number of bytes.
        len: u64,
        /// How.
        access: Access,
    },
    /// To read that many bytes whose values do not matter.
    ReadBlank {
        /// Number of bytes.
        len: u64,
        /// How.
        access: Access,
    },
    /// To wait until the DMA of this process is done.
    DmaWait,
    /// To wait until all that the process has written has gone round.
    Sync,
    /// The lock with this number, 1 or more.
    Lock(u32),
    /// To release the lock with this number.
    Unlock(u32),
    /// To wait for all others at the barrier.
    Barrier,
    /// Nothing any more.
    End,
}

impl Op {
    /// The request to the master, if this is one.
    #[must_use]
    pub const fn request(&self) -> Option<Request> {
        match self {
            Op::Lock(n) => Some(Request::Lock(*n)),
            Op::Unlock(n) => Some(Request::Unlock(*n)),
            Op::Barrier => Some(Request::Barrier),
            _ => None,
        }
    }

    /// A pointer write of these bytes.
    #[must_use]
    pub fn write(addr: ByteAddress, bytes: &[u8]) -> Op {
        Op::Write { addr, bytes: bytes.into(), access: Access::Pointer }
    }

    /// A pointer read of a word.
    #[must_use]
    pub const fn read_word(addr: ByteAddress) -> Op {
        Op::Read { addr, len: 4, access: Access::Pointer }
    }
}

/// Answer to a request of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// When, in ns.
    pub now: Nanoseconds,
    /// The bytes read; none otherwise.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// The first word read, big-endian; 0 when there is none.
    #[must_use]
    pub fn word(&self) -> u32 {
        self.bytes.first_chunk().map_or(0, |word| u32::from_be_bytes(*word))
    }
}

/// A process. It is asked for its first wish with an empty answer.
pub trait Process {
    /// Takes an answer and says what it wants next.
    fn next(&mut self, answer: &Answer) -> Op;

    /// Returns true if the process wants to see its node's replica besides what it reads. It is asked before each
    /// [`Process::next`].
    fn watches(&self) -> bool {
        false
    }

    /// Takes bytes of the replica, from `at` on, that may have changed since the last call; all of them at first. What it takes
    /// last before [`Process::next`] is what had arrived then.
    fn see(&mut self, at: ByteAddress, bytes: &[u8]) {
        let _ = (at, bytes);
    }
}

impl<F: FnMut(&Answer) -> Op> Process for F {
    fn next(&mut self, answer: &Answer) -> Op {
        self(answer)
    }
}

/// A process that asks for these, one after the other, whatever the answers.
#[derive(Clone, Debug, Default)]
pub struct Script(VecDeque<Op>);

impl Script {
    /// From a list.
    pub fn new(ops: impl IntoIterator<Item = Op>) -> Script {
        Script(ops.into_iter().collect())
    }
}

impl Process for Script {
    fn next(&mut self, _answer: &Answer) -> Op {
        self.0.pop_front().unwrap_or(Op::End)
    }
}

/// Activity of a process, for the account of its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// The process computes.
    Compute,
    /// The CPU is held by an access over PCI.
    Access,
    /// The process waits for DMA.
    Dma,
    /// The process waits until its writes have gone round.
    Sync,
    /// The process waits for a lock, or for the answer to an unlock.
    Lock,
    /// The process waits at the barrier.
    Barrier,
}

impl Activity {
    /// The CPU has something to do.
    #[must_use]
    pub const fn busy(self) -> bool {
        matches!(self, Activity::Compute | Activity::Access)
    }

    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Activity::Compute => "compute",
            Activity::Access => "access",
            Activity::Dma => "dma",
            Activity::Sync => "sync",
            Activity::Lock => "lock",
            Activity::Barrier => "barrier",
        }
    }
}

/// From when to when a process did something. Spans of a process follow one another without a gap
/// until it ends, and neighbours differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// First ns.
    pub from: Nanoseconds,
    /// After the last ns.
    pub to: Nanoseconds,
    /// Activity of the process.
    pub activity: Activity,
}

impl Span {
    /// The last of `spans`; one of no time is left out, one that goes on where the last ended makes that
    /// longer.
    pub(crate) fn add_to(self, spans: &mut Vec<Span>) {
        if self.to <= self.from {
            return;
        }
        match spans.last_mut() {
            Some(last) if last.activity == self.activity && last.to == self.from => {
                last.to = self.to;
            }
            _ => spans.push(self),
        }
    }
}
