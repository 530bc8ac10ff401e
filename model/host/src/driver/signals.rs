// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals between processes (DRV-7).

use super::Driver;
use crate::{Happened, Protocols};
use awgstar_frame::quantity::Cycle;
use awgstar_request::{Got, Process, ProcessSignal, Refused, Request};

/// Signals that wait for the process at most; one beyond counts as lost.
const INBOX: usize = 65_536;

impl<P: Protocols, Q: Process + ?Sized> Driver<P, Q> {
    /// A signal for the process has arrived.
    pub(super) fn arrives(&mut self, cycle: Cycle, signal: ProcessSignal) {
        self.trials.change(cycle);
        self.record(cycle, Happened::ReceivedOfProcess(signal));
        if self.inbox.len() < INBOX {
            self.inbox.push_back(signal);
        } else {
            self.lost = true;
        }
        if let Some((Request::Await(number, _), _)) = self.asked {
            self.answer_await(cycle, number);
        }
    }

    /// The process waits for a signal.
    pub(super) fn begin_await(&mut self, cycle: Cycle, number: Option<u16>, limit: Option<Cycle>) {
        if !self.answer_await(cycle, number) {
            self.waits_until = limit.map(|limit| cycle.saturating_add(limit));
        }
    }

    /// Answers the process if a signal that it waits for is there, or one may be lost.
    fn answer_await(&mut self, cycle: Cycle, number: Option<u16>) -> bool {
        let wanted = |signal: &ProcessSignal| number.is_none_or(|number| signal.number == number);
        let lost = std::mem::take(&mut self.lost);
        let at = if lost { None } else { self.inbox.iter().position(wanted) };
        let signal = at.and_then(|at| self.inbox.remove(at));
        if !lost && signal.is_none() {
            return false;
        }
        self.waits_until = None;
        self.reply(cycle, if lost { Err(Refused::Lost) } else { Ok(Got::Signal(signal)) });
        true
    }
}
