// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pager: a node's side of the virtual shared memory, between its state machines and the host port.
//!
//! The pager carries out the actions of a state machine in order, one access of the host after
//! another. The state machines of the process and of the master take turns.

use super::port;
use awgstar_board::ring::{HostOp, HostResult, boards::in_window};
use awgstar_frame::quantity::ByteAddress;
use awgstar_sync::firmware::Message;
use awgstar_sync::firmware::paging::{Access, Action, Copy, Event, Master, Place, Repairs};
use std::collections::VecDeque;

/// A paging state machine of a node: that of the process or that of the master.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    Process,
    /// The master's.
    Master,
}

/// Words copied before the other state machine, or the process, has its turn.
const CHUNK: u32 = 32;

/// The master's state machine and its local memory.
#[derive(Clone, Debug)]
pub struct Chief {
    machine: Master,
    /// Areas one after the other, each a page.
    local: Vec<u32>,
    words: u32,
}

impl Chief {
    /// The state machine.
    pub fn machine(&self) -> &Master {
        &self.machine
    }

    /// The word at byte `within` of an area; `None` beyond it.
    pub fn local(&self, area: u16, within: u32) -> Option<u32> {
        let word = u32::from(area) * self.words + within / 4;
        self.local.get(word as usize).copied()
    }

    /// The words of `copy` from the `done`-th on, at most a chunk of them: first and number.
    fn chunk(&self, copy: Copy, done: u32) -> (usize, u32) {
        let first = u32::from(copy.area) * self.words + done;
        (first as usize, CHUNK.min(self.words - done))
    }
}

/// Actions of a state machine that are still to be done.
#[derive(Clone, Debug, Default)]
struct Todo {
    actions: VecDeque<Action>,
    /// Words of a page copied so far.
    copied: u32,
    /// Number of the data frame to wait for.
    mark: Option<u8>,
}

/// Access or message that the driver has to carry out for the pager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Send a request.
    Send(Message),
    /// Start the timer.
    Start,
    /// Let the process go on with its page at this offset.
    Granted(ByteAddress),
    /// Let the process go on without a page.
    Released,
}

/// The next thing of a state machine.
pub(super) enum Turn {
    /// Nothing.
    Rest,
    /// Accesses of the host.
    Host(Vec<HostOp>),
    /// Something else, at once.
    Now(Order),
}

/// A node's state machines and what is to be done for them.
#[derive(Clone, Debug)]
pub struct Pager {
    place: Place,
    access: Access,
    chief: Option<Chief>,
    process: Todo,
    master: Todo,
    /// The timer of a request runs.
    timer: bool,
}

impl Pager {
    pub(super) fn new(place: Place, repairs: Repairs) -> Pager {
        let words = place.at.page_bytes / 4;
        let mut master = Todo::default();
        let chief = (place.node == place.master).then(|| {
            let machine = Master::new(place, repairs);
            let mut actions = Vec::new();
            machine.start(&mut actions);
            master.actions.extend(actions);
            let local = vec![0; words as usize * usize::from(place.at.areas())];
            Chief { machine, local, words }
        });
        let access = Access::new(place, repairs);
        Pager { place, access, chief, process: Todo::default(), master, timer: false }
    }

    /// Place of the node in the virtual shared memory.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The state machine of the process.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// The master, if it is here.
    pub fn chief(&self) -> Option<&Chief> {
        self.chief.as_ref()
    }

    /// The state machine's state in words.
    pub(super) fn summary(&self, side: Side) -> String {
        match (side, &self.chief) {
            (Side::Process, _) => self.access.summary(),
            (Side::Master, Some(chief)) => chief.machine.summary(),
            (Side::Master, None) => String::new(),
        }
    }

    /// Something is to be done that ends by itself.
    pub(super) fn busy(&self) -> bool {
        let waits = |todo: &Todo| matches!(todo.actions.front(), None | Some(Action::Until(_)));
        !waits(&self.process) || !waits(&self.master)
    }

    /// The board is reset: its data frames have other numbers.
    pub(super) fn reset(&mut self) {
        (self.process.mark, self.master.mark) = (None, None);
    }

    /// Returns true if the timer of the pager has to be stopped.
    pub(super) fn timer(&self) -> bool {
        self.timer
    }

    pub(super) fn tell(&mut self, side: Side, event: Event) {
        let mut actions = Vec::new();
        match (side, &mut self.chief) {
            (Side::Process, _) => {
                self.access.step(event, &mut actions);
                self.process.actions.extend(actions);
            }
            (Side::Master, Some(chief)) => {
                chief.machine.step(event, &mut actions);
                self.master.actions.extend(actions);
            }
            (Side::Master, None) => {}
        }
    }

    fn todo(&mut self, side: Side) -> &mut Todo {
        match side {
            Side::Process => &mut self.process,
            Side::Master => &mut self.master,
        }
    }

    /// The next thing for a state machine.
    pub(super) fn turn(&mut self, side: Side) -> Turn {
        let (done, mark) = (self.todo(side).copied, self.todo(side).mark);
        let Some(&action) = self.todo(side).actions.front() else { return Turn::Rest };
        let read = |addr| HostOp::Read { addr: in_window(addr) };
        let pause = HostOp::Wait { cycles: port::PAUSE };
        let now = match action {
            Action::Read(addr) => return Turn::Host(vec![read(addr)]),
            Action::Until(addr) => return Turn::Host(vec![pause, read(addr)]),
            Action::Write { addr, data, strobe } => {
                return Turn::Host(vec![HostOp::Write { addr: in_window(addr), data, strobe }]);
            }
            Action::Confirm if mark.is_none() => return Turn::Host(port::flush().to_vec()),
            Action::Confirm => return Turn::Host(vec![pause, port::frames()]),
            Action::CopyOut(copy) => {
                let count = self.chunk(copy, done).1;
                let addr = copy.offset + 4 * done;
                return Turn::Host((0..count).map(|i| read(addr + 4 * i)).collect());
            }
            Action::CopyIn(copy) => return Turn::Host(self.copy_in(copy, done)),
            Action::Ask(page) => {
                self.tell(Side::Master, Event::Wanted(page));
                None
            }
            Action::Stop => {
                self.timer = false;
                None
            }
            Action::Start => {
                self.timer = true;
                Some(Order::Start)
            }
            Action::Send(message) => Some(Order::Send(message)),
            Action::Granted(offset) => Some(Order::Granted(offset)),
            Action::Released => Some(Order::Released),
        };
        self.todo(side).actions.pop_front();
        now.map_or_else(|| self.turn(side), Turn::Now)
    }

    fn chunk(&self, copy: Copy, done: u32) -> (usize, u32) {
        self.chief.as_ref().map_or((0, 0), |chief| chief.chunk(copy, done))
    }

    fn copy_in(&self, copy: Copy, done: u32) -> Vec<HostOp> {
        let (first, count) = self.chunk(copy, done);
        let local = self.chief.as_ref().map_or(&[][..], |chief| &chief.local[first..]);
        let write = |(i, &data): (u32, &u32)| HostOp::Write {
            addr: in_window(copy.offset + 4 * (done + i)),
            data,
            strobe: 0b1111,
        };
        (0..count).zip(local).map(write).collect()
    }

    /// The accesses of [`Pager::turn`] are done.
    pub(super) fn done(&mut self, side: Side, results: &[HostResult]) {
        let value = results.last().map_or(0, |result| result.data);
        let todo = self.todo(side);
        let event = match todo.actions.front() {
            Some(Action::Read(_)) => Some(Event::Word(value)),
            Some(Action::Until(_)) if value != 0 => Some(Event::Word(value)),
            Some(Action::Write { .. }) => {
                todo.actions.pop_front();
                return;
            }
            Some(Action::Confirm) => {
                let (base, tail) = port::numbers(value);
                let mark = *todo.mark.get_or_insert(tail);
                port::confirmed(mark, base).then_some(Event::Confirmed)
            }
            Some(&Action::CopyOut(copy)) => {
                let at = todo.copied;
                let (first, count) = self.chunk(copy, at);
                if let Some(chief) = &mut self.chief {
                    for (word, result) in chief.local[first..].iter_mut().zip(results) {
                        *word = result.data;
                    }
                }
                self.copied(side, count)
            }
            Some(&Action::CopyIn(copy)) => {
                let at = todo.copied;
                let count = self.chunk(copy, at).1;
                self.copied(side, count)
            }
            _ => None,
        };
        if let Some(event) = event {
            let todo = self.todo(side);
            todo.actions.pop_front();
            (todo.copied, todo.mark) = (0, None);
            self.tell(side, event);
        }
    }

    fn copied(&mut self, side: Side, count: u32) -> Option<Event> {
        let words = self.place.at.page_bytes / 4;
        let todo = self.todo(side);
        todo.copied += count;
        (todo.copied >= words).then_some(Event::Copied)
    }
}
