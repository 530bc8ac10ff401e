// SPDX-License-Identifier: MIT OR Apache-2.0
//! What joins hosts of different rings: messages that take a known time.

use awgstar_frame::quantity::Cycle;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Latency and rate of a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// From the last word in to the first word out.
    pub latency: Cycle,
    /// Cycles for each word of 32 bits.
    pub word: Cycle,
}

/// The end of a wire that sends.
#[derive(Clone, Debug)]
pub struct Sender<T> {
    pace: Pace,
    /// When the last word of what was sent is in the wire.
    free: Cycle,
    queue: Arc<Mutex<VecDeque<(Cycle, T)>>>,
}

/// The end of a wire that receives.
#[derive(Debug)]
pub struct Receiver<T> {
    queue: Arc<Mutex<VecDeque<(Cycle, T)>>>,
}

/// A wire of one direction. Nothing is lost, and all arrives in order.
#[must_use]
pub fn wire<T>(pace: Pace) -> (Sender<T>, Receiver<T>) {
    let queue = Arc::new(Mutex::new(VecDeque::new()));
    (Sender { pace, free: Cycle(0), queue: Arc::clone(&queue) }, Receiver { queue })
}

/// No code of the queue's own can fail while it is locked.
fn locked<T>(queue: &Mutex<VecDeque<(Cycle, T)>>) -> MutexGuard<'_, VecDeque<(Cycle, T)>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Sender<T> {
    /// Sends a message of so many words at this cycle.
    pub fn send(&mut self, now: Cycle, words: u32, message: T) {
        let busy = Cycle(self.pace.word.0.saturating_mul(words.into()));
        self.free = self.free.max(now).saturating_add(busy);
        locked(&self.queue).push_back((self.free.saturating_add(self.pace.latency), message));
    }
}

impl<T> Receiver<T> {
    /// The oldest message that is here at this cycle.
    pub fn take(&mut self, now: Cycle) -> Option<T> {
        let mut queue = locked(&self.queue);
        let here = queue.front().is_some_and(|one| one.0 <= now);
        if here { queue.pop_front().map(|one| one.1) } else { None }
    }
}
