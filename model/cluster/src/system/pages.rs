// SPDX-License-Identifier: MIT OR Apache-2.0
//! The protocol of the shared pages in a run: calls of processes, and messages.

use super::{Cluster, ClusterError};
use crate::{
    network::Packet,
    state::{Doing, Part},
};
use awgstar_coherence::{
    Refused as Wrong,
    notes::Carries,
    pages::{Message, Outcome, races},
};
use awgstar_frame::quantity::{Nanoseconds, NodeId};
use awgstar_request::{Changes, Coherent, Feature, Got, Protection, Refused};
use awgstar_sync::firmware::onesided::End;
use awgstar_sync::record::Happened;

impl Cluster {
    /// A call of a process, which has changed these bytes since the last one.
    pub(super) fn coherent(
        &mut self,
        process: usize,
        call: Coherent,
        changes: &Changes,
    ) -> Result<(), ClusterError> {
        let costs = self.settings.costs;
        let now = self.now();
        let one = &mut self.processes[process];
        let Some(pages) = &mut one.pages else {
            self.answer(process, Err(Refused::NotOffered(Feature::Coherence)), costs.access);
            return Ok(());
        };
        pages.asked(now);
        let compared = pages.take(&changes.pieces);
        if let Coherent::Barrier(_) = call {
            self.arrivals.insert(process, changes.pieces.clone());
        }
        if let Coherent::Barrier(_) | Coherent::Release(_) = call {
            self.notes.write(process, &changes.note);
        }
        let one = &mut self.processes[process];
        one.doing = Doing::Coherent(call);
        let time = match call {
            Coherent::Fault { .. } => costs.fault,
            // A lock takes time even where its manager is here: a loop that waits with flushes must not stop the time.
            Coherent::Acquire(_) | Coherent::Release(_) => {
                costs.atomic + Nanoseconds(costs.page.0.saturating_mul(compared))
            }
            _ => Nanoseconds(costs.page.0.saturating_mul(compared)),
        };
        self.works(process, time);
        match call {
            // What others are to know is in place before they can know that it is.
            Coherent::Release(lock) => {
                self.note(Happened::Lock(lock, None));
                self.notes.release(process, lock);
                self.fence(process, NodeId::all(self.settings.processes).collect(), Part::Coherent)
            }
            Coherent::Barrier(_) => {
                if self.arrivals.len() == self.settings.processes {
                    self.races = races(&std::mem::take(&mut self.arrivals));
                    self.notes.all_arrived();
                }
                self.fence(process, NodeId::all(self.settings.processes).collect(), Part::Coherent)
            }
            _ => self.coherent_next(process),
        }
    }

    /// The node of a process gets its call.
    pub(super) fn coherent_next(&mut self, process: usize) -> Result<(), ClusterError> {
        let one = &mut self.processes[process];
        let (Doing::Coherent(call), Some(pages)) = (&one.doing, &mut one.pages) else {
            return Ok(());
        };
        if let Some(news) = pages.at_once(*call) {
            self.answer(process, Ok(Got::Bytes(news.encode())), Nanoseconds(0));
            return Ok(());
        }
        let outcome = pages.ask(*call).map_err(|refused| wrong(process, refused))?;
        self.carry_out(process, outcome, false);
        Ok(())
    }

    /// A message is at the node of a process, handled by its server or not. Gives the number of messages that the
    /// server sends.
    pub(super) fn page_message(
        &mut self,
        process: usize,
        from: NodeId,
        message: Message,
        server: bool,
    ) -> Result<u64, ClusterError> {
        let Some(pages) = &mut self.processes[process].pages else { return Ok(0) };
        let outcome = pages.receive(from, message).map_err(|refused| wrong(process, refused))?;
        Ok(self.carry_out(process, outcome, server))
    }

    fn carry_out(&mut self, process: usize, outcome: Outcome, server: bool) -> u64 {
        let me = NodeId::at(process);
        let sends = outcome.sends.len() as u64;
        for (count, (to, message)) in (1..).zip(outcome.sends) {
            let end = if message.is_awaited() { End::Process(to) } else { End::Server(to) };
            let notes = self.notes.bytes(process, to.index(), message.carries());
            let packet = Packet::Pages(to, message, notes);
            if server {
                // It sends one after the other.
                let leaves = self.now() + Nanoseconds(self.settings.costs.send.0 * count);
                self.send((End::Server(me), end), leaves, packet);
            } else {
                self.send_from(process, end, packet);
            }
        }
        if outcome.done {
            self.told(process);
        }
        sends
    }

    /// What a process waits for is done.
    fn told(&mut self, process: usize) {
        let one = &mut self.processes[process];
        let (Doing::Coherent(call), Some(pages)) = (&one.doing, &mut one.pages) else { return };
        let call = *call;
        let mut news = pages.news();
        let carries = match call {
            Coherent::Barrier(_) => Carries::All,
            Coherent::Acquire(lock) => Carries::Lock(lock),
            _ => Carries::Nothing,
        };
        news.notes = self.notes.take(process, carries);
        if let Coherent::Barrier(_) = call {
            news.races = self.races.remove(&process).unwrap_or_default();
        }
        if let Coherent::Acquire(lock) = call {
            self.note(Happened::Lock(lock, Some(process)));
        }
        let twins = news.protections.iter().filter(|(_, one)| *one == Protection::Write);
        let time = Nanoseconds(self.settings.costs.page.0.saturating_mul(twins.count() as u64));
        let done = self.works(process, time);
        if let Some(pages) = &mut self.processes[process].pages {
            pages.answered(call, done);
        }
        self.answer(process, Ok(Got::Bytes(news.encode())), Nanoseconds(0));
    }
}

fn wrong(process: usize, refused: Wrong) -> ClusterError {
    ClusterError::Coherence { process, refused }
}
