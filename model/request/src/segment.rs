// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory of a process.

use crate::Homes;
use awgstar_frame::quantity::ByteAddress;

/// The segment of a process, or all memory where each process has a replica. Addresses are those of the whole memory.
pub trait Segment {
    /// Bytes of the segment.
    fn load(&self, at: ByteAddress, bytes: usize) -> Vec<u8>;
    /// Puts bytes into the segment.
    fn store(&mut self, at: ByteAddress, bytes: &[u8]);
}

/// A segment that only the machine has.
#[derive(Clone, Debug)]
pub struct Plain {
    first: usize,
    bytes: Vec<u8>,
}

impl Plain {
    /// The segment of a process.
    #[must_use]
    pub fn of(homes: Homes, rank: usize) -> Self {
        Plain::new(ByteAddress::at(rank * homes.segment as usize), homes.segment)
    }

    /// Zeros: so many bytes from an address on.
    #[must_use]
    pub fn new(first: ByteAddress, bytes: u32) -> Self {
        Plain { first: first.index(), bytes: vec![0; bytes as usize] }
    }

    /// Where an address is; the end for one that is not in the segment.
    fn place(&self, at: ByteAddress) -> usize {
        at.index().checked_sub(self.first).unwrap_or(self.bytes.len()).min(self.bytes.len())
    }
}

impl Segment for Plain {
    fn load(&self, at: ByteAddress, bytes: usize) -> Vec<u8> {
        self.bytes[self.place(at)..].iter().copied().take(bytes).collect()
    }

    fn store(&mut self, at: ByteAddress, bytes: &[u8]) {
        let from = self.place(at);
        self.bytes[from..].iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    }
}
