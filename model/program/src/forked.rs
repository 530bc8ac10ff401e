// SPDX-License-Identifier: MIT OR Apache-2.0
//! Words that the launcher shares with a program whose threads are processes: who runs on which node, and how
//! the program ended.

use crate::segment::Slot;
use awgstar_frame::quantity::narrow;
use rustix::process::Pid;

/// Words of the slot.
mod at {
    pub(super) const EXIT: usize = 0;
    pub(super) const TOLD: usize = 1;
    pub(super) const RACE: usize = 2;
    pub(super) const LOADED: usize = 3;
    pub(super) const PIDS: usize = 1024;
    pub(super) const LEFTS: usize = 2048;
}

/// Marks an exit code, which may be 0.
const ASKED: u32 = 0x100;

/// State of the processes that a program has forked, one for each of its threads.
#[derive(Clone, Debug)]
pub struct Forked(Slot);

impl Forked {
    pub(crate) const fn new(slot: Slot) -> Self {
        Forked(slot)
    }

    /// Says which process runs on a node.
    pub fn set_process(&self, node: usize, process: u32) {
        self.0.set(at::PIDS + node, process);
    }

    /// The process of a node; `None` before it is forked.
    #[must_use]
    pub fn process(&self, node: usize) -> Option<Pid> {
        Pid::from_raw(self.0.get(at::PIDS + node).cast_signed())
    }

    /// Ends the run: the program exits with this code, from whichever node. The first code counts.
    pub fn exit(&self, code: u8) {
        if self.0.get(at::EXIT) == 0 {
            self.0.set(at::EXIT, ASKED | u32::from(code));
        }
    }

    /// The code with which the program exits; `None` if no node has called for the end.
    #[must_use]
    pub fn exit_code(&self) -> Option<u8> {
        let word = self.0.get(at::EXIT);
        (word & ASKED != 0).then(|| narrow(word & 0xff))
    }

    /// The library is in the program.
    pub fn set_loaded(&self) {
        self.0.set(at::LOADED, 1);
    }

    /// Returns true if the library is in the program: else nothing of it was on the ring.
    #[must_use]
    pub fn loaded(&self) -> bool {
        self.0.get(at::LOADED) != 0
    }

    /// The library has printed why it ends the run.
    pub fn set_told(&self) {
        self.0.set(at::TOLD, 1);
    }

    /// Returns true if the library has printed why it ends the run.
    #[must_use]
    pub fn told(&self) -> bool {
        self.0.get(at::TOLD) != 0
    }

    /// The process of a node has left the ring.
    pub fn set_left(&self, node: usize) {
        self.0.set(at::LEFTS + node, 1);
    }

    /// Returns true if the process of a node has left the ring.
    #[must_use]
    pub fn left(&self, node: usize) -> bool {
        self.0.get(at::LEFTS + node) != 0
    }

    /// The program found a race: its exit code must not be success.
    pub fn set_race(&self) {
        self.0.set(at::RACE, 1);
    }

    /// Returns true if the program found a race.
    #[must_use]
    pub fn race(&self) -> bool {
        self.0.get(at::RACE) != 0
    }
}
