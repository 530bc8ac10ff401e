// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of processes and servers.

use crate::{
    network::Packet,
    protocols::{Clients, Servers},
    settings::{Settings, Sharing},
};
use awgstar_coherence::pages::Node;
use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId, narrow};
use awgstar_request::{
    Change, Coherent, Fence, Got, Len, Place, Process as Program, Refused, Request, Segment,
};
use awgstar_sync::firmware::onesided::GroupError;
use std::{collections::VecDeque, sync::Arc};

/// Bytes that a process reads, part by part: each from another segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Where the next part is, and the bytes that are left.
    pub(crate) at: ByteAddress,
    pub(crate) left: usize,
    pub(crate) got: Vec<u8>,
    pub(crate) word: bool,
}

/// State of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// It goes on at a known time, with this.
    Until(Result<Got, Refused>),
    /// It waits for the answer of a server.
    Reading(Reading),
    Changing(Place, Change),
    Fencing(Fence),
    Barrier,
    Locking(u32),
    Trying(u32),
    Unlocking(u32),
    /// It waits for the protocol of the shared pages.
    Coherent(Coherent),
    /// It waits until these bytes of its memory differ from what they were.
    Watching(ByteAddress, Arc<[u8]>),
    Ended,
}

impl Doing {
    /// What the process waits for, if others decide when it ends.
    pub(crate) fn request(&self) -> Option<Request> {
        Some(match self {
            Doing::Until(_) | Doing::Ended => return None,
            Doing::Reading(one) => {
                Request::Read(Place::shared(one.at), Len::Bytes(one.left as u64))
            }
            Doing::Changing(place, change) => Request::Update(*place, change.clone()),
            Doing::Fencing(fence) => Request::Fence(*fence),
            Doing::Barrier => Request::Barrier(0),
            Doing::Locking(lock) => Request::Lock(*lock),
            Doing::Trying(lock) => Request::Try(*lock),
            Doing::Unlocking(lock) => Request::Unlock(*lock),
            Doing::Coherent(call) => Request::Coherent(*call, Arc::default()),
            Doing::Watching(at, old) => Request::Changed(Place::shared(*at), Arc::clone(old)),
        })
    }
}

/// What a wait until puts are in place is a part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Part {
    /// Of nothing else.
    #[default]
    Fence,
    /// The release of a lock.
    Release,
    /// A call of the protocol of the shared pages.
    Coherent,
}

/// A wait until puts are in place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asks {
    /// Processes whose servers are to be asked.
    pub(crate) left: VecDeque<NodeId>,
    /// Answers that are under way.
    pub(crate) open: usize,
    /// What it is a part of.
    pub(crate) part: Part,
}

/// A process.
pub(crate) struct Process {
    pub(crate) program: Box<dyn Program>,
    pub(crate) memory: Box<dyn Segment>,
    pub(crate) doing: Doing,
    pub(crate) clients: Clients,
    /// When its processor is free.
    pub(crate) busy: Nanoseconds,
    /// Puts to each process, modulo 2^32, and how many of them are known to be in place.
    pub(crate) issued: Vec<u32>,
    pub(crate) known: Vec<u32>,
    pub(crate) asks: Option<Asks>,
    /// Its shared pages, if a protocol keeps them coherent.
    pub(crate) pages: Option<Node>,
}

impl Process {
    pub(crate) fn new(
        settings: &Settings,
        at: usize,
        program: Box<dyn Program>,
        memory: Box<dyn Segment>,
    ) -> Result<Self, GroupError> {
        let nodes = settings.processes;
        let pages = match settings.sharing {
            // There are more addresses than a process has pages.
            Sharing::Pages(protocol) => Node::new(protocol, at, nodes).ok(),
            Sharing::Segments | Sharing::Replica => None,
        };
        Ok(Process {
            program,
            memory,
            doing: Doing::Until(Ok(Got::Nothing)),
            clients: Clients::new(settings, at)?,
            busy: Nanoseconds(0),
            issued: vec![0; settings.processes],
            known: vec![0; settings.processes],
            asks: None,
            pages,
        })
    }
}

impl Reading {
    pub(crate) fn take(&mut self, bytes: Vec<u8>) {
        let more = narrow::<u32>(bytes.len());
        // After the last byte of the memory there is nothing to read.
        self.at = self.at.checked_add(more).unwrap_or(self.at);
        self.left -= bytes.len().min(self.left);
        self.got.extend(bytes);
    }
}

/// The server of a computer.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) protocols: Servers,
    /// Messages that have arrived, with the processes they are from.
    pub(crate) waiting: VecDeque<(NodeId, Packet)>,
    pub(crate) sleeps: bool,
}

impl Server {
    pub(crate) fn new(settings: &Settings, computer: usize) -> Self {
        let protocols = Servers::new(settings, computer);
        Server { protocols, waiting: VecDeque::new(), sleeps: true }
    }
}
