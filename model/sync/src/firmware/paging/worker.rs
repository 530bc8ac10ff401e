// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process' side: it marks a page as accessed, asks for it when it is not there, and lets it go
//! (PAG-2 to PAG-4; thesis 5.4.3).

use super::{Action, Event, Place, Repairs};
use crate::firmware::Message;
use awgstar_frame::contract::{Signal, page_table::word};
use awgstar_frame::quantity::ByteAddress;

crate::states! {
    /// State of a process's access to pages.
    pub enum Worker, /// Cause of a transition.
    WorkerCause, "paging: process" {
        states {
            /// The process accesses no page.
            Idle "idle",
            /// As published only: the process checks that the page is there before it sets its
            /// access flag.
            Looking "looking",
            /// The access flag is on its way round the ring.
            Marking "marking",
            /// The flag is on every board; it looks whether the page is there.
            Checking "checking",
            /// The process has requested the page.
            Asking "asking",
            /// The page is there: it reads where.
            Locating "locating",
            /// The process accesses the page.
            Using "using",
            /// The writes of the process are on their way round the ring; then the flag is cleared.
            Leaving "leaving",
        }
        causes {
            /// As published: the process wants a page.
            Look "look": Idle => Looking, Using => Looking, Leaving => Looking;
            /// The flag is set.
            Mark "mark": Idle => Marking, Using => Marking, Looking => Marking, Asking => Marking;
            /// The flag is on every board.
            Check "confirmed": Marking => Checking, Leaving => Checking;
            /// The page is not there.
            Ask "not_in": Looking => Asking, Checking => Asking;
            /// The page is there, and the flag is set.
            Locate "in": Checking => Locating, Asking => Locating;
            /// The process knows the offset.
            Use "offset": Locating => Using;
            /// The process wants another page, or none.
            Leave "leave": Using => Leaving;
            /// The process has no page.
            End "cleared": Using => Idle, Leaving => Idle;
        }
    }
}

/// The state machine of a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    place: Place,
    repairs: Repairs,
    state: Worker,
    /// The page whose flag is set because it is, or was, accessed, and its offset.
    held: Option<(u16, ByteAddress)>,
    /// The page that the process waits for.
    wanted: Option<u16>,
    /// Number of the last request.
    tag: u16,
}

impl Access {
    /// The state machine of the process on `place.node`.
    #[must_use]
    pub const fn new(place: Place, repairs: Repairs) -> Access {
        Access { place, repairs, state: Worker::Idle, held: None, wanted: None, tag: 0 }
    }

    #[must_use]
    pub const fn state(&self) -> Worker {
        self.state
    }

    /// The page that it accesses and its offset.
    #[must_use]
    pub const fn page(&self) -> Option<(u16, ByteAddress)> {
        if matches!(self.state, Worker::Using) { self.held } else { None }
    }

    /// The page that it waits for.
    #[must_use]
    pub const fn wanted(&self) -> Option<u16> {
        self.wanted
    }

    /// Handles an event and appends the resulting actions to `actions`.
    pub fn step(&mut self, event: Event, actions: &mut Vec<Action>) {
        match event {
            Event::Access(page) => self.access(page, actions),
            Event::LetGo => self.let_go(actions),
            Event::Word(value) => self.read(value != 0, value, actions),
            Event::Confirmed => self.confirmed(actions),
            Event::Timer if self.state == Worker::Asking => self.send(actions),
            Event::Timer | Event::Wanted(_) | Event::Copied => {}
        }
    }

    fn access(&mut self, page: u16, actions: &mut Vec<Action>) {
        if let Some((_, offset)) = self.page().filter(|held| held.0 == page) {
            actions.push(Action::Granted(offset));
            return;
        }
        // One page at a time; a page that is not is never asked for.
        let free = matches!(self.state, Worker::Idle | Worker::Using);
        if !free || page == 0 || page > self.place.at.pages {
            return;
        }
        self.wanted = Some(page);
        if self.held.is_some() && self.repairs.has(Repairs::CLEAR_CONFIRMED) {
            if self.repairs.has(Repairs::KEEP) {
                self.mark(page, true, actions);
            }
            self.state.go(WorkerCause::Leave);
            actions.push(Action::Confirm);
        } else {
            self.clear(actions);
            self.begin(page, actions);
        }
    }

    /// Nothing is held any more.
    fn begin(&mut self, page: u16, actions: &mut Vec<Action>) {
        if self.repairs.has(Repairs::KEEP) {
            self.mark_and_confirm(page, actions);
        } else {
            self.state.go(WorkerCause::Look);
            actions.push(Action::Read(self.place.at.valid(page)));
        }
    }

    fn mark_and_confirm(&mut self, page: u16, actions: &mut Vec<Action>) {
        self.state.go(WorkerCause::Mark);
        self.mark(page, true, actions);
        actions.push(Action::Confirm);
    }

    /// Writes the own access flag: a byte that only this process writes.
    fn mark(&self, page: u16, on: bool, actions: &mut Vec<Action>) {
        let addr = self.place.at.flag(page, self.place.node.0);
        let (lane, value) = (addr.lane(), u32::from(on));
        actions.push(Action::Write {
            addr: addr.aligned(),
            data: value << (8 * lane),
            strobe: 1 << lane,
        });
    }

    /// The flag of the page held so far goes back to 0.
    fn clear(&mut self, actions: &mut Vec<Action>) {
        if let Some((page, _)) = self.held.take() {
            self.mark(page, false, actions);
        }
    }

    fn let_go(&mut self, actions: &mut Vec<Action>) {
        if self.state != Worker::Using || !self.repairs.has(Repairs::LET_GO) {
            actions.push(Action::Released);
        } else if self.repairs.has(Repairs::CLEAR_CONFIRMED) {
            self.state.go(WorkerCause::Leave);
            actions.push(Action::Confirm);
        } else {
            self.end(actions);
        }
    }

    fn end(&mut self, actions: &mut Vec<Action>) {
        self.clear(actions);
        self.state.go(WorkerCause::End);
        actions.push(Action::Released);
    }

    fn confirmed(&mut self, actions: &mut Vec<Action>) {
        match (self.state, self.wanted) {
            (Worker::Leaving, None) => self.end(actions),
            (Worker::Leaving, Some(page)) if !self.repairs.has(Repairs::KEEP) => {
                self.clear(actions);
                self.begin(page, actions);
            }
            (Worker::Leaving | Worker::Marking, Some(page)) => {
                // With a page held before, one confirmation serves both.
                self.clear(actions);
                self.state.go(WorkerCause::Check);
                actions.push(Action::Read(self.place.at.valid(page)));
            }
            _ => {}
        }
    }

    /// A word is here: the valid flag, or the offset.
    fn read(&mut self, is_in: bool, value: u32, actions: &mut Vec<Action>) {
        let Some(page) = self.wanted else { return };
        match self.state {
            Worker::Looking if is_in => self.mark_and_confirm(page, actions),
            Worker::Looking => self.ask(page, actions),
            Worker::Checking if !is_in => {
                if !self.repairs.has(Repairs::KEEP) {
                    self.mark(page, false, actions);
                }
                self.ask(page, actions);
            }
            Worker::Asking => {
                actions.push(Action::Stop);
                if self.repairs.has(Repairs::KEEP) {
                    self.locate(page, actions);
                } else {
                    self.mark_and_confirm(page, actions);
                }
            }
            Worker::Checking => self.locate(page, actions),
            Worker::Locating => {
                let offset = ByteAddress(word(value));
                self.state.go(WorkerCause::Use);
                self.held = Some((page, offset));
                self.wanted = None;
                actions.push(Action::Granted(offset));
            }
            _ => {}
        }
    }

    fn locate(&mut self, page: u16, actions: &mut Vec<Action>) {
        self.state.go(WorkerCause::Locate);
        actions.push(Action::Read(self.place.at.offset(page)));
    }

    fn ask(&mut self, page: u16, actions: &mut Vec<Action>) {
        self.state.go(WorkerCause::Ask);
        self.tag = self.tag.wrapping_add(1);
        self.send(actions);
        actions.push(Action::Until(self.place.at.valid(page)));
    }

    fn send(&self, actions: &mut Vec<Action>) {
        let Some(page) = self.wanted else { return };
        let Place { node, master, .. } = self.place;
        if node == master {
            actions.push(Action::Ask(page));
            return;
        }
        // As published Node_ID names the worker; a point-to-point signal reaches the node that
        // Node_ID names.
        let node_id = if self.repairs.has(Repairs::TO_MASTER) { master } else { node };
        let new = Message::new(Signal::SwapRequest, node);
        actions.push(Action::Send(Message {
            node_id,
            tag: self.tag,
            lock_number: page.into(),
            ..new
        }));
        if self.repairs.has(Repairs::ASK_AGAIN) {
            actions.push(Action::Start);
        }
    }

    /// The state machine in a few words.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut text = self.state.name().to_string();
        if let Some((page, _)) = self.held {
            text = format!("{text} page {page}");
        }
        match self.wanted {
            Some(page) => format!("{text}, wants {page}"),
            None => text,
        }
    }
}
