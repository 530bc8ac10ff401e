// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring: one control token, and the train of frames after it (CUR-1 to CUR-4, CUR-6).
//!
//! A node takes its own frames from the front of the train, where they have come to be after one
//! rotation, copies the others, and attaches what waits at the end. A visit is one event, at the
//! moment when the end of the train has arrived and been processed. While nothing is to be sent
//! only the moment of the next visit is kept.

mod content;
mod faults;
mod node;
mod visit;

use awgstar_frame::quantity::{ByteAddress, Nanoseconds, NodeId};
pub use content::Content;
pub use faults::{Fault, FaultKind};
pub use node::Counters;

use super::{
    frame::{Frame, OVERHEAD},
    memory::Memory,
    record::{Happened, Record},
    settings::{Line, SettingsError},
};
use crate::time::line_ns;
use awgstar_frame::contract::Order;
use node::{Node, Pace, Pending, Stream};
use std::{collections::VecDeque, mem, sync::Arc};

/// A frame on the train.
#[derive(Clone, Debug)]
struct Car {
    frame: Frame,
    /// A bit was inverted on the way: its CRC is wrong.
    bad: bool,
}

/// Place of the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// The head of the token reaches `node` at `head`; the visit is done at `at`.
    Coming { node: usize, head: Nanoseconds, at: Nanoseconds },
    /// Lost; node 0 makes another one at that time.
    Lost(Option<Nanoseconds>),
}

/// A signal that has reached its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Node it was for.
    pub to: NodeId,
    /// Node it is from.
    pub from: NodeId,
}

/// A ring of boards.
#[derive(Clone, Debug)]
pub struct Ring {
    line: Line,
    nodes: Vec<Node>,
    train: VecDeque<Car>,
    train_bytes: u64,
    token: Token,
    /// The token itself was hit on its last link.
    token_bad: bool,
    /// Number of tokens made before this one.
    generation: u16,
    /// When node 0 saw the token last.
    kept: Nanoseconds,
    faults: Vec<Fault>,
    counters: Counters,
    records: Option<Vec<Record>>,
}

impl Ring {
    /// The ring at 0 ns, the token on its way to node 0.
    ///
    /// # Errors
    /// If a setting, or the link of a fault, is out of its range.
    pub fn new(line: &Line, faults: &[Fault]) -> Result<Ring, SettingsError> {
        line.check()?;
        let count = line.nodes();
        if let Some(fault) = faults.iter().find(|fault| fault.link >= count) {
            let (found, most) = (fault.link as u64, count as u64 - 1);
            return Err(SettingsError { field: "fault.link", least: 0, most, found });
        }
        let at = line_ns(OVERHEAD as u64) + line.processing;
        Ok(Ring {
            line: line.clone(),
            nodes: (0..count).map(|_| Node::new(count)).collect(),
            train: VecDeque::new(),
            train_bytes: OVERHEAD as u64,
            token: Token::Coming { node: 0, head: Nanoseconds(0), at },
            token_bad: false,
            generation: 0,
            kept: Nanoseconds(0),
            faults: faults.to_vec(),
            counters: Counters::default(),
            records: None,
        })
    }

    /// Faults that no train has met yet, in the order in which they were given.
    pub fn faults_left(&self) -> &[Fault] {
        &self.faults
    }

    /// From now on keeps what happens.
    pub fn record(&mut self) {
        self.records = Some(Vec::new());
    }

    /// Removes and returns the events since [`Ring::record`] or the last call.
    pub fn records(&mut self) -> Vec<Record> {
        self.records.as_mut().map(mem::take).unwrap_or_default()
    }

    fn note(&mut self, at: Nanoseconds, node: usize, what: Happened) {
        if let Some(records) = &mut self.records {
            records.push(Record { at, node, what });
        }
    }

    /// A node's replica.
    #[must_use]
    pub fn memory(&self, node: usize) -> &Memory {
        &self.nodes[node].memory
    }

    /// A node's replica, to take its changes.
    pub fn memory_mut(&mut self, node: usize) -> &mut Memory {
        &mut self.nodes[node].memory
    }

    /// Counts of the run, over all nodes.
    #[must_use]
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The settings.
    #[must_use]
    pub const fn line(&self) -> &Line {
        &self.line
    }

    /// Puts bytes into all replicas, as they are before the run.
    pub fn preset(&mut self, addr: ByteAddress, bytes: &[u8]) {
        for node in &mut self.nodes {
            node.memory.write(addr, bytes);
        }
    }

    /// All that the node's host has written has gone round.
    #[must_use]
    pub fn synced(&self, node: usize) -> bool {
        self.nodes[node].queue.is_empty() && self.nodes[node].out.is_empty()
    }

    /// The host of `node` writes at `rate` bytes a second from `now` on: the node's replica has it
    /// at once, and it goes out as it comes over the bus.
    pub fn write(
        &mut self,
        node: usize,
        now: Nanoseconds,
        addr: ByteAddress,
        content: Content,
        rate: u64,
    ) {
        if content.is_empty() {
            return;
        }
        if let Content::Bytes(bytes) | Content::Whole(bytes) = &content {
            self.nodes[node].memory.write(addr, bytes);
        }
        self.stream(node, Stream { addr, content, taken: 0, start: now, pace: Pace::Rate(rate) });
    }

    /// The host of `node` writes words one by one from `now` on, each after that many ns; as with
    /// [`Content::Blank`] the values do not matter.
    pub fn write_words(
        &mut self,
        node: usize,
        now: Nanoseconds,
        addr: ByteAddress,
        times: Arc<[Nanoseconds]>,
    ) {
        let content = Content::Blank(4 * times.len() as u64);
        if !content.is_empty() {
            let pace = Pace::Words(times);
            self.stream(node, Stream { addr, content, taken: 0, start: now, pace });
        }
    }

    fn stream(&mut self, node: usize, stream: Stream) {
        let now = stream.start;
        self.nodes[node].queue.push_back(Pending::Stream(stream));
        self.wake(now);
    }

    /// The host of `node` sends a signal. [`Order::None`] passes data that waits, [`Order::Sent`]
    /// follows it, [`Order::Confirmed`] leaves when it has returned.
    pub fn signal(&mut self, node: usize, now: Nanoseconds, to: NodeId, order: Order) {
        self.nodes[node].signal(to, order);
        self.wake(now);
    }

    /// When [`Ring::step`] is to be called next; `None` while nothing is to be done.
    #[must_use]
    pub fn next(&self) -> Option<Nanoseconds> {
        match self.token {
            Token::Coming { at, .. } => {
                if self.rests(at) {
                    self.due(at)
                } else {
                    Some(at)
                }
            }
            Token::Lost(again) => again,
        }
    }

    /// When the first node needs the token of those that need it after `now`.
    fn due(&self, now: Nanoseconds) -> Option<Nanoseconds> {
        self.nodes.iter().filter_map(|node| node.due(now)).min()
    }

    /// Nothing but the token goes round, and no fault and no node waits for it at `now`.
    fn rests(&self, now: Nanoseconds) -> bool {
        self.train.is_empty()
            && !self.token_bad
            && self.faults.iter().all(|fault| fault.at > now || fault.needs_frames())
            && self.nodes.iter().all(|node| node.out.is_empty())
            && self.due(now).is_none_or(|due| due > now)
    }

    /// Returns true if the ring has halted: the token is lost and no node will make another one.
    #[must_use]
    pub fn halted(&self) -> bool {
        self.token == Token::Lost(None)
    }

    /// Frames are on the train, or wait for it: they will arrive.
    #[must_use]
    pub fn carries(&self) -> bool {
        let waits = (0..self.nodes.len()).any(|node| !self.synced(node));
        !self.halted() && (waits || !self.train.is_empty())
    }

    /// The token, if it went round alone, is moved to where it is at `now`.
    pub fn wake(&mut self, now: Nanoseconds) {
        let Token::Coming { mut node, at: mut next, .. } = self.token else { return };
        if next >= now || !self.train.is_empty() || self.token_bad {
            return;
        }
        let left = next;
        let rotation = self.line.rotation();
        next += rotation * ((now - next).0 / rotation.0);
        while next < now {
            next += self.line.hop(node);
            node = (node + 1) % self.line.nodes();
        }
        let back: Nanoseconds = (0..node).map(|i| self.line.hop(i)).sum();
        let ago = if node == 0 { self.line.rotation() } else { back };
        if next >= left + ago {
            self.kept = next - ago;
        }
        let head = next - self.line.processing - line_ns(OVERHEAD as u64);
        self.token = Token::Coming { node, head, at: next };
    }

    /// Carries out the events at time [`Ring::next`]; signals that arrived are put into `arrived`.
    pub fn step(&mut self, arrived: &mut Vec<Delivery>) {
        match self.token {
            Token::Coming { at, .. } if self.rests(at) => {
                if let Some(due) = self.due(at) {
                    self.wake(due);
                }
            }
            Token::Coming { node, at, .. } if self.token_bad => self.lose(node, at),
            Token::Coming { node, head, at } => self.visit(node, head, at, arrived),
            Token::Lost(Some(at)) => {
                self.generation = self.generation.wrapping_add(1);
                self.counters.tokens_made += 1;
                self.train_bytes = OVERHEAD as u64;
                self.note(at, 0, Happened::TokenMade);
                self.visit(0, at, at, arrived);
            }
            Token::Lost(None) => {}
        }
    }

    /// The train with its token is gone, as seen by `node`.
    fn lose(&mut self, node: usize, now: Nanoseconds) {
        self.train.clear();
        self.token_bad = false;
        self.counters.tokens_lost += 1;
        self.token = Token::Lost(self.line.regenerate.map(|time| (self.kept + time).max(now)));
        self.note(now, node, Happened::TokenLost);
    }
}
