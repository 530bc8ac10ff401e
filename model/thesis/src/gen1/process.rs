// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a process does on a machine in nanoseconds, and processes that are lists.

use awgstar_frame::quantity::Nanoseconds;
use awgstar_request::{Answer, Process, Request};
use std::collections::VecDeque;

/// A process that asks for these, one after the other, whatever the answers.
#[derive(Clone, Debug, Default)]
pub struct Script(VecDeque<Request>);

impl Script {
    /// From a list.
    pub fn new(requests: impl IntoIterator<Item = Request>) -> Script {
        Script(requests.into_iter().collect())
    }
}

impl Process for Script {
    fn next(&mut self, _answer: &Answer) -> Request {
        self.0.pop_front().unwrap_or(Request::End)
    }
}

/// Activity of a process, for the account of its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// The process computes.
    Compute,
    /// The CPU is held by an access over PCI.
    Access,
    /// The process waits for DMA.
    Dma,
    /// The process waits until its writes have gone round, or until its memory changes.
    Sync,
    /// The process waits for a lock, or for the answer to an unlock.
    Lock,
    /// The process waits at the barrier.
    Barrier,
}

impl Activity {
    /// The CPU has something to do.
    #[must_use]
    pub const fn busy(self) -> bool {
        matches!(self, Activity::Compute | Activity::Access)
    }

    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Activity::Compute => "compute",
            Activity::Access => "access",
            Activity::Dma => "dma",
            Activity::Sync => "sync",
            Activity::Lock => "lock",
            Activity::Barrier => "barrier",
        }
    }
}

/// From when to when a process did something. Spans of a process follow one another without a gap
/// until it ends, and neighbours differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// First ns.
    pub from: Nanoseconds,
    /// After the last ns.
    pub to: Nanoseconds,
    /// Activity of the process.
    pub activity: Activity,
}

impl Span {
    /// The last of `spans`; one of no time is left out, one that goes on where the last ended makes that
    /// longer.
    pub(crate) fn add_to(self, spans: &mut Vec<Span>) {
        if self.to <= self.from {
            return;
        }
        match spans.last_mut() {
            Some(last) if last.activity == self.activity && last.to == self.from => {
                last.to = self.to;
            }
            _ => spans.push(self),
        }
    }
}
