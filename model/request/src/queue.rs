// SPDX-License-Identifier: MIT OR Apache-2.0
//! The queue of what is to happen on a machine of events.

use awgstar_frame::quantity::Nanoseconds;
use core::{cmp::Reverse, ops::Add};
use std::collections::BinaryHeap;

/// Event queue, in order of time; events of the same time leave in the order in which they were put
/// in. Times are in ns, or in [`Cycle`](awgstar_frame::quantity::Cycle)s.
#[derive(Clone, Debug)]
pub struct Queue<E, T = Nanoseconds> {
    heap: BinaryHeap<Reverse<Entry<E, T>>>,
    put: u64,
    now: T,
}

#[derive(Clone, Debug)]
struct Entry<E, T> {
    at: T,
    order: u64,
    event: E,
}

impl<E, T: Copy> Entry<E, T> {
    const fn key(&self) -> (T, u64) {
        (self.at, self.order)
    }
}

impl<E, T: Copy + Ord> PartialEq for Entry<E, T> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}
impl<E, T: Copy + Ord> Eq for Entry<E, T> {}
impl<E, T: Copy + Ord> PartialOrd for Entry<E, T> {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<E, T: Copy + Ord> Ord for Entry<E, T> {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl<E, T: Copy + Ord + Default> Default for Queue<E, T> {
    fn default() -> Self {
        Queue { heap: BinaryHeap::new(), put: 0, now: T::default() }
    }
}

impl<E, T: Copy + Ord + Add<Output = T>> Queue<E, T> {
    /// The moment of the last event taken.
    #[must_use]
    pub const fn now(&self) -> T {
        self.now
    }

    /// Puts an event `after` from now.
    pub fn put(&mut self, after: T, event: E) {
        self.heap.push(Reverse(Entry { at: self.now + after, order: self.put, event }));
        self.put += 1;
    }

    /// The events that wait, in no order.
    pub fn events(&self) -> impl Iterator<Item = &E> {
        self.heap.iter().map(|Reverse(entry)| &entry.event)
    }

    /// Takes the next event; time moves to it.
    pub fn take(&mut self) -> Option<(T, E)> {
        let Reverse(entry) = self.heap.pop()?;
        self.now = entry.at;
        Some((entry.at, entry.event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_one_moment_keep_their_order() {
        let mut queue = Queue::default();
        for (after, event) in [(5, 'c'), (0, 'a'), (5, 'd'), (0, 'b')] {
            queue.put(after, event);
        }
        let taken: Vec<_> = core::iter::from_fn(|| queue.take()).collect();
        assert_eq!(taken, [(0, 'a'), (0, 'b'), (5, 'c'), (5, 'd')]);
        assert_eq!(queue.now(), 5);
    }
}
