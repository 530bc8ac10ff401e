// SPDX-License-Identifier: MIT OR Apache-2.0
//! A cluster of computers (papers 001, 003, 004): processes with private memory, a server on each computer that sleeps
//! until a message wakes it, and links with overhead, latency and bandwidth.
//!
//! Nothing here is clocked: a run is a queue of events in order of time, and the same input gives the same run to the
//! nanosecond. A process reaches the memory of another by messages to its server; locks, fences and barriers are
//! the protocols of [`awgstar_sync::firmware::onesided`].
#![forbid(unsafe_code)]

mod network;
mod protocols;
mod settings;
mod state;
mod system;

pub use awgstar_coherence::{
    fdsm::Inspection,
    pages::{Blocks, Counts, Protocol as Coherence},
    scash::Homes,
};
pub use settings::{
    Barriers, Costs, Fences, Locks, PROCESSES_MAX, Settings, SettingsError, Sharing,
};
pub use system::{Cluster, ClusterError};
