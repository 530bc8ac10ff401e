// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program of a file as the process of a node, on any machine.

use awgstar::quantity::{ByteAddress, Cycle};
use awgstar::request::{Answer, Data, Len, Moment, Place, Process, Request, Span};
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A step of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub request: Request,
    pub answer: Use,
}

/// Use of the answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// None.
    Nothing,
    /// The word is for the report, and must be this one.
    Report(Option<u32>),
    /// The word is written back to this place with the number added, modulo 2^32.
    Add(Place, u32),
}

impl From<Request> for Step {
    fn from(request: Request) -> Self {
        Step { request, answer: Use::Nothing }
    }
}

impl Step {
    /// Reads a word of the shared memory for the report, which must be this one.
    #[must_use]
    pub const fn read(addr: ByteAddress, expected: Option<u32>) -> Self {
        Step { request: Request::read(addr), answer: Use::Report(expected) }
    }

    /// Adds to a word: two accesses.
    #[must_use]
    pub const fn add(place: Place, more: u32) -> Self {
        Step { request: Request::Read(place, Len::Word), answer: Use::Add(place, more) }
    }

    /// The word that it reads or writes.
    #[must_use]
    pub const fn word(&self) -> Option<ByteAddress> {
        match &self.request {
            Request::Write(place, Data::Word { .. }) | Request::Read(place, Len::Word) => {
                Some(place.addr)
            }
            _ => None,
        }
    }
}

/// Steps of a program, each with the moment before which it does not begin.
pub type Script = Vec<(Moment, Step)>;

/// A word that a program read in an explicit step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Read {
    pub board: usize,
    /// Cycle in which it had it.
    pub cycle: Cycle,
    pub addr: ByteAddress,
    /// Value that was read.
    pub value: u32,
    /// Expected value, if the file gives one.
    pub expected: Option<u32>,
}

/// An access that a board refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Trouble {
    pub board: usize,
    pub cycle: Cycle,
    pub addr: ByteAddress,
}

/// Results of the programs.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    pub(super) reads: Vec<Read>,
    pub(super) refused: Vec<Trouble>,
    /// Cycle in which the program of each board had done its last step.
    pub(super) ended: Vec<Option<Cycle>>,
}

/// A program of a file, as the process of a node.
#[derive(Debug)]
pub struct Runner {
    board: usize,
    steps: VecDeque<(Moment, Step)>,
    /// The step whose answer comes next.
    asked: Option<Step>,
    /// Before its first step, which waits for a cycle: the first answer of a ring does not tell it.
    waits: bool,
    log: Arc<Mutex<Log>>,
}

impl Runner {
    /// The process of a node that begins at once.
    pub(super) fn new(board: usize, script: &Script, log: &Arc<Mutex<Log>>) -> Self {
        let steps = script.iter().cloned().collect();
        Runner { board, steps, asked: None, waits: false, log: Arc::clone(log) }
    }

    /// It learns the cycle before its first step.
    pub(super) fn waiting(self) -> Self {
        Runner { waits: true, ..self }
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at an answer; the access that completes an addition.
    fn take(&mut self, answer: &Answer) -> Option<Request> {
        let step = self.asked.take()?;
        let (board, cycle, value) = (self.board, answer.now.cycle(), answer.word());
        if let Some(addr) = step.word().filter(|_| answer.got.is_err()) {
            self.log().refused.push(Trouble { board, cycle, addr });
        }
        match step.answer {
            Use::Nothing => None,
            Use::Report(expected) => {
                let addr = step.word()?;
                self.log().reads.push(Read { board, cycle, addr, value, expected });
                None
            }
            Use::Add(place, more) => {
                let data = Data::Word { data: value.wrapping_add(more), lanes: 0b1111 };
                let write = Request::Write(place, data);
                self.asked = Some(write.clone().into());
                Some(write)
            }
        }
    }
}

impl Process for Runner {
    fn next(&mut self, answer: &Answer) -> Request {
        if std::mem::take(&mut self.waits) {
            return Request::wait(Cycle(1));
        }
        if let Some(request) = self.take(answer) {
            return request;
        }
        let Some(&(at, _)) = self.steps.front() else {
            let ended = Some(answer.now.cycle());
            let board = self.board;
            self.log().ended.get_mut(board).into_iter().for_each(|end| *end = ended);
            return Request::End;
        };
        let wait = match at {
            Moment::Cycle(at) => {
                let left = at.saturating_sub(answer.now.cycle());
                (left > Cycle(0)).then_some(Span::Cycles(left))
            }
            Moment::Time(at) => {
                let left = at.saturating_sub(answer.now.time());
                (left.0 > 0).then_some(Span::Time(left))
            }
        };
        if let Some(wait) = wait {
            return Request::Compute(wait);
        }
        let Some((_, step)) = self.steps.pop_front() else { return Request::End };
        let request = step.request.clone();
        self.asked = Some(step);
        request
    }
}
