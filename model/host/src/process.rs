// SPDX-License-Identifier: MIT OR Apache-2.0
//! Process of a node: it makes requests and gets answers.

use crate::ProcessSignal;
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Cycle};

/// Request of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The lock with this number. Answered when the process has it.
    Lock(u32),
    /// To give the lock back. Answered when it may be asked for again.
    Unlock(u32),
    /// To wait for all others at the barrier with this number. Refused if there is no such barrier.
    Barrier(u8),
    /// A word of the shared memory: byte address, a multiple of 4.
    Read(ByteAddress),
    /// To write a word of the shared memory: byte address, a multiple of 4, and the word.
    Write(ByteAddress, u32),
    /// To write some bytes of a word: byte address, a multiple of 4, the word, and a bit for each byte, that
    /// of its lowest byte first.
    WritePart(ByteAddress, u32, u8),
    /// The `STATUS` register of the board.
    Status,
    /// To send a signal to other processes. Answered when it has returned: it is in every mailbox then.
    Signal(ProcessSignal, Order),
    /// The oldest signal with this number, or with any, that has arrived; waits for one at most that many
    /// cycles.
    Await(Option<u16>, Option<Cycle>),
    /// A word of the virtual shared memory: virtual byte address, a multiple of 4. Its page is swapped in
    /// if it is not there.
    ReadVirtual(ByteAddress),
    /// To write a word of the virtual shared memory: virtual byte address, a multiple of 4, and the word.
    WriteVirtual(ByteAddress, u32),
    /// To wait for that many cycles.
    Wait(Cycle),
    /// Nothing any more.
    End,
}

/// Answer to a request of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Cycle.
    pub cycle: Cycle,
    /// The word read; 0 otherwise.
    pub data: u32,
    /// The board refused the access (SLVERR): address beyond the memory, or the ring is cut. Of
    /// [`Ask::Await`]: the mailbox was full, a signal may be lost. Of [`Ask::Barrier`]: the node has no
    /// barrier with this number.
    pub refused: bool,
    /// The signal that [`Ask::Await`] asked for; `None` if none came in time.
    pub signal: Option<ProcessSignal>,
}

/// A process. It is asked for its first wish with an answer of zeros.
pub trait Process {
    /// Takes an answer and says what it wants next.
    fn next(&mut self, answer: Answer) -> Ask;

    /// Returns true if the process wants to see its node's replica besides what it reads. It is asked before each
    /// [`Process::next`].
    fn watches(&self) -> bool {
        false
    }

    /// Takes words of the replica, from word `at` on, that may have changed since the last call; all of them at first. What it takes
    /// last before [`Process::next`] is what had arrived then.
    fn see(&mut self, at: usize, words: &[u32]) {
        let _ = (at, words);
    }
}

impl<F: FnMut(Answer) -> Ask> Process for F {
    fn next(&mut self, answer: Answer) -> Ask {
        self(answer)
    }
}

impl Process for Box<dyn Process> {
    fn next(&mut self, answer: Answer) -> Ask {
        (**self).next(answer)
    }

    fn watches(&self) -> bool {
        (**self).watches()
    }

    fn see(&mut self, at: usize, words: &[u32]) {
        (**self).see(at, words);
    }
}
