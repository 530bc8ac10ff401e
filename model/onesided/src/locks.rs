// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks that a rank holds or wants.

use crate::layout::HELD;

/// Locks that this rank holds or wants, by the number of its word.
#[derive(Debug)]
pub(crate) struct Locks(pub(crate) [Option<u16>; HELD]);

impl Default for Locks {
    fn default() -> Self {
        Locks([None; HELD])
    }
}
