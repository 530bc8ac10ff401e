// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sets of addresses.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A set of addresses: ranges in order, which do not touch each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Spans(Vec<(usize, usize)>);

impl Spans {
    #[must_use]
    pub const fn new() -> Spans {
        Spans(Vec::new())
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ranges.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.0.iter().map(|&(from, to)| from..to)
    }

    #[must_use]
    pub fn contains(&self, at: usize) -> bool {
        let next = self.0.partition_point(|&(_, to)| to <= at);
        self.0.get(next).is_some_and(|&(from, _)| from <= at)
    }

    /// Adds a range.
    ///
    /// ```
    /// use awgstar_coherence::spans::Spans;
    /// let mut spans: Spans = [4..6, 0..2].into_iter().collect();
    /// spans.insert(2..4);
    /// assert!(spans.ranges().eq([0..6]));
    /// ```
    pub fn insert(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let first = self.0.partition_point(|&(_, to)| to < range.start);
        let last = self.0.partition_point(|&(from, _)| from <= range.end);
        let mut whole = (range.start, range.end);
        for &(from, to) in &self.0[first..last] {
            whole = (whole.0.min(from), whole.1.max(to));
        }
        self.0.splice(first..last, [whole]);
    }

    /// Adds all addresses of another set.
    pub fn insert_all(&mut self, other: &Spans) {
        for range in other.ranges() {
            self.insert(range);
        }
    }

    /// The addresses that are in a range, too.
    #[must_use]
    pub fn within(&self, range: &Range<usize>) -> Spans {
        let cut = |one: Range<usize>| one.start.max(range.start)..one.end.min(range.end);
        self.ranges().map(cut).filter(|one| !one.is_empty()).collect()
    }

    /// The addresses that are not in another set.
    ///
    /// ```
    /// use awgstar_coherence::spans::Spans;
    /// let all = Spans::from(0..6);
    /// let some: Spans = [1..2, 4..9].into_iter().collect();
    /// assert!(all.without(&some).ranges().eq([0..1, 2..4]));
    /// assert!(some.without(&all).ranges().eq([6..9]));
    /// ```
    #[must_use]
    pub fn without(&self, other: &Spans) -> Spans {
        let mut left = Vec::new();
        for Range { mut start, end } in self.ranges() {
            let first = other.0.partition_point(|&(_, to)| to <= start);
            for &(from, to) in other.0[first..].iter().take_while(|&&(from, _)| from < end) {
                if start < from {
                    left.push((start, from));
                }
                start = to;
            }
            if start < end {
                left.push((start, end));
            }
        }
        Spans(left)
    }

    /// The addresses that are in another set, too.
    #[must_use]
    pub fn both(&self, other: &Spans) -> Spans {
        self.without(&self.without(other))
    }

    /// Bytes in a message.
    #[must_use]
    pub fn size(&self) -> usize {
        16 * self.0.len()
    }
}

impl From<Range<usize>> for Spans {
    fn from(range: Range<usize>) -> Spans {
        let mut spans = Spans::new();
        spans.insert(range);
        spans
    }
}

impl FromIterator<Range<usize>> for Spans {
    fn from_iter<I: IntoIterator<Item = Range<usize>>>(ranges: I) -> Spans {
        let mut spans = Spans::new();
        for range in ranges {
            spans.insert(range);
        }
        spans
    }
}
