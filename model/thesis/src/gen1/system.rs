// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes with their hosts on a ring of the current version (CUR-5, MBX-3 to MBX-8).

mod accesses;
mod error;
mod polls;
mod settings;
mod stall;
mod threads;

use awgstar_frame::quantity::{ByteAddress, Nanoseconds, narrow};
pub use error::Gen1Error;
pub use settings::{FREE, LOCK_MAX, MEMORY_BYTES, Settings};

use super::{
    mailbox::{Master, Primitive, Worker, index_word},
    process::{Activity, Span},
    record::{Happened, Record},
    ring::{Content, Counters, Delivery, Ring},
    settings::SettingsError,
};
use crate::time::transfer_ns;
use awgstar_request::{
    Answer, Fence, Got, Len, Moment, Path, Place, Process, Queue, Refused, Request,
};
use polls::Polls;
use std::{mem, sync::Arc};

/// Event of the simulation.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// The ring is to be stepped, if it was not since this was put.
    Ring(Nanoseconds),
    /// A fault becomes due.
    Fault,
    /// The process has what it asked for.
    Resume(usize),
    /// A signal reaches the thread that waits for it.
    Interrupt(Delivery),
    /// The control thread of the master goes on.
    Control,
    /// The control thread has read the area of the process.
    Area(u8),
    /// The main thread of the master goes on.
    Main,
    /// A worker has read its area.
    WorkerArea(usize),
    /// A worker has read the index.
    WorkerIndex(usize, u32),
}

/// What a process has at the end of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gives {
    Nothing,
    /// What is in its memory then.
    Read(ByteAddress, Len),
    Refused(Refused),
}

/// State of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Doing {
    /// An access or a computation until a time, and how it ends.
    Until(Nanoseconds, Gives),
    Sync,
    /// Waits until these bytes of its memory differ from what they were; then it reads them so.
    Watching(ByteAddress, Arc<[u8]>, Path),
    Asking(Primitive),
    Ended,
}

struct Node {
    process: Box<dyn Process>,
    doing: Doing,
    /// Start of the current activity, and the activity.
    since: (Nanoseconds, Activity),
    dma_free: Nanoseconds,
    spans: Vec<Span>,
    worker: Worker,
}

/// A system in its run.
pub struct Gen1 {
    settings: Settings,
    ring: Ring,
    queue: Queue<Event>,
    /// Time of the ring's next step, if it is in the queue.
    stepped: Option<Nanoseconds>,
    nodes: Vec<Node>,
    master: Master,
    /// The control thread, or the main thread, has an event in the queue.
    control_put: bool,
    main_put: bool,
    control_spans: Vec<Span>,
    records: Vec<Record>,
    polls: Polls,
}

impl Gen1 {
    /// A system before its first event.
    ///
    /// # Errors
    /// [`Gen1Error::Settings`], [`Gen1Error::Processes`].
    pub fn new(settings: &Settings, processes: Vec<Box<dyn Process>>) -> Result<Gen1, Gen1Error> {
        settings.host.check()?;
        let mut ring = Ring::new(&settings.line, &settings.faults)?;
        let count = settings.line.nodes();
        if processes.len() != count {
            return Err(Gen1Error::Processes { nodes: count, found: processes.len() });
        }
        SettingsError::within("nodes", count as u64, 1, 32)?;
        SettingsError::within("locks", settings.locks.into(), 0, LOCK_MAX.into())?;
        // The program sets the index up before its processes start.
        ring.preset(index_word(1), &vec![0xff; settings.locks as usize * 4]);
        if settings.record {
            ring.record();
        }
        let mut queue = Queue::default();
        for fault in &settings.faults {
            queue.put(fault.at, Event::Fault);
        }
        let node = |process| Node {
            process,
            doing: Doing::Until(Nanoseconds(0), Gives::Nothing),
            since: (Nanoseconds(0), Activity::Compute),
            dma_free: Nanoseconds(0),
            spans: Vec::new(),
            worker: Worker::new(settings.repairs),
        };
        for at in 0..count {
            queue.put(Nanoseconds(0), Event::Resume(at));
        }
        Ok(Gen1 {
            settings: settings.clone(),
            ring,
            queue,
            stepped: None,
            nodes: processes.into_iter().map(node).collect(),
            master: Master::new(narrow(count), settings.repairs),
            control_put: false,
            main_put: false,
            control_spans: Vec::new(),
            records: Vec::new(),
            polls: Polls::default(),
        })
    }

    /// The time, in ns.
    #[must_use]
    pub const fn now(&self) -> Nanoseconds {
        self.queue.now()
    }

    #[must_use]
    pub const fn ring(&self) -> &Ring {
        &self.ring
    }

    /// Counts of the ring, over all nodes.
    #[must_use]
    pub const fn counters(&self) -> &Counters {
        self.ring.counters()
    }

    /// Activities of the process of `node`, in order, without gaps.
    #[must_use]
    pub fn spans(&self, node: usize) -> &[Span] {
        &self.nodes[node].spans
    }

    /// When the control thread of the master accessed the board.
    #[must_use]
    pub fn control_spans(&self) -> &[Span] {
        &self.control_spans
    }

    /// Removes and returns the events so far, in order of time.
    pub fn records(&mut self) -> Vec<Record> {
        let mut all = mem::take(&mut self.records);
        all.extend(self.ring.records());
        all.sort_by_key(|record| record.at);
        all
    }

    /// Processes that have not ended, and what each waits for if others decide when it ends.
    #[must_use]
    pub fn unfinished(&self) -> Vec<(usize, Option<Request>)> {
        let asks = |doing: &Doing| match doing {
            Doing::Asking(primitive) => Some(primitive.request()),
            Doing::Sync => Some(Request::Fence(Fence::Confirmed)),
            Doing::Watching(addr, old, path) => {
                let place = Place { path: *path, ..Place::shared(*addr) };
                Some(Request::Changed(place, Arc::clone(old)))
            }
            _ => None,
        };
        let nodes = self.nodes.iter().enumerate().filter(|(_, node)| node.doing != Doing::Ended);
        nodes.map(|(at, node)| (at, asks(&node.doing))).collect()
    }

    /// Runs to the end: all processes have ended, or nothing can happen any more, or the limit is
    /// reached; [`Gen1::unfinished`] distinguishes these cases. `progress` is called with the time
    /// at intervals.
    ///
    /// # Errors
    /// [`Gen1Error::Address`] or [`Gen1Error::Lock`] if a process uses an address or lock that does
    /// not exist.
    pub fn run(&mut self, progress: &mut dyn FnMut(Nanoseconds)) -> Result<Nanoseconds, Gen1Error> {
        let mut count = 0_u32;
        self.run_while(&mut |system| {
            count = count.wrapping_add(1);
            if count.is_multiple_of(65_536) {
                progress(system.now());
            }
            true
        })
    }

    /// Like [`Gen1::run`], as long as `goes_on`, which is asked before each event.
    ///
    /// # Errors
    /// As of [`Gen1::run`].
    pub fn run_while(
        &mut self,
        goes_on: &mut dyn FnMut(&Gen1) -> bool,
    ) -> Result<Nanoseconds, Gen1Error> {
        while self.now() < self.settings.limit && goes_on(self) && self.step()? {}
        // What a process waited for in vain.
        for at in 0..self.nodes.len() {
            if self.nodes[at].doing != Doing::Ended {
                let now = self.now();
                self.close(at, now);
            }
        }
        Ok(self.now())
    }

    /// The next event; `false` when there is none or all has come to its end.
    fn step(&mut self) -> Result<bool, Gen1Error> {
        let Some((now, event)) = self.queue.take() else { return Ok(false) };
        match event {
            Event::Ring(at) => {
                if self.stepped == Some(at) && at == now {
                    self.stepped = None;
                    self.ring_steps(now);
                }
            }
            Event::Fault => self.ring.wake(now),
            Event::Resume(at) => self.resume(at, now)?,
            Event::Interrupt(delivery) => self.interrupt(delivery, now),
            Event::Control => self.control(now),
            Event::Area(process) => self.area(process, now),
            Event::Main => self.main(now),
            Event::WorkerArea(at) => self.worker_area(at, now),
            Event::WorkerIndex(at, lock) => self.worker_index(at, lock, now),
        }
        self.looked(event);
        self.put_ring(now);
        let ended = self.nodes.iter().all(|node| node.doing == Doing::Ended);
        Ok(!ended || self.stepped.is_some())
    }

    fn put_ring(&mut self, now: Nanoseconds) {
        let next = self.ring.next();
        if next != self.stepped {
            self.stepped = next;
            if let Some(at) = next {
                self.queue.put(at.saturating_sub(now), Event::Ring(at));
            }
        }
    }

    fn ring_steps(&mut self, now: Nanoseconds) {
        let mut arrived = Vec::new();
        self.ring.step(&mut arrived);
        for delivery in arrived {
            self.queue.put(self.settings.host.interrupt, Event::Interrupt(delivery));
        }
        for at in 0..self.nodes.len() {
            if self.nodes[at].doing == Doing::Sync && self.ring.synced(at) {
                self.nodes[at].doing = Doing::Until(now, Gives::Nothing);
                self.queue.put(Nanoseconds(0), Event::Resume(at));
            }
            self.look(at, now);
        }
    }

    /// Ends the current activity of the process and stores it as a span.
    fn close(&mut self, at: usize, now: Nanoseconds) {
        let node = &mut self.nodes[at];
        let (from, activity) = node.since;
        node.since.0 = now;
        Span { from, to: now, activity }.add_to(&mut node.spans);
    }

    /// The process has what it asked for, and asks for the next.
    fn resume(&mut self, at: usize, now: Nanoseconds) -> Result<(), Gen1Error> {
        self.close(at, now);
        let read = |addr, bytes: u64| self.ring.memory(at).read(addr, narrow(bytes));
        let got = match self.nodes[at].doing {
            Doing::Until(_, Gives::Read(addr, Len::Word)) => {
                let word = read(addr, 4).first_chunk().map_or(0, |word| u32::from_be_bytes(*word));
                Ok(Got::Word(word))
            }
            Doing::Until(_, Gives::Read(addr, Len::Bytes(bytes))) => {
                Ok(Got::Bytes(read(addr, bytes)))
            }
            Doing::Until(_, Gives::Refused(refused)) => Err(refused),
            _ => Ok(Got::Nothing),
        };
        let answer = Answer { now: Moment::Time(now), got };
        let process = &mut self.nodes[at].process;
        if process.watches() {
            for (addr, bytes) in self.ring.memory_mut(at).take_changes() {
                process.see(addr, &bytes);
            }
        }
        let request = process.next(&answer);
        self.begin(at, now, request)
    }

    fn note(&mut self, node: usize, what: Happened) {
        if self.settings.record {
            let at = self.now();
            self.records.push(Record { at, node, what });
        }
    }
}
