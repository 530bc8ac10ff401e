// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process with the memory of other rings, and the barrier of all rings.

use super::common::{Common, Failure};
use super::look::Look;
use crate::client::{Call, Client};
use crate::interface::Action;
use crate::layout::Layout;
use crate::repairs::{CacheRepairs, RequestRepairs};
use crate::words::{RingNumber, Status};
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar_request::{Answer, Feature, Fence, Got, Process, Refused, Request};
use std::collections::VecDeque;

/// Locks from this number on are those of the process's own ring.
pub const OWN_LOCKS: u32 = 0x8000;

/// What the host does.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Doing {
    /// What the process has asked the board for; nothing at first.
    Own,
    /// All that it has written is to be in all replicas of its ring before this call.
    Fences(Call),
    /// A call to other rings.
    Calls,
    /// It waits in a call until a word is another one.
    Watches,
}

/// A process that is a client of its ring's gateway. Barrier 0 is the barrier of all rings; the first locks are those
/// of all rings, locks from [`OWN_LOCKS`] on those of the process's ring.
pub struct FarProcess<Q> {
    process: Q,
    ring: RingNumber,
    /// Most words of a call.
    block: u16,
    /// Locks of all rings.
    locks: u16,
    /// How an arrival at the barrier is ordered after what was written before.
    order: Order,
    common: Common,
    client: Client,
    look: Look,
    doing: Doing,
    /// The ring of the last far access.
    target: RingNumber,
}

impl<Q: Process> FarProcess<Q> {
    /// The process of a node of a ring.
    pub fn new(
        process: Q,
        (ring, me): (RingNumber, NodeId),
        (layout, order): (Layout, Order),
        common: Common,
    ) -> Self {
        let client = Client::new(me, layout.gateways, RequestRepairs::ALL);
        let cached = |cache| client.clone().with_cache(cache, CacheRepairs::ALL);
        let client = layout.cache.map_or(client.clone(), cached);
        FarProcess {
            process,
            ring,
            block: layout.block,
            locks: layout.locks,
            order,
            common,
            client,
            look: Look::new(layout, None),
            doing: Doing::Own,
            target: ring,
        }
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
                Request::Lock(lock @ ..OWN_LOCKS) => Call::Lock(narrow(*lock)),
                Request::Unlock(lock @ ..OWN_LOCKS) => Call::GiveUp(narrow(*lock)),
                Request::Try(..OWN_LOCKS) => {
                    answer.got = Err(Refused::NotOffered(Feature::Tries));
                    continue;
                }
                // The gateway is no member of a barrier of the ring.
                Request::Barrier(_) => {
                    answer.got = Err(Refused::NotOffered(Feature::Barriers));
                    continue;
                }
                _ => {
                    self.doing = Doing::Own;
                    return Some(request);
                }
            };
            // Others find what was written before.
            let then = matches!(call, Call::Meet | Call::GiveUp(_));
            if then && self.order == Order::Confirmed {
                self.doing = Doing::Fences(call);
                return Some(Request::Fence(Fence::Confirmed));
            }
            match self.call(&call) {
                Ok(()) => return None,
                Err(refused) => answer.got = Err(refused),
            }
        }
    }

    fn call(&mut self, call: &Call) -> Result<(), Refused> {
        let words = match call {
            Call::Get(_, _, words) => usize::from(*words),
            Call::Put(_, _, data) => data.len(),
            Call::Lock(lock) | Call::GiveUp(lock) if *lock >= self.locks => {
                return Err(Refused::NoLock(u32::from(*lock)));
            }
            Call::Meet | Call::Lock(_) | Call::GiveUp(_) => 1,
        };
        if words == 0 || words > self.block.into() {
            return Err(Refused::FarWords(self.block));
        }
        let mut actions = Vec::new();
        self.client.call(call, &mut actions)?;
        if let Call::Get(ring, ..) | Call::Put(ring, ..) = call {
            self.target = *ring;
        }
        self.doing = Doing::Calls;
        self.look.store(&mut actions.into());
        Ok(())
    }

    /// Looks whether the call is done.
    fn poll(&mut self) -> Option<Result<Got, Refused>> {
        let action = loop {
            let (mut client, mut actions) = (self.client.clone(), Vec::new());
            client.poll(&self.look, &mut actions);
            if self.look.fetch() {
                return None;
            }
            let looked = self.client.looks();
            let same = client == self.client;
            self.client = client;
            let mut actions = VecDeque::from(actions);
            if self.look.store(&mut actions) {
                self.common.count(|counts| counts.misses += 1);
                self.look.turn();
                return None;
            }
            match actions.pop_front() {
                Some(action) => {
                    self.common.count(|counts| counts.hits += u64::from(looked));
                    break action;
                }
                // A lock is given up at once.
                None if same => return self.client.runs().then_some(Ok(Got::Nothing)),
                // The words of the next look may be others by then.
                None => self.look.turn(),
            }
        };
        match action {
            Action::Done(Status::Good, values) if values.is_empty() => Some(Ok(Got::Nothing)),
            Action::Done(Status::Good, values) => {
                Some(Ok(Got::Bytes(values.iter().flat_map(|word| word.to_le_bytes()).collect())))
            }
            Action::Passed => Some(Ok(Got::Nothing)),
            Action::Done(Status::NoRing, _) => Some(Err(Refused::NoRing(self.target.0))),
            _ => Some(Err(Refused::Bus)),
        }
    }

    fn go_on(&mut self, answer: &Answer) -> Result<Request, Failure> {
        match self.doing {
            Doing::Own => return self.own(answer),
            Doing::Fences(ref call) => {
                let (call, fenced) =
                    (call.clone(), answer.got.as_ref().map_err(|refused| *refused));
                if let Err(refused) = fenced.and_then(|_| self.call(&call)) {
                    return self.own(&Answer { now: answer.now, got: Err(refused) });
                }
            }
            Doing::Watches => {
                answer.got.as_ref().map_err(|refused| Failure::Access(*refused))?;
                self.doing = Doing::Calls;
                self.look.turn();
            }
            Doing::Calls => {}
        }
        let read = self.look.accessed(answer)?;
        if let Some(request) = self.look.access()? {
            return Ok(request);
        }
        if let Some(got) = self.poll() {
            self.look.turn();
            return self.own(&Answer { now: answer.now, got });
        }
        if let Some(request) = self.look.access()? {
            return Ok(request);
        }
        // Nothing yet: the word that was read last, or that of another gateway, is the one that will change.
        self.doing = Doing::Watches;
        Ok(match read {
            Some(word) => {
                let (place, old) = self.look.watched(word)?;
                Request::Changed(place, old.into())
            }
            None => Request::wait(Cycle(1)),
        })
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
