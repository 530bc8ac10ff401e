// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a cluster is made of, and what things cost there.

use awgstar_coherence::pages::Protocol;
use awgstar_frame::quantity::Nanoseconds;
use awgstar_request::Homes;
use thiserror::Error;

/// Most processes.
pub const PROCESSES_MAX: usize = 256;

/// What things cost (the parameters of `LogGP`, and those of a server).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// Of the processor, to send a message.
    pub send: Nanoseconds,
    /// From the sender's network card to the receiver's.
    pub latency: Nanoseconds,
    /// The same, to the server or a process of the same computer.
    pub own_latency: Nanoseconds,
    /// Until a process that polls, or the server, has a message that has arrived.
    pub receive: Nanoseconds,
    /// Bytes of data that a network card sends in a microsecond; what a message of a protocol carries is in its
    /// latency.
    pub bytes_per_us: u64,
    /// Until a server that sleeps goes on when a message arrives.
    pub wake: Nanoseconds,
    /// Of the server, to handle a message.
    pub serve: Nanoseconds,
    /// An access of a process to the memory of this computer.
    pub access: Nanoseconds,
    /// A change of that memory in one step, a lock's words included.
    pub atomic: Nanoseconds,
    /// Of a processor, a fault at a shared page: the signal, and the change of its protection.
    pub fault: Nanoseconds,
    /// Of a processor, to copy a shared page or to compare it with its twin.
    pub page: Nanoseconds,
}

impl Costs {
    /// Myrinet-2000 with GM and a server that blocks, as in paper 001. Two times are fitted to its two values for 16
    /// processes: 23.788 us for a message, and 60.021 us for a server to wake and serve. Their parts, and the rest, are
    /// not in the paper.
    pub const MYRINET_2000_GM: Costs = Costs {
        send: Nanoseconds(1_000),
        latency: Nanoseconds(22_788),
        own_latency: Nanoseconds(22_788),
        receive: Nanoseconds(0),
        bytes_per_us: 250,
        wake: Nanoseconds(59_021),
        serve: Nanoseconds(1_000),
        access: Nanoseconds(100),
        atomic: Nanoseconds(500),
        fault: Nanoseconds(24_000),
        page: Nanoseconds(3_000),
    };

    /// Myrinet of 1.25 Gb/s with `SCore`, as in paper 003, for its shared pages. Two costs are fitted to its two values
    /// for 8 nodes: the bytes of a microsecond to FDSM, and `serve` to SCASH. The rest is not in the paper.
    pub const SCORE_MYRINET: Costs = Costs {
        send: Nanoseconds(1_000),
        latency: Nanoseconds(9_000),
        own_latency: Nanoseconds(9_000),
        receive: Nanoseconds(0),
        bytes_per_us: 28,
        wake: Nanoseconds(117_000),
        serve: Nanoseconds(1_000),
        ..Costs::MYRINET_2000_GM
    };
}

/// How a process waits until its puts are in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fences {
    /// It asks one server after the other (paper 001, 3.1.1).
    InTurn,
    /// It asks all servers, and then waits.
    AtOnce,
}

/// The lock of processes (paper 001, 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locks {
    /// Tickets for processes at the home of the lock, a queue at its server for others.
    Hybrid,
    /// A queue of processes (MCS).
    Queue,
}

/// The barrier after which all puts are in place (paper 001, 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barriers {
    /// A confirmation of each server, then a barrier.
    AllFence,
    /// The barrier that contains the fence.
    Combined,
}

/// How processes share memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Each has a segment of it, which the others reach by messages.
    Segments,
    /// Each has a replica of it: what one writes goes to all others.
    Replica,
    /// The same, and the pages of their programs are kept coherent by a protocol (paper 003).
    Pages(Protocol),
}

macro_rules! names {
    ($kind:ident: $($value:ident $name:literal),+) => {
        impl $kind {
            /// All of them.
            pub const ALL: &[$kind] = &[$($kind::$value),+];

            /// Name on the command line, in files and in tables.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($kind::$value => $name),+ }
            }
        }
    };
}

names!(Fences: InTurn "in-turn", AtOnce "at-once");
names!(Locks: Hybrid "hybrid", Queue "queue");
names!(Barriers: AllFence "all-fence", Combined "combined");

/// A cluster.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Processes of all computers.
    pub processes: usize,
    /// Processes of a computer; the last one may have fewer.
    pub per_computer: usize,
    /// Bytes of the memory of all processes.
    pub memory: u32,
    pub costs: Costs,
    pub fences: Fences,
    pub locks: Locks,
    pub barrier: Barriers,
    pub sharing: Sharing,
    /// Time at which the run is stopped.
    pub limit: Nanoseconds,
    /// Events are recorded.
    pub record: bool,
}

/// A cluster that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    #[error("{field}: {found}: expected {least} to {most}")]
    Range { field: &'static str, found: u64, least: u64, most: u64 },
}

impl Settings {
    /// So many computers with a process each, the costs of paper 001, and its new protocols.
    #[must_use]
    pub fn new(processes: usize) -> Settings {
        Settings {
            processes,
            per_computer: 1,
            memory: 16 << 20,
            costs: Costs::MYRINET_2000_GM,
            fences: Fences::InTurn,
            locks: Locks::Queue,
            barrier: Barriers::Combined,
            sharing: Sharing::Segments,
            limit: Nanoseconds(u64::MAX),
            record: false,
        }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// [`SettingsError::Range`] names the field.
    pub fn check(&self) -> Result<(), SettingsError> {
        let processes = self.processes as u64;
        let within = |field, found, least, most| {
            let bad = SettingsError::Range { field, found, least, most };
            if (least..=most).contains(&found) { Ok(()) } else { Err(bad) }
        };
        within("processes", processes, 1, PROCESSES_MAX as u64)?;
        within("per_computer", self.per_computer as u64, 1, PROCESSES_MAX as u64)?;
        within("bytes_per_us", self.costs.bytes_per_us, 1, 1_000_000)?;
        // Without it a process that polls its own memory would stop the time.
        within("access_ns", self.costs.access.0, 1, 1_000_000_000)?;
        let least = processes * u64::from(awgstar_request::PAGE);
        within("memory", self.memory.into(), least, u32::MAX.into())
    }

    /// The segments of the processes.
    #[must_use]
    pub fn homes(&self) -> Homes {
        Homes::new(self.memory, self.processes)
    }

    /// Computers.
    #[must_use]
    pub const fn computers(&self) -> usize {
        self.processes.div_ceil(self.per_computer)
    }

    /// The computer of a process.
    #[must_use]
    pub const fn computer(&self, process: usize) -> usize {
        process / self.per_computer
    }
}
