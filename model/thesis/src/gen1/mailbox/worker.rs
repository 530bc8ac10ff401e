// SPDX-License-Identifier: MIT OR Apache-2.0
//! The library in a worker process.

use super::{MailRepairs, Primitive, words::Mail, words::NUMBER_MAX};

awgstar_sync::states! {
    /// State of a worker process.
    pub enum Caller, /// Cause of a transition.
    CallerCause, "mailbox: worker" {
        states {
            /// The worker has no request.
            Idle "idle",
            /// As published only: the worker reads the index until it says "unlocked".
            Confirming "confirming",
            /// The worker has sent a request, and waits for a signal.
            Waiting "waiting",
            /// Repaired: a signal is here; it reads its area.
            Reading "reading",
        }
        causes {
            /// The worker wants a lock, and first reads the index.
            Confirm "confirm": Idle => Confirming;
            /// The worker writes its area and sends the signal.
            Ask "ask": Idle => Waiting, Confirming => Waiting;
            /// A signal of the master.
            Signal "signal": Waiting => Reading;
            /// The request is done; the program goes on.
            Go "go": Idle => Idle, Waiting => Idle, Reading => Idle;
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkerEvent {
    /// The process calls.
    Call(Primitive),
    /// Entry of the index: a process, or -1; answers [`WorkerAction::ReadIndex`].
    Index(i32),
    /// The master's signal.
    Signal,
    /// Words in the area of the worker; answers [`WorkerAction::ReadArea`].
    Area([u32; 2]),
    /// The worker has waited for a timeout.
    Timeout,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkerAction {
    /// Reads the entry of this lock in the index.
    ReadIndex(u32),
    ReadArea,
    /// Writes its area.
    Write([u32; 2]),
    /// Sends the master a signal, after what it has written.
    Signal,
    /// The process has what it called for.
    Go(Primitive),
}

/// A worker process. What comes out of place is passed over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Worker {
    repairs: MailRepairs,
    state: Caller,
    number: u8,
    request: Primitive,
}

impl Worker {
    /// A worker that has asked for nothing yet.
    #[must_use]
    pub const fn new(repairs: MailRepairs) -> Worker {
        Worker { repairs, state: Caller::Idle, number: 0, request: Primitive::Barrier }
    }

    #[must_use]
    pub const fn state(&self) -> Caller {
        self.state
    }

    /// A timeout has an effect: it waits for an answer, and may ask for it again.
    #[must_use]
    pub fn asks_again(&self) -> bool {
        self.repairs.has(MailRepairs::NUMBERED.with(MailRepairs::ASK_AGAIN))
            && matches!(self.state, Caller::Waiting | Caller::Reading)
    }

    /// Handles an event and appends the resulting actions to `actions`.
    pub fn step(&mut self, event: WorkerEvent, actions: &mut Vec<WorkerAction>) {
        let has = |repair| self.repairs.has(repair);
        match event {
            WorkerEvent::Call(request) => {
                if self.state != Caller::Idle {
                    return;
                }
                self.request = request;
                match request {
                    Primitive::Lock(lock) if !has(MailRepairs::ASK_AT_ONCE) => {
                        self.state.go(CallerCause::Confirm);
                        actions.push(WorkerAction::ReadIndex(lock));
                    }
                    _ => self.ask(actions),
                }
            }
            WorkerEvent::Index(holder) => {
                if self.state != Caller::Confirming {
                } else if holder == -1 {
                    self.ask(actions);
                } else if let Primitive::Lock(lock) = self.request {
                    actions.push(WorkerAction::ReadIndex(lock));
                }
            }
            WorkerEvent::Signal => {
                if self.state == Caller::Waiting {
                    if has(MailRepairs::NUMBERED) {
                        self.state.go(CallerCause::Signal);
                        actions.push(WorkerAction::ReadArea);
                    } else {
                        self.go(actions);
                    }
                }
            }
            WorkerEvent::Area(words) => {
                if self.state == Caller::Reading {
                    let answer = Mail { answer: true, ..self.mail() };
                    if Mail::read(words) == Ok(answer) {
                        self.go(actions);
                    } else {
                        // The words may come after the signal.
                        actions.push(WorkerAction::ReadArea);
                    }
                }
            }
            WorkerEvent::Timeout => {
                if self.asks_again() {
                    actions.push(WorkerAction::Signal);
                }
            }
        }
    }

    fn ask(&mut self, actions: &mut Vec<WorkerAction>) {
        if self.repairs.has(MailRepairs::NUMBERED) {
            self.number = (self.number + 1) & NUMBER_MAX;
        }
        self.state.go(CallerCause::Ask);
        actions.extend([WorkerAction::Write(self.mail().words()), WorkerAction::Signal]);
        let answered = self.repairs.has(MailRepairs::ANSWERED);
        if matches!(self.request, Primitive::Unlock(_)) && !answered {
            self.go(actions);
        }
    }

    fn go(&mut self, actions: &mut Vec<WorkerAction>) {
        self.state.go(CallerCause::Go);
        actions.push(WorkerAction::Go(self.request));
    }

    const fn mail(&self) -> Mail {
        Mail { request: self.request, number: self.number, answer: false }
    }

    /// In words.
    #[must_use]
    pub fn summary(&self) -> String {
        match self.state {
            Caller::Idle => "idle".into(),
            state => format!("{} {}", state.name(), self.mail().text()),
        }
    }
}
