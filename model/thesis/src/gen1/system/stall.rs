// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stall rule on generation 1: events decide, and threads that poll count rounds.

use super::{Doing, Event, Gen1};
use crate::gen1::mailbox::{Master, Worker};
use awgstar_request::stall::{Machine, Open};

/// The thread whose look an event is, if it may find nothing new.
const fn poller(event: &Event) -> Option<usize> {
    match event {
        Event::Control | Event::Area(_) => Some(0),
        Event::WorkerArea(at) | Event::WorkerIndex(at, _) => Some(*at),
        // The main thread goes on only if it can.
        Event::Ring(_) | Event::Fault | Event::Resume(_) | Event::Interrupt(_) | Event::Main => {
            None
        }
    }
}

impl Gen1 {
    /// Bits of the threads that are going to look.
    fn pollers(&self) -> u32 {
        self.queue.events().filter_map(poller).fold(0, |all, at| all | 1 << at)
    }

    /// An event was handled.
    pub(super) fn looked(&mut self, event: Event) {
        let Some(at) = poller(&event) else { return };
        self.polls.left &= !(1 << at);
        if self.polls.left == 0 {
            self.polls.rounds += 1;
            self.polls.left = self.pollers();
        }
    }
}

impl Machine for Gen1 {
    type Shape = (Master, Vec<Worker>);

    fn open(&self) -> Open {
        let mut open = Open::None;
        for node in &self.nodes {
            match node.doing {
                Doing::Until(..) => return Open::Ends,
                Doing::Sync | Doing::Watching(..) | Doing::Asking(_) => open = Open::Waits,
                Doing::Ended => {}
            }
        }
        open
    }

    fn in_flight(&self) -> bool {
        let acts =
            |event: &Event| matches!(event, Event::Resume(_) | Event::Interrupt(_) | Event::Main);
        self.ring.carries() || self.queue.events().any(acts)
    }

    /// Faults come later, but no fault helps.
    fn helps_later(&self) -> bool {
        false
    }

    fn rounds(&self) -> Option<u64> {
        (self.pollers() != 0).then_some(self.polls.rounds)
    }

    fn shape(&self) -> (Master, Vec<Worker>) {
        (self.master.clone(), self.nodes.iter().map(|node| node.worker.clone()).collect())
    }
}
