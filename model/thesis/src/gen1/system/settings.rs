// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of a system.

use crate::gen1::{
    mailbox::MailRepairs,
    ring::Fault,
    settings::{Host, Line},
};
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Nanoseconds};

/// Bytes of the shared memory (thesis 4.2.2).
pub const MEMORY_BYTES: u64 = 512 << 20;

/// A system.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The ring.
    pub line: Line,
    pub host: Host,
    /// Repairs of the primitives.
    pub repairs: MailRepairs,
    /// Order of the signals of the primitives relative to data written before: `Sent` keeps their
    /// order, `Confirmed` makes them wait until the data has returned good.
    pub order: Order,
    /// Faults of the links.
    pub faults: Vec<Fault>,
    /// Locks of the index, 0 to [`LOCK_MAX`]: they are numbered from 1.
    pub locks: u32,
    /// Time in ns at which the run is stopped.
    pub limit: Nanoseconds,
    /// Events are recorded.
    pub record: bool,
}

impl Settings {
    /// `nodes` nodes with 10 m of fibre after each, repaired primitives, 16 locks, no faults, an hour.
    #[must_use]
    pub fn new(nodes: usize) -> Settings {
        Settings {
            line: Line::new(nodes, 10),
            host: Host::default(),
            repairs: MailRepairs::ALL,
            order: Order::Confirmed,
            faults: Vec::new(),
            locks: 16,
            limit: Nanoseconds(3_600_000_000_000),
            record: false,
        }
    }
}

/// Most locks: the index then ends below [`FREE`].
pub const LOCK_MAX: u32 = 250_000;

/// First byte that areas and index leave for programs.
pub const FREE: ByteAddress = ByteAddress(1 << 20);
