// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a host gives to its board.

use std::sync::Arc;

/// Data that a host gives to its board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// These bytes.
    Bytes(Arc<[u8]>),
    /// These bytes, in one frame.
    Whole(Arc<[u8]>),
    /// That many bytes whose values do not matter; they change no memory.
    Blank(u64),
}

impl Content {
    /// Number of bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        match self {
            Content::Bytes(bytes) | Content::Whole(bytes) => bytes.len() as u64,
            Content::Blank(len) => *len,
        }
    }

    /// There are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
