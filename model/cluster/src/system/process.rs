// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process, and what it asks for.

use super::{Cluster, ClusterError, Event};
use crate::{
    network::Packet,
    protocols::Protocol,
    settings::{Fences, Sharing},
    state::{Asks, Doing, Part, Reading},
};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};
use awgstar_request::{
    Answer, Change, Data, Feature, Fence, Got, Len, Moment, Path, Place, Refused, Request, Space,
};
use awgstar_sync::firmware::onesided::{Action, End, Event as Happens, Message, home};
use awgstar_sync::record::Happened;
use std::{mem, sync::Arc};

/// The lanes of a word that are written, as bytes that follow one another.
fn lanes(at: ByteAddress, data: u32, lanes: u8) -> Vec<(ByteAddress, Vec<u8>)> {
    let mut all: Vec<(ByteAddress, Vec<u8>)> = Vec::new();
    for (lane, byte) in (0..).zip(data.to_le_bytes()) {
        match all.last_mut() {
            _ if lanes >> lane & 1 == 0 => {}
            Some((first, bytes)) if *first + narrow::<u32>(bytes.len()) == at + lane => {
                bytes.push(byte);
            }
            _ => all.push((at + lane, vec![byte])),
        }
    }
    all
}

impl Cluster {
    /// A process has what it asked for, and asks for the next.
    pub(super) fn resume(&mut self, process: usize) -> Result<(), ClusterError> {
        let now = self.now();
        self.note(Happened::Answered(process));
        let one = &mut self.processes[process];
        let done = mem::replace(&mut one.doing, Doing::Ended);
        let Doing::Until(got) = done else { return Ok(()) };
        let request = one.program.next(&Answer { now: Moment::Time(now), got });
        if self.settings.record {
            self.note(Happened::Asked(process, request.to_string()));
        }
        self.begin(process, request)
    }

    /// The process goes on when its processor is free, and so much later.
    pub(super) fn answer(&mut self, process: usize, got: Result<Got, Refused>, after: Nanoseconds) {
        let now = self.now();
        let one = &mut self.processes[process];
        one.doing = Doing::Until(got);
        let at = one.busy.max(now) + after;
        self.queue.put(at.saturating_sub(now), Event::Resume(process));
    }

    /// Processor time of a process.
    pub(super) fn works(&mut self, process: usize, time: Nanoseconds) -> Nanoseconds {
        let now = self.now();
        let busy = &mut self.processes[process].busy;
        *busy = now.max(*busy) + time;
        *busy
    }

    pub(super) fn send_from(&mut self, process: usize, to: End, packet: Packet) {
        let leaves = self.works(process, self.settings.costs.send);
        self.send((End::Process(NodeId::at(process)), to), leaves, packet);
    }

    /// Processes share the memory of a computer.
    fn is_near(&self, process: usize, other: NodeId) -> bool {
        self.settings.computer(process) == self.settings.computer(other.index())
    }

    fn begin(&mut self, process: usize, request: Request) -> Result<(), ClusterError> {
        let refused = match request {
            Request::Compute(span) => {
                self.answer(process, Ok(Got::Nothing), span.time());
                return Ok(());
            }
            Request::End => return Ok(()),
            Request::Read(Place { space: Space::Virtual, .. }, _)
            | Request::Write(Place { space: Space::Virtual, .. }, _)
            | Request::Update(Place { space: Space::Virtual, .. }, _)
            | Request::Changed(Place { space: Space::Virtual, .. }, _) => {
                Refused::NotOffered(Feature::Pages)
            }
            Request::Read(Place { path: Path::Dma, .. }, _)
            | Request::Write(Place { path: Path::Dma, .. }, _)
            | Request::Fence(Fence::Dma) => Refused::NotOffered(Feature::Dma),
            Request::Read(_, Len::Blank(_))
            | Request::Write(_, Data::Blank(_))
            | Request::ComputeWrite { .. } => Refused::NotOffered(Feature::Blank),
            Request::Status => Refused::NotOffered(Feature::Registers),
            Request::Signal(..) | Request::Await(..) => Refused::NotOffered(Feature::Signals),
            Request::Barrier(0) => {
                self.processes[process].doing = Doing::Barrier;
                return self.happens(process, Protocol::Meeting, Happens::Enter);
            }
            Request::Barrier(number) => Refused::NoBarrier(number),
            Request::Lock(lock) => {
                return self.lock(process, Doing::Locking(lock), lock, Happens::Acquire(lock));
            }
            Request::Try(lock) => {
                return self.lock(process, Doing::Trying(lock), lock, Happens::Try(lock));
            }
            Request::Unlock(lock) => {
                self.note(Happened::Lock(lock, None));
                return self.lock(process, Doing::Unlocking(lock), lock, Happens::Release(lock));
            }
            Request::FarRead { .. } | Request::FarWrite { .. } => {
                Refused::NotOffered(Feature::Rings)
            }
            Request::Coherent(call, changes) => return self.coherent(process, call, &changes),
            Request::Fence(fence) => {
                self.processes[process].doing = Doing::Fencing(fence);
                let all = || NodeId::all(self.settings.processes).collect();
                let targets = if let Fence::To(one) = fence { vec![one] } else { all() };
                return self.fence(process, targets, Part::Fence);
            }
            Request::Read(Place { addr, .. }, len) => match self.read(process, addr, len) {
                Ok(()) => return Ok(()),
                Err(refused) => refused,
            },
            Request::Write(Place { addr, .. }, data) => {
                let parts = match data {
                    Data::Word { data, lanes: mask } => lanes(addr, data, mask),
                    Data::Bytes(bytes) => vec![(addr, bytes.to_vec())],
                    Data::Long(bytes) => vec![(addr, bytes.to_vec())],
                    Data::Blank(_) => Vec::new(),
                };
                match parts.into_iter().try_for_each(|(at, bytes)| self.write(process, at, &bytes))
                {
                    Ok(()) => {
                        self.answer(process, Ok(Got::Nothing), Nanoseconds(0));
                        return Ok(());
                    }
                    Err(refused) => refused,
                }
            }
            Request::Update(place, change) => match self.update(process, place, change) {
                Ok(()) => return Ok(()),
                Err(refused) => refused,
            },
            Request::Changed(Place { addr, .. }, old) => match self.watch(process, addr, old) {
                Ok(()) => return Ok(()),
                Err(refused) => refused,
            },
        };
        self.answer(process, Err(refused), self.settings.costs.access);
        Ok(())
    }

    /// The process in whose memory a byte is for a process, and the bytes from there to the end of that memory.
    fn segment(&self, process: usize, at: ByteAddress) -> Option<(NodeId, u32)> {
        if self.settings.sharing == Sharing::Segments {
            return self.settings.homes().of(at);
        }
        let left = self.settings.memory.checked_sub(at.0).filter(|left| *left > 0)?;
        Some((NodeId::at(process), left))
    }

    /// The process that has all these bytes.
    fn home_of(&self, process: usize, at: ByteAddress, bytes: usize) -> Result<NodeId, Refused> {
        let (home, left) = self.segment(process, at).ok_or(Refused::Bus)?;
        if bytes <= left as usize { Ok(home) } else { Err(Refused::Bus) }
    }

    /// The parts of a range of memory: a process each.
    fn parts(
        &self,
        process: usize,
        mut at: ByteAddress,
        bytes: usize,
    ) -> Result<Vec<(NodeId, ByteAddress, usize)>, Refused> {
        let (mut parts, mut left) = (Vec::new(), bytes);
        while left > 0 {
            let (home, room) = self.segment(process, at).ok_or(Refused::Bus)?;
            let part = left.min(room as usize);
            parts.push((home, at, part));
            left -= part;
            if left > 0 {
                at = at.checked_add(room).ok_or(Refused::Bus)?;
            }
        }
        Ok(parts)
    }

    fn read(&mut self, process: usize, at: ByteAddress, len: Len) -> Result<(), Refused> {
        let (left, word) = match len {
            Len::Word => (4, true),
            Len::Bytes(bytes) | Len::Blank(bytes) => {
                (usize::try_from(bytes).map_err(|_| Refused::Bus)?, false)
            }
        };
        self.parts(process, at, left)?;
        self.read_on(process, Reading { at, left, got: Vec::new(), word });
        Ok(())
    }

    /// The next part of a read.
    fn read_on(&mut self, process: usize, mut one: Reading) {
        while let Some((home, room)) = self.segment(process, one.at).filter(|_| one.left > 0) {
            let bytes = one.left.min(room as usize);
            if !self.is_near(process, home) {
                let packet = Packet::Get { target: home, at: one.at, bytes };
                self.processes[process].doing = Doing::Reading(one);
                self.send_from(process, End::Server(home), packet);
                return;
            }
            let mut part = self.processes[home.index()].memory.load(one.at, bytes);
            // A memory without such an address must not be asked without end.
            part.resize(bytes, 0);
            one.take(part);
            self.works(process, self.settings.costs.access);
        }
        let word = one.got.first_chunk().filter(|_| one.word);
        let word = word.map(|word| Got::Word(u32::from_le_bytes(*word)));
        self.answer(process, Ok(word.unwrap_or(Got::Bytes(one.got))), Nanoseconds(0));
    }

    fn write(&mut self, process: usize, at: ByteAddress, bytes: &[u8]) -> Result<(), Refused> {
        let mut rest = bytes;
        for (target, at, bytes) in self.parts(process, at, bytes.len())? {
            let (now, later) = rest.split_at(bytes);
            rest = later;
            if self.is_near(process, target) {
                self.processes[target.index()].memory.store(at, now);
                self.changed(target.index());
                self.works(process, self.settings.costs.access);
                if self.settings.sharing != Sharing::Segments {
                    self.replicate(process, at, now);
                }
            } else {
                self.put(process, target, Packet::Put { target, at, data: now.into() });
            }
        }
        Ok(())
    }

    /// Sends what a process has written to the replicas of all others.
    fn replicate(&mut self, process: usize, at: ByteAddress, bytes: &[u8]) {
        let data: Arc<[u8]> = bytes.into();
        for target in NodeId::all(self.settings.processes) {
            if target.index() != process {
                let data = Arc::clone(&data);
                self.put(process, target, Packet::Put { target, at, data });
            }
        }
    }

    /// Sends what a fence waits for.
    fn put(&mut self, process: usize, target: NodeId, packet: Packet) {
        let one = &mut self.processes[process];
        let count = &mut one.issued[target.index()];
        *count = count.wrapping_add(1);
        let server = &mut self.servers[self.settings.computer(process)].protocols;
        // To count a put is no action.
        one.clients.step(Protocol::Meeting, Happens::Put(target), server);
        self.send_from(process, End::Server(target), packet);
    }

    fn update(&mut self, process: usize, place: Place, change: Change) -> Result<(), Refused> {
        let at = place.addr;
        if self.settings.sharing != Sharing::Segments {
            return Err(Refused::NotOffered(Feature::Updates));
        }
        let target = self.home_of(process, at, change.bytes())?;
        if self.is_near(process, target) {
            let old = self.change(target.index(), at, &change);
            self.works(process, self.settings.costs.atomic);
            self.answer(process, Ok(given(&change, old)), Nanoseconds(0));
            return Ok(());
        }
        let packet = Packet::Change { target, at, change: change.clone() };
        match change {
            Change::Accumulate { .. } => {
                self.put(process, target, packet);
                self.answer(process, Ok(Got::Nothing), Nanoseconds(0));
            }
            Change::Update(_) => {
                self.processes[process].doing = Doing::Changing(place, change);
                self.send_from(process, End::Server(target), packet);
            }
        }
        Ok(())
    }

    /// Only the own memory can be watched: no message says what changes elsewhere.
    fn watch(&mut self, process: usize, at: ByteAddress, old: Arc<[u8]>) -> Result<(), Refused> {
        let home = self.home_of(process, at, old.len())?;
        if home.index() != process {
            return Err(Refused::NotOffered(Feature::Changes));
        }
        if *self.processes[process].memory.load(at, old.len()) == *old {
            self.processes[process].doing = Doing::Watching(at, old);
        } else {
            self.answer(process, Ok(Got::Nothing), self.settings.costs.access);
        }
        Ok(())
    }

    fn lock(
        &mut self,
        process: usize,
        doing: Doing,
        lock: u32,
        event: Happens,
    ) -> Result<(), ClusterError> {
        self.processes[process].doing = doing;
        if home(lock, self.settings.processes).index() == process {
            self.works(process, self.settings.costs.atomic);
        }
        self.happens(process, Protocol::Holding, event)
    }

    /// An event of a protocol of a process.
    fn happens(
        &mut self,
        process: usize,
        protocol: Protocol,
        event: Happens,
    ) -> Result<(), ClusterError> {
        let computer = self.settings.computer(process);
        let server = &mut self.servers[computer].protocols;
        let actions = self.processes[process].clients.step(protocol, event, server);
        for action in actions {
            match action {
                Action::Send(to, message) => {
                    self.send_from(process, to, Packet::Protocol(message));
                }
                Action::Fence => {
                    let all = NodeId::all(self.settings.processes).collect();
                    self.fence(process, all, Part::Release)?;
                }
                Action::GoOn => self.queue.put(Nanoseconds(0), Event::Look(process, protocol)),
                Action::Sleep(seen) => {
                    let server = &self.servers[computer].protocols;
                    if seen
                        .is_some_and(|seen| self.processes[process].clients.watched(server) != seen)
                    {
                        self.queue.put(Nanoseconds(0), Event::Look(process, protocol));
                    }
                }
                Action::Passed => {
                    let one = &mut self.processes[process];
                    one.known.clone_from(&one.issued);
                    self.answer(process, Ok(Got::Nothing), Nanoseconds(0));
                }
                Action::Acquired(lock) => {
                    self.note(Happened::Lock(lock, Some(process)));
                    let tried = matches!(self.processes[process].doing, Doing::Trying(_));
                    let got = if tried { Got::Word(1) } else { Got::Nothing };
                    self.answer(process, Ok(got), Nanoseconds(0));
                }
                Action::Taken(_) => self.answer(process, Ok(Got::Word(0)), Nanoseconds(0)),
                Action::Released(_) => {
                    self.answer(process, Ok(Got::Nothing), Nanoseconds(0));
                }
                Action::Misuse(misuse) => return Err(ClusterError::Misuse { process, misuse }),
                // A cluster has no replicas.
                Action::Ring(_) => {}
            }
        }
        Ok(())
    }

    /// What the server of its computer has done may be what a process waits for.
    pub(super) fn look(&mut self, process: usize, protocol: Protocol) -> Result<(), ClusterError> {
        let waits = match &self.processes[process].doing {
            Doing::Barrier => protocol == Protocol::Meeting,
            Doing::Locking(_) | Doing::Trying(_) | Doing::Unlocking(_) => {
                protocol == Protocol::Holding
            }
            _ => false,
        };
        if waits { self.happens(process, protocol, Happens::Look) } else { Ok(()) }
    }

    /// Waits until the puts to these processes are in place.
    pub(super) fn fence(
        &mut self,
        process: usize,
        targets: Vec<NodeId>,
        part: Part,
    ) -> Result<(), ClusterError> {
        let one = &mut self.processes[process];
        let missing = |target: &NodeId| {
            let puts = |counts: &Vec<u32>| counts.get(target.index()).copied();
            puts(&one.issued) != puts(&one.known)
        };
        let left = targets.into_iter().filter(missing).collect();
        one.asks = Some(Asks { left, open: 0, part });
        self.ask(process)
    }

    /// Asks the next server, or all.
    fn ask(&mut self, process: usize) -> Result<(), ClusterError> {
        let one = &mut self.processes[process];
        let Some(asks) = &mut one.asks else { return Ok(()) };
        let next = match self.settings.fences {
            Fences::InTurn => 1.min(asks.left.len()),
            Fences::AtOnce => asks.left.len(),
        };
        asks.open += next;
        if asks.open == 0 {
            let part = asks.part;
            one.asks = None;
            match part {
                Part::Fence => self.answer(process, Ok(Got::Nothing), Nanoseconds(0)),
                Part::Release => {
                    return self.happens(process, Protocol::Holding, Happens::Fenced);
                }
                Part::Coherent => return self.coherent_next(process),
            }
            return Ok(());
        }
        let targets: Vec<NodeId> = asks.left.drain(..next).collect();
        for target in targets {
            let one = &mut self.processes[process];
            let puts = one.issued[target.index()];
            one.known[target.index()] = puts;
            let message = Message::Fence { target, puts };
            self.send_from(process, End::Server(target), Packet::Protocol(message));
        }
        Ok(())
    }

    /// A message is at a process.
    pub(super) fn arrives(
        &mut self,
        process: usize,
        from: NodeId,
        packet: Packet,
    ) -> Result<(), ClusterError> {
        let one = &mut self.processes[process];
        match packet {
            Packet::Protocol(Message::Confirm) if let Some(asks) = &mut one.asks => {
                asks.open -= 1;
                self.ask(process)
            }
            Packet::Protocol(message) => {
                let protocol = match message {
                    Message::Confirm | Message::Sums { .. } | Message::Arrive { .. } => {
                        Protocol::Meeting
                    }
                    _ => Protocol::Holding,
                };
                self.happens(process, protocol, Happens::Message(from, message))
            }
            Packet::Value(got) => {
                match mem::replace(&mut one.doing, Doing::Ended) {
                    Doing::Reading(mut reading) => {
                        if let Got::Bytes(bytes) = got {
                            reading.take(bytes);
                        }
                        self.read_on(process, reading);
                    }
                    _ => self.answer(process, Ok(got), Nanoseconds(0)),
                }
                Ok(())
            }
            Packet::Pages(to, message, _) => {
                self.page_message(to.index(), from, message, false).map(|_| ())
            }
            Packet::Put { .. } | Packet::Get { .. } | Packet::Change { .. } => Ok(()),
        }
    }
}

/// What a change gives to its process.
fn given(change: &Change, old: Vec<u8>) -> Got {
    match change {
        Change::Update(_) => Got::Bytes(old),
        Change::Accumulate { .. } => Got::Nothing,
    }
}
