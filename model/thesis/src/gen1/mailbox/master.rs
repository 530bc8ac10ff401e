// SPDX-License-Identifier: MIT OR Apache-2.0
//! The three threads of the master process: main, control and signal-waiting (thesis, Fig. 11).

mod functions;
mod states;

pub use states::{Control, ControlCause, Main, MainCause};

use super::{MailRepairs, Primitive, words::Mail};
use std::{
    collections::{BTreeMap, VecDeque},
    fmt::Write as _,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MasterEvent {
    /// The main thread calls.
    Call(Primitive),
    /// The main thread goes on with what it looked at, or looks whether what it waits for is there.
    Main,
    /// The signal-waiting thread has a signal of this process.
    Signal(u8),
    /// The control thread looks at `RequestProcess`, or goes on with what it looked at.
    Control,
    /// Words in the area; answers [`MasterAction::ReadArea`].
    Area([u32; 2]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MasterAction {
    /// The control thread reads the area of this process.
    ReadArea(u8),
    /// Writes the area of this process.
    Write(u8, [u32; 2]),
    /// Writes the entry of a lock in the index: a process, or -1.
    WriteIndex(u32, i32),
    /// Sends this process a signal, after what was written.
    Signal(u8),
    /// The main thread has what it called for.
    Go(Primitive),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Lock {
    /// Entry of the lock in the index: the process that has it, or -1.
    holder: i32,
    waiting: VecDeque<u8>,
}

/// Values that a thread has read and on which it acts later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Seen {
    process: u8,
    request: Primitive,
    holder: i32,
    next: Option<u8>,
    arrived: u32,
}

/// The master process, number 0.
///
/// As published, where the thesis is silent: the control thread empties `RequestProcess` when it
/// has read it. The holder of a lock is any number from 0 on ("larger than zero" would leave out
/// the master). The main thread polls until the lock it waits for is given to it. An answer is the
/// signal, since no words for it are given. Words that are no request are ignored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Master {
    repairs: MailRepairs,
    processes: u8,
    locks: BTreeMap<u32, Lock>,
    /// Bit i: process i is at the barrier.
    arrived: u32,
    /// The barrier flag of the main thread.
    flag: bool,
    request_process: VecDeque<u8>,
    /// Number of the last request of each process.
    numbers: Vec<u8>,
    control: Control,
    /// Process whose area the control thread reads.
    reads: u8,
    control_seen: Option<Seen>,
    main: Main,
    main_seen: Option<Seen>,
    called: Primitive,
}

impl Master {
    /// The master of `processes` processes, itself included, 1 to 32.
    #[must_use]
    pub fn new(processes: u8, repairs: MailRepairs) -> Master {
        Master {
            repairs,
            processes,
            locks: BTreeMap::new(),
            arrived: 0,
            flag: false,
            request_process: VecDeque::new(),
            numbers: vec![0; processes.into()],
            control: Control::Watching,
            reads: 0,
            control_seen: None,
            main: Main::Running,
            main_seen: None,
            called: Primitive::Barrier,
        }
    }

    /// State of the control thread.
    #[must_use]
    pub const fn control(&self) -> Control {
        self.control
    }

    /// State of the main thread.
    #[must_use]
    pub const fn main(&self) -> Main {
        self.main
    }

    /// Processes in `RequestProcess`, the first to be served first; as published at most one.
    pub fn request_process(&self) -> impl Iterator<Item = u8> {
        self.request_process.iter().copied()
    }

    /// The index: the process that has the lock, or -1.
    #[must_use]
    pub fn holder(&self, lock: u32) -> i32 {
        self.locks.get(&lock).map_or(-1, |lock| lock.holder)
    }

    /// Returns true if [`MasterEvent::Control`] would cause an action of the control thread.
    #[must_use]
    pub fn control_ready(&self) -> bool {
        match self.control {
            Control::Watching => !self.request_process.is_empty(),
            Control::Looked => true,
            Control::Reading => false,
        }
    }

    /// Returns true if [`MasterEvent::Main`] would let the main thread continue.
    #[must_use]
    pub fn main_ready(&self) -> bool {
        match (self.main, self.called) {
            (Main::Looked, _) => true,
            (Main::Queued, Primitive::Lock(lock)) => self.holder(lock) == 0,
            (Main::AtBarrier, _) => !self.flag,
            _ => false,
        }
    }

    /// Handles an event and appends the resulting actions to `actions`.
    pub fn step(&mut self, event: MasterEvent, actions: &mut Vec<MasterAction>) {
        match event {
            MasterEvent::Call(request) => self.call(request, actions),
            MasterEvent::Main => self.main_goes_on(actions),
            MasterEvent::Signal(process) => self.signal(process),
            MasterEvent::Control => self.control_goes_on(actions),
            MasterEvent::Area(words) => self.area(words, actions),
        }
    }

    fn call(&mut self, request: Primitive, actions: &mut Vec<MasterAction>) {
        if self.main != Main::Running {
            return;
        }
        self.called = request;
        let seen = self.look(0, request);
        if self.repairs.has(MailRepairs::ONE_AT_A_TIME) {
            self.change(seen, actions);
        } else {
            self.main.go(MainCause::Look);
            self.main_seen = Some(seen);
        }
    }

    fn main_goes_on(&mut self, actions: &mut Vec<MasterAction>) {
        if let Some(seen) = self.main_seen.take() {
            self.change(seen, actions);
        } else if self.main_ready() {
            self.main_has_it(actions);
        }
    }

    fn main_has_it(&mut self, actions: &mut Vec<MasterAction>) {
        self.main.go(MainCause::Go);
        actions.push(MasterAction::Go(self.called));
    }

    /// The signal-waiting thread.
    fn signal(&mut self, process: u8) {
        if !(1..self.processes).contains(&process) {
            return;
        }
        if !self.repairs.has(MailRepairs::QUEUED) {
            self.request_process.clear();
        }
        if !self.request_process.contains(&process) {
            self.request_process.push_back(process);
        }
    }

    fn control_goes_on(&mut self, actions: &mut Vec<MasterAction>) {
        if self.control == Control::Watching {
            if let Some(process) = self.request_process.pop_front() {
                self.control.go(ControlCause::Notice);
                self.reads = process;
                actions.push(MasterAction::ReadArea(process));
            }
        } else if let Some(seen) = self.control_seen.take() {
            self.control.go(ControlCause::Done);
            self.change(seen, actions);
        }
    }

    fn area(&mut self, words: [u32; 2], actions: &mut Vec<MasterAction>) {
        if self.control != Control::Reading {
            return;
        }
        let process = self.reads;
        let mail = Mail::read(words).ok().filter(|mail| !mail.answer);
        if self.repairs.has(MailRepairs::NUMBERED) {
            let last = &mut self.numbers[usize::from(process)];
            match mail {
                Some(mail) if mail.number != *last => *last = mail.number,
                // A second signal, or one before its words, which the worker repeats.
                _ => {
                    self.control.go(ControlCause::Done);
                    if !self.repairs.has(MailRepairs::ASK_AGAIN) {
                        self.signal(process);
                    }
                    return;
                }
            }
        }
        let Some(mail) = mail else {
            self.control.go(ControlCause::Done);
            return;
        };
        let seen = self.look(process, mail.request);
        if self.repairs.has(MailRepairs::ONE_AT_A_TIME) {
            self.control.go(ControlCause::Done);
            self.change(seen, actions);
        } else {
            self.control.go(ControlCause::Look);
            self.control_seen = Some(seen);
        }
    }

    /// In words.
    #[must_use]
    pub fn summary(&self) -> String {
        let list = |some: &VecDeque<u8>| {
            some.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        };
        let mut text = format!(
            "RequestProcess [{}], control {}, main {}",
            list(&self.request_process),
            self.control.name(),
            self.main.name()
        );
        for (n, Lock { holder, waiting }) in &self.locks {
            let _ = write!(text, ", lock {n}: {holder} [{}]", list(waiting));
        }
        if self.arrived != 0 {
            let at = (0..self.processes).filter(|i| self.arrived >> i & 1 == 1).collect();
            let _ = write!(text, ", at the barrier {}", list(&at));
        }
        text
    }
}
