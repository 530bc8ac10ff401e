//! What the library does in a worker process.

use super::{MailRepairs, Request, words::Mail, words::NUMBER_MAX};

awgstar_sync::states! {
    /// What a worker process does.
    pub enum Caller, /// What moves it.
    CallerCause, "mailbox: worker" {
        states {
            /// It wants nothing.
            Idle "idle",
            /// As printed only: it looks at the index until that says "unlocked".
            Confirming "confirming",
            /// It has asked, and waits for a signal.
            Waiting "waiting",
            /// Repaired: a signal is here; it reads its area.
            Reading "reading",
        }
        causes {
            /// It wants a lock, and looks first.
            Confirm "confirm": Idle => Confirming;
            /// It writes its area and sends the signal.
            Ask "ask": Idle => Waiting, Confirming => Waiting;
            /// A signal of the master.
            Signal "signal": Waiting => Reading;
            /// It goes on.
            Go "go": Idle => Idle, Waiting => Idle, Reading => Idle;
        }
    }
}

/// What happens to a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkerEvent {
    /// The process calls.
    Call(Request),
    /// What the entry of the index says: a process, or -1; answers [`WorkerAction::ReadIndex`].
    Index(i32),
    /// The master's signal.
    Signal,
    /// What stands in its area; answers [`WorkerAction::ReadArea`].
    Area([u32; 2]),
    /// It has waited for a timeout.
    Timeout,
}

/// What a worker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkerAction {
    /// Reads the entry of this lock in the index.
    ReadIndex(u32),
    /// Reads its area.
    ReadArea,
    /// Writes its area.
    Write([u32; 2]),
    /// Sends the master a signal, behind what it has written.
    Signal,
    /// The process has what it called for.
    Go(Request),
}

/// A worker process. What comes out of place is passed over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Worker {
    repairs: MailRepairs,
    state: Caller,
    number: u8,
    request: Request,
}

impl Worker {
    /// A worker that has asked for nothing yet.
    #[must_use]
    pub const fn new(repairs: MailRepairs) -> Worker {
        Worker { repairs, state: Caller::Idle, number: 0, request: Request::Barrier }
    }

    /// What it does.
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

    /// What happens, and what comes of it.
    pub fn step(&mut self, event: WorkerEvent, actions: &mut Vec<WorkerAction>) {
        let has = |repair| self.repairs.has(repair);
        match event {
            WorkerEvent::Call(request) => {
                if self.state != Caller::Idle {
                    return;
                }
                self.request = request;
                match request {
                    Request::Lock(lock) if !has(MailRepairs::ASK_AT_ONCE) => {
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
                } else if let Request::Lock(lock) = self.request {
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
                        // The words may come behind the signal.
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
        if matches!(self.request, Request::Unlock(_)) && !answered {
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
