// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors.

use awgstar_program::CallError;
use thiserror::Error;

/// Why a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// The machine, or the run.
    #[error("{0}")]
    Call(#[from] CallError),
    /// A segment has no room for what the layer keeps there, or for static data.
    #[error(
        "the shared memory of {memory} bytes is too small for {ranks} ranks: expected {expected} or more (`awgstar run --memory`, or `memory_bytes` of its `--ring`)"
    )]
    TooSmall {
        /// Bytes of the shared memory.
        memory: u64,
        /// Ranks.
        ranks: usize,
        /// Bytes that are enough.
        expected: u64,
    },
    /// There is no such rank.
    #[error("rank {rank}: expected 0 to {}", ranks - 1)]
    Rank {
        /// The rank.
        rank: usize,
        /// Ranks.
        ranks: usize,
    },
    /// Bytes beyond a segment.
    #[error("{bytes} bytes at offset {offset:#x}: expected bytes within a segment of {segment:#x}")]
    Range {
        /// Offset in the segment.
        offset: u64,
        /// Bytes.
        bytes: usize,
        /// Bytes of a segment.
        segment: u64,
    },
    /// An update that does not exist.
    #[error("update of {bytes} bytes: expected 4 or 8, or 16 to swap, compare and swap or fetch")]
    Width {
        /// Its bytes.
        bytes: u8,
    },
    /// An accumulate of a part of a number, or with a scale that is not one number.
    #[error("accumulate of {data} bytes, scale of {scale}: expected numbers of {number}")]
    Numbers {
        /// Bytes of the data.
        data: usize,
        /// Bytes of the scale.
        scale: usize,
        /// Bytes of a number.
        number: usize,
    },
    /// No lock has this number.
    #[error("lock {0}: expected 0 to 65535")]
    Lock(u32),
    /// More locks than a rank can hold or wait for at a time.
    #[error("a rank holds 64 locks at most")]
    Locks,
    /// An address that is no multiple of the bytes of a value.
    #[error("offset {offset:#x}: expected a multiple of {unit}")]
    Unaligned {
        /// Offset in the segment.
        offset: u64,
        /// What it is a multiple of.
        unit: u64,
    },
    /// A wait for a change of no bytes, or of too many.
    #[error("wait for a change of {0} bytes: expected 1 to {most}", most = crate::WATCHED_BYTES)]
    Watched(usize),
    /// The system does not map memory as it is needed.
    #[error("the segment cannot be mapped: {0}")]
    Map(&'static str),
    /// Static data that is no whole pages, or after the heap was given away.
    #[error("static data: {0}")]
    Static(&'static str),
    /// This process is not the member of the group that it says.
    #[error("this process is no member of the group, or not with this index")]
    Member,
    /// Not one message for each member.
    #[error("{found} messages: expected {expected}, one for each member")]
    Messages {
        /// Messages.
        found: usize,
        /// Members.
        expected: usize,
    },
    /// A message that is too long, or not as long as that of another member.
    #[error("message of {found} bytes: expected {expected}")]
    Message {
        /// Bytes of the message.
        found: usize,
        /// Expected bytes.
        expected: usize,
    },
}
