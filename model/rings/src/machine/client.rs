// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process with the memory of other rings, and the barrier of all rings.

use super::look::{Look, frames, read, write};
use super::{Common, Failure};
use crate::client::{Call, Client};
use crate::interface::{Action, Frame};
use crate::layout::Layout;
use crate::repairs::RequestRepairs;
use crate::words::{RingNumber, Status, Word};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};
use awgstar_request::{Answer, Feature, Got, Place, Process, Refused, Request};
use std::collections::VecDeque;

/// What the board does.
#[derive(Debug)]
enum Job {
    /// What the process asks it for.
    Process,
    Read(Word),
    Write(Frame),
    /// The word is another one than it was.
    Changed,
}

/// A process that is a client of its ring's gateway. Barrier 0 is the barrier of all rings.
pub struct FarProcess<Q> {
    process: Q,
    ring: RingNumber,
    layout: Layout,
    common: Common,
    client: Client,
    look: Look,
    job: Option<Job>,
    /// The process waits for a call.
    calls: bool,
    lacks: VecDeque<Word>,
    frames: VecDeque<Frame>,
}

impl<Q: Process> FarProcess<Q> {
    /// The process of a node of a ring with one gateway.
    pub fn new(
        process: Q,
        (ring, me): (RingNumber, NodeId),
        layout: Layout,
        common: Common,
    ) -> Self {
        let client = Client::new(me, 1, RequestRepairs::ALL);
        FarProcess {
            process,
            ring,
            layout,
            common,
            client,
            look: Look::new(|_| false),
            job: None,
            calls: false,
            lacks: VecDeque::new(),
            frames: VecDeque::new(),
        }
    }

    fn ask(&mut self, job: Job, request: Request) -> Request {
        self.job = Some(job);
        request
    }

    /// Asks the process; a call to other rings begins, all else is for the board.
    fn process(&mut self, mut answer: Answer) -> Option<Request> {
        loop {
            let request = self.process.next(&answer);
            let call = match &request {
                Request::FarRead { ring, address, words } => {
                    Call::Get(RingNumber(*ring), *address, *words)
                }
                Request::FarWrite { ring, address, data } => {
                    Call::Put(RingNumber(*ring), *address, data.to_vec())
                }
                Request::Barrier(0) => Call::Meet,
                // The gateway is no member of a barrier of the ring.
                Request::Barrier(_) => {
                    answer.got = Err(Refused::NotOffered(Feature::Barriers));
                    continue;
                }
                _ => return Some(self.ask(Job::Process, request)),
            };
            let mut actions = Vec::new();
            let words = match &call {
                Call::Get(_, _, words) => usize::from(*words),
                Call::Put(_, _, data) => data.len(),
                Call::Meet => 0,
            };
            if words > self.layout.block.into() || self.client.call(&call, &mut actions).is_err() {
                answer.got = Err(Refused::Bus);
                continue;
            }
            self.calls = true;
            self.frames = frames(&mut actions.into()).unwrap_or_default();
            return None;
        }
    }

    /// Looks whether the call is done.
    fn poll(&mut self) -> Option<Result<Got, Refused>> {
        let (mut client, mut actions) = (self.client.clone(), Vec::new());
        client.poll(&self.look, &mut actions);
        self.lacks = self.look.lacked();
        if !self.lacks.is_empty() {
            return None;
        }
        self.client = client;
        match actions.into_iter().next()? {
            Action::Done(Status::Good, values) if values.is_empty() => Some(Ok(Got::Nothing)),
            Action::Done(Status::Good, values) => {
                Some(Ok(Got::Bytes(values.iter().flat_map(|word| word.to_le_bytes()).collect())))
            }
            Action::Passed => Some(Ok(Got::Nothing)),
            _ => Some(Err(Refused::Bus)),
        }
    }

    fn go_on(&mut self, answer: &Answer) -> Result<Request, Failure> {
        let refused = |refused: &Refused| Failure::Access(*refused);
        let mut changed = None;
        match self.job.take() {
            None => {}
            Some(Job::Process) => return self.own(answer),
            Some(Job::Read(word)) => {
                answer.got.as_ref().map_err(refused)?;
                self.look.read(word, answer.word());
                changed = Some((word, answer.word()));
            }
            Some(Job::Write(frame)) => {
                answer.got.as_ref().map_err(refused)?;
                self.look.wrote(&frame);
            }
            Some(Job::Changed) => {
                answer.got.as_ref().map_err(refused)?;
                self.look.turn();
            }
        }
        if !self.calls {
            return self.own(answer);
        }
        loop {
            if let Some(word) = self.lacks.pop_front() {
                let address = self.layout.address(word)?;
                return Ok(self.ask(Job::Read(word), read(address)));
            }
            if let Some((request, frame)) = write(&mut self.frames, &self.layout) {
                self.look.turn();
                return Ok(self.ask(Job::Write(frame), request));
            }
            if let Some(got) = self.poll() {
                self.calls = false;
                return self.own(&Answer { now: answer.now, got });
            }
            if self.lacks.is_empty() {
                // Nothing yet: the word that was read last is the one that will change.
                let Some((word, old)) = changed else {
                    return Ok(self.ask(Job::Changed, Request::wait(Cycle(1))));
                };
                let place = Place::shared(self.layout.address(word)?);
                let old = old.to_le_bytes().as_slice().into();
                return Ok(self.ask(Job::Changed, Request::Changed(place, old)));
            }
        }
    }

    /// The process goes on.
    fn own(&mut self, answer: &Answer) -> Result<Request, Failure> {
        match self.process(answer.clone()) {
            Some(request) => Ok(request),
            None => self.go_on(answer),
        }
    }
}

impl<Q: Process> Process for FarProcess<Q> {
    fn next(&mut self, answer: &Answer) -> Request {
        self.go_on(answer).unwrap_or_else(|failure| {
            self.common.fail(self.ring, failure);
            Request::End
        })
    }

    fn watches(&self) -> bool {
        self.process.watches()
    }

    fn see(&mut self, at: ByteAddress, bytes: &[u8]) {
        self.process.see(at, bytes);
    }
}
