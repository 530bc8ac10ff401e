// SPDX-License-Identifier: MIT OR Apache-2.0
//! All that can happen next.

use super::{
    Link, Network, Property, State, What, Word,
    state::{Job, Process, write},
};
use crate::{
    check::{
        Profile,
        board::Frame,
        explore::{Next, action},
        step::{DataStep, Step},
    },
    firmware::{
        Message,
        paging::{Copy, Event},
    },
};
use awgstar_frame::quantity::{ByteAddress, NodeId};
use std::rc::Rc;

impl Network {
    fn push(next: &mut Vec<Next<Self>>, node: usize, what: What, fault: bool, state: State) {
        let action = (!fault).then(|| action(node, what.action()));
        next.push(Next { step: Step { node, what, after: String::new() }, state, action });
    }

    fn data_step(&self, step: DataStep, word: Word) -> What {
        What::Data(self.settings.table(), step, word)
    }

    fn pump(&self, state: &mut State, at: usize) {
        state.nodes[at].board.pump(&mut state.links[at], self.settings.profile);
    }

    /// The first frame of the link to `to`.
    pub(super) fn link(&self, state: &State, to: usize, next: &mut Vec<Next<Self>>) {
        let nodes = self.settings.nodes();
        let from = (to + nodes - 1) % nodes;
        let Some(&frame) = state.links[from].front() else { return };
        let mut after = state.clone();
        after.links[from].pop_front();
        if state.losses > 0 {
            let mut lost = after.clone();
            lost.losses -= 1;
            let what = match frame {
                Frame::Signal(message, _) => What::Lost(message),
                Frame::Data(word) => self.data_step(DataStep::Lost, word),
            };
            Self::push(next, to, what, true, lost);
        }
        if let Frame::Signal(message, _) = frame
            && state.full > 0
            && Self::is_for_master(to, message)
        {
            let mut full = after.clone();
            full.full -= 1;
            full.links[to].push_back(frame);
            Self::push(next, to, What::Full(message), true, full);
        }
        let what = match frame {
            Frame::Signal(message, mark) => self.signal(&mut after, to, message, mark),
            Frame::Data(word) => self.data(&mut after, to, word),
        };
        Self::push(next, to, what, false, after);
    }

    fn signal(&self, after: &mut State, to: usize, message: Message, mark: u8) -> What {
        if message.source.index() == to {
            after.nodes[to].board.comes(message, mark, self.settings.profile);
            self.pump(after, to);
            return What::Comes(message);
        }
        after.links[to].push_back(Frame::Signal(message, mark));
        if !Self::is_for_master(to, message) {
            return What::Passes(message);
        }
        if self.settings.slow {
            Rc::make_mut(&mut after.chief).inbox.push_back(message);
        } else {
            self.wanted(after, message);
        }
        What::Arrives(message)
    }

    fn is_for_master(to: usize, message: Message) -> bool {
        to == 0 && message.reaches(NodeId(0))
    }

    fn wanted(&self, after: &mut State, message: Message) {
        // A request for a page that does not exist is ignored.
        if let Some(page) = self.settings.table().page(message.lock_number) {
            self.tell_master(after, Event::Wanted(page));
        }
    }

    /// A slow node handles the first request in its mailbox.
    fn handle(&self, state: &State, next: &mut Vec<Next<Self>>) {
        let mut after = state.clone();
        if let Some(message) = Rc::make_mut(&mut after.chief).inbox.pop_front() {
            self.wanted(&mut after, message);
            Self::push(next, 0, What::Handles(message), false, after);
        }
    }

    fn data(&self, after: &mut State, to: usize, word: Word) -> What {
        let step = if word.source.index() == to {
            after.nodes[to].board.data_comes(word);
            self.pump(after, to);
            DataStep::Comes
        } else {
            after.links[to].push_back(Frame::Data(word));
            if after.nodes[to].board.take_data(word) {
                write(&mut after.nodes[to].memory, word.addr, word.data, word.strobe);
            }
            DataStep::Arrives
        };
        self.data_step(step, word)
    }

    /// Adds the steps of node `at` that no frame causes.
    pub(super) fn node(&self, state: &State, at: usize, next: &mut Vec<Next<Self>>) {
        self.job(state, at, false, next);
        if at == 0 {
            self.job(state, at, true, next);
            self.handle(state, next);
        }
        self.run_out(state, at, next);
        self.resend(state, at, next);
        self.process(state, at, next);
    }

    /// A state machine's job comes to its end.
    fn job(&self, state: &State, at: usize, master: bool, next: &mut Vec<Next<Self>>) {
        let node = &state.nodes[at];
        let job = if master { state.chief.job } else { node.job };
        let word = |addr: ByteAddress| node.memory[addr.word()];
        let mut after = state.clone();
        if master {
            Rc::make_mut(&mut after.chief).job = Job::None;
        } else {
            after.nodes[at].job = Job::None;
        }
        let (what, event) = match job {
            Job::Read(addr) => {
                let what = What::Reads(self.settings.table(), addr, word(addr), master);
                (what, Event::Word(word(addr)))
            }
            Job::Until(addr) if word(addr) != 0 => {
                let what = What::Reads(self.settings.table(), addr, word(addr), master);
                (what, Event::Word(word(addr)))
            }
            Job::Confirm(mark) if node.board.confirmed(mark) => {
                (What::Confirmed(master), Event::Confirmed)
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
        Self::push(next, at, what, false, after);
    }

    fn copy_out(after: &mut State, copy: Copy) -> What {
        let value = after.nodes[0].memory[copy.offset.word()];
        Rc::make_mut(&mut after.chief).areas[usize::from(copy.area)] = value;
        let uses = |process| match process {
            Process::Has(page, _) | Process::Wrote(page) => page == copy.page,
            _ => false,
        };
        if after.nodes.iter().any(|node| uses(node.process)) {
            after.wrong = Some(Property::InUse);
        }
        What::Out(copy, value)
    }

    fn copy_in(after: &mut State, copy: Copy) -> What {
        let value = after.chief.areas[usize::from(copy.area)];
        Self::write(after, 0, copy.offset, value, 0b1111);
        What::In(copy, value)
    }

    fn run_out(&self, state: &State, at: usize, next: &mut Vec<Next<Self>>) {
        let quiet = state.quiet();
        if !state.nodes[at].timer || !quiet && state.early == 0 {
            return;
        }
        let mut after = state.clone();
        after.early -= u8::from(!quiet);
        // What a timer retransmits does not count as asked again.
        (after.nodes[at].timer, after.nodes[at].asked) = (false, 0);
        self.tell(&mut after, at, Event::Timer);
        Self::push(next, at, What::Timer(!quiet), !quiet, after);
    }

    /// The board sends what was written, and again what was lost, or a signal early.
    fn resend(&self, state: &State, at: usize, next: &mut Vec<Next<Self>>) {
        let board = &state.nodes[at].board;
        let under_way = |frame: &Frame<Word>| state.links.iter().flatten().any(|f| f == frame);
        let resends = self.settings.profile == Profile::Acknowledged;
        if let Some(message) = board.unreturned().filter(|_| resends) {
            let early = under_way(&Frame::Signal(message, 0));
            if !early || state.early > 0 {
                let mut after = state.clone();
                after.early -= u8::from(early);
                let link: &mut Link = &mut after.links[at];
                after.nodes[at].board.again(link, self.settings.profile);
                Self::push(next, at, What::Again(message, early), early, after);
            }
        }
        if let Some(word) = board.next_data() {
            let mut after = state.clone();
            after.links[at].push_back(Frame::Data(word));
            after.nodes[at].board.data_leaves();
            self.pump(&mut after, at);
            Self::push(next, at, self.data_step(DataStep::Leaves, word), false, after);
        }
        if let Some(word) = board.data_out()
            && !under_way(&Frame::Data(word))
        {
            let mut after = state.clone();
            after.nodes[at].board.rewind();
            Self::push(next, at, self.data_step(DataStep::Again, word), false, after);
        }
    }

    fn process(&self, state: &State, at: usize, next: &mut Vec<Next<Self>>) {
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
                What::LetsGo
            }
            (Process::Has(page, offset), _) => self.write_page(&mut after, at, page, offset),
            _ => return,
        };
        Self::push(next, at, what, false, after);
    }

    fn want(&self, after: &mut State, at: usize, page: u16) -> What {
        let node = &mut after.nodes[at];
        (node.process, node.asked) = (Process::Waiting(page), 0);
        node.begun += 1;
        self.tell(after, at, Event::Access(page));
        What::Wants(page)
    }

    /// The process looks at what it wrote last, and writes the next value.
    fn write_page(&self, after: &mut State, at: usize, page: u16, offset: ByteAddress) -> What {
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
        What::Uses(page, value)
    }
}
