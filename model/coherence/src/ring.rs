// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shared pages on a machine whose memory is replicated: a node of the protocol beside each process.
//!
//! Each node has a log in the memory, which it alone writes. What it sends is there once for all who are to have it,
//! and travels to all replicas; each reads it from its own. Bytes that no other node reads stay where they are. A node
//! that computes is woken by a signal if an answer is wanted of it.
//!
//! | words | what | written by |
//! |---|---|---|
//! | `nodes` | how many words each log has had since the start | its node |
//! | `nodes` × `nodes` | of each log, how many of these each node has taken | the node that takes |
//! | the rest, in `nodes` parts | the logs | its node |
//!
//! An entry is its length in bytes, then that many in [`postcard`]'s form, padded to words. Numbers of words wrap.

mod entry;

use crate::{
    Protection, Refused as Wrong,
    memory::ShapeError,
    notes::{Carries, Notes},
    pages::{Blocks, Message, Node, Outcome, Protocol, races},
};
use awgstar_frame::contract::Order;
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};
use awgstar_request::{
    Answer, Changes, Coherent, Fence, Got, Len, Moment, News, Piece, Place, Process, ProcessSignal,
    Race, Refused, Request, Span,
};
use entry::Entry;
use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    rc::Rc,
    sync::Arc,
};
use thiserror::Error;

/// Processor time of a lock: of a loop that waits with flushes the time must not stop.
const LOCK: Nanoseconds = Nanoseconds(500);
/// Between two looks of a node that nothing wakes: at the logs while its process is busy, and at its own that is full.
const PAUSE: Nanoseconds = Nanoseconds(2_000);
/// Number of the signal that wakes a node.
const WAKE: u16 = 0xffff;
/// Words that a log has at least.
const LOG_WORDS_MIN: u32 = 64;

/// Processor time of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// A fault at a shared page: the signal, and the change of its protection.
    pub fault: Nanoseconds,
    /// To copy a shared page or to compare it with its twin.
    pub page: Nanoseconds,
}

/// Nodes that cannot begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error("{bytes} bytes for logs of shared pages: expected {least} or more for {nodes} nodes")]
    Memory { bytes: u32, nodes: usize, least: u32 },
}

/// What ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    #[error("{0}")]
    Protocol(#[from] Wrong),
    #[error("what node {0} sent is no message of the protocol of shared pages")]
    Entry(NodeId),
    #[error("the board refused an access of the protocol of shared pages: {0}")]
    Access(Refused),
}

/// Where the logs are.
#[derive(Clone, Copy, Debug)]
struct Layout {
    at: ByteAddress,
    nodes: u32,
    log_words: u32,
}

impl Layout {
    fn new(at: ByteAddress, bytes: u32, nodes: usize) -> Result<Layout, SetupError> {
        let count = narrow::<u32>(nodes);
        let log_words = (bytes / 4).saturating_sub(count + count * count) / count.max(1);
        if log_words < LOG_WORDS_MIN {
            let least = 4 * (count + count * count + LOG_WORDS_MIN * count);
            return Err(SetupError::Memory { bytes, nodes, least });
        }
        Ok(Layout { at, nodes: count, log_words })
    }

    fn head(self, node: usize) -> ByteAddress {
        self.at + 4 * narrow::<u32>(node)
    }

    /// How much of a log a node has taken.
    fn taken(self, log: usize, node: usize) -> ByteAddress {
        self.at + 4 * (self.nodes * (1 + narrow::<u32>(log)) + narrow::<u32>(node))
    }

    /// A word of a log.
    fn word(self, log: usize, number: u32) -> ByteAddress {
        let logs = self.nodes * (1 + self.nodes) + narrow::<u32>(log) * self.log_words;
        self.at + 4 * (logs + number % self.log_words)
    }

    /// So many words from one on that follow each other in memory.
    fn straight(self, number: u32, words: u32) -> u32 {
        words.min(self.log_words - number % self.log_words)
    }
}

/// What all nodes of a run leave: what was counted, and what ends it.
#[derive(Debug, Default)]
pub struct Shared {
    /// The blocks of each node.
    pub blocks: Vec<Blocks>,
    /// Words of the log of each node, in all.
    pub words: Vec<u64>,
    /// The call that each process waits for.
    pub waits: Vec<Option<Coherent>>,
    pub failure: Option<(NodeId, Failure)>,
    /// What those have changed that are at the barrier, and the races that were found there.
    arrivals: BTreeMap<usize, Vec<Piece>>,
    races: BTreeMap<usize, Vec<Race>>,
}

/// The same, for all nodes.
pub type Common = Rc<RefCell<Shared>>;

/// What the machine does for the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Job {
    /// A request of the process.
    Process,
    /// It computes, or waits for a time, until a signal wakes the node.
    Compute,
    /// Signals that have come meanwhile are taken.
    Woken,
    Work,
    Fence,
    Log {
        words: u32,
    },
    Head,
    Wake,
    Heads,
    /// The words that others have taken of the own log.
    Room,
    Pause,
    Take {
        log: usize,
        words: u32,
    },
    Taken {
        log: usize,
    },
    Wait,
}

/// What the process does.
#[derive(Clone, Debug)]
enum Doing {
    /// It is to be asked, with an answer.
    Ready(Result<Got, Refused>),
    Computes {
        until: Nanoseconds,
    },
    /// It waits for the protocol; `done` when that is done, and the notes are missing yet.
    Calls {
        call: Coherent,
        done: bool,
    },
    /// It has an answer when the work is done.
    Answered {
        call: Coherent,
        news: Vec<u8>,
    },
    Ended,
}

/// A process with the node that keeps its pages coherent.
pub struct WithPages<Q> {
    process: Q,
    me: NodeId,
    layout: Layout,
    costs: Costs,
    node: Node,
    notes: Notes,
    shared: Common,
    now: Moment,
    job: Option<Job>,
    doing: Doing,
    /// Processor time that is due.
    work: Nanoseconds,
    /// What was written before is to be everywhere first.
    fence: bool,
    /// Bytes for the own log, and words that it has had, by what the head says and in all.
    out: VecDeque<u8>,
    said: u32,
    written: u32,
    /// Words of the own log that all others have taken; whether that was read since it was full.
    room_from: u32,
    looked: bool,
    /// Nodes to be woken.
    wakes: VecDeque<Option<NodeId>>,
    /// The heads as they were read last, and whether they are to be read.
    heads: Vec<u32>,
    look: bool,
    looked_at: Nanoseconds,
    /// Of each log: words taken, words of which its node knows, and bytes that are no whole entry yet.
    taken: Vec<u32>,
    told: Vec<u32>,
    parts: Vec<Vec<u8>>,
    /// Other nodes whose processes run.
    others: usize,
}

/// Processes with nodes of a protocol, whose logs are in so many bytes of the memory from an address on.
///
/// # Errors
/// [`SetupError`].
pub fn nodes<Q: Process>(
    processes: Vec<Q>,
    (protocol, costs): (Protocol, Costs),
    (at, bytes): (ByteAddress, u32),
) -> Result<(Vec<WithPages<Q>>, Common), SetupError> {
    let nodes = processes.len();
    let layout = Layout::new(at, bytes, nodes)?;
    let shared = Shared {
        blocks: vec![Blocks::new(); nodes],
        words: vec![0; nodes],
        waits: vec![None; nodes],
        ..Shared::default()
    };
    let shared = Rc::new(RefCell::new(shared));
    let all = processes.into_iter().zip(NodeId::all(nodes)).map(|(process, me)| {
        Ok(WithPages {
            process,
            me,
            layout,
            costs,
            node: Node::new(protocol, me.index(), nodes)?,
            notes: Notes::new(nodes),
            shared: Rc::clone(&shared),
            now: Moment::default(),
            job: None,
            doing: Doing::Ready(Ok(Got::Nothing)),
            work: Nanoseconds(0),
            fence: false,
            out: VecDeque::new(),
            said: 0,
            written: 0,
            room_from: 0,
            looked: false,
            wakes: VecDeque::new(),
            heads: vec![0; nodes],
            look: false,
            looked_at: Nanoseconds(0),
            taken: vec![0; nodes],
            told: vec![0; nodes],
            parts: vec![Vec::new(); nodes],
            others: nodes - 1,
        })
    });
    let all = all.collect::<Result<Vec<_>, ShapeError>>()?;
    Ok((all, shared))
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word))
}

impl<Q: Process> Process for WithPages<Q> {
    fn next(&mut self, answer: &Answer) -> Request {
        self.now = answer.now;
        let done = self.done(answer);
        done.and_then(|()| self.go_on()).unwrap_or_else(|failure| {
            self.shared.borrow_mut().failure.get_or_insert((self.me, failure));
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

impl<Q: Process> WithPages<Q> {
    /// The machine has done what it was asked for.
    fn done(&mut self, answer: &Answer) -> Result<(), Failure> {
        let Some(job) = self.job.take() else { return Ok(()) };
        match job {
            // A signal that was lost wakes, too.
            Job::Process | Job::Compute | Job::Woken | Job::Pause => {}
            _ => {
                answer.got.as_ref().map_err(|refused| Failure::Access(*refused))?;
            }
        }
        match job {
            Job::Process => self.doing = Doing::Ready(answer.got.clone()),
            Job::Compute | Job::Woken => {
                self.look = true;
                if answer.got != Ok(Got::Signal(None)) {
                    self.job = Some(Job::Woken);
                }
            }
            Job::Pause => (self.look, self.looked) = (true, false),
            Job::Wait => self.look = true,
            Job::Work => self.work = Nanoseconds(0),
            Job::Fence => self.fence = false,
            Job::Log { words } => {
                self.written = self.written.wrapping_add(words);
                self.shared.borrow_mut().words[self.me.index()] += u64::from(words);
            }
            Job::Head | Job::Wake => {}
            Job::Heads => {
                (self.look, self.looked_at) = (false, self.now.time());
                self.heads = words(answer.bytes()).collect();
            }
            Job::Room => {
                let behind = |taken: u32| self.written.wrapping_sub(taken);
                let me = self.me.index();
                let others = words(answer.bytes()).enumerate().filter(|(node, _)| *node != me);
                let most = others.map(|(_, taken)| behind(taken)).max().unwrap_or(0);
                self.room_from = self.written.wrapping_sub(most);
                self.looked = true;
            }
            Job::Take { log, words } => {
                self.taken[log] = self.taken[log].wrapping_add(words);
                self.parts[log].extend_from_slice(answer.bytes());
                self.take_entries(log)?;
            }
            Job::Taken { log } => self.told[log] = self.taken[log],
        }
        Ok(())
    }

    /// Words that the own log has room for, as far as is known.
    fn room(&self) -> u32 {
        self.layout.log_words.saturating_sub(self.written.wrapping_sub(self.room_from))
    }

    fn ask(&mut self, job: Job, request: Request) -> Request {
        self.job = Some(job);
        request
    }

    fn read(&mut self, job: Job, at: ByteAddress, words: u32) -> Request {
        self.ask(job, Request::Read(Place::shared(at), Len::Bytes(4 * u64::from(words))))
    }

    fn pause(&mut self, job: Job, time: Nanoseconds) -> Request {
        self.ask(job, Request::Await(Some(WAKE), Some(Span::Time(time))))
    }

    /// What the machine is to do next.
    fn go_on(&mut self) -> Result<Request, Failure> {
        loop {
            if self.job.take() == Some(Job::Woken) {
                return Ok(self.pause(Job::Woken, Nanoseconds(0)));
            }
            if let Some(request) = self.serve() {
                return Ok(request);
            }
            if let Some(request) = self.run()? {
                return Ok(request);
            }
        }
    }

    /// What the node does before its process goes on.
    fn serve(&mut self) -> Option<Request> {
        if self.work > Nanoseconds(0) {
            let work = Request::compute(self.work);
            return Some(self.ask(Job::Work, work));
        }
        if self.look {
            return Some(self.read(Job::Heads, self.layout.at, self.layout.nodes));
        }
        for log in (0..self.heads.len()).filter(|&log| log != self.me.index()) {
            let taken = self.taken[log];
            let new = self.heads[log].wrapping_sub(taken);
            if new > 0 {
                let words = self.layout.straight(taken, new);
                return Some(self.read(
                    Job::Take { log, words },
                    self.layout.word(log, taken),
                    words,
                ));
            }
            if taken.wrapping_sub(self.told[log]) >= self.layout.log_words / 2 {
                let write = Request::write(self.layout.taken(log, self.me.index()), taken);
                return Some(self.ask(Job::Taken { log }, write));
            }
        }
        if std::mem::take(&mut self.fence) {
            return Some(self.ask(Job::Fence, Request::Fence(Fence::Confirmed)));
        }
        let wanted = narrow::<u32>(self.out.len() / 4);
        if wanted > 0 && self.room() > 0 {
            let words = self.layout.straight(self.written, wanted.min(self.room()));
            let bytes: Vec<u8> = self.out.drain(..4 * words as usize).collect();
            let at = self.layout.word(self.me.index(), self.written);
            return Some(self.ask(Job::Log { words }, Request::write_bytes(at, &bytes)));
        }
        if self.said != self.written {
            self.said = self.written;
            let write = Request::write(self.layout.head(self.me.index()), self.written);
            return Some(self.ask(Job::Head, write));
        }
        if let Some(to) = self.wakes.pop_front() {
            let signal = ProcessSignal { source: self.me, to, number: WAKE, value: 0 };
            return Some(self.ask(Job::Wake, Request::Signal(signal, Order::Sent)));
        }
        if wanted > 0 {
            if !self.looked {
                let at = self.layout.taken(self.me.index(), 0);
                return Some(self.read(Job::Room, at, self.layout.nodes));
            }
            // All must take what the log has: also who has no message in it.
            self.wakes.push_back(None);
            return Some(self.pause(Job::Pause, PAUSE));
        }
        None
    }

    /// What the process does; `None` if the node has something to do first.
    fn run(&mut self) -> Result<Option<Request>, Failure> {
        let doing = std::mem::replace(&mut self.doing, Doing::Ended);
        match doing {
            Doing::Ready(got) if self.now.time() >= self.looked_at + PAUSE => {
                self.doing = Doing::Ready(got);
                self.look = true;
            }
            Doing::Ready(got) => {
                let answer = Answer { now: self.now, got };
                match self.process.next(&answer) {
                    Request::Coherent(call, changes) => self.call(call, &changes)?,
                    Request::Compute(span) => {
                        self.doing = Doing::Computes { until: self.now.time() + span.time() };
                    }
                    Request::End => {
                        self.doing = Doing::Ended;
                        self.push(&Entry::End);
                    }
                    request => return Ok(Some(self.ask(Job::Process, request))),
                }
            }
            Doing::Computes { until } => {
                let left = until.saturating_sub(self.now.time());
                if left > Nanoseconds(0) {
                    self.doing = Doing::Computes { until };
                    return Ok(Some(self.pause(Job::Compute, left)));
                }
                self.doing = Doing::Ready(Ok(Got::Nothing));
            }
            Doing::Calls { call, done } => {
                if !done || !self.notes.has(carries(call)) {
                    self.doing = Doing::Calls { call, done };
                    return Ok(Some(self.wait()));
                }
                self.answer(call);
            }
            Doing::Answered { call, news } => {
                self.node.answered(call, self.now.time());
                let mut shared = self.shared.borrow_mut();
                shared.waits[self.me.index()] = None;
                shared.blocks[self.me.index()].clone_from(self.node.blocks());
                drop(shared);
                self.doing = Doing::Ready(Ok(Got::Bytes(news)));
            }
            Doing::Ended if self.others == 0 => return Ok(Some(Request::End)),
            Doing::Ended => return Ok(Some(self.wait())),
        }
        Ok(None)
    }

    /// Waits until a log has more.
    fn wait(&mut self) -> Request {
        let heads: Arc<[u8]> = self.heads.iter().flat_map(|head| head.to_le_bytes()).collect();
        self.ask(Job::Wait, Request::Changed(Place::shared(self.layout.at), heads))
    }

    /// A call of the process, which has changed these bytes since the last one.
    fn call(&mut self, call: Coherent, changes: &Changes) -> Result<(), Failure> {
        let me = self.me.index();
        self.node.asked(self.now.time());
        self.shared.borrow_mut().waits[me] = Some(call);
        let compared = self.node.take(&changes.pieces);
        let time = Nanoseconds(self.costs.page.0.saturating_mul(compared));
        self.work = time
            + match call {
                Coherent::Fault { .. } => self.costs.fault,
                Coherent::Acquire(_) | Coherent::Release(_) => LOCK,
                _ => Nanoseconds(0),
            };
        if let Coherent::Barrier(_) = call {
            self.shared.borrow_mut().arrive(me, &changes.pieces);
        }
        if let Coherent::Barrier(_) | Coherent::Release(_) = call {
            self.fence = true;
            if !changes.note.is_empty() {
                self.notes.write(me, &changes.note);
                self.push(&Entry::Note(changes.note.clone()));
            }
        }
        if let Coherent::Release(lock) = call {
            self.notes.release(me, lock);
        }
        if let Some(news) = self.node.at_once(call) {
            self.doing = Doing::Answered { call, news: news.encode() };
            return Ok(());
        }
        self.doing = Doing::Calls { call, done: false };
        let outcome = self.node.ask(call)?;
        self.carry_out(outcome);
        Ok(())
    }

    /// The call of the process is done, and what it is told is here.
    fn answer(&mut self, call: Coherent) {
        let me = self.me.index();
        let mut news: News = self.node.news();
        news.notes = self.notes.take(me, carries(call));
        if let Coherent::Barrier(_) = call {
            news.races = self.shared.borrow_mut().races.remove(&me).unwrap_or_default();
        }
        let twins = news.protections.iter().filter(|(_, one)| *one == Protection::Write).count();
        self.work = Nanoseconds(self.costs.page.0.saturating_mul(twins as u64));
        self.doing = Doing::Answered { call, news: news.encode() };
    }

    fn carry_out(&mut self, outcome: Outcome) {
        let me = self.me.index();
        let mut entries: Vec<Entry> = Vec::new();
        for (to, message) in outcome.sends {
            let known = match message.carries() {
                Carries::Nothing => Vec::new(),
                Carries::Own(_) => self.notes.seen(me).clone(),
                Carries::All => {
                    self.notes.all_arrived();
                    self.notes.until(Carries::All).unwrap_or_default()
                }
                carries @ Carries::Lock(_) => self.notes.until(carries).unwrap_or_default(),
            };
            let wakes = !message.is_awaited() && !self.wakes.contains(&Some(to));
            self.wakes.extend(wakes.then_some(Some(to)));
            entry::add(&mut entries, to, message, known);
        }
        for entry in &entries {
            self.push(entry);
        }
        if let Doing::Calls { done, .. } = &mut self.doing {
            *done |= outcome.done;
        }
    }

    /// Appends an entry to the own log.
    fn push(&mut self, entry: &Entry) {
        self.out.extend(entry.encode());
        self.looked = false;
    }

    /// Handles the entries of a log that are whole.
    fn take_entries(&mut self, log: usize) -> Result<(), Failure> {
        let from = NodeId::at(log);
        loop {
            let Some(bytes) = entry::whole(&mut self.parts[log]) else { return Ok(()) };
            let entry = Entry::decode(&bytes).ok_or(Failure::Entry(from))?;
            match entry {
                Entry::Note(note) => self.notes.write(log, &note),
                Entry::End => self.others = self.others.saturating_sub(1),
                entry => {
                    if let Some((message, known)) = entry.of(self.me) {
                        self.receive(from, message, &known)?;
                    }
                }
            }
        }
    }

    fn receive(
        &mut self,
        from: NodeId,
        message: Message,
        known: &Vec<usize>,
    ) -> Result<(), Failure> {
        match message.carries() {
            Carries::Own(Some(lock)) | Carries::Lock(lock) => self.notes.learn_lock(lock, known),
            Carries::All => self.notes.learn_all(known),
            Carries::Own(None) | Carries::Nothing => {}
        }
        let outcome = self.node.receive(from, message)?;
        self.carry_out(outcome);
        Ok(())
    }
}

/// The notes that come with the answer to a call.
const fn carries(call: Coherent) -> Carries {
    match call {
        Coherent::Barrier(_) => Carries::All,
        Coherent::Acquire(lock) => Carries::Lock(lock),
        _ => Carries::Nothing,
    }
}

impl Shared {
    /// A process is at the barrier. That two changes of a byte have no order is seen when all are: by the model, which
    /// takes no time for it.
    fn arrive(&mut self, process: usize, pieces: &[Piece]) {
        self.arrivals.insert(process, pieces.to_vec());
        if self.arrivals.len() == self.blocks.len() {
            self.races = races(&std::mem::take(&mut self.arrivals));
        }
    }
}
