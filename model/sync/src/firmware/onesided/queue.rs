// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lock as a queue of processes (MCS; paper 001, 3.2.2, figure 5). Line numbers are those of the figure.
//!
//! The home of the lock has the tail of the queue. A process swaps itself in; if the lock was not free, it tells its
//! predecessor, which hands the lock over when it releases it.

use super::{Action, Client, End, Event, Message, Misuse, Ring, Server, Turn, home};
use awgstar_frame::{contract::Order, quantity::NodeId};
use std::collections::BTreeMap;

crate::repairs! {
    /// Repairs of the queue lock.
    pub struct QueueRepairs {
        /// A release waits until the puts of its process are in place (before line 17).
        FENCE = 0 "fence before the release";
        /// A node for each process and lock; as published one for each process.
        NODE_PER_LOCK = 1 "node for each lock";
        /// A process at the home swaps in one step, as the server does.
        ATOMIC = 2 "one atomic step";
        /// Requests have numbers: a late copy of line 12 or 22 changes nothing.
        NUMBERS = 3 "numbers of requests";
    }
}

crate::states! {
    /// State of a process and a lock.
    pub enum Place, /// Cause of a transition.
    PlaceCause, "queue lock: process" {
        states {
            Idle "idle",
            /// The process waits for the tail as it was (line 9).
            Asking "asking",
            /// The process waits for the tail as it was, and does not wait for the lock.
            Trying "trying",
            /// The process waits for its predecessor (line 13).
            Queued "queued",
            Inside "inside",
            /// The process waits until its puts are in place.
            Fencing "fencing",
            /// The process waits for the answer whether it was the last (line 18).
            Closing "closing",
            /// The process waits for its successor to make itself known (line 20).
            Linking "linking",
        }
        causes {
            Ask "ask": Idle => Asking;
            Try "try": Idle => Trying;
            Free "was_free": Asking => Inside, Trying => Inside;
            Refuse "refuse": Trying => Idle;
            Behind "was_taken": Asking => Queued;
            Given "given": Queued => Inside;
            Fence "fence": Inside => Fencing;
            Pass "pass": Inside => Idle, Fencing => Idle, Linking => Idle;
            Close "close": Inside => Closing, Fencing => Closing;
            Closed "was_last": Closing => Idle;
            Late "not_last": Closing => Linking;
        }
    }
}

/// A process and its locks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    rank: NodeId,
    ranks: usize,
    repairs: QueueRepairs,
    /// The locks that the process has used, and the number of its last request for each.
    locks: BTreeMap<u32, (Place, u16)>,
    /// A swap in two steps: lock, and the tail that was read.
    reads: Option<(u32, Option<Turn>)>,
    /// The words are in replicas; the order of lines 9, 12, 18 and 22 there.
    replicas: Option<Order>,
}

/// What other processes write for one that waits: `next` and `locked` of figure 5.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Link {
    /// The request that the words are of.
    number: u16,
    next: Option<Turn>,
    locked: bool,
}

/// The words of the queue locks in the memory of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Words {
    repairs: QueueRepairs,
    /// By process of the node, and lock.
    links: BTreeMap<(NodeId, u32), Link>,
    /// The tails of the locks of which the node is the home.
    tails: BTreeMap<u32, Option<Turn>>,
}

impl Process {
    /// The process `rank` of `ranks`.
    #[must_use]
    pub fn new(rank: NodeId, ranks: usize, repairs: QueueRepairs) -> Self {
        Process { rank, ranks, repairs, locks: BTreeMap::new(), reads: None, replicas: None }
    }

    /// On a ring, as in the paper on a cluster: the words of lines 8, 11, 12 and 22 are in each replica, and lines 9,
    /// 12, 18 and 22 have this order.
    #[must_use]
    pub fn on_replicas(self, order: Order) -> Self {
        Process { replicas: Some(order), ..self }
    }

    /// Lines 8 and 11 are done here: on a ring the others learn of it.
    fn show(&self, message: Message, actions: &mut Vec<Action>) {
        if self.replicas.is_some() {
            actions.push(Action::Ring(Ring::Write(message, Order::Sent)));
        }
    }

    fn place(&self, lock: u32) -> Place {
        self.locks.get(&lock).map_or(Place::Idle, |one| one.0)
    }

    fn go(&mut self, lock: u32, cause: PlaceCause) -> bool {
        self.locks.entry(lock).or_insert((Place::Idle, 0)).0.go(cause)
    }

    fn turn(&self, lock: u32) -> Turn {
        let number = self.locks.get(&lock).map_or(0, |one| one.1);
        Turn { process: self.rank, number }
    }

    /// The process swaps and compares itself. What is to be confirmed first waits, so the firmware does it.
    fn is_home(&self, lock: u32) -> bool {
        home(lock, self.ranks) == self.rank && self.replicas != Some(Order::Confirmed)
    }

    fn send_home(&self, lock: u32, message: Message, actions: &mut Vec<Action>) {
        let home = home(lock, self.ranks);
        actions.push(match self.replicas {
            Some(order) => Action::Ring(Ring::Signal(home, message, order)),
            None => Action::Send(End::Server(home), message),
        });
    }

    /// Line 8: a new request of this process.
    fn begin(
        &mut self,
        lock: u32,
        cause: PlaceCause,
        server: &mut Words,
        actions: &mut Vec<Action>,
    ) -> Option<Turn> {
        if !self.go(lock, cause) {
            actions.push(Action::Misuse(Misuse::Twice(lock)));
            return None;
        }
        if let Some(one) = self.locks.get_mut(&lock) {
            one.1 = one.1.wrapping_add(1);
        }
        let turn = self.turn(lock);
        let link = server.link(self.rank, lock);
        (link.number, link.next) = (turn.number, None);
        self.show(Message::NoNext { lock, turn }, actions);
        Some(turn)
    }

    /// A request that does not wait.
    fn attempt(&mut self, lock: u32, server: &mut Words, actions: &mut Vec<Action>) {
        let Some(turn) = self.begin(lock, PlaceCause::Try, server, actions) else { return };
        if self.is_home(lock) {
            let tail = server.swap_free(lock, turn);
            self.tried(lock, tail, actions);
        } else {
            self.send_home(lock, Message::TrySwap { lock, turn }, actions);
        }
    }

    /// The answer to a request that does not wait: the tail as it was.
    fn tried(&mut self, lock: u32, tail: Option<Turn>, actions: &mut Vec<Action>) {
        let (cause, action) = match tail {
            None => (PlaceCause::Free, Action::Acquired(lock)),
            Some(_) => (PlaceCause::Refuse, Action::Taken(lock)),
        };
        if self.go(lock, cause) {
            actions.push(action);
        }
    }

    /// Line 9.
    fn acquire(&mut self, lock: u32, server: &mut Words, actions: &mut Vec<Action>) {
        let Some(turn) = self.begin(lock, PlaceCause::Ask, server, actions) else { return };
        if !self.is_home(lock) {
            self.send_home(lock, Message::Swap { lock, turn }, actions);
        } else if self.repairs.has(QueueRepairs::ATOMIC) {
            let tail = server.swap(lock, Some(turn));
            self.was(lock, tail, server, actions);
        } else {
            self.reads = Some((lock, server.tail(lock)));
            actions.push(Action::GoOn);
        }
    }

    /// Lines 10 to 12: the lock was free, or its last request comes before this one.
    fn was(
        &mut self,
        lock: u32,
        tail: Option<Turn>,
        server: &mut Words,
        actions: &mut Vec<Action>,
    ) {
        let Some(of) = tail else {
            if self.go(lock, PlaceCause::Free) {
                actions.push(Action::Acquired(lock));
            }
            return;
        };
        if self.go(lock, PlaceCause::Behind) {
            server.link(self.rank, lock).locked = true;
            let next = self.turn(lock);
            self.show(Message::Wait { lock, turn: next }, actions);
            self.tell(of.process, Message::Link { lock, of, next }, server, actions);
        }
    }

    /// A message to the server of a process, which may be this one.
    fn tell(&self, to: NodeId, message: Message, server: &mut Words, actions: &mut Vec<Action>) {
        if let Some(order) = self.replicas {
            actions.push(Action::Ring(Ring::Write(message, order)));
        } else if to == self.rank {
            server.serve(self.rank, &message, actions);
        } else {
            actions.push(Action::Send(End::Server(to), message));
        }
    }

    fn release(&mut self, lock: u32, server: &mut Words, actions: &mut Vec<Action>) {
        if self.place(lock) != Place::Inside {
            actions.push(Action::Misuse(Misuse::NotHeld(lock)));
        } else if self.repairs.has(QueueRepairs::FENCE) {
            self.go(lock, PlaceCause::Fence);
            actions.push(Action::Fence);
        } else {
            self.leave(lock, server, actions);
        }
    }

    /// Lines 17 and 18.
    fn leave(&mut self, lock: u32, server: &mut Words, actions: &mut Vec<Action>) {
        if self.pass(lock, server, actions) || !self.go(lock, PlaceCause::Close) {
            return;
        }
        let turn = self.turn(lock);
        if self.is_home(lock) {
            let tail = server.close(lock, turn);
            self.closed(lock, tail, server, actions);
        } else {
            self.send_home(lock, Message::CompareSwap { lock, turn }, actions);
        }
    }

    /// Hands the lock to the successor, if that is known (line 22).
    fn pass(&mut self, lock: u32, server: &mut Words, actions: &mut Vec<Action>) -> bool {
        let Some(turn) = server.link(self.rank, lock).next else { return false };
        if !self.go(lock, PlaceCause::Pass) {
            return false;
        }
        self.tell(turn.process, Message::Free { lock, turn }, server, actions);
        actions.push(Action::Released(lock));
        true
    }

    /// The answer to line 18.
    fn closed(
        &mut self,
        lock: u32,
        tail: Option<Turn>,
        server: &mut Words,
        actions: &mut Vec<Action>,
    ) {
        if tail == Some(self.turn(lock)) {
            if self.go(lock, PlaceCause::Closed) {
                actions.push(Action::Released(lock));
            }
        } else if self.go(lock, PlaceCause::Late) {
            self.pass(lock, server, actions);
        }
    }

    /// What others may have written.
    fn look(&mut self, server: &mut Words, actions: &mut Vec<Action>) {
        if let Some((lock, tail)) = self.reads.take() {
            server.swap(lock, Some(self.turn(lock)));
            self.was(lock, tail, server, actions);
        }
        let locks: Vec<u32> = self.locks.keys().copied().collect();
        for lock in locks {
            let place = self.place(lock);
            if place == Place::Linking {
                self.pass(lock, server, actions);
            } else if place == Place::Queued
                && !server.link(self.rank, lock).locked
                && self.go(lock, PlaceCause::Given)
            {
                actions.push(Action::Acquired(lock));
            }
        }
    }
}

impl Client for Process {
    type Server = Words;

    fn step(&mut self, event: Event, server: &mut Words, actions: &mut Vec<Action>) {
        match event {
            Event::Acquire(lock) => self.acquire(lock, server, actions),
            Event::Try(lock) => self.attempt(lock, server, actions),
            Event::Release(lock) => self.release(lock, server, actions),
            Event::Fenced => {
                let fencing = self.locks.iter().find(|(_, one)| one.0 == Place::Fencing);
                if let Some(lock) = fencing.map(|(lock, _)| *lock) {
                    self.leave(lock, server, actions);
                }
            }
            Event::Message(_, Message::Was { lock, tail }) => match self.place(lock) {
                Place::Asking => self.was(lock, tail, server, actions),
                Place::Trying => self.tried(lock, tail, actions),
                Place::Closing => self.closed(lock, tail, server, actions),
                _ => {}
            },
            Event::Look => self.look(server, actions),
            _ => {}
        }
    }

    fn summary(&self, server: &Words) -> String {
        let shown = |turn: &Option<Turn>| turn.map_or("none".into(), |turn| turn.to_string());
        let mut words: Vec<String> = Vec::new();
        for (lock, one) in &self.locks {
            let link = server.links.get(&server.key(self.rank, *lock)).cloned().unwrap_or_default();
            let (state, next) = (one.0.name(), shown(&link.next));
            let locked = if link.locked { ", locked" } else { "" };
            words.push(format!("lock {lock} {state}, next {next}{locked}"));
        }
        words.extend(
            server.tails.iter().map(|(lock, tail)| format!("tail of lock {lock}: {}", shown(tail))),
        );
        words.join("; ")
    }
}

impl Words {
    /// The words of a node.
    #[must_use]
    pub fn new(repairs: QueueRepairs) -> Self {
        Words { repairs, links: BTreeMap::new(), tails: BTreeMap::new() }
    }

    fn key(&self, process: NodeId, lock: u32) -> (NodeId, u32) {
        (process, if self.repairs.has(QueueRepairs::NODE_PER_LOCK) { lock } else { 0 })
    }

    fn link(&mut self, process: NodeId, lock: u32) -> &mut Link {
        self.links.entry(self.key(process, lock)).or_default()
    }

    fn tail(&self, lock: u32) -> Option<Turn> {
        self.tails.get(&lock).copied().flatten()
    }

    /// The tail becomes this one; what it was.
    fn swap(&mut self, lock: u32, turn: Option<Turn>) -> Option<Turn> {
        self.tails.insert(lock, turn).flatten()
    }

    /// The request has the lock if that is free; what the tail was.
    fn swap_free(&mut self, lock: u32, turn: Turn) -> Option<Turn> {
        let tail = self.tail(lock);
        if tail.is_none() {
            self.swap(lock, Some(turn));
        }
        tail
    }

    /// The lock becomes free if this request is the last; what the tail was.
    fn close(&mut self, lock: u32, turn: Turn) -> Option<Turn> {
        let tail = self.tail(lock);
        if tail == Some(turn) {
            self.swap(lock, None);
        }
        tail
    }
}

impl Server for Words {
    fn serve(&mut self, from: NodeId, message: &Message, actions: &mut Vec<Action>) {
        let numbers = self.repairs.has(QueueRepairs::NUMBERS);
        let mut answer = |lock, tail| {
            actions.push(Action::Send(End::Process(from), Message::Was { lock, tail }));
        };
        match *message {
            Message::Swap { lock, turn } => answer(lock, self.swap(lock, Some(turn))),
            Message::TrySwap { lock, turn } => answer(lock, self.swap_free(lock, turn)),
            Message::CompareSwap { lock, turn } => answer(lock, self.close(lock, turn)),
            Message::Link { lock, of, next } => {
                let link = self.link(of.process, lock);
                // The same link twice says the same.
                if !numbers || link.number == of.number {
                    link.next = Some(next);
                }
            }
            Message::Free { lock, turn } => {
                let link = self.link(turn.process, lock);
                if !numbers || link.number == turn.number {
                    link.locked = false;
                }
            }
            Message::NoNext { lock, turn } => self.link(turn.process, lock).next = None,
            Message::Wait { lock, turn } => self.link(turn.process, lock).locked = true,
            _ => {}
        }
    }

    fn same(&self, other: &Self) -> bool {
        let words = |words: &Words, key| {
            words.links.get(key).map_or((None, false), |link| (link.next, link.locked))
        };
        let mut keys = self.links.keys().chain(other.links.keys());
        keys.all(|key| words(self, key) == words(other, key))
    }
}
