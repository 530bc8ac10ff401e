// SPDX-License-Identifier: MIT OR Apache-2.0
//! Driver of a node: connects its process and its firmware to the host port of its board.
//!
//! The driver is sequential, as a processor is. It handles first reports of the board, then timers,
//! then signals to be sent, then the request of the process (DRV-1 to DRV-5).

mod engine;
mod machine;
mod machines;
mod memory;
mod reports;
mod signals;
mod trials;
mod tried;

use super::pager::{Pager, Side};
use super::port::{self, Mail};
use super::{Happened, Protocols, Record};
use awgstar_board::ring::{
    HostOp,
    boards::{Engine, in_window, read_block, write_block},
};
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar_request::{
    Answer, Block, Data, Feature, Fence, Got, Len, Moment, Path, Place, Process, ProcessSignal,
    Refused, Request, Space, Span,
};
use awgstar_sync::firmware::paging;
use awgstar_sync::firmware::{Event, Timer};
use machine::Machine;
use std::collections::{BTreeMap, VecDeque};
use trials::Trials;

/// Access to the board that the driver waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// Nothing.
    None,
    /// `IRQ_STATUS` is read.
    Status,
    /// `ENGINE_IRQ_STATUS` is read.
    EngineStatus,
    /// What the process has of the engine is read.
    EngineState,
    /// These events are being cleared.
    Clear(u32),
    /// `MAIL_COUNT` is read.
    Count,
    /// The first words of the oldest message are read; the number is that of messages in the mailbox.
    Mail(u32),
    /// The remaining words of the message are read.
    Rest(u32),
    /// A signal is handed over.
    Send,
    /// An access of the process.
    Access,
    /// The numbers of data frames are read, for a fence.
    Fence,
    /// The bytes are read whose change the process waits for.
    Look,
    /// An access for the virtual shared memory.
    Pages(Side),
}

/// The driver of a node.
pub(super) struct Driver<P: Protocols, Q: Process + ?Sized> {
    node: NodeId,
    nodes: usize,
    locks: BTreeMap<u32, P::Lock>,
    /// Barrier 0 from the start, others from their first use.
    barriers: BTreeMap<u8, P::Barrier>,
    /// What the board's engine serves.
    engine: Option<Engine>,
    process: Option<Box<Q>>,
    /// Request of the process that is not answered, and its cycle.
    pub(super) asked: Option<(Request, Cycle)>,
    answer: Answer,
    /// The request of the process for bytes, of which that is a word.
    block: Option<Block>,
    pub(super) job: Job,
    /// Words of the oldest message that were read.
    words: port::Words,
    /// Events reported but not handled.
    events: u32,
    /// Signals that wait to be handed over.
    outbox: VecDeque<(Mail, Order)>,
    /// The one that the board has.
    flying: Option<(Mail, Order)>,
    /// Signals for the process that it has not asked for.
    inbox: VecDeque<ProcessSignal>,
    /// The mailbox was full since the process was told last.
    lost: bool,
    /// The board was reset during the access of the process: it is made again.
    again: bool,
    timers: BTreeMap<(Machine, Timer), Cycle>,
    /// Cycles before each look at what the board reports.
    slow: Cycle,
    /// Words that are handed to the host at once (DRV-10).
    burst: usize,
    /// Address after the last write of the process that was no value of 64 bits: a frame that is open there may have
    /// begun at no multiple of 8.
    odd: Option<ByteAddress>,
    /// Number of the data frame that the process waits for, once it is known.
    mark: Option<u8>,
    /// The process waits for a change, and its bytes are to be read.
    look: bool,
    /// The process does nothing until this cycle.
    waits_until: Option<Cycle>,
    rests_until: Cycle,
    pub(super) pager: Option<Pager>,
    /// When the request for a page is retransmitted.
    pub(super) page_timer: Option<Cycle>,
    /// The access whose page is there.
    pub(super) granted: Option<HostOp>,
    /// Next in turn: the process, its paging state machine, or the master's.
    turn: u8,
    pub(super) records: Option<Vec<Record>>,
    /// Messages that are no signal, or are of a page or a barrier that the node does not have.
    pub(super) strange: u64,
    /// What was tried in the present state.
    trials: Trials,
}

impl<P: Protocols, Q: Process + ?Sized> Driver<P, Q> {
    /// `burst` is the number of words that are handed to the host at once.
    pub(super) fn new(
        protocols: &P,
        node: NodeId,
        nodes: usize,
        slow: Cycle,
        burst: usize,
    ) -> Self {
        Driver {
            node,
            nodes,
            locks: BTreeMap::new(),
            barriers: BTreeMap::from([(0, protocols.barrier(node, nodes))]),
            engine: protocols.engine(node, nodes),
            process: None,
            asked: None,
            answer: Answer::default(),
            block: None,
            job: Job::None,
            words: port::Words::default(),
            events: 0,
            outbox: VecDeque::new(),
            flying: None,
            inbox: VecDeque::new(),
            lost: false,
            again: false,
            timers: BTreeMap::new(),
            slow,
            burst,
            odd: None,
            mark: None,
            look: false,
            waits_until: None,
            rests_until: Cycle(0),
            pager: protocols.pages(node).map(|(place, repairs)| Pager::new(place, repairs)),
            page_timer: None,
            granted: None,
            turn: 0,
            records: None,
            strange: 0,
            trials: Trials::default(),
        }
    }

    pub(super) fn begin(&mut self, process: Box<Q>) {
        self.process = Some(process);
        self.rests_until = Cycle(0);
        (self.asked, self.waits_until, self.granted) = (None, None, None);
        (self.answer, self.block) = (Answer::default(), None);
    }

    /// The process has ended, or there is none.
    pub(super) fn ended(&self) -> bool {
        self.process.is_none()
    }

    /// The process looks again and again, and finds nothing.
    pub(super) fn polls(&self) -> bool {
        self.process.as_deref().is_some_and(Process::polls)
    }

    /// The process goes on. The looks of one that finds nothing are no change.
    fn process_changes(&mut self, cycle: Cycle) {
        if !self.polls() {
            self.trials.change(cycle);
        }
    }

    /// The process is gone, whatever it waited for.
    pub(super) fn forget(&mut self) {
        (self.process, self.asked, self.waits_until) = (None, None, None);
        (self.granted, self.block) = (None, None);
    }

    /// The process, if it wants to see the replica.
    pub(super) fn watcher(&mut self) -> Option<&mut Q> {
        self.process.as_deref_mut().filter(|process| process.watches())
    }

    /// Something is to be done for the virtual shared memory that ends by itself.
    pub(super) fn pages(&self) -> bool {
        self.pager.as_ref().is_some_and(Pager::busy)
    }

    /// The board is reset: what it had of this node is gone, and is handed to it again.
    pub(super) fn reset(&mut self, cycle: Cycle) {
        self.trials.change(cycle);
        self.again |= self.job == Job::Access;
        // Data frames have other numbers from here on.
        self.mark = None;
        (self.job, self.events, self.rests_until) = (Job::None, 0, Cycle(0));
        if let Some(one) = self.flying.take() {
            self.outbox.push_front(one);
        }
        if let Some(pager) = &mut self.pager {
            pager.reset();
        }
    }

    /// The request that the process waits for, and the cycle in which it began.
    pub(super) fn waits(&self) -> Option<&(Request, Cycle)> {
        self.asked.as_ref()
    }

    /// Cycle before which nothing is to be done unless the board reports something.
    #[inline]
    pub(super) fn rests_until(&self) -> Cycle {
        self.rests_until
    }

    /// No access to the board is under way.
    pub(super) fn rests(&self) -> bool {
        self.job == Job::None
    }

    /// After so many cycles the engine of the board repeats a request, unseen by the driver.
    pub(super) fn engine_repeats(&self) -> Cycle {
        self.engine.as_ref().map_or(Cycle(0), |engine| engine.retry)
    }

    pub(super) fn has_pager(&self) -> bool {
        self.pager.is_some()
    }

    /// Signals under way or waiting.
    pub(super) fn sends(&self) -> bool {
        self.flying.is_some() || !self.outbox.is_empty()
    }

    pub(super) fn lock_machine(&self, lock: u32) -> Option<&P::Lock> {
        self.locks.get(&lock)
    }

    pub(super) fn barrier_machine(&self, number: u8) -> Option<&P::Barrier> {
        self.barriers.get(&number)
    }

    /// Keeps what happened. The looks of a process that finds nothing are no events.
    pub(super) fn record(&mut self, cycle: Cycle, what: Happened) {
        let node = self.node;
        if self.polls() && matches!(what, Happened::Asked(_) | Happened::Answered(_)) {
            return;
        }
        if let Some(records) = &mut self.records {
            records.push(Record { cycle, node, what });
        }
    }

    /// The next thing to do.
    fn choose(&mut self, protocols: &P, cycle: Cycle, irq: bool) -> Vec<HostOp> {
        if irq {
            let wait = (self.slow > Cycle(0)).then_some(HostOp::Wait { cycles: self.slow });
            let status = self.status();
            return wait.into_iter().chain([status]).collect();
        }
        while let Some((&(machine, timer), _)) = self.timers.iter().find(|one| *one.1 <= cycle) {
            self.timers.remove(&(machine, timer));
            self.trials.end_timer(machine, timer, cycle);
            self.tell(protocols, cycle, machine, Event::Timer(timer));
        }
        if self.waits_until.is_some_and(|end| end <= cycle) {
            self.waits_until = None;
            let timed_out = matches!(self.asked, Some((Request::Await(..), _)));
            self.reply(cycle, Ok(if timed_out { Got::Signal(None) } else { Got::Nothing }));
        }
        if self.flying.is_none()
            && let Some((mail, order)) = self.outbox.pop_front()
        {
            self.flying = Some((mail, order));
            self.trials.send(cycle);
            self.record(
                cycle,
                match mail {
                    Mail::Firmware(message) => Happened::Sent(message),
                    Mail::Process(signal) => Happened::SentOfProcess(signal),
                },
            );
            self.job = Job::Send;
            return port::send(&mail, order);
        }
        if self.page_timer.is_some_and(|end| end <= cycle) {
            self.page_timer = None;
            self.tell_pager(cycle, Side::Process, paging::Event::Timer);
        }
        for _ in 0..3 {
            self.turn = (self.turn + 1) % 3;
            let ops = match self.turn {
                0 => self.run_process(protocols, cycle),
                1 => self.run_pager(protocols, cycle, Side::Process),
                _ => self.run_pager(protocols, cycle, Side::Master),
            };
            if !ops.is_empty() {
                return ops;
            }
        }
        // One may have been given something to do by the other after it.
        if self.pager.is_some() && self.unfinished() {
            return self.choose(protocols, cycle, false);
        }
        Vec::new()
    }

    /// Returns true if the process or a state machine can continue without waiting.
    fn unfinished(&self) -> bool {
        let sends = self.flying.is_none() && !self.outbox.is_empty();
        sends || self.granted.is_some() || self.pages() || self.asked.is_none() && !self.ended()
    }

    /// Asks the process, until it wants something of the board or has to wait.
    fn run_process(&mut self, protocols: &P, cycle: Cycle) -> Vec<HostOp> {
        let again = std::mem::take(&mut self.again);
        let ops = self.granted.take().map_or_else(|| self.ask_again(again), |op| vec![op]);
        if !ops.is_empty() {
            self.job = Job::Access;
            return ops;
        }
        if let Some(ops) = self.ask_memory() {
            return ops;
        }
        while self.asked.is_none() {
            let Some(request) = self.next_request() else { break };
            self.asked = Some((request.clone(), cycle));
            self.process_changes(cycle);
            self.record(cycle, Happened::Asked(request.clone()));
            // Who waits for others, or ends, holds no page (PAG-4).
            if matches!(
                request,
                Request::Lock(_)
                    | Request::Barrier(_)
                    | Request::Await(..)
                    | Request::Changed(..)
                    | Request::End
            ) && self.lets_go(cycle)
            {
                break;
            }
            if let Some(ops) = self.ask_engine(&request) {
                return ops;
            }
            let ops = self.begin_request(protocols, cycle, &request);
            if !ops.is_empty() {
                self.job = Job::Access;
                return ops;
            }
            if let Some(ops) = self.ask_memory() {
                return ops;
            }
        }
        // A state machine may have wanted to send before the process had to wait.
        if self.flying.is_none() && !self.outbox.is_empty() {
            return self.choose(protocols, cycle, false);
        }
        Vec::new()
    }

    /// What the process wants next: the next word of a block, or what it says.
    fn next_request(&mut self) -> Option<Request> {
        if let Some(block) = &mut self.block {
            match block.next(&self.answer) {
                Ok(word) => return Some(word),
                Err(answer) => (self.answer, self.block) = (answer, None),
            }
        }
        let request = self.process.as_mut()?.next(&self.answer);
        let Some((block, word)) = Block::in_parts(&request, self.burst) else {
            return Some(request);
        };
        self.block = Some(block);
        Some(word)
    }

    /// Begins the request of the process; returns accesses to the board if the request needs some at once.
    pub(super) fn begin_request(
        &mut self,
        protocols: &P,
        cycle: Cycle,
        request: &Request,
    ) -> Vec<HostOp> {
        if let Some(feature) = lacks(request) {
            self.reply(cycle, Err(Refused::NotOffered(feature)));
            return Vec::new();
        }
        match *request {
            Request::End => {
                (self.process, self.asked) = (None, None);
            }
            Request::Lock(lock) => {
                self.tell(protocols, cycle, Machine::Lock(lock), Event::Acquire);
            }
            Request::Unlock(lock) => {
                self.tell(protocols, cycle, Machine::Lock(lock), Event::Release);
            }
            Request::Barrier(number) => {
                self.tell(protocols, cycle, Machine::Barrier(number.into()), Event::Arrive);
            }
            Request::Read(Place { space: Space::Virtual, addr, .. }, Len::Word)
            | Request::Write(Place { space: Space::Virtual, addr, .. }, Data::Word { .. }) => {
                self.access_virtual(cycle, addr);
            }
            Request::Write(place, Data::Long(_)) if !place.addr.0.is_multiple_of(8) => {
                self.reply(cycle, Err(Refused::Bus));
            }
            Request::Write(place, Data::Long(_)) => {
                // A frame is full at a multiple of 8 after its start: it must begin at one.
                let close = (self.odd == Some(place.addr)).then(port::close);
                return close.into_iter().chain(accesses(request)).collect();
            }
            Request::Read(_, Len::Word)
            | Request::Write(_, Data::Word { .. })
            | Request::Status => {
                if let Request::Write(place, _) = *request {
                    // At the end of the addresses there is no memory.
                    self.odd = place.addr.checked_add(4);
                }
                return accesses(request);
            }
            // Of no bytes.
            Request::Read(_, Len::Bytes(0)) => self.reply(cycle, Ok(Got::Bytes(Vec::new()))),
            Request::Write(_, Data::Bytes(ref bytes)) if bytes.is_empty() => {
                self.reply(cycle, Ok(Got::Nothing));
            }
            // A part of a block.
            Request::Read(_, Len::Bytes(_)) => return accesses(request),
            Request::Write(place, Data::Bytes(ref bytes)) => {
                let end = place.addr.0.saturating_add(narrow(bytes.len())).saturating_add(3);
                self.odd = Some(ByteAddress(end).aligned());
                return accesses(request);
            }
            Request::Signal(signal, order) => {
                let mail = Mail::Process(ProcessSignal { source: self.node, ..signal });
                self.send(cycle, mail, order);
            }
            Request::Await(number, limit) => {
                self.begin_await(cycle, number, limit.map(whole));
            }
            // Not an access: what the board reports is handled meanwhile.
            Request::Compute(span) => {
                self.waits_until = Some(cycle.saturating_add(whole(span)));
            }
            Request::Changed(_, ref bytes) if bytes.is_empty() => {
                self.reply(cycle, Ok(Got::Nothing));
            }
            Request::Fence(_) => self.mark = None,
            // The ring says when the bytes differ; the others are not offered.
            Request::Changed(..)
            | Request::Read(_, Len::Blank(_))
            | Request::Write(_, Data::Blank(_))
            | Request::ComputeWrite { .. }
            | Request::Update(..)
            | Request::Coherent(..)
            | Request::FarRead { .. }
            | Request::FarWrite { .. }
            | Request::Try(_) => {}
        }
        Vec::new()
    }

    pub(super) fn reply(&mut self, cycle: Cycle, got: Result<Got, Refused>) {
        if let Some((request, _)) = self.asked.take() {
            self.answer = Answer { now: Moment::Cycle(cycle), got };
            self.process_changes(cycle);
            self.record(cycle, Happened::Answered(request));
        }
    }

    /// A signal that waits, or that the board is still sending again by itself, is not sent twice:
    /// else timers that are too short would fill the outbox.
    pub(super) fn send(&mut self, cycle: Cycle, mail: Mail, order: Order) {
        self.trials.ask(mail, cycle);
        let waits = self.outbox.iter().any(|(other, _)| *other == mail);
        if !waits && self.flying.map(|one| one.0) != Some(mail) {
            self.outbox.push_back((mail, order));
        }
    }
}

/// A span in cycles: what is told in another unit takes one at least.
fn whole(span: Span) -> Cycle {
    match span {
        Span::Cycles(cycles) => cycles,
        Span::Time(_) => span.cycles().max(Cycle(1)),
    }
}

/// What this machine does not offer of a request.
const fn lacks(request: &Request) -> Option<Feature> {
    match request {
        Request::Read(Place { path: Path::Dma, .. }, _)
        | Request::Write(Place { path: Path::Dma, .. }, _)
        | Request::Changed(Place { path: Path::Dma, .. }, _)
        | Request::Fence(Fence::Dma) => Some(Feature::Dma),
        Request::Read(_, Len::Blank(_))
        | Request::Write(_, Data::Blank(_))
        | Request::ComputeWrite { .. } => Some(Feature::Blank),
        Request::Update(..) => Some(Feature::Updates),
        Request::Try(_) => Some(Feature::Tries),
        Request::Coherent(..) => Some(Feature::Coherence),
        Request::FarRead { .. } | Request::FarWrite { .. } => Some(Feature::Rings),
        Request::Changed(Place { space: Space::Virtual, .. }, _) => Some(Feature::Changes),
        _ => None,
    }
}

/// The accesses that a process asks for; none if it wants something else.
pub(super) fn accesses(request: &Request) -> Vec<HostOp> {
    let access = match *request {
        // Without a turn between them, so that no frame ends there.
        Request::Write(Place { space: Space::Shared, addr, .. }, Data::Long(bytes)) => {
            let (words, _) = bytes.as_chunks::<4>();
            let write = |(word, bytes): (u32, &[u8; 4])| HostOp::Write {
                addr: in_window(addr + 4 * word),
                data: u32::from_le_bytes(*bytes),
                strobe: 0b1111,
            };
            return (0..).zip(words).map(write).collect();
        }
        Request::Write(Place { space: Space::Shared, addr, .. }, Data::Bytes(ref bytes)) => {
            return write_block(addr, bytes);
        }
        Request::Read(Place { space: Space::Shared, addr, .. }, Len::Bytes(bytes)) => {
            let words = (addr.lane() as u64 + bytes).div_ceil(4);
            return read_block(addr.aligned(), narrow(words));
        }
        Request::Read(Place { space: Space::Shared, addr, .. }, _)
        | Request::Write(Place { space: Space::Shared, addr, .. }, _) => at(addr, request),
        Request::Status => Some(port::board_status()),
        _ => None,
    };
    access.into_iter().collect()
}

/// The access of a request for a word, to this address of the shared memory.
pub(super) fn at(addr: ByteAddress, request: &Request) -> Option<HostOp> {
    let addr = in_window(addr);
    match *request {
        Request::Read(_, Len::Word) => Some(HostOp::Read { addr }),
        Request::Write(_, Data::Word { data, lanes }) => {
            Some(HostOp::Write { addr, data, strobe: lanes })
        }
        _ => None,
    }
}
