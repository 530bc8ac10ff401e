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
    pub(super) const COUNTS: usize = 4096;
}

/// Why a process reads or writes the memory of the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The command that starts a region.
    Command,
    /// How much of each log is valid.
    Heads,
    /// Chunks of loops and sections, turns of ordered regions.
    Loops,
    /// Words of locks, for `omp_test_lock`.
    Locks,
    /// Changed data, at a barrier of all threads.
    Barrier,
    /// Changed data, in a critical section or under a lock.
    Critical,
    /// Changed data, in an atomic operation.
    Atomic,
    /// Changed data, at a flush.
    Flush,
    /// Loads and stores of shared data in the program. They are no traffic.
    Program,
}

impl Cause {
    /// All causes.
    pub const ALL: [Cause; 9] = [
        Cause::Command,
        Cause::Heads,
        Cause::Loops,
        Cause::Locks,
        Cause::Barrier,
        Cause::Critical,
        Cause::Atomic,
        Cause::Flush,
        Cause::Program,
    ];

    /// Name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Cause::Command => "command",
            Cause::Heads => "heads of logs",
            Cause::Loops => "loops",
            Cause::Locks => "lock words",
            Cause::Barrier => "data at barriers",
            Cause::Critical => "data under locks",
            Cause::Atomic => "data of atomics",
            Cause::Flush => "data at flushes",
            Cause::Program => "loads and stores",
        }
    }
}

/// Counts of one cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Accesses that read.
    pub reads: u64,
    pub read_bytes: u64,
    /// Accesses that write.
    pub writes: u64,
    pub written_bytes: u64,
}

/// Words of the counts of a cause.
const TRAFFIC_WORDS: usize = 8;

fn counts_at(node: usize, cause: Cause) -> usize {
    at::COUNTS + (node * Cause::ALL.len() + cause as usize) * TRAFFIC_WORDS
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
        // A code other than 0 counts, whatever came before: an exit handler may fail.
        if self.0.get(at::EXIT) == 0 || code != 0 && self.exit_code() == Some(0) {
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

    /// Adds to the counts of a node; only its process does.
    pub fn add_traffic(&self, node: usize, cause: Cause, more: Traffic) {
        let at = counts_at(node, cause);
        let more = [more.reads, more.read_bytes, more.writes, more.written_bytes];
        for (index, more) in more.into_iter().enumerate() {
            let at = at + 2 * index;
            self.0.set_long(at, self.0.get_long(at).wrapping_add(more));
        }
    }

    /// Counts of a node.
    #[must_use]
    pub fn traffic(&self, node: usize, cause: Cause) -> Traffic {
        let at = counts_at(node, cause);
        let [reads, read_bytes, writes, written_bytes] =
            [0, 2, 4, 6].map(|word| self.0.get_long(at + word));
        Traffic { reads, read_bytes, writes, written_bytes }
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
