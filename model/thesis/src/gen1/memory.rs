// SPDX-License-Identifier: MIT OR Apache-2.0
//! One node's replica of the shared memory: only the parts that were written take room.

use awgstar_frame::quantity::ByteAddress;
use std::collections::BTreeSet;

/// Bytes of a part.
const PART: usize = 4096;
/// Bytes of a line, of which a memory that is watched keeps whether it was written.
pub const LINE: usize = 256;

/// Bytes by address; what was never written is 0.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    parts: Vec<Option<Box<[u8; PART]>>>,
    /// Lines with changes, if the memory is watched.
    changes: Option<BTreeSet<usize>>,
}

impl Memory {
    /// Writes `bytes` from `addr` on.
    pub fn write(&mut self, addr: ByteAddress, bytes: &[u8]) {
        let mut at = addr.0 as usize;
        if let (Some(changes), Some(last)) = (&mut self.changes, bytes.len().checked_sub(1)) {
            changes.extend(at / LINE..=(at + last) / LINE);
        }
        let mut left = bytes;
        while !left.is_empty() {
            let (index, offset) = (at / PART, at % PART);
            let (now, later) = left.split_at(left.len().min(PART - offset));
            if self.parts.len() <= index {
                self.parts.resize(index + 1, None);
            }
            let part = self.parts[index].get_or_insert_with(|| Box::new([0; PART]));
            part[offset..offset + now.len()].copy_from_slice(now);
            at += now.len();
            left = later;
        }
    }

    /// Removes and returns the lines of [`LINE`] bytes that have been written since the last call, with their
    /// addresses; at first all that were ever written.
    pub fn take_changes(&mut self) -> Vec<(ByteAddress, Vec<u8>)> {
        let lines = if let Some(changes) = self.changes.replace(BTreeSet::new()) {
            changes
        } else {
            let written = self.parts.iter().enumerate().filter(|(_, part)| part.is_some());
            written.flat_map(|(index, _)| PART / LINE * index..PART / LINE * (index + 1)).collect()
        };
        let addr = |line: usize| u32::try_from(line * LINE).ok().map(ByteAddress);
        lines.into_iter().filter_map(addr).map(|addr| (addr, self.read(addr, LINE))).collect()
    }

    /// The `len` bytes from `addr` on.
    #[must_use]
    pub fn read(&self, addr: ByteAddress, len: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(len);
        let mut at = addr.0 as usize;
        while out.len() < len {
            let (index, offset) = (at / PART, at % PART);
            let count = (len - out.len()).min(PART - offset);
            match self.parts.get(index) {
                Some(Some(part)) => out.extend_from_slice(&part[offset..offset + count]),
                _ => out.resize(out.len() + count, 0),
            }
            at += count;
        }
        out
    }

    /// The 32-bit word at `addr`, big-endian.
    #[must_use]
    pub fn word(&self, addr: ByteAddress) -> u32 {
        self.read(addr, 4).iter().fold(0, |word, &byte| word << 8 | u32::from(byte))
    }

    /// The first address at which two memories differ.
    #[must_use]
    pub fn first_difference(&self, other: &Memory) -> Option<ByteAddress> {
        let zeros = [0; PART];
        (0..self.parts.len().max(other.parts.len())).find_map(|index| {
            let part = |memory: &Memory| match memory.parts.get(index) {
                Some(Some(part)) => **part,
                _ => zeros,
            };
            let (a, b) = (part(self), part(other));
            let at = a.iter().zip(&b).position(|(a, b)| a != b)?;
            u32::try_from(index * PART + at).ok().map(ByteAddress)
        })
    }
}
