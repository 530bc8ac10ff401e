// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frame check sequence (FCS-1, FCS-2).

use crate::contract::limits::FCS_BYTES;

/// FCS of the bytes before it, as the number whose least significant byte is sent first.
#[must_use]
#[inline]
pub fn compute(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// Reads the FCS from the last four bytes; `None` if there are fewer than four.
#[must_use]
#[inline]
pub fn read(frame: &[u8]) -> Option<u32> {
    frame.last_chunk::<FCS_BYTES>().map(|b| u32::from_le_bytes(*b))
}
