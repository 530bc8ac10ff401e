// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can happen next to state machines and processes.

use super::{
    Does, Property, State, What,
    state::{Job, Process},
};
use crate::{
    check::{explore::Next, network},
    firmware::{
        Message,
        paging::{Access, Copy, Event},
    },
};
use awgstar_frame::quantity::ByteAddress;
use std::rc::Rc;

impl network::Network<Access, super::Settings> {
    pub(super) fn wanted(&self, after: &mut State, message: Message) {
        // A request for a page that does not exist is ignored.
        if let Some(page) = self.settings.table().page(message.lock_number) {
            self.tell_master(after, Event::Wanted(page));
        }
    }

    /// A slow node handles the first request in its mailbox.
    pub(super) fn handle(&self, state: &State, next: &mut Vec<Next<Self>>) {
        let mut after = state.clone();
        if let Some(message) = Rc::make_mut(&mut after.common).inbox.pop_front() {
            self.wanted(&mut after, message);
            Self::push(next, 0, What::Local(Does::Handles(message)), false, after);
        }
    }

    /// A state machine's job comes to its end.
    pub(super) fn job(&self, state: &State, at: usize, master: bool, next: &mut Vec<Next<Self>>) {
        let node = &state.nodes[at];
        let job = if master { state.common.job } else { node.job };
        let word = |addr: ByteAddress| node.memory[addr.word()];
        let mut after = state.clone();
        if master {
            Rc::make_mut(&mut after.common).job = Job::None;
        } else {
            after.nodes[at].job = Job::None;
        }
        let (what, event) = match job {
            Job::Read(addr) => {
                let what = Does::Reads(self.settings.table(), addr, word(addr), master);
                (what, Event::Word(word(addr)))
            }
            Job::Until(addr) if word(addr) != 0 => {
                let what = Does::Reads(self.settings.table(), addr, word(addr), master);
                (what, Event::Word(word(addr)))
            }
            Job::Confirm(mark) if state.boards[at].confirmed(mark) => {
                (Does::Confirmed(master), Event::Confirmed)
            }
            Job::Out(copy) => (Self::copy_out(&mut after, copy), Event::Copied),
            Job::In(copy) => (Self::copy_in(&mut after, copy), Event::Copied),
            Job::None | Job::Until(_) | Job::Confirm(_) => return,
        };
        if master {
            self.tell_master(&mut after, event);
        } else {
            self.tell(&mut after, at, event);
        }
        Self::push(next, at, What::Local(what), false, after);
    }

    fn copy_out(after: &mut State, copy: Copy) -> Does {
        let value = after.nodes[0].memory[copy.offset.word()];
        Rc::make_mut(&mut after.common).areas[usize::from(copy.area)] = value;
        let uses = |process| match process {
            Process::Has(page, _) | Process::Wrote(page) => page == copy.page,
            _ => false,
        };
        if after.nodes.iter().any(|node| uses(node.process)) {
            after.wrong = Some(Property::InUse);
        }
        Does::Out(copy, value)
    }

    fn copy_in(after: &mut State, copy: Copy) -> Does {
        let value = after.common.areas[usize::from(copy.area)];
        Self::write(after, 0, copy.offset, value, 0b1111);
        Does::In(copy, value)
    }

    pub(super) fn run_out(&self, state: &State, at: usize, next: &mut Vec<Next<Self>>) {
        let quiet = Self::quiet(state);
        if !state.nodes[at].timer || !quiet && state.early == 0 {
            return;
        }
        let mut after = state.clone();
        after.early -= u8::from(!quiet);
        // What a timer retransmits does not count as asked again.
        (after.nodes[at].timer, after.nodes[at].asked) = (false, 0);
        self.tell(&mut after, at, Event::Timer);
        Self::push(next, at, What::Local(Does::Timer(!quiet)), !quiet, after);
    }

    pub(super) fn process(&self, state: &State, at: usize, next: &mut Vec<Next<Self>>) {
        let node = &state.nodes[at];
        let script = &self.settings.scripts[at];
        let wanted = script.get(usize::from(node.begun)).copied();
        let mut after = state.clone();
        let what = match (node.process, wanted) {
            (Process::Idle, Some(page)) => self.want(&mut after, at, page),
            (Process::Wrote(_), Some(page)) if !self.settings.lets_go => {
                self.want(&mut after, at, page)
            }
            (Process::Wrote(_), _) => {
                after.nodes[at].process = Process::Leaving;
                self.tell(&mut after, at, Event::LetGo);
                Does::LetsGo
            }
            (Process::Has(page, offset), _) => self.write_page(&mut after, at, page, offset),
            _ => return,
        };
        Self::push(next, at, What::Local(what), false, after);
    }

    fn want(&self, after: &mut State, at: usize, page: u16) -> Does {
        let node = &mut after.nodes[at];
        (node.process, node.asked) = (Process::Waiting(page), 0);
        node.begun += 1;
        self.tell(after, at, Event::Access(page));
        Does::Wants(page)
    }

    /// The process looks at what it wrote last, and writes the next value.
    fn write_page(&self, after: &mut State, at: usize, page: u16, offset: ByteAddress) -> Does {
        let slot = usize::from(page - 1) * self.settings.nodes() + at;
        let found =
            after.nodes[at].memory.get(offset.word()).map_or(0, |word| word.to_le_bytes()[at]);
        if found != after.written[slot] {
            after.wrong = Some(Property::Update);
        }
        let value = after.written[slot] + 1;
        after.written[slot] = value;
        Self::write(after, at, offset, u32::from(value) << (8 * at), 1 << at);
        after.nodes[at].process = Process::Wrote(page);
        Does::Uses(page, value)
    }
}
