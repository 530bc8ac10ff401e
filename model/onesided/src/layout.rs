// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the layer keeps at the beginning of each segment. Each word has one writer.

use crate::memory::PAGE;
use awgstar_request::Homes;

/// Locks that a rank can hold, or wait for, at a time.
pub(crate) const HELD: usize = 64;
/// Least and most bytes of a channel.
const LEAST: usize = 64;
const MOST: usize = 16 << 10;

/// Sizes of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Ranks.
    pub(crate) ranks: usize,
    /// Bytes of a segment.
    pub(crate) segment: usize,
    /// Bytes of the ring buffer of a channel, a power of two.
    pub(crate) channel: usize,
}

impl Layout {
    /// The layout for so much shared memory; `None` if a segment has no room for it and a page of the program.
    pub(crate) fn new(memory: u64, ranks: usize) -> Option<Layout> {
        let homes = Homes::new(u32::try_from(memory).ok()?, ranks);
        let segment = homes.segment as usize;
        let share = (segment / 8 / ranks).clamp(LEAST, MOST);
        let channel = 1 << share.ilog2();
        let layout = Layout { ranks, segment, channel };
        (layout.reserved() + PAGE <= segment).then_some(layout)
    }

    /// Bytes of shared memory, a power of two, that are enough for so many ranks.
    pub(crate) fn enough(ranks: usize) -> u64 {
        let powers = (12..63).map(|power| 1 << power);
        powers.into_iter().find(|&memory| Layout::new(memory, ranks).is_some()).unwrap_or(u64::MAX)
    }

    /// Word with the bytes that rank `source` has written into its channel to the owner; its writer is `source`.
    pub(crate) const fn head(source: usize) -> usize {
        4 * source
    }

    /// Word with the bytes that rank `reader` has taken from the owner's channel to it; its writer is `reader`.
    pub(crate) const fn tail(&self, reader: usize) -> usize {
        4 * (self.ranks + reader)
    }

    /// Bytes of all these words, from the beginning on.
    pub(crate) const fn counters(&self) -> usize {
        8 * self.ranks
    }

    /// A word for a lock that the owner holds, waits for or tries; its writer is the owner.
    pub(crate) const fn wanted(&self, index: usize) -> usize {
        self.counters() + 4 * index
    }

    /// Where the ring buffer of the channel from rank `source` begins; its writer is `source`.
    pub(crate) const fn buffer(&self, source: usize) -> usize {
        (self.wanted(HELD)).next_multiple_of(LEAST) + source * self.channel
    }

    /// Bytes of all this: whole pages.
    pub(crate) const fn reserved(&self) -> usize {
        self.buffer(self.ranks).next_multiple_of(PAGE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_overlap_and_fit() {
        for ranks in [1, 2, 3, 4, 7, 16, 64, 256] {
            let enough = Layout::enough(ranks);
            assert_eq!(Layout::new(enough / 2, ranks), None, "{ranks}");
            for memory in [enough, 2 * enough, 64 << 20, 535_822_336] {
                let layout = Layout::new(memory, ranks).unwrap();
                assert!(layout.segment * ranks <= usize::try_from(memory).unwrap());
                assert!(layout.channel.is_power_of_two() && layout.channel >= 64);
                assert!(Layout::head(ranks - 1) < layout.tail(0));
                assert!(layout.tail(ranks - 1) < layout.wanted(0));
                assert!(layout.wanted(HELD - 1) < layout.buffer(0));
                let end = layout.buffer(ranks - 1) + layout.channel;
                assert!(end <= layout.reserved() && layout.reserved() < layout.segment);
                // Most of a large segment is the program's.
                assert!(memory < 64 << 20 || 4 * layout.reserved() <= layout.segment, "{ranks}");
            }
        }
        assert_eq!([1, 2, 4, 16].map(Layout::enough), [8 << 10, 16 << 10, 32 << 10, 128 << 10]);
    }
}
