// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program as the process of a node.

use crate::run::boards::programs::{Part, Step};
use awgstar::host::{Answer, Ask, Process};
use awgstar::quantity::{ByteAddress, Cycle};
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A word that a program read in an explicit step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Read {
    /// The board.
    pub board: usize,
    /// Cycle in which it had it.
    pub cycle: Cycle,
    /// Byte address.
    pub addr: ByteAddress,
    /// Value that was read.
    pub value: u32,
    /// Expected value, if the file gives one.
    pub expected: Option<u32>,
}

/// An access that a board refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Trouble {
    /// The board.
    pub board: usize,
    /// Cycle.
    pub cycle: Cycle,
    /// Byte address.
    pub addr: ByteAddress,
}

/// Results of the programs.
#[derive(Clone, Debug, Default)]
pub(in crate::run::boards) struct Log {
    pub(super) reads: Vec<Read>,
    pub(super) refused: Vec<Trouble>,
    /// Cycle in which the program of each board had done its last step.
    pub(super) ended: Vec<Option<Cycle>>,
}

/// A program of a file, as the process of a board.
#[derive(Debug)]
pub struct Runner {
    pub(super) board: usize,
    pub(super) parts: Vec<Part>,
    /// Part, and step in it.
    pub(super) at: (usize, usize),
    /// The step whose answer comes next.
    pub(super) asked: Option<Step>,
    /// The cycle is not known before the first answer.
    pub(super) began: bool,
    pub(super) log: Arc<Mutex<Log>>,
}

impl Runner {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at an answer; the access that completes an addition.
    fn take(&mut self, answer: Answer) -> Option<Ask> {
        let step = self.asked.take()?;
        let (board, cycle, value) = (self.board, answer.cycle, answer.data);
        if let Some(addr) = step.word().filter(|_| answer.refused) {
            self.log().refused.push(Trouble { board, cycle, addr });
        }
        match step {
            Step::Read(addr, expected) => {
                self.log().reads.push(Read { board, cycle, addr, value, expected });
                None
            }
            Step::Add(addr, more) => {
                let write = Ask::Write(addr, value.wrapping_add(more));
                self.asked = Some(Step::Ask(write));
                Some(write)
            }
            Step::Ask(_) => None,
        }
    }
}

impl Process for Runner {
    fn next(&mut self, answer: Answer) -> Ask {
        if !self.began {
            self.began = true;
            return Ask::Wait(Cycle(1));
        }
        if let Some(ask) = self.take(answer) {
            return ask;
        }
        loop {
            let (part, step) = self.at;
            let Some(Part { at, steps }) = self.parts.get(part) else {
                self.log().ended[self.board] = Some(answer.cycle);
                return Ask::End;
            };
            if step == 0 && answer.cycle < *at {
                return Ask::Wait(*at - answer.cycle);
            }
            let Some(&step) = steps.get(step) else {
                self.at = (part + 1, 0);
                continue;
            };
            self.at.1 += 1;
            self.asked = Some(step);
            return match step {
                Step::Ask(ask) => ask,
                Step::Read(addr, _) | Step::Add(addr, _) => Ask::Read(addr),
            };
        }
    }
}
