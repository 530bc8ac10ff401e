// SPDX-License-Identifier: MIT OR Apache-2.0
//! A cluster of clusters in its run: a queue of events in order of time.

use super::cards::Cards;
use super::memory::Shared;
use super::parts::{Doing, Handler, Process, ring_index};
use super::settings::{Settings, SettingsError};
use crate::interface::{Frame, Message};
use crate::machine::Counts;
use crate::words::RingNumber;
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId};
use awgstar_request::{Process as Program, Queue, Refused, Request};
use std::fmt;
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

/// A process that has not ended, and what it waits for if others decide when that ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub ring: RingNumber,
    pub node: NodeId,
    pub request: Option<Request>,
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cluster {}, node {}", self.ring, self.node)?;
        self.request.as_ref().map_or(Ok(()), |request| write!(f, " waits for {request}"))
    }
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

fn listed(waiting: &[Waiting]) -> String {
    waiting.iter().map(Waiting::to_string).collect::<Vec<_>>().join("; ")
}

/// A cluster of clusters in its run.
pub struct Clusters {
    pub(super) settings: Settings,
    pub(super) queue: Queue<Event>,
    pub(super) sides: Vec<Side>,
    pub(super) counts: Counts,
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
        settings.check()?;
        let mut queue = Queue::default();
        let mut sides = Vec::new();
        for ring in settings.rings() {
            let clients = settings.clients();
            let processes = clients.map(|node| Process::new(node, process(ring, node))).collect();
            sides.push(Side {
                handler: Handler::new(settings, ring),
                processes,
                shared: Shared::new(settings.homes()),
                cards: Cards::new(settings.processes + 1),
            });
            for node in settings.clients() {
                queue.put(Nanoseconds(0), Event::Resume(ring, node));
            }
        }
        let counts = Counts::default();
        let mut clusters = Clusters { settings: *settings, queue, sides, counts };
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

    /// Bytes of the memory of a cluster.
    ///
    /// # Errors
    /// [`Refused::NoRing`], [`Refused::Bus`].
    pub fn load(&self, ring: RingNumber, at: ByteAddress, len: usize) -> Result<&[u8], Refused> {
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
        let of = |(ring, side): (RingNumber, &Side)| {
            let all = self.settings.clients().zip(&side.processes);
            let open = all.filter(|(_, one)| one.doing != Doing::Ended);
            let waiting = |(node, one): (NodeId, &Process)| {
                let request = one.doing.request();
                Waiting { ring, node, request }
            };
            open.map(waiting).collect::<Vec<_>>()
        };
        self.settings.rings().zip(&self.sides).flat_map(of).collect()
    }

    /// Runs until all processes have ended; gives the moment of the last event.
    ///
    /// # Errors
    /// [`ClustersError::Stalled`], [`ClustersError::Limit`].
    pub fn run(&mut self) -> Result<Nanoseconds, ClustersError> {
        self.run_with(&mut |_| {})
    }

    /// The same; `between` is called after each event.
    ///
    /// # Errors
    /// [`ClustersError::Stalled`], [`ClustersError::Limit`].
    pub fn run_with(
        &mut self,
        between: &mut dyn FnMut(&mut Clusters),
    ) -> Result<Nanoseconds, ClustersError> {
        let limit = self.settings.limit;
        while self.now() <= limit {
            let Some((_, event)) = self.queue.take() else {
                let waiting = self.unfinished();
                let stalled = || ClustersError::Stalled(waiting.clone());
                return if waiting.is_empty() { Ok(self.now()) } else { Err(stalled()) };
            };
            self.happens(event);
            between(self);
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
