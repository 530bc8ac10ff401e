// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process, and what it asks for (paper 004, section 4.2). Each call waits until it is done.

use super::handler::{GATEWAY, ring_index};
use super::memory::View;
use super::system::{Clusters, Event};
use crate::client::{Call, Client};
use crate::interface::{Action, Frame};
use crate::repairs::RequestRepairs;
use crate::words::{Operation, RingNumber, Status};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId};
use awgstar_request::{
    Answer, Data, Feature, Fence, Got, Len, Moment, Path, Place, Process as Program, Refused,
    Request, Space,
};
use std::mem;
use std::sync::Arc;

/// Most words of a far access: the length in a request has 12 bits.
const WORDS_MAX: u16 = 0xfff;

/// State of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// It goes on at a known time, with this.
    Until(Result<Got, Refused>),
    Reading(ByteAddress, Len),
    Writing(ByteAddress, Data),
    /// It waits for the reply of its gateway.
    Far(Request, RingNumber),
    Barrier,
    /// It waits until these bytes of its memory differ from what they were.
    Watching(ByteAddress, Arc<[u8]>),
    Ended,
}

impl Doing {
    /// What the process waits for, if others decide when it ends.
    pub(super) fn request(&self) -> Option<Request> {
        Some(match self {
            Doing::Until(_) | Doing::Reading(..) | Doing::Writing(..) | Doing::Ended => {
                return None;
            }
            Doing::Far(request, _) => request.clone(),
            Doing::Barrier => Request::Barrier(0),
            Doing::Watching(at, old) => Request::Changed(Place::shared(*at), Arc::clone(old)),
        })
    }
}

/// A process.
pub(super) struct Process {
    program: Box<dyn Program>,
    client: Client,
    pub(super) doing: Doing,
}

impl Process {
    pub(super) fn new(node: NodeId, program: Box<dyn Program>) -> Process {
        let client = Client::new(node, 1, RequestRepairs::ALL);
        Process { program, client, doing: Doing::Until(Ok(Got::Nothing)) }
    }
}

/// What a request is on this machine.
enum Kind {
    Compute(Nanoseconds),
    Read(ByteAddress, Len),
    Write(ByteAddress, Data),
    Watch(ByteAddress, Arc<[u8]>),
    Far(RingNumber, Call),
    /// All that the process has written is in place already.
    Nothing,
    End,
    Refused(Refused),
}

/// What a request is; that to one's own cluster is an access to its memory (section 4.3).
fn kind(own: RingNumber, request: &Request) -> Kind {
    let refused = |feature| Kind::Refused(Refused::NotOffered(feature));
    match request {
        Request::Compute(span) => Kind::Compute(span.time()),
        Request::End => Kind::End,
        Request::Read(Place { space: Space::Virtual, .. }, _)
        | Request::Write(Place { space: Space::Virtual, .. }, _)
        | Request::Update(Place { space: Space::Virtual, .. }, _)
        | Request::Changed(Place { space: Space::Virtual, .. }, _) => refused(Feature::Pages),
        Request::Read(Place { path: Path::Dma, .. }, _)
        | Request::Write(Place { path: Path::Dma, .. }, _)
        | Request::Fence(Fence::Dma) => refused(Feature::Dma),
        Request::Read(_, Len::Blank(_))
        | Request::Write(_, Data::Blank(_))
        | Request::ComputeWrite { .. } => refused(Feature::Blank),
        Request::Read(place, len) => Kind::Read(place.addr, *len),
        Request::Write(place, data) => Kind::Write(place.addr, data.clone()),
        Request::Changed(place, old) => Kind::Watch(place.addr, Arc::clone(old)),
        Request::Fence(_) => Kind::Nothing,
        Request::Barrier(0) => Kind::Far(own, Call::Meet),
        Request::Barrier(number) => Kind::Refused(Refused::NoBarrier(*number)),
        Request::FarRead { words, .. } if *words == 0 || *words > WORDS_MAX => {
            Kind::Refused(Refused::FarWords(WORDS_MAX))
        }
        Request::FarWrite { data, .. } if data.is_empty() || data.len() > WORDS_MAX.into() => {
            Kind::Refused(Refused::FarWords(WORDS_MAX))
        }
        Request::FarRead { ring, address, words } if *ring == own.0 => {
            Kind::Read(*address, Len::Bytes(4 * u64::from(*words)))
        }
        Request::FarWrite { ring, address, data } if *ring == own.0 => {
            let bytes = data.iter().flat_map(|word| word.to_le_bytes()).collect();
            Kind::Write(*address, Data::Bytes(bytes))
        }
        Request::FarRead { ring, address, words } => {
            Kind::Far(RingNumber(*ring), Call::Get(RingNumber(*ring), *address, *words))
        }
        Request::FarWrite { ring, address, data } => {
            Kind::Far(RingNumber(*ring), Call::Put(RingNumber(*ring), *address, data.to_vec()))
        }
        Request::Lock(_) | Request::Unlock(_) => refused(Feature::Locks),
        Request::Try(_) => refused(Feature::Tries),
        Request::Update(..) => refused(Feature::Updates),
        Request::Status => refused(Feature::Registers),
        Request::Signal(..) | Request::Await(..) => refused(Feature::Signals),
        Request::Coherent(..) => refused(Feature::Coherence),
    }
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
                Ok(word.unwrap_or_else(|| Got::Bytes(bytes.to_vec())))
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
        let request = self.process(ring, node).program.next(&Answer { now, got });
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
        match kind(ring, &request) {
            Kind::Compute(time) => self.answer(who, Ok(Got::Nothing), time),
            Kind::Nothing => self.answer(who, Ok(Got::Nothing), local),
            Kind::End => {}
            Kind::Read(at, len) => {
                let after = self.access(who, Operation::Get, at, bytes_of_read(len)?)?;
                self.process(ring, node).doing = Doing::Reading(at, len);
                self.later(after, Event::Resume(ring, node));
            }
            Kind::Write(at, data) => {
                let after = self.access(who, Operation::Put, at, bytes_of_write(&data))?;
                self.process(ring, node).doing = Doing::Writing(at, data);
                self.later(after, Event::Resume(ring, node));
            }
            Kind::Watch(at, old) => self.watch(who, at, old)?,
            Kind::Far(to, call) => {
                let doing =
                    if call == Call::Meet { Doing::Barrier } else { Doing::Far(request, to) };
                self.ask(who, &call)?;
                self.process(ring, node).doing = doing;
            }
            Kind::Refused(refused) => return Err(refused),
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

    /// A process waits for a change of its own memory. It goes on in the moment of the change.
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

    /// A process writes a request, or its arrival, into its channel (step 1).
    fn ask(&mut self, (ring, node): (RingNumber, NodeId), call: &Call) -> Result<(), Refused> {
        let mut actions = Vec::new();
        // An address within a word; a process makes one call at a time.
        self.process(ring, node).client.call(call, &mut actions).map_err(|_| Refused::Bus)?;
        let frames = actions.into_iter().filter_map(|action| match action {
            Action::Store(frame, _) => Some(frame),
            _ => None,
        });
        let frame: Frame = frames.flatten().collect();
        let bytes = match call {
            Call::Put(_, _, data) => 4 * data.len(),
            Call::Get(..) | Call::Meet => 4,
        };
        let (now, costs) = (self.queue.now(), self.settings.costs);
        let side = &mut self.sides[ring_index(ring)];
        let done = side.cards.access(&costs, (node, Operation::Put), &[(GATEWAY, bytes)], now);
        self.later(done.saturating_sub(now), Event::Channel(ring, frame));
        Ok(())
    }

    /// A client has read its channel: it goes on if there is what it waits for.
    pub(super) fn look(&mut self, ring: RingNumber, node: NodeId) {
        let mut actions = Vec::new();
        let side = &mut self.sides[ring_index(ring)];
        let process = &mut side.processes[node.index() - 1];
        process.client.poll(&View::new(&side.shared, true), &mut actions);
        let got = match (actions.pop(), &process.doing) {
            (Some(Action::Done(Status::Good, values)), Doing::Far(Request::FarRead { .. }, _)) => {
                Ok(Got::Bytes(values.iter().flat_map(|word| word.to_le_bytes()).collect()))
            }
            (Some(Action::Passed | Action::Done(Status::Good, _)), _) => Ok(Got::Nothing),
            (Some(Action::Done(Status::NoRing, _)), Doing::Far(_, to)) => {
                Err(Refused::NoRing(to.0))
            }
            (Some(Action::Done(..)), _) => Err(Refused::Bus),
            _ => return,
        };
        self.answer((ring, node), got, Nanoseconds(0));
    }
}
