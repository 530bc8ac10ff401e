// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory that is divided among the processes.

use awgstar_frame::quantity::{ByteAddress, NodeId, narrow};

/// Bytes of a page: a segment is whole pages.
pub const PAGE: u32 = 4096;

/// The segments of a shared memory: a process each. The memory of a process is where its segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Homes {
    /// Processes.
    pub ranks: usize,
    /// Bytes of a segment.
    pub segment: u32,
}

impl Homes {
    /// Divides so many bytes. What is left over belongs to no process.
    #[must_use]
    pub fn new(memory: u32, ranks: usize) -> Self {
        let share = memory as usize / ranks.max(1);
        Homes { ranks, segment: narrow::<u32>(share) / PAGE * PAGE }
    }

    /// The process in whose segment a byte is, and the bytes from there to the end of the segment; `None` for a byte
    /// of no segment.
    #[must_use]
    pub fn of(&self, at: ByteAddress) -> Option<(NodeId, u32)> {
        let rank = at.0.checked_div(self.segment)?;
        let left = self.segment - at.0 % self.segment;
        ((rank as usize) < self.ranks).then(|| (NodeId::at(rank as usize), left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_one_home_or_none() {
        let homes = Homes::new(3 * 2 * PAGE + 5000, 3);
        assert_eq!(homes.segment, 2 * PAGE);
        let of = |at| homes.of(ByteAddress(at));
        assert_eq!(of(0), Some((NodeId(0), 2 * PAGE)));
        assert_eq!(of(2 * PAGE - 1), Some((NodeId(0), 1)));
        assert_eq!(of(2 * PAGE), Some((NodeId(1), 2 * PAGE)));
        assert_eq!(of(6 * PAGE - 1), Some((NodeId(2), 1)));
        assert_eq!((of(6 * PAGE), of(u32::MAX)), (None, None));
        // Less than a page for each.
        assert_eq!(Homes::new(PAGE, 2).of(ByteAddress(0)), None);
    }
}
