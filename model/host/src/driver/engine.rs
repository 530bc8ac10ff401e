// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks and barriers that the engine of the board serves (DRV-8).

use super::{Driver, Job, machine::Machine};
use crate::{Protocols, port};
use awgstar_board::ring::{HostOp, HostResult, Outcome};
use awgstar_frame::quantity::Cycle;
use awgstar_request::{Got, Process, Refused, Request};

impl<P: Protocols, Q: Process + ?Sized> Driver<P, Q> {
    /// Lock or barrier of a request, if the engine serves it.
    fn served(&self, request: &Request) -> Option<u32> {
        let engine = self.engine.as_ref()?;
        match *request {
            Request::Lock(lock) | Request::Unlock(lock) => {
                (lock < 16 && engine.locks >> lock & 1 == 1).then_some(lock)
            }
            Request::Barrier(number) => {
                (usize::from(number) < engine.barriers.len()).then_some(number.into())
            }
            _ => None,
        }
    }

    /// The engine serves the lock or barrier of a message. Such a message is in the mailbox only if it arrived
    /// before the engine was set up; it is dropped, and its sender repeats it.
    pub(super) fn is_served(&self, machine: Machine) -> bool {
        match machine {
            Machine::Lock(lock) => self.served(&Request::Lock(lock)).is_some(),
            Machine::Barrier(number) => {
                let served = |number| self.served(&Request::Barrier(number)).is_some();
                u8::try_from(number).is_ok_and(served)
            }
        }
    }

    /// Accesses that begin a request of the process, if the engine serves it.
    pub(super) fn ask_engine(&mut self, request: &Request) -> Option<Vec<HostOp>> {
        let number = self.served(request)?;
        self.job = Job::EngineState;
        Some(match request {
            Request::Lock(_) => vec![port::acquire(number), port::held()],
            Request::Unlock(_) => vec![port::release(number)],
            _ => vec![port::arrive(number)],
        })
    }

    /// The access that asks why the board interrupts: first the engine, for whose answer a process waits.
    pub(super) fn status(&mut self) -> HostOp {
        if self.engine.is_some() {
            self.job = Job::EngineStatus;
            port::engine_status()
        } else {
            self.job = Job::Status;
            port::status()
        }
    }

    /// Events of the engine were read.
    pub(super) fn engine_status(&mut self, results: &[HostResult]) -> Vec<HostOp> {
        let events = results.last().map_or(0, |result| result.data);
        if events == 0 {
            self.job = Job::Status;
            return vec![port::status()];
        }
        self.job = Job::EngineState;
        let served = self.asked.as_ref().filter(|(request, _)| self.served(request).is_some());
        let state = match served {
            Some((Request::Lock(_), _)) => Some(port::held()),
            Some((Request::Barrier(_), _)) => Some(port::waiting()),
            _ => None,
        };
        [port::clear_engine(events)].into_iter().chain(state).collect()
    }

    /// A command was given, or the state of the engine was read.
    pub(super) fn engine_state(&mut self, cycle: Cycle, results: &[HostResult]) {
        let Some((request, _)) = &self.asked else { return };
        let (Some(number), Some(last)) = (self.served(request), results.last()) else { return };
        let refused = results.iter().any(|result| result.outcome == Outcome::Refused);
        let bit = last.data >> number & 1 == 1;
        let answered = match (request, last.op) {
            (Request::Unlock(_), _) => true,
            (Request::Lock(_), HostOp::Read { .. }) => bit,
            (Request::Barrier(_), HostOp::Read { .. }) => !bit,
            _ => false,
        };
        if answered || refused {
            let got = if refused { Err(Refused::Bus) } else { Ok(Got::Nothing) };
            self.reply(cycle, got);
        }
    }
}
