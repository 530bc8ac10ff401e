// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes on the next version (EVA-6). Inside, time is in [`Cycle`]s.

use super::{
    chunks::{COMBINE, Chunk, block, transfer, words},
    ring::{Ring, Sent},
    settings::{Settings, SettingsError, frame_words},
};
use crate::gen1::{Activity, Span};
use awgstar_frame::contract::limits::DATA_MAX;
use awgstar_frame::quantity::{Cycle, Nanoseconds};
use awgstar_request::{Answer, Data, Fence, Got, Len, Moment, Process, Queue, Request};
use std::collections::VecDeque;
use thiserror::Error;

/// Time of a ring barrier beyond the way of its signals: the mean of the values measured on the
/// cycle-accurate ring of 2 to 32 boards, 82 to 91 cycles (`docs/study/barrier.csv`).
pub const BARRIER: Cycle = Cycle(85);

/// Error of a system: it does not run, or stops.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Gen2Error {
    /// A setting is out of its range.
    #[error("{0}")]
    Settings(#[from] SettingsError),
    /// There are not as many processes as nodes.
    #[error("{found} processes: expected {nodes}, one for each node")]
    Processes {
        /// Nodes.
        nodes: usize,
        /// Processes.
        found: usize,
    },
    /// Something that this model has no figure for.
    #[error(
        "node {node} at {at} ns: expected an operation without contents and locks, found {request:?}"
    )]
    Unsupported {
        /// Node.
        node: usize,
        /// When, in ns.
        at: Nanoseconds,
        /// The request.
        request: Request,
    },
}

/// Event of the simulation.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// The process has what it asked for.
    Resume(usize),
    /// That many bytes of a write are in the board.
    Chunk(usize, u64),
    /// A frame of that many bytes is closed.
    Closed(usize, u64),
    /// The token of a frame has returned.
    Token(usize),
    /// A frame of that many bytes is acknowledged.
    Back(usize, u64),
}

/// State of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    Timed,
    /// The process hands over the chunks of a write; the next one since then. `blocked`: the board
    /// has no room.
    Writing {
        since: Cycle,
        blocked: bool,
    },
    Sync,
    /// At the barrier; true when its data has returned and all know that it is there.
    Barrier(bool),
    Ended,
}

struct Node {
    process: Box<dyn Process>,
    doing: Doing,
    since: (Cycle, Activity),
    /// Chunks of its write that are still to be handed over.
    chunks: VecDeque<Chunk>,
    /// Bytes and frames that have not returned.
    stored: (u64, usize),
    /// Bytes of the frames that were closed, in their order: a token takes the oldest.
    closed: VecDeque<u64>,
    spans: Vec<Span>,
}

/// A system in its run.
pub struct Gen2 {
    settings: Settings,
    ring: Ring,
    queue: Queue<Event, Cycle>,
    nodes: Vec<Node>,
    frames: u64,
}

impl Gen2 {
    /// A system before its first event.
    ///
    /// # Errors
    /// [`Gen2Error::Settings`], [`Gen2Error::Processes`].
    pub fn new(settings: &Settings, processes: Vec<Box<dyn Process>>) -> Result<Gen2, Gen2Error> {
        settings.check()?;
        let (nodes, found) = (settings.nodes, processes.len());
        if found != nodes {
            return Err(Gen2Error::Processes { nodes, found });
        }
        let mut queue = Queue::default();
        (0..nodes).for_each(|node| queue.put(Cycle(0), Event::Resume(node)));
        let node = |process| Node {
            process,
            doing: Doing::Timed,
            since: (Cycle(0), Activity::Compute),
            chunks: VecDeque::new(),
            stored: (0, 0),
            closed: VecDeque::new(),
            spans: Vec::new(),
        };
        Ok(Gen2 {
            settings: settings.clone(),
            ring: Ring::new(settings),
            queue,
            nodes: processes.into_iter().map(node).collect(),
            frames: 0,
        })
    }

    /// Activities of the process of `node`, in order, without gaps. Times are in ns.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn spans(&self, node: usize) -> &[Span] {
        &self.nodes[node].spans
    }

    /// Data frames that went round.
    #[must_use]
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// From now on its ring keeps the frames that are sent ([`Ring::sent`]).
    pub fn record(&mut self) {
        self.ring.record();
    }

    #[must_use]
    pub const fn ring(&self) -> &Ring {
        &self.ring
    }

    /// All processes have ended.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.nodes.iter().all(|node| node.doing == Doing::Ended)
    }

    /// Runs until all processes have ended and all frames have returned, nothing can happen any
    /// more, or the limit is reached. Returns the time in ns; `progress` is called with the time at
    /// intervals.
    ///
    /// # Errors
    /// [`Gen2Error::Unsupported`].
    pub fn run(&mut self, progress: &mut dyn FnMut(Nanoseconds)) -> Result<Nanoseconds, Gen2Error> {
        let limit = self.settings.limit.to_cycles_ceil();
        let mut count = 0_u32;
        while let Some((now, event)) = self.queue.take() {
            if now >= limit {
                break;
            }
            self.happen(now, event)?;
            count = count.wrapping_add(1);
            if count.is_multiple_of(65_536) {
                progress(now.to_nanoseconds_ceil());
            }
        }
        let now = self.queue.now();
        for node in &mut self.nodes {
            if node.doing != Doing::Ended {
                node.begin(now, node.since.1);
            }
        }
        Ok(now.to_nanoseconds_ceil())
    }

    fn happen(&mut self, now: Cycle, event: Event) -> Result<(), Gen2Error> {
        match event {
            Event::Resume(at) => self.ask(at, now)?,
            Event::Chunk(at, bytes) => {
                // A frame that is not full waits for more.
                let wait = if bytes == DATA_MAX as u64 { Cycle(0) } else { COMBINE };
                self.queue.put(wait, Event::Closed(at, bytes));
                if self.nodes[at].chunks.is_empty() {
                    self.ask(at, now)?;
                } else {
                    self.nodes[at].doing = Doing::Writing { since: now, blocked: false };
                    self.chunk(at, now);
                }
            }
            Event::Closed(at, bytes) => {
                self.nodes[at].closed.push_back(bytes);
                let sent = self.ring.offer(at, frame_words(bytes), now);
                self.send(sent, now);
            }
            Event::Token(at) => {
                let sent = self.ring.token(at, now);
                self.send(sent, now);
            }
            Event::Back(at, bytes) => {
                let node = &mut self.nodes[at];
                node.stored = (node.stored.0 - bytes, node.stored.1 - 1);
                let empty = node.stored.1 == 0;
                match node.doing {
                    Doing::Writing { blocked: true, .. } => self.chunk(at, now),
                    Doing::Sync if empty => self.ask(at, now)?,
                    Doing::Barrier(false) if empty => self.arrive(at),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn send(&mut self, sent: Option<Sent>, now: Cycle) {
        let Some(Sent { node, token, back, .. }) = sent else { return };
        let bytes = self.nodes[node].closed.pop_front().unwrap_or(0);
        self.frames += 1;
        self.queue.put(token - now, Event::Token(node));
        self.queue.put(back - now, Event::Back(node, bytes));
    }

    /// The next bytes of a write, if the board has room.
    fn chunk(&mut self, at: usize, now: Cycle) {
        let Settings { room, frames, host, .. } = self.settings;
        let node = &mut self.nodes[at];
        let Doing::Writing { since, blocked } = &mut node.doing else { return };
        let Some(&Chunk { cycles, bytes }) = node.chunks.front() else { return };
        *blocked = node.stored.0 + bytes > room || node.stored.1 >= frames;
        if !*blocked {
            node.chunks.pop_front();
            node.stored = (node.stored.0 + bytes, node.stored.1 + 1);
            // While the board had no room the process went on computing, not writing.
            let end = (*since + cycles).max(now + transfer(bytes, host.write));
            self.queue.put(end - now, Event::Chunk(at, bytes));
        }
    }

    /// Handles the return of the data of `at`: the process is at the barrier. The last arrival
    /// releases all.
    fn arrive(&mut self, at: usize) {
        self.nodes[at].doing = Doing::Barrier(true);
        if self.nodes.iter().all(|node| node.doing == Doing::Barrier(true)) {
            let after = self.settings.hop() * (self.settings.nodes as u64 - 1) + BARRIER;
            let after = if self.settings.nodes == 1 { Cycle(0) } else { after };
            for i in 0..self.nodes.len() {
                self.nodes[i].doing = Doing::Timed;
                self.queue.put(after, Event::Resume(i));
            }
        }
    }

    /// Asks the process of `at` what it wants next.
    fn ask(&mut self, at: usize, now: Cycle) -> Result<(), Gen2Error> {
        let time = now.to_nanoseconds_ceil();
        let answer = Answer { now: Moment::Time(time), got: Ok(Got::Nothing) };
        let node = &mut self.nodes[at];
        let request = node.process.next(&answer);
        let stored = node.stored.1 != 0;
        let (doing, activity, after) = match request {
            Request::Compute(span) => (Doing::Timed, Activity::Compute, Some(span.cycles())),
            Request::Read(_, Len::Blank(len)) => {
                (Doing::Timed, Activity::Access, Some(transfer(len, self.settings.host.read)))
            }
            Request::Write(_, Data::Blank(0)) | Request::Fence(Fence::Dma) => {
                (Doing::Timed, Activity::Access, Some(Cycle(0)))
            }
            Request::Write(_, Data::Blank(len)) => {
                node.chunks = block(len, self.settings.host.write);
                (Doing::Writing { since: now, blocked: false }, Activity::Access, None)
            }
            Request::ComputeWrite { ready, .. } if ready.is_empty() => {
                (Doing::Timed, Activity::Compute, Some(Cycle(0)))
            }
            Request::ComputeWrite { ready, .. } => {
                node.chunks = words(&ready, self.settings.host.write);
                (Doing::Writing { since: now, blocked: false }, Activity::Compute, None)
            }
            Request::Fence(Fence::Confirmed) => {
                (Doing::Sync, Activity::Sync, (!stored).then_some(Cycle(0)))
            }
            Request::Barrier(0) => (Doing::Barrier(false), Activity::Barrier, None),
            Request::End => (Doing::Ended, Activity::Barrier, None),
            request => return Err(Gen2Error::Unsupported { node: at, at: time, request }),
        };
        node.begin(now, activity);
        node.doing = doing;
        if let Some(after) = after {
            self.queue.put(after, Event::Resume(at));
        }
        match doing {
            Doing::Writing { .. } => self.chunk(at, now),
            Doing::Barrier(_) if !stored => self.arrive(at),
            _ => {}
        }
        Ok(())
    }
}

impl Node {
    /// Something else begins.
    fn begin(&mut self, now: Cycle, activity: Activity) {
        let (from, before) = self.since;
        let span = Span {
            from: from.to_nanoseconds_ceil(),
            to: now.to_nanoseconds_ceil(),
            activity: before,
        };
        span.add_to(&mut self.spans);
        self.since = (now, activity);
    }
}
