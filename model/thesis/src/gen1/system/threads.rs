// SPDX-License-Identifier: MIT OR Apache-2.0
//! The threads of the primitives in time: what they read and write costs, and when they look.

use super::{Activity, Delivery, Doing, Event, Gen1, Gen1Error, Gives, Happened, Primitive, Span};
use crate::{
    gen1::{
        mailbox::{
            Control, Main, MasterAction, MasterEvent, WorkerAction, WorkerEvent, area, index_word,
        },
        ring::Content,
    },
    time::transfer_ns,
};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};

/// Bytes of an area.
const AREA: u64 = 8;
/// Bytes of an entry of the index.
const ENTRY: u64 = 4;

impl Gen1 {
    pub(super) fn ask(
        &mut self,
        at: usize,
        now: Nanoseconds,
        request: Primitive,
    ) -> Result<(), Gen1Error> {
        if let Primitive::Lock(lock) | Primitive::Unlock(lock) = request
            && !(1..=self.settings.locks).contains(&lock)
        {
            let locks = self.settings.locks;
            return Err(Gen1Error::Lock { locks, node: at, at: now, lock });
        }
        let activity = match request {
            Primitive::Barrier => Activity::Barrier,
            _ => Activity::Lock,
        };
        self.nodes[at].since = (now, activity);
        self.nodes[at].doing = Doing::Asking(request);
        self.note(at, Happened::Asked(request));
        if at == 0 {
            self.tell_master(MasterEvent::Call(request), now);
        } else {
            self.tell_worker(at, WorkerEvent::Call(request), now);
        }
        Ok(())
    }

    /// A signal has reached its host.
    pub(super) fn interrupt(&mut self, Delivery { to, from }: Delivery, now: Nanoseconds) {
        self.note(to.index(), Happened::Signal(from));
        if to == NodeId(0) {
            self.tell_master(MasterEvent::Signal(from.0), now);
        } else {
            self.tell_worker(to.index(), WorkerEvent::Signal, now);
        }
    }

    pub(super) fn control(&mut self, now: Nanoseconds) {
        self.control_put = false;
        self.tell_master(MasterEvent::Control, now);
    }

    pub(super) fn area(&mut self, process: u8, now: Nanoseconds) {
        self.control_put = false;
        let words = self.words(0, process);
        self.tell_master(MasterEvent::Area(words), now);
    }

    pub(super) fn main(&mut self, now: Nanoseconds) {
        self.main_put = false;
        self.tell_master(MasterEvent::Main, now);
    }

    pub(super) fn worker_area(&mut self, at: usize, now: Nanoseconds) {
        let process = narrow(at);
        let words = self.words(at, process);
        self.tell_worker(at, WorkerEvent::Area(words), now);
    }

    pub(super) fn worker_index(&mut self, at: usize, lock: u32, now: Nanoseconds) {
        let holder = self.ring.memory(at).word(index_word(lock)).cast_signed();
        self.tell_worker(at, WorkerEvent::Index(holder), now);
    }

    fn words(&self, node: usize, process: u8) -> [u32; 2] {
        let at = area(process);
        [0, 4].map(|word| self.ring.memory(node).word(at + word))
    }

    fn put_words(
        &mut self,
        node: usize,
        now: Nanoseconds,
        process: u8,
        words: [u32; 2],
    ) -> Nanoseconds {
        self.note(node, Happened::Area { process, words });
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        self.put_bytes(node, now, area(process), &bytes)
    }

    /// A pointer write at `start`: the time when it is done.
    fn put_bytes(
        &mut self,
        node: usize,
        start: Nanoseconds,
        addr: ByteAddress,
        bytes: &[u8],
    ) -> Nanoseconds {
        let rate = self.settings.host.pointer_write;
        self.ring.write(node, start, addr, Content::Bytes(bytes.into()), rate);
        start + transfer_ns(bytes.len() as u64, rate)
    }

    fn tell_worker(&mut self, at: usize, event: WorkerEvent, now: Nanoseconds) {
        let mut actions = Vec::new();
        let before = self.nodes[at].worker.state();
        self.nodes[at].worker.step(event, &mut actions);
        let state = self.nodes[at].worker.state();
        if state != before {
            self.note(at, Happened::Thread("worker", state.name().into()));
        }
        let read = self.settings.host.pointer_read;
        let mut end = now;
        for action in actions {
            match action {
                WorkerAction::ReadIndex(lock) => {
                    end += transfer_ns(ENTRY, read);
                    self.queue.put(end - now, Event::WorkerIndex(at, lock));
                }
                WorkerAction::ReadArea => {
                    end += transfer_ns(AREA, read);
                    self.queue.put(end - now, Event::WorkerArea(at));
                }
                WorkerAction::Write(words) => {
                    let process = narrow(at);
                    end = self.put_words(at, end, process, words);
                }
                WorkerAction::Signal => self.ring.signal(at, now, NodeId(0), self.settings.order),
                WorkerAction::Go(request) => self.has_it(at, end, request),
            }
        }
    }

    fn has_it(&mut self, at: usize, end: Nanoseconds, request: Primitive) {
        self.note(at, Happened::Answered(request));
        self.nodes[at].doing = Doing::Until(end, Gives::Nothing);
        self.queue.put(end - self.now(), Event::Resume(at));
    }

    fn tell_master(&mut self, event: MasterEvent, now: Nanoseconds) {
        let mut actions = Vec::new();
        let before = (self.master.control(), self.master.main());
        let listed: Vec<u8> = self.master.request_process().collect();
        self.master.step(event, &mut actions);
        self.note_threads(before, &listed);
        let mut end = now;
        for action in actions {
            match action {
                MasterAction::ReadArea(process) => {
                    end += transfer_ns(AREA, self.settings.host.pointer_read);
                    self.control_put = true;
                    self.queue.put(end - now, Event::Area(process));
                }
                MasterAction::Write(process, words) => {
                    end = self.put_words(0, end, process, words);
                }
                MasterAction::WriteIndex(lock, holder) => {
                    self.note(0, Happened::Index { lock, holder });
                    let entry = holder.to_be_bytes();
                    end = self.put_bytes(0, end, index_word(lock), &entry);
                }
                MasterAction::Signal(to) => {
                    self.ring.signal(0, now, NodeId(to), self.settings.order);
                }
                MasterAction::Go(request) => self.has_it(0, end, request),
            }
        }
        let of_main = matches!(event, MasterEvent::Call(_) | MasterEvent::Main);
        if !of_main {
            let span = Span { from: now, to: end, activity: Activity::Access };
            span.add_to(&mut self.control_spans);
        }
        self.put_threads(now, end);
    }

    /// When the threads look next: at the next whole `poll`, or, between looking and changing as
    /// published, when the entry has been read.
    fn put_threads(&mut self, now: Nanoseconds, end: Nanoseconds) {
        let poll = self.settings.host.poll;
        let look = transfer_ns(ENTRY, self.settings.host.pointer_read);
        let next = |at: Nanoseconds| poll * at.div_ceil(poll) - now;
        if !self.control_put && self.master.control_ready() {
            let looked = self.master.control() == Control::Looked;
            self.queue.put(if looked { look } else { next(end) }, Event::Control);
            self.control_put = true;
        }
        if !self.main_put && self.master.main_ready() {
            let looked = self.master.main() == Main::Looked;
            self.queue.put(if looked { look } else { next(now) }, Event::Main);
            self.main_put = true;
        }
    }

    fn note_threads(&mut self, before: (Control, Main), listed: &[u8]) {
        if !self.settings.record {
            return;
        }
        let (control, main) = (self.master.control(), self.master.main());
        if control != before.0 {
            self.note(0, Happened::Thread("control", control.name().into()));
        }
        if main != before.1 {
            self.note(0, Happened::Thread("main", main.name().into()));
        }
        let now: Vec<u8> = self.master.request_process().collect();
        if now != listed {
            self.note(0, Happened::RequestProcess(now));
        }
    }
}
