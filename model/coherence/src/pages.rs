// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shared pages under the processes: a node of SCASH or FDSM for each, and the bytes that it has published.
//!
//! A process computes on its copy. What it has changed comes with its next call, and what others have
//! changed goes back with the answer; so a node answers others while its process computes.

use crate::{
    Action, Coherence, Event, Protection, Refused, Site, fdsm,
    memory::{Memory, Shape, ShapeError},
    notes::Carries,
    scash,
};
use awgstar_frame::quantity::{Nanoseconds, NodeId, narrow};
use awgstar_request::{Coherent, News, PAGE, PAGES, Piece, Race};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    ops::Range,
};

const PAGE_BYTES: usize = PAGE as usize;

/// A protocol of shared pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Scash(scash::Homes),
    Fdsm(fdsm::Inspection),
}

impl Protocol {
    /// What a process may do with each page at first. With SCASH it can read all; with FDSM the first access is seen.
    #[must_use]
    pub const fn first_protection(self) -> Protection {
        match self {
            Protocol::Scash(_) => Protection::Read,
            Protocol::Fdsm(_) => Protection::None,
        }
    }
}

/// A message of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Message {
    Scash(scash::Message),
    Fdsm(fdsm::Message),
}

impl Message {
    pub fn bytes(&self) -> usize {
        match self {
            Message::Scash(message) => scash::Node::size(message),
            Message::Fdsm(message) => fdsm::Node::size(message),
        }
    }

    /// Its receiver's process waits for it, and no server need be woken.
    pub fn is_awaited(&self) -> bool {
        match self {
            Message::Scash(message) => matches!(
                message,
                scash::Message::Page { .. }
                    | scash::Message::Grant { .. }
                    | scash::Message::Leave { .. }
                    | scash::Message::Homed { .. }
                    | scash::Message::Applied { .. }
            ),
            Message::Fdsm(message) => matches!(
                message,
                fdsm::Message::Push { .. }
                    | fdsm::Message::Data { .. }
                    | fdsm::Message::Grant { .. }
                    | fdsm::Message::Leave { .. }
            ),
        }
    }

    /// Which notes go along.
    pub const fn carries(&self) -> Carries {
        match self {
            Message::Scash(scash::Message::Unlock { lock, .. })
            | Message::Fdsm(fdsm::Message::Unlock { lock, .. }) => Carries::Own(Some(*lock)),
            Message::Scash(scash::Message::Arrive { .. })
            | Message::Fdsm(fdsm::Message::Arrive { .. }) => Carries::Own(None),
            Message::Scash(scash::Message::Grant { lock, .. })
            | Message::Fdsm(fdsm::Message::Grant { lock, .. }) => Carries::Lock(*lock),
            Message::Scash(scash::Message::Leave { .. })
            | Message::Fdsm(fdsm::Message::Leave { .. }) => Carries::All,
            _ => Carries::Nothing,
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Message::Scash(message) => message.name(),
            Message::Fdsm(message) => message.name(),
        };
        write!(f, "{name} of {} bytes", self.bytes())
    }
}

/// The event of a call; `None` if it is none for the protocol.
fn event<M>(call: Coherent) -> Option<Event<M>> {
    Some(match call {
        Coherent::Fault { page, write } => Event::Fault { page: narrow(page), write },
        Coherent::Acquire(lock) => Event::Acquire(lock),
        Coherent::Release(lock) => Event::Release(lock),
        Coherent::Barrier(place) => Event::Barrier(Site { place, semi: false }),
        Coherent::Lacked | Coherent::Area { .. } => return None,
    })
}

fn step<N: Coherence>(
    node: &mut N,
    event: impl Into<Option<Event<N::Message>>>,
    published: &mut Published,
) -> Result<Vec<Action<N::Message>>, Refused> {
    let mut actions = Vec::new();
    if let Some(event) = event.into() {
        node.step(event, published, &mut actions)?;
    }
    Ok(actions)
}

/// What comes of an event.
#[derive(Debug, Default)]
pub struct Outcome {
    pub sends: Vec<(NodeId, Message)>,
    /// What the process waits for is done.
    pub done: bool,
}

#[derive(Clone, Debug)]
enum Either {
    Scash(Box<scash::Node>),
    Fdsm(Box<fdsm::Node>),
}

/// The published bytes of a node. Pages that no process has changed since the start are zeros: a process sends its bytes
/// and takes others as the exclusive or with what all had at the start.
#[derive(Clone, Debug, Default)]
struct Published {
    pages: BTreeMap<usize, Box<[u8; PAGE_BYTES]>>,
    /// Pages of which the process has not seen all that has changed.
    unseen: BTreeSet<usize>,
}

impl Published {
    fn bytes(&mut self, page: usize) -> &mut [u8; PAGE_BYTES] {
        self.pages.entry(page).or_insert_with(|| Box::new([0; PAGE_BYTES]))
    }
}

impl Memory for Published {
    fn page(&self, page: usize) -> &[u8] {
        const ZEROS: [u8; PAGE_BYTES] = [0; PAGE_BYTES];
        self.pages.get(&page).map_or(&ZEROS, |bytes| &**bytes)
    }

    fn page_mut(&mut self, page: usize) -> &mut [u8] {
        self.unseen.insert(page);
        self.bytes(page)
    }
}

/// The node of a process.
#[derive(Clone, Debug)]
pub struct Node {
    protocol: Either,
    published: Published,
    /// Pages whose protection has changed since the last answer.
    protections: BTreeMap<usize, Protection>,
    beyond: BTreeSet<usize>,
    /// Areas that the process has named.
    areas: Vec<Range<usize>>,
    /// What was counted in each block, and the place where the present one began.
    blocks: Blocks,
    place: u64,
    /// When the call under way began.
    asked: Nanoseconds,
}

/// Counts of the node of a process, in all or in a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Executions of the block.
    pub runs: u64,
    /// Faults of reads, and of writes.
    pub read_faults: u64,
    pub write_faults: u64,
    /// Messages that it sent, and their bytes.
    pub messages: u64,
    pub bytes: u64,
    /// Pages of which it sent changes, and pages or parts of them that it sent to who asked.
    pub diffs: u64,
    pub pages: u64,
    /// Uses of a page beyond the pattern.
    pub beyond: u64,
    /// Waits for pages, for locks, at the barrier.
    pub at_faults: Nanoseconds,
    pub at_locks: Nanoseconds,
    pub at_barriers: Nanoseconds,
}

/// Counts of each block of a node, by the place where it begins; 0 is the place before the first barrier.
pub type Blocks = BTreeMap<u64, Counts>;

impl Node {
    /// Node `me` of so many.
    ///
    /// # Errors
    /// [`ShapeError`] for a number of nodes that no system has.
    pub fn new(protocol: Protocol, me: usize, nodes: usize) -> Result<Node, ShapeError> {
        let shape = Shape::new(nodes, narrow(PAGES), PAGE_BYTES)?;
        let me = NodeId::at(me);
        let protocol = match protocol {
            Protocol::Scash(homes) => {
                let repairs = scash::ScashRepairs::ALL;
                let settings = scash::Settings { homes, repairs, acknowledged: false };
                Either::Scash(Box::new(scash::Node::new(me, shape, settings)))
            }
            Protocol::Fdsm(inspection) => {
                let node = fdsm::Node::new(me, shape, fdsm::FdsmRepairs::ALL);
                Either::Fdsm(Box::new(match inspection {
                    fdsm::Inspection::Owners => node,
                    fdsm::Inspection::Homes => node.with_homes(fdsm::HomeRules::BOTH),
                }))
            }
        };
        Ok(Node {
            protocol,
            published: Published::default(),
            protections: BTreeMap::new(),
            beyond: BTreeSet::new(),
            areas: Vec::new(),
            blocks: Blocks::from([(0, Counts { runs: 1, ..Counts::default() })]),
            place: 0,
            asked: Nanoseconds(0),
        })
    }

    /// What the process has changed: its node knows it from now on. Gives the number of pages.
    pub fn take(&mut self, pieces: &[Piece]) -> u64 {
        let mut pages = BTreeSet::new();
        for piece in pieces {
            let (page, at) = piece.place();
            let page = narrow(page);
            pages.insert(page);
            let bytes = self.published.bytes(page).iter_mut().skip(at);
            bytes.zip(&piece.bytes).for_each(|(to, from)| *to = *from);
        }
        pages.len() as u64
    }

    /// The answer to a call that is none for the protocol.
    pub fn at_once(&mut self, call: Coherent) -> Option<News> {
        match call {
            Coherent::Area { page, pages } => {
                let first = narrow::<usize>(page);
                self.areas.push(first..first.saturating_add(pages as usize));
                if let Either::Scash(node) = &mut self.protocol {
                    node.set_areas(&self.areas);
                }
                Some(News::default())
            }
            Coherent::Lacked => Some(self.lacked()),
            _ => None,
        }
    }

    /// A call of the process.
    ///
    /// # Errors
    /// [`Refused`] for an error of the program.
    pub fn ask(&mut self, call: Coherent) -> Result<Outcome, Refused> {
        if let Coherent::Fault { write, .. } = call {
            let counts = self.counts();
            *if write { &mut counts.write_faults } else { &mut counts.read_faults } += 1;
        }
        match &mut self.protocol {
            Either::Scash(node) => {
                let actions = step(&mut **node, event(call), &mut self.published)?;
                Ok(self.act(actions, Message::Scash))
            }
            Either::Fdsm(node) => {
                let actions = step(&mut **node, event(call), &mut self.published)?;
                Ok(self.act(actions, Message::Fdsm))
            }
        }
    }

    /// A message of another node.
    ///
    /// # Errors
    /// [`Refused`] for a message that no node sends.
    pub fn receive(&mut self, from: NodeId, message: Message) -> Result<Outcome, Refused> {
        match (&mut self.protocol, message) {
            (Either::Scash(node), Message::Scash(message)) => {
                let event = Event::Message(from, message);
                let actions = step(&mut **node, event, &mut self.published)?;
                Ok(self.act(actions, Message::Scash))
            }
            (Either::Fdsm(node), Message::Fdsm(message)) => {
                let event = Event::Message(from, message);
                let actions = step(&mut **node, event, &mut self.published)?;
                Ok(self.act(actions, Message::Fdsm))
            }
            _ => Err(Refused::Unexpected(from)),
        }
    }

    fn act<M>(&mut self, actions: Vec<Action<M>>, wrap: fn(M) -> Message) -> Outcome {
        let mut outcome = Outcome::default();
        for action in actions {
            match action {
                Action::Send(to, message) => {
                    let message = wrap(message);
                    self.counts().count(&message);
                    outcome.sends.push((to, message));
                }
                Action::Protect(page, protection) => {
                    self.protections.insert(page, protection);
                }
                Action::Beyond(page) => {
                    self.counts().beyond += 1;
                    self.beyond.insert(page);
                }
                Action::Done => outcome.done = true,
            }
        }
        outcome
    }

    /// Those of the present block.
    fn counts(&mut self) -> &mut Counts {
        self.blocks.entry(self.place).or_default()
    }

    /// What was counted in each block.
    pub const fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// The process has made a call.
    pub const fn asked(&mut self, now: Nanoseconds) {
        self.asked = now;
    }

    /// Its call is done.
    pub fn answered(&mut self, call: Coherent, now: Nanoseconds) {
        let time = now.saturating_sub(self.asked);
        let counts = self.counts();
        match call {
            Coherent::Fault { .. } => counts.at_faults += time,
            Coherent::Acquire(_) | Coherent::Release(_) => counts.at_locks += time,
            Coherent::Barrier(place) => {
                counts.at_barriers += time;
                self.place = place;
                self.counts().runs += 1;
            }
            Coherent::Lacked | Coherent::Area { .. } => {}
        }
    }

    fn protection(&self, page: usize) -> Protection {
        match &self.protocol {
            Either::Scash(node) => node.protection(page),
            Either::Fdsm(node) => node.protection(page),
        }
    }

    /// What the process learns with its answer.
    pub fn news(&mut self) -> News {
        let unseen = std::mem::take(&mut self.published.unseen);
        let mut news = News::default();
        for page in unseen {
            if self.protection(page) == Protection::None {
                self.published.unseen.insert(page);
                continue;
            }
            let bytes = self.published.page(page).to_vec();
            news.pages.push(Piece { at: (page * PAGE_BYTES) as u64, bytes });
        }
        let protections = std::mem::take(&mut self.protections);
        news.protections = protections.into_iter().map(|(page, one)| (page as u64, one)).collect();
        news.beyond =
            std::mem::take(&mut self.beyond).into_iter().map(|page| page as u64).collect();
        news
    }

    /// Pages of which the node, or its process, has not all bytes.
    fn lacked(&self) -> News {
        let mut pages: BTreeSet<usize> = match &self.protocol {
            Either::Scash(node) => node.lacked().into_iter().collect(),
            Either::Fdsm(node) => node.lacked().into_iter().collect(),
        };
        pages.extend(&self.published.unseen);
        News { beyond: pages.into_iter().map(|page| page as u64).collect(), ..News::default() }
    }
}

impl Counts {
    fn count(&mut self, message: &Message) {
        self.messages += 1;
        self.bytes += message.bytes() as u64;
        match message {
            Message::Scash(scash::Message::Diff { .. }) => self.diffs += 1,
            Message::Scash(scash::Message::Page { .. })
            | Message::Fdsm(fdsm::Message::Data { .. }) => self.pages += 1,
            Message::Fdsm(
                fdsm::Message::Push { pieces, .. } | fdsm::Message::Record { pieces, .. },
            ) => self.diffs += pieces.len() as u64,
            _ => {}
        }
    }
}

/// What processes changed since the last lock that they released, when all are at a barrier: nothing orders two changes
/// of a byte. Of each page the first byte is given, to both.
#[must_use]
pub fn races(arrivals: &BTreeMap<usize, Vec<Piece>>) -> BTreeMap<usize, Vec<Race>> {
    let mut all: BTreeMap<usize, Vec<Race>> = BTreeMap::new();
    let mut written: BTreeMap<u64, BTreeMap<usize, (usize, u8)>> = BTreeMap::new();
    let mut told = BTreeSet::new();
    for (&process, pieces) in arrivals {
        for piece in pieces {
            let (page, first) = piece.place();
            let bytes = written.entry(page).or_default();
            for (place, &mine) in (first..).zip(&piece.bytes) {
                let (other, theirs) = *bytes.entry(place).or_insert((process, mine));
                if theirs != mine && told.insert((page, process, other)) {
                    let at = piece.at + (place - first) as u64;
                    let race = |node: usize, mine, theirs| Race {
                        at,
                        mine,
                        theirs,
                        node: NodeId::at(node),
                    };
                    all.entry(process).or_default().push(race(other, mine, theirs));
                    all.entry(other).or_default().push(race(process, theirs, mine));
                }
            }
        }
    }
    all
}
