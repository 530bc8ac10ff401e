// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of decoding (bytes that are not a frame) and of encoding (a frame that cannot be sent).

use crate::contract::{Check, Field, Token};
use core::fmt;

/// Expectation on a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// This very value.
    Exactly(u64),
    /// One from the first to the second, both included.
    Range(u64, u64),
    /// One of the assigned codes.
    Assigned,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Exactly(value) => write!(f, "{value}"),
            Expected::Range(low, high) => write!(f, "{low} to {high}"),
            Expected::Assigned => f.write_str("an assigned code"),
        }
    }
}

/// Error of decoding (FRM-12): the first check that failed (FRM-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Verdict, as `frame_rx` gives it.
    pub check: Check,
    /// The wrong field; [`Field::Frame`] is the length in bytes.
    pub field: Field,
    /// Byte offset of that field in the frame; for the length, the first byte missing or too many.
    pub offset: usize,
    /// The expected value or range.
    pub expected: Expected,
    /// The value found.
    pub found: u64,
}

impl core::error::Error for DecodeError {}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DecodeError { check, field, offset, expected, found } = self;
        write!(f, "{} at byte {offset}: ", field.name())?;
        match (check, expected) {
            (Check::Fcs, Expected::Exactly(crc)) => {
                write!(f, "expected 0x{crc:08x}, found 0x{found:08x}")
            }
            (Check::Token, _) => write!(f, "expected {expected}, found {found:03b} (reserved)"),
            (Check::CSt, _) => {
                write!(
                    f,
                    "expected 0 (full) or 1 (short) on a data token, found {found} (reserved)"
                )
            }
            (Check::ShortCount, _) => write!(f, "expected {expected} valid bytes, found {found}"),
            _ => write!(f, "expected a length of {expected} bytes, found {found}"),
        }
    }
}

/// Error of encoding a [`super::Frame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// A value needs more bits than its field has.
    #[error("{}: expected at most {max}, found {found}", .field.name())]
    TooLarge {
        /// The field.
        field: Field,
        /// Largest value it holds.
        max: u64,
        /// The value given.
        found: u64,
    },
    /// A value that this kind of frame does not carry.
    #[error("{}: expected {expected} on a {} token, found {found}", .field.name(), .token.name())]
    NotAllowed {
        /// The field.
        field: Field,
        /// Kind of frame.
        token: Token,
        /// Values that it may carry.
        expected: Expected,
        /// The value given.
        found: u64,
    },
    /// Too many or too few valid bytes for this kind of frame.
    #[error("data: expected {expected} valid bytes on a {} token, found {found}", .token.name())]
    DataLength {
        /// Kind of frame.
        token: Token,
        /// Numbers of bytes allowed.
        expected: Expected,
        /// Number of bytes given.
        found: usize,
    },
    /// The output buffer is too short.
    #[error("frame: expected a buffer of at least {needed} bytes, found {found}")]
    Buffer {
        /// Length of the encoded frame in bytes.
        needed: usize,
        /// Length of the buffer in bytes.
        found: usize,
    },
}
