// SPDX-License-Identifier: MIT OR Apache-2.0
//! Windows: memory of a ring that is in other rings, too.

use crate::words::RingNumber;
use awgstar_frame::quantity::ByteAddress;
use std::collections::BTreeSet;
use std::ops::Range;

/// Memory of a ring that its gateway reflects: what a board of the ring writes there comes to the same addresses of other
/// rings, in the order in which it came to the gateway. Boards of other rings only read it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    pub ring: RingNumber,
    /// Address of the first word.
    pub first: ByteAddress,
    /// A multiple of 4.
    pub bytes: u32,
    /// The rings that have it, too.
    pub to: BTreeSet<RingNumber>,
    /// A word in those rings, written by their gateways: odd while the window is whole there. It is even while words
    /// that were lost are sent once more: until then a word may be older than one that was written before it.
    pub whole: Option<ByteAddress>,
}

impl Window {
    /// Words of the memory, by number.
    pub(crate) fn words(&self) -> Range<usize> {
        let first = self.first.word();
        first..first + self.bytes as usize / 4
    }

    /// The window is the same in the memory of its ring and in those of the rings that have it.
    pub fn is_everywhere<'a>(&self, memory: impl Fn(RingNumber) -> Option<&'a [u32]>) -> bool {
        let words = |ring| memory(ring).and_then(|memory| memory.get(self.words()));
        self.to.iter().all(|ring| words(*ring) == words(self.ring))
    }

    /// The word that says whether the window is whole.
    fn mark(&self) -> Range<usize> {
        self.whole.map_or(0..0, |at| at.word()..at.word() + 1)
    }
}

/// Windows that overlap, or are not words of the memory of programs.
pub(crate) fn wrong(windows: &[Window], rings: u16, end: ByteAddress) -> Option<usize> {
    let bad = |(at, one): (usize, &Window)| {
        let Range { start, end: after } = one.words();
        let mark = one.mark();
        let outside = one.first.0 % 4 != 0
            || one.whole.is_some_and(|at| at.0 % 4 != 0)
            || mark.end > end.word()
            || one.bytes % 4 != 0
            || one.bytes == 0
            || after > end.word()
            || one.ring.0 >= rings
            || one.to.is_empty()
            || one.to.iter().any(|to| to.0 >= rings || *to == one.ring);
        let meets = |other: &Range<usize>| {
            [&(start..after), &mark]
                .iter()
                .any(|own| own.start < other.end && other.start < own.end)
        };
        let overlaps = |other: &Window| meets(&other.words()) || meets(&other.mark());
        let within = !mark.is_empty() && (start..after).contains(&mark.start);
        outside || within || windows[..at].iter().any(overlaps)
    };
    (0..).zip(windows).position(bad)
}
