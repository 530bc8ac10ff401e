// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of a system.

use super::{MEMORY_BYTES, SettingsError};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds};
use thiserror::Error;

/// Error of a system: it does not run, or stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Gen1Error {
    /// A setting is out of its range.
    #[error("{0}")]
    Settings(#[from] SettingsError),
    /// There are not as many processes as nodes.
    #[error("{found} processes: expected {nodes}, one for each node")]
    Processes {
        /// Nodes.
        nodes: usize,
        /// Processes.
        found: usize,
    },
    /// An access that does not lie in the shared memory, or is of no bytes.
    #[error(
        "node {node} at {at} ns: {len} bytes at {addr:#x}: expected 1 or more within {MEMORY_BYTES:#x}"
    )]
    Address {
        /// Node.
        node: usize,
        /// When, in ns.
        at: Nanoseconds,
        /// Byte address.
        addr: ByteAddress,
        /// Bytes.
        len: u64,
    },
    /// A lock that the index does not have.
    #[error("node {node} at {at} ns: lock {lock}: expected 1 to {locks}")]
    Lock {
        /// Locks of the index.
        locks: u32,
        /// Node.
        node: usize,
        /// When, in ns.
        at: Nanoseconds,
        /// Lock number.
        lock: u32,
    },
}
