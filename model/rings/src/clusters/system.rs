// SPDX-License-Identifier: MIT OR Apache-2.0
//! A cluster of clusters in its run: a queue of events in order of time.

use super::cards::Cards;
use super::memory::Shared;
use super::parts::{Doing, GATEWAY, Handler, Process, ring_index};
use super::settings::{Settings, SettingsError};
use crate::interface::{Frame, Message};
use crate::machine::Counts;
use crate::words::RingNumber;
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId};
use awgstar_request::{Plain, Process as Program, Queue, Refused, Request, Segment};
use awgstar_sync::record::{Happened, Record, Serving};
use std::mem;
use thiserror::Error;

/// An event.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A process has what it asked for.
    Resume(RingNumber, NodeId),
    /// What a client has written is in its channel.
    Channel(RingNumber, Frame),
    /// A message is at a gateway.
    Message { to: RingNumber, from: RingNumber, message: Message },
    /// A handler begins a turn.
    Turn(RingNumber),
    /// What a handler did has come to its end.
    Worked(RingNumber),
    /// A client has read its channel.
    Look(RingNumber, NodeId),
}

/// A cluster: its gateway, its processes, its memory.
pub(super) struct Side {
    pub(super) handler: Handler,
    pub(super) processes: Vec<Process>,
    pub(super) shared: Shared,
    pub(super) cards: Cards,
}

/// A run that cannot begin or go on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ClustersError {
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error("no call can end: {}", listed(.0))]
    Stalled(Vec<Waiting>),
    #[error("{} ns: {}; expected the end after {} ns or before", .now.0, listed(.waiting), .limit.0)]
    Limit { now: Nanoseconds, limit: Nanoseconds, waiting: Vec<Waiting> },
}

/// The number of a process among those of all clusters, and what it waits for if others decide when that ends.
pub type Waiting = (usize, Option<Request>);

fn listed(waiting: &[Waiting]) -> String {
    let one = |(process, request): &Waiting| {
        let what = request.as_ref().map(|request| format!(" waits for {request}"));
        format!("process {process}{}", what.unwrap_or_default())
    };
    waiting.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// A cluster of clusters in its run.
pub struct Clusters {
    pub(super) settings: Settings,
    pub(super) queue: Queue<Event>,
    pub(super) sides: Vec<Side>,
    pub(super) counts: Counts,
    records: Vec<Record>,
}

impl Clusters {
    /// A cluster of clusters before its first event, with a process for each node but those of gateways, for which it is
    /// asked in the order of clusters and nodes. Memory is 0.
    ///
    /// # Errors
    /// [`ClustersError::Settings`].
    pub fn new(
        settings: &Settings,
        mut process: impl FnMut(RingNumber, NodeId) -> Box<dyn Program>,
    ) -> Result<Clusters, ClustersError> {
        let homes = settings.homes();
        let plain = |node: NodeId| Box::new(Plain::of(homes, node.index()));
        Clusters::with_segments(settings, |ring, node| (process(ring, node), plain(node)))
    }

    /// The same with the memory of each process; the gateways' is 0.
    ///
    /// # Errors
    /// [`ClustersError::Settings`].
    pub fn with_segments(
        settings: &Settings,
        mut process: impl FnMut(RingNumber, NodeId) -> (Box<dyn Program>, Box<dyn Segment>),
    ) -> Result<Clusters, ClustersError> {
        settings.check()?;
        let homes = settings.homes();
        let mut queue = Queue::default();
        let mut sides = Vec::new();
        for ring in settings.rings() {
            let mut segments: Vec<Box<dyn Segment>> =
                vec![Box::new(Plain::of(homes, GATEWAY.index()))];
            let mut processes = Vec::new();
            for node in settings.clients() {
                let (program, segment) = process(ring, node);
                processes.push(Process::new(node, program));
                segments.push(segment);
            }
            sides.push(Side {
                handler: Handler::new(settings, ring),
                processes,
                shared: Shared::new(homes, segments),
                cards: Cards::new(settings.processes + 1),
            });
            for node in settings.clients() {
                queue.put(Nanoseconds(0), Event::Resume(ring, node));
            }
        }
        let counts = Counts::default();
        let settings = *settings;
        let mut clusters = Clusters { settings, queue, sides, counts, records: Vec::new() };
        clusters.begin_gateways();
        Ok(clusters)
    }

    /// The time, in ns.
    #[must_use]
    pub const fn now(&self) -> Nanoseconds {
        self.queue.now()
    }

    /// Messages between gateways, and their words.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// Removes and returns what happened so far, in order of time. Servers are the handlers of gateways.
    pub fn records(&mut self) -> Vec<Record> {
        mem::take(&mut self.records)
    }

    pub(super) fn note(&mut self, what: impl FnOnce(&Settings) -> Happened) {
        if self.settings.record {
            let (at, what) = (self.now(), what(&self.settings));
            self.records.push(Record { at, what });
        }
    }

    /// A handler does something, or has nothing to do.
    pub(super) fn serves(&mut self, ring: RingNumber, doing: Serving) {
        let handler = &mut self.sides[ring_index(ring)].handler;
        if mem::replace(&mut handler.doing, doing) != doing {
            self.note(|_| Happened::Server(ring_index(ring), doing));
        }
    }

    /// Bytes of the memory of a cluster.
    ///
    /// # Errors
    /// [`Refused::NoRing`], [`Refused::Bus`].
    pub fn load(&self, ring: RingNumber, at: ByteAddress, len: usize) -> Result<Vec<u8>, Refused> {
        let side = self.sides.get(ring_index(ring)).ok_or(Refused::NoRing(ring.0))?;
        side.shared.parts(at, len)?;
        Ok(side.shared.load(at, len))
    }

    /// Puts bytes into the memory of a cluster, from outside and in no time.
    ///
    /// # Errors
    /// [`Refused::NoRing`], [`Refused::Bus`].
    pub fn store(
        &mut self,
        ring: RingNumber,
        at: ByteAddress,
        bytes: &[u8],
    ) -> Result<(), Refused> {
        let side = self.sides.get_mut(ring_index(ring)).ok_or(Refused::NoRing(ring.0))?;
        side.shared.parts(at, bytes.len())?;
        side.shared.store(at, bytes);
        self.changed(ring);
        Ok(())
    }

    /// Processes that have not ended.
    #[must_use]
    pub fn unfinished(&self) -> Vec<Waiting> {
        let all = self.sides.iter().flat_map(|side| &side.processes).enumerate();
        all.filter(|(_, one)| one.doing != Doing::Ended)
            .map(|(number, one)| (number, one.doing.request()))
            .collect()
    }

    /// Runs until all processes have ended; gives the moment of the last event.
    ///
    /// # Errors
    /// [`ClustersError::Stalled`], [`ClustersError::Limit`].
    pub fn run(&mut self) -> Result<Nanoseconds, ClustersError> {
        self.run_while(&mut |_| true)
    }

    /// The same, or until `goes_on`, which is asked after each event, ends it.
    ///
    /// # Errors
    /// [`ClustersError::Stalled`], [`ClustersError::Limit`].
    pub fn run_while(
        &mut self,
        goes_on: &mut dyn FnMut(&mut Clusters) -> bool,
    ) -> Result<Nanoseconds, ClustersError> {
        let limit = self.settings.limit;
        while self.now() <= limit {
            let Some((_, event)) = self.queue.take() else {
                let waiting = self.unfinished();
                let stalled = || ClustersError::Stalled(waiting.clone());
                return if waiting.is_empty() { Ok(self.now()) } else { Err(stalled()) };
            };
            self.happens(event);
            if !goes_on(self) {
                return Ok(self.now());
            }
        }
        Err(ClustersError::Limit { now: self.now(), limit, waiting: self.unfinished() })
    }

    /// An event so much later, or at the end of all time.
    pub(super) fn later(&mut self, after: Nanoseconds, event: Event) {
        let left = Nanoseconds(u64::MAX).saturating_sub(self.now());
        self.queue.put(after.min(left), event);
    }

    fn happens(&mut self, event: Event) {
        match event {
            Event::Resume(ring, node) => self.resume(ring, node),
            Event::Channel(ring, frame) => {
                self.sides[ring_index(ring)].handler.channels.push(frame);
                self.call(ring);
            }
            Event::Message { to, from, message } => {
                if let Some(side) = self.sides.get_mut(ring_index(to)) {
                    side.handler.sockets.push_back((from, message));
                    self.call(to);
                }
            }
            Event::Turn(ring) => self.turn(ring),
            Event::Worked(ring) => self.worked(ring),
            Event::Look(ring, node) => self.look(ring, node),
        }
    }
}
