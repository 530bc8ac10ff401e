// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports of the board: events, messages, and the answers to accesses.

use super::{Driver, Job, machines::machine};
use crate::{
    Happened, Protocols,
    pager::{Pager, Side},
    port::{self, Mail},
};
use awgstar_board::ring::{HostOp, HostResult, Outcome};
use awgstar_frame::contract::{Interrupt, Signal};
use awgstar_frame::quantity::{Cycle, narrow};
use awgstar_request::{Got, Len, Process, Refused, Request};
use awgstar_sync::firmware::{Event, paging};

impl<P: Protocols, Q: Process + ?Sized> Driver<P, Q> {
    /// Handles the results of the accesses of the last call, and returns the next accesses.
    pub(crate) fn step(
        &mut self,
        protocols: &P,
        cycle: Cycle,
        irq: bool,
        results: &[HostResult],
    ) -> Vec<HostOp> {
        match std::mem::replace(&mut self.job, Job::None) {
            Job::EngineStatus => {
                return self.engine_status(results);
            }
            Job::EngineState => self.engine_state(cycle, results),
            Job::Status => {
                let status = results.last().map_or(0, |result| result.data);
                let events = status & (port::EVENTS | port::MAIL_FULL);
                if status & port::MAIL_FULL != 0 {
                    // What was dropped was not tried.
                    self.trials.change(cycle);
                    self.lost = true;
                }
                if events != 0 {
                    self.job = Job::Clear(events);
                    return vec![port::clear(events)];
                }
            }
            Job::Clear(events) => {
                self.events |= events;
                if events >> Interrupt::Mail.code() & 1 == 1 {
                    // Perhaps none: what it tells of was taken with the one before.
                    self.job = Job::Count;
                    return vec![port::mails()];
                }
            }
            Job::Mail(count) => {
                port::head(results, &mut self.words);
                let rest = port::rest(&self.words);
                if !rest.is_empty() {
                    self.job = Job::Rest(count);
                    return rest;
                }
                return self.mail(protocols, cycle, count);
            }
            Job::Rest(count) => {
                port::body(results, &mut self.words);
                return self.mail(protocols, cycle, count);
            }
            Job::Count => {
                let count = results.last().map_or(0, |result| result.data);
                if count != 0 {
                    self.job = Job::Mail(count);
                    return port::take_head().to_vec();
                }
            }
            Job::None | Job::Send => {}
            Job::Fence => self.fenced(cycle, results),
            Job::Look => self.looked(cycle, results),
            Job::Pages(side) => self.pages_done(cycle, side, results),
            Job::Access => {
                let refused = results.iter().any(|result| result.outcome == Outcome::Refused);
                let got = match results.last() {
                    _ if refused => Err(Refused::Bus),
                    _ if let Some(bytes) = self.bytes(results) => Ok(Got::Bytes(bytes)),
                    Some(HostResult { op: HostOp::Read { .. }, data, .. }) => Ok(Got::Word(*data)),
                    _ => Ok(Got::Nothing),
                };
                self.reply(cycle, got);
            }
        }
        // Messages that arrived before the own signal returned have been handled by now.
        if self.events >> Interrupt::SignalDone.code() & 1 == 1
            && let Some((mail, _)) = self.flying.take()
        {
            self.trials.end(mail, cycle);
            match mail {
                Mail::Firmware(message) => {
                    self.record(cycle, Happened::Returned(message));
                    // What answers a request for a page is the page table.
                    if message.signal != Signal::SwapRequest {
                        self.tell(protocols, cycle, machine(&message), Event::Returned(message));
                    }
                }
                Mail::Process(signal) => {
                    self.record(cycle, Happened::ReturnedOfProcess(signal));
                    self.reply(cycle, Ok(Got::Nothing));
                }
            }
        }
        self.events = 0;
        let ops = self.choose(protocols, cycle, irq);
        // A fence looks again and again: no other thing is to be done then.
        if matches!(self.job, Job::None | Job::Fence) {
            self.trials.rest(cycle);
        }
        let ends = || self.timers.values().copied().chain(self.waits_until).chain(self.page_timer);
        self.rests_until =
            if self.job == Job::None { ends().min().unwrap_or(Cycle::MAX) } else { Cycle(0) };
        ops
    }

    /// The bytes that the process has read, if it reads a part of a block.
    fn bytes(&self, results: &[HostResult]) -> Option<Vec<u8>> {
        let Some((Request::Read(place, Len::Bytes(bytes)), _)) = &self.asked else { return None };
        let all = results.iter().flat_map(|result| result.data.to_le_bytes());
        Some(all.skip(place.addr.lane()).take(narrow(*bytes)).collect())
    }

    /// Passes a message to its state machine, and looks at the next message.
    fn mail(&mut self, protocols: &P, cycle: Cycle, count: u32) -> Vec<HostOp> {
        match port::mail(&self.words) {
            Ok(Mail::Process(signal)) => self.arrives(cycle, signal),
            Ok(Mail::Firmware(message)) => {
                self.record(cycle, Happened::Received(message));
                if message.signal == Signal::SwapRequest {
                    let page = |pager: &Pager| pager.place().at.page(message.lock_number);
                    match self.pager.as_ref().and_then(page) {
                        Some(page) => {
                            self.tell_pager(cycle, Side::Master, paging::Event::Wanted(page));
                        }
                        None => self.strange += 1,
                    }
                } else if !self.is_served(machine(&message)) {
                    self.tell(protocols, cycle, machine(&message), Event::Signal(message));
                }
            }
            Err(_) => self.strange += 1,
        }
        if count > 1 {
            self.job = Job::Mail(count - 1);
            [port::pop()].into_iter().chain(port::take_head()).collect()
        } else {
            // More may have come meanwhile.
            self.job = Job::Count;
            vec![port::pop(), port::mails()]
        }
    }
}
