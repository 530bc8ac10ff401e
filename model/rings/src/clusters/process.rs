// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process, and what it asks for (paper 004, section 4.2). Each call waits until it is done.

use super::memory::View;
use super::parts::{Doing, GATEWAY, Process, ring_index};
use super::system::{Clusters, Event};
use crate::client::Call;
use crate::interface::{Action, Frame};
use crate::words::{Operation, RingNumber, Status};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};
use awgstar_request::{
    Answer, Data, Feature, Fence, Got, Len, Moment, Path, Place, Process as Program, Refused,
    Request, Space,
};
use awgstar_sync::record::Happened;
use std::mem;
use std::sync::Arc;

/// Most words of a far access: the length in a request has 12 bits.
pub const FAR_WORDS_MAX: u16 = 0xfff;

/// What this machine offers of a request; an access to one's own cluster is one to its memory (section 4.3).
fn offered((own, locks): (RingNumber, u16), request: Request) -> Result<Request, Refused> {
    let feature = match &request {
        Request::Read(Place { space: Space::Virtual, .. }, _)
        | Request::Write(Place { space: Space::Virtual, .. }, _)
        | Request::Update(Place { space: Space::Virtual, .. }, _)
        | Request::Changed(Place { space: Space::Virtual, .. }, _) => Feature::Pages,
        Request::Read(Place { path: Path::Dma, .. }, _)
        | Request::Write(Place { path: Path::Dma, .. }, _)
        | Request::Fence(Fence::Dma) => Feature::Dma,
        Request::Read(_, Len::Blank(_))
        | Request::Write(_, Data::Blank(_))
        | Request::ComputeWrite { .. } => Feature::Blank,
        Request::Lock(lock) | Request::Unlock(lock) if *lock >= locks.into() => {
            return Err(Refused::NoLock(*lock));
        }
        Request::Try(_) => Feature::Tries,
        Request::Update(..) => Feature::Updates,
        Request::Status => Feature::Registers,
        Request::Signal(..) | Request::Await(..) => Feature::Signals,
        Request::Coherent(..) => Feature::Coherence,
        Request::Barrier(number) if *number > 0 => return Err(Refused::NoBarrier(*number)),
        Request::FarRead { words, .. } if *words == 0 || *words > FAR_WORDS_MAX => {
            return Err(Refused::FarWords(FAR_WORDS_MAX));
        }
        Request::FarWrite { data, .. } if data.is_empty() || data.len() > FAR_WORDS_MAX.into() => {
            return Err(Refused::FarWords(FAR_WORDS_MAX));
        }
        Request::FarRead { ring, address, words } if *ring == own.0 => {
            let len = Len::Bytes(4 * u64::from(*words));
            return Ok(Request::Read(Place::shared(*address), len));
        }
        Request::FarWrite { ring, address, data } if *ring == own.0 => {
            let bytes: Vec<u8> = data.iter().flat_map(|word| word.to_le_bytes()).collect();
            return Ok(Request::write_bytes(*address, &bytes));
        }
        _ => return Ok(request),
    };
    Err(Refused::NotOffered(feature))
}

/// The call of the client for a request that its gateway carries out.
fn call(request: &Request) -> Option<Call> {
    Some(match request {
        Request::Barrier(_) => Call::Meet,
        Request::Lock(lock) => Call::Lock(narrow(*lock)),
        Request::Unlock(lock) => Call::GiveUp(narrow(*lock)),
        Request::FarRead { ring, address, words } => Call::Get(RingNumber(*ring), *address, *words),
        Request::FarWrite { ring, address, data } => {
            Call::Put(RingNumber(*ring), *address, data.to_vec())
        }
        _ => return None,
    })
}

fn bytes_of_read(len: Len) -> Result<usize, Refused> {
    match len {
        Len::Word => Ok(4),
        Len::Bytes(bytes) | Len::Blank(bytes) => usize::try_from(bytes).map_err(|_| Refused::Bus),
    }
}

fn bytes_of_write(data: &Data) -> usize {
    match data {
        Data::Word { .. } => 4,
        Data::Bytes(bytes) => bytes.len(),
        Data::Long(bytes) => bytes.len(),
        Data::Blank(_) => 0,
    }
}

impl Clusters {
    pub(super) fn process(&mut self, ring: RingNumber, node: NodeId) -> &mut Process {
        &mut self.sides[ring_index(ring)].processes[node.index() - 1]
    }

    /// What a process waited for has come; it asks for the next.
    pub(super) fn resume(&mut self, ring: RingNumber, node: NodeId) {
        let got = match mem::replace(&mut self.process(ring, node).doing, Doing::Ended) {
            Doing::Until(got) => got,
            Doing::Reading(at, len) => {
                let bytes = bytes_of_read(len).unwrap_or(0);
                let bytes = self.sides[ring_index(ring)].shared.load(at, bytes);
                let word = bytes.first_chunk().filter(|_| len == Len::Word);
                let word = word.map(|word| Got::Word(u32::from_le_bytes(*word)));
                Ok(word.unwrap_or(Got::Bytes(bytes)))
            }
            Doing::Writing(at, data) => {
                self.sides[ring_index(ring)].shared.write(at, &data);
                self.changed(ring);
                Ok(Got::Nothing)
            }
            waits => {
                self.process(ring, node).doing = waits;
                return;
            }
        };
        let now = Moment::Time(self.queue.now());
        self.note(|settings| Happened::Answered(settings.number(ring, node)));
        let request = self.process(ring, node).program.next(&Answer { now, got });
        self.note(|settings| Happened::Asked(settings.number(ring, node), request.to_string()));
        if let Err(refused) = self.begin(ring, node, request) {
            let local = self.settings.costs.local;
            self.answer((ring, node), Err(refused), local);
        }
    }

    /// A process goes on so much later, with this.
    fn answer(
        &mut self,
        (ring, node): (RingNumber, NodeId),
        got: Result<Got, Refused>,
        after: Nanoseconds,
    ) {
        self.process(ring, node).doing = Doing::Until(got);
        self.later(after, Event::Resume(ring, node));
    }

    fn begin(&mut self, ring: RingNumber, node: NodeId, request: Request) -> Result<(), Refused> {
        let (who, local) = ((ring, node), self.settings.costs.local);
        match offered((ring, self.settings.locks), request)? {
            Request::Compute(span) => self.answer(who, Ok(Got::Nothing), span.time()),
            // All that the process has written is in place already.
            Request::Fence(_) => self.answer(who, Ok(Got::Nothing), local),
            Request::Read(Place { addr, .. }, len) => {
                let after = self.access(who, Operation::Get, addr, bytes_of_read(len)?)?;
                self.process(ring, node).doing = Doing::Reading(addr, len);
                self.later(after, Event::Resume(ring, node));
            }
            Request::Write(Place { addr, .. }, data) => {
                let after = self.access(who, Operation::Put, addr, bytes_of_write(&data))?;
                self.process(ring, node).doing = Doing::Writing(addr, data);
                self.later(after, Event::Resume(ring, node));
            }
            Request::Changed(Place { addr, .. }, old) => self.watch(who, addr, old)?,
            far => {
                // It has ended otherwise.
                let Some(call) = call(&far) else { return Ok(()) };
                let after = self.ask(who, &call)?;
                match call {
                    Call::GiveUp(_) => self.answer(who, Ok(Got::Nothing), after),
                    _ => self.process(ring, node).doing = Doing::Far(far),
                }
            }
        }
        Ok(())
    }

    /// How long an access to the memory of a process' cluster takes.
    fn access(
        &mut self,
        (ring, node): (RingNumber, NodeId),
        operation: Operation,
        at: ByteAddress,
        bytes: usize,
    ) -> Result<Nanoseconds, Refused> {
        let (now, costs) = (self.queue.now(), self.settings.costs);
        let side = &mut self.sides[ring_index(ring)];
        let parts = side.shared.parts(at, bytes)?;
        let from = now.saturating_add(costs.local);
        Ok(side.cards.access(&costs, (node, operation), &parts, from).saturating_sub(now))
    }

    /// A process waits for a change of its memory. It goes on in the moment of the change.
    fn watch(
        &mut self,
        (ring, node): (RingNumber, NodeId),
        at: ByteAddress,
        old: Arc<[u8]>,
    ) -> Result<(), Refused> {
        let shared = &self.sides[ring_index(ring)].shared;
        let parts = shared.parts(at, old.len())?;
        if parts.is_empty() || parts.iter().any(|part| part.0 != node) {
            return Err(Refused::Bus);
        }
        if *shared.load(at, old.len()) == *old {
            self.process(ring, node).doing = Doing::Watching(at, old);
        } else {
            let local = self.settings.costs.local;
            self.answer((ring, node), Ok(Got::Nothing), local);
        }
        Ok(())
    }

    /// The memory of a cluster has changed.
    pub(super) fn changed(&mut self, ring: RingNumber) {
        for node in self.settings.clients() {
            let side = &self.sides[ring_index(ring)];
            let differs = match &side.processes[node.index() - 1].doing {
                Doing::Watching(at, old) => *side.shared.load(*at, old.len()) != **old,
                _ => false,
            };
            if differs {
                self.answer((ring, node), Ok(Got::Nothing), Nanoseconds(0));
            }
        }
    }

    /// A process writes a request, or its arrival, into its channel (step 1), which takes this long.
    fn ask(
        &mut self,
        (ring, node): (RingNumber, NodeId),
        call: &Call,
    ) -> Result<Nanoseconds, Refused> {
        let mut actions = Vec::new();
        self.process(ring, node).client.call(call, &mut actions)?;
        let frames = actions.into_iter().filter_map(|action| match action {
            Action::Store(frame, _) => Some(frame),
            _ => None,
        });
        let frame: Frame = frames.flatten().collect();
        let bytes = match call {
            Call::Put(_, _, data) => 4 * data.len(),
            Call::Get(..) | Call::Meet | Call::Lock(_) | Call::GiveUp(_) => 4,
        };
        let (now, costs) = (self.queue.now(), self.settings.costs);
        let side = &mut self.sides[ring_index(ring)];
        let done = side.cards.access(&costs, (node, Operation::Put), &[(GATEWAY, bytes)], now);
        let after = done.saturating_sub(now);
        self.later(after, Event::Channel(ring, frame));
        Ok(after)
    }

    /// A client has read its channel: it goes on if there is what it waits for.
    pub(super) fn look(&mut self, ring: RingNumber, node: NodeId) {
        let mut actions = Vec::new();
        let side = &mut self.sides[ring_index(ring)];
        let process = &mut side.processes[node.index() - 1];
        process.client.poll(&View::new(&side.shared, true), &mut actions);
        let got = match (actions.pop(), &process.doing) {
            (Some(Action::Done(Status::Good, values)), Doing::Far(Request::FarRead { .. })) => {
                Ok(Got::Bytes(values.iter().flat_map(|word| word.to_le_bytes()).collect()))
            }
            (Some(Action::Passed | Action::Done(Status::Good, _)), _) => Ok(Got::Nothing),
            (
                Some(Action::Done(Status::NoRing, _)),
                Doing::Far(Request::FarRead { ring, .. } | Request::FarWrite { ring, .. }),
            ) => Err(Refused::NoRing(*ring)),
            (Some(Action::Done(..)), _) => Err(Refused::Bus),
            _ => return,
        };
        self.answer((ring, node), got, Nanoseconds(0));
    }
}
