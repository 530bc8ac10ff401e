// SPDX-License-Identifier: MIT OR Apache-2.0
//! Actions of the paging state machines, carried out in replicas and boards.

use crate::counterexample::frames::{Content, Written, marked};
use crate::counterexample::paging::state::{Doing, Job, Node, Play, Result, put};
use crate::counterexample::vector::VectorStep;
use awgstar::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar::{
    check::paging::Property,
    firmware::paging::{Action, Copy, Event},
    host::{Happened, Record},
    request::{Data, Place, Request},
};

/// The request of a process that accesses a page.
pub(super) fn write(addr: ByteAddress) -> Request {
    Request::Write(Place::paged(addr), Data::Word { data: 0, lanes: 0b1111 })
}

impl Play {
    pub(super) fn job(&self, step: &VectorStep) -> Job {
        if step.master { self.job } else { self.nodes[step.node].job }
    }

    /// Handles the event that a state machine waited for.
    pub(super) fn done(&mut self, step: &VectorStep, event: Event, actions: &mut Vec<Action>) {
        if step.master {
            self.job = Job::None;
            self.tell_master(event, actions);
        } else {
            self.nodes[step.node].job = Job::None;
            self.tell(step.node, event, actions);
        }
    }

    pub(super) fn tell(&mut self, at: usize, event: Event, all: &mut Vec<Action>) {
        let mut actions = Vec::new();
        self.nodes[at].access.step(event, &mut actions);
        all.extend(&actions);
        for action in actions {
            self.act(at, false, action, all);
        }
    }

    pub(super) fn tell_master(&mut self, event: Event, all: &mut Vec<Action>) {
        let mut actions = Vec::new();
        self.master.step(event, &mut actions);
        all.extend(&actions);
        for action in actions {
            self.act(0, true, action, all);
        }
    }

    fn act(&mut self, at: usize, master: bool, action: Action, all: &mut Vec<Action>) {
        let job = match action {
            Action::Read(addr) => Job::Read(addr),
            Action::Until(addr) => Job::Until(addr),
            Action::Confirm => Job::Confirm(narrow(self.nodes[at].sent.len() & 0xff)),
            Action::CopyOut(copy) => Job::Out(copy),
            Action::CopyIn(copy) => Job::In(copy),
            Action::Write { addr, data, strobe } => {
                let (addr, bytes) = marked(addr, data, strobe);
                return self.write(at, addr, bytes);
            }
            Action::Send(message) => {
                self.asked(at);
                // It leaves its source in this step.
                self.moved(&Content::Signal(message), at);
                return self.note(at, Happened::Sent(message));
            }
            Action::Ask(page) => {
                self.asked(at);
                return self.tell_master(Event::Wanted(page), all);
            }
            Action::Granted(offset) => {
                if let Doing::Waits(page) = self.nodes[at].doing {
                    self.nodes[at].doing = Doing::Has(page, offset);
                    self.note(at, Happened::Answered(write(self.virtual_of(at, page))));
                }
                return;
            }
            Action::Released => {
                self.nodes[at].doing = Doing::Nothing;
                return self.note(at, Happened::Asked(Request::End));
            }
            Action::Start | Action::Stop => return,
        };
        if master {
            self.job = job;
        } else {
            self.nodes[at].job = job;
        }
    }

    fn asked(&mut self, at: usize) {
        self.nodes[at].asked += 1;
        if self.nodes[at].asked > 1 && !self.disturbed {
            self.wrong.get_or_insert(Property::OneRequest);
        }
    }

    /// Writes for a host: in its local replica at once.
    pub(super) fn write(&mut self, at: usize, addr: ByteAddress, bytes: Vec<u8>) {
        let node = &mut self.nodes[at];
        put(&mut node.replica, (addr, bytes.clone()));
        // A step after which it is more than 255 is refused.
        let number = narrow((node.sent.len() + 1) & 0xff);
        node.sent.push(Written { source: at, number, addr, bytes });
    }

    /// The process finds what it wrote last, and writes.
    pub(super) fn uses(&mut self, at: usize, page: u16, bytes: Vec<u8>) -> Result<()> {
        let Doing::Has(has, offset) = self.nodes[at].doing else {
            return Err("the process has no page".into());
        };
        let (&[new], true) = (&bytes[..], has == page) else {
            return Err(format!("expected one byte for page {has}, found {bytes:?} for {page}"));
        };
        let node = &mut self.nodes[at];
        let found = node.replica.get(offset.index() + at).copied().unwrap_or_default();
        let last = node.wrote.insert(page, new).unwrap_or(0);
        if found != last {
            self.wrong.get_or_insert(Property::Update);
        }
        let addr = offset + narrow::<u32>(at);
        self.write(at, addr, bytes);
        Ok(())
    }

    pub(super) fn copy_out(&mut self, copy: Copy, value: &[u8]) -> Result<()> {
        let from = copy.offset.index();
        let bytes = self.nodes[0].replica[from..from + self.at.page_bytes as usize].to_vec();
        if bytes != value {
            return Err(format!("expected {value:?}, found {bytes:?}"));
        }
        self.areas[usize::from(copy.area)] = bytes;
        let uses = |node: &Node| matches!(node.doing, Doing::Has(page, _) if page == copy.page);
        if self.nodes.iter().any(uses) {
            self.wrong.get_or_insert(Property::InUse);
        }
        Ok(())
    }

    pub(super) fn virtual_of(&self, at: usize, page: u16) -> ByteAddress {
        ByteAddress(self.at.page_bytes * u32::from(page.saturating_sub(1)) + narrow::<u32>(at))
    }

    pub(super) fn note(&mut self, node: usize, what: Happened) {
        self.records.push(Record { cycle: Cycle(self.cycle), node: NodeId::at(node), what });
    }
}
