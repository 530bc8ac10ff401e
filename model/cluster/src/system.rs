// SPDX-License-Identifier: MIT OR Apache-2.0
//! A cluster in its run.

mod pages;
mod process;
mod server;
mod stall;

use crate::{
    network::{Network, Packet},
    protocols::Protocol,
    settings::{Settings, SettingsError},
    state::{Doing, Process, Server},
};
use awgstar_coherence::{
    notes::Notes,
    pages::{Blocks, Node},
};
use awgstar_frame::quantity::{Nanoseconds, NodeId};
use awgstar_request::{Piece, Process as Program, Queue, Race, Request, Segment};
use awgstar_sync::firmware::onesided::{End, GroupError, Misuse};
use awgstar_sync::record::{Happened, Record};
use std::{collections::BTreeMap, mem};
use thiserror::Error;

/// A run that cannot begin or go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ClusterError {
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Group(#[from] GroupError),
    /// Not a program, or not a memory, for each process.
    #[error("{what}: {found}: expected {processes}, one for each process")]
    Count { what: &'static str, found: usize, processes: usize },
    /// A process asks for what is an error of its program.
    #[error("process {process}: {misuse}")]
    Misuse { process: usize, misuse: Misuse },
    /// A node of the protocol of shared pages does not take what it is asked for, or sent.
    #[error("process {process}: {refused}")]
    Coherence { process: usize, refused: awgstar_coherence::Refused },
}

/// An event.
#[derive(Clone, Debug)]
enum Event {
    /// A process has what it asked for.
    Resume(usize),
    /// A process looks at the words of a protocol.
    Look(usize, Protocol),
    /// A message is at a process.
    Arrives(usize, NodeId, Packet),
    /// A message is at a server.
    Asks(usize, NodeId, Packet),
    /// A server is awake.
    Woken(usize),
    /// A server has handled its oldest message.
    Served(usize),
}

/// A cluster in its run.
pub struct Cluster {
    settings: Settings,
    queue: Queue<Event>,
    network: Network,
    processes: Vec<Process>,
    servers: Vec<Server>,
    records: Vec<Record>,
    /// What the processes at the barrier have changed, and races among them that they are to learn of.
    arrivals: BTreeMap<usize, Vec<Piece>>,
    notes: Notes,
    races: BTreeMap<usize, Vec<Race>>,
}

impl Cluster {
    /// A cluster before its first event, with a program and a memory for each process.
    ///
    /// # Errors
    /// [`ClusterError::Settings`], [`ClusterError::Count`].
    pub fn new(
        settings: &Settings,
        programs: Vec<Box<dyn Program>>,
        memories: Vec<Box<dyn Segment>>,
    ) -> Result<Cluster, ClusterError> {
        settings.check()?;
        let processes = settings.processes;
        for (what, found) in [("programs", programs.len()), ("memories", memories.len())] {
            if found != processes {
                return Err(ClusterError::Count { what, found, processes });
            }
        }
        let mut queue = Queue::default();
        (0..processes).for_each(|process| queue.put(Nanoseconds(0), Event::Resume(process)));
        let all = programs.into_iter().zip(memories).enumerate();
        let process = |(at, (program, memory))| Process::new(settings, at, program, memory);
        Ok(Cluster {
            settings: settings.clone(),
            queue,
            network: Network::new(settings),
            processes: all.map(process).collect::<Result<_, _>>()?,
            servers: (0..settings.computers()).map(|at| Server::new(settings, at)).collect(),
            records: Vec::new(),
            arrivals: BTreeMap::new(),
            notes: Notes::new(processes),
            races: BTreeMap::new(),
        })
    }

    /// The time, in ns.
    #[must_use]
    pub const fn now(&self) -> Nanoseconds {
        self.queue.now()
    }

    /// Removes and returns the events so far, in order of time.
    pub fn records(&mut self) -> Vec<Record> {
        mem::take(&mut self.records)
    }

    /// Processes that have not ended, and what each waits for if others decide when it ends.
    #[must_use]
    pub fn unfinished(&self) -> Vec<(usize, Option<Request>)> {
        let all = self.processes.iter().enumerate();
        all.filter(|(_, one)| one.doing != Doing::Ended)
            .map(|(at, one)| (at, one.doing.request()))
            .collect()
    }

    /// What the protocol of the shared pages did, for each process; `None` without one.
    #[must_use]
    pub fn blocks(&self) -> Option<Vec<&Blocks>> {
        self.processes.iter().map(|one| one.pages.as_ref().map(Node::blocks)).collect()
    }

    /// Bytes of the segment of a process.
    #[must_use]
    pub fn memory(&self, process: usize) -> &dyn Segment {
        &*self.processes[process].memory
    }

    /// Runs to the end: all processes have ended, or nothing can happen any more, or the limit is reached, or
    /// `goes_on`, which is asked before each event, ends it. [`Cluster::unfinished`] distinguishes these cases.
    ///
    /// # Errors
    /// [`ClusterError::Misuse`].
    pub fn run_while(
        &mut self,
        goes_on: &mut dyn FnMut(&Cluster) -> bool,
    ) -> Result<Nanoseconds, ClusterError> {
        while self.now() < self.settings.limit && goes_on(self) && self.step()? {}
        Ok(self.now())
    }

    /// The next event; `false` when there is none or all has come to its end.
    fn step(&mut self) -> Result<bool, ClusterError> {
        let Some((_, event)) = self.queue.take() else { return Ok(false) };
        match event {
            Event::Resume(process) => self.resume(process)?,
            Event::Look(process, protocol) => self.look(process, protocol)?,
            Event::Arrives(process, from, packet) => self.arrives(process, from, packet)?,
            Event::Asks(computer, from, packet) => self.asks(computer, from, packet),
            Event::Woken(computer) => self.serve_next(computer),
            Event::Served(computer) => self.served(computer)?,
        }
        Ok(true)
    }

    /// Sends a message that leaves its processor at a moment.
    fn send(&mut self, (from, to): (End, End), leaves: Nanoseconds, packet: Packet) {
        let arrives = self.network.arrival(&self.settings, (from, to), leaves, &packet);
        if self.settings.record {
            let text = packet.to_string();
            self.note_at(leaves, Happened::Message { from, to, arrives, text });
        }
        let (End::Process(source) | End::Server(source)) = from;
        let event = match to {
            End::Process(process) => Event::Arrives(process.index(), source, packet),
            End::Server(process) => {
                Event::Asks(self.settings.computer(process.index()), source, packet)
            }
        };
        self.queue.put(arrives.saturating_sub(self.now()), event);
    }

    fn note(&mut self, what: Happened) {
        self.note_at(self.now(), what);
    }

    fn note_at(&mut self, at: Nanoseconds, what: Happened) {
        if self.settings.record {
            self.records.push(Record { at, what });
        }
    }
}
