// SPDX-License-Identifier: MIT OR Apache-2.0
//! The queue lock on a ring: each process has a replica of all words, and each word has one writer.
//!
//! On a cluster (paper 001, 3.2.2) a process writes `next` and `locked` of another one, which writes them, too. On
//! replicas such words end up different. Here a process that waits reads a word of its predecessor in the replica of
//! its node, so that neither `next` nor a compare&swap is needed. There is no try.
//!
//! * `done` of a process is the number of its last request that has given the lock back.
//! * `before` and `answer` of a process are written by the home of the lock: the request before that of the process,
//!   and, after it, the number of the request to which that is the answer.

use super::{Action, Client, Event, Message, Misuse, Ring, Server, Turn, home};
use crate::firmware::lock::newer;
use awgstar_frame::{contract::Order, quantity::NodeId};
use std::collections::BTreeMap;

crate::repairs! {
    /// Repairs of the queue lock on a ring.
    pub struct RingRepairs {
        /// The home serves each request once, however often it is asked.
        ONCE = 0 "each request once";
        /// An answer says which request it is to.
        NUMBER = 1 "number in the answer";
        /// The number is the last word of an answer.
        NUMBER_LAST = 2 "number last";
        /// Numbers are compared by difference.
        DIFFERENCE = 3 "numbers by difference";
        /// A release waits until the writes of its process are in all replicas.
        FENCE = 4 "fence before the release";
    }
}

crate::states! {
    /// State of a process and a lock.
    pub enum Standing, /// Cause of a transition.
    StandingCause, "queue lock on a ring: process" {
        states {
            Idle "idle",
            /// The process waits for the answer of the home.
            Asking "asking",
            /// The process waits for its predecessor.
            Queued "queued",
            Inside "inside",
            /// The process waits until its writes are in all replicas.
            Fencing "fencing",
        }
        causes {
            Ask "ask": Idle => Asking;
            Answer "answer": Asking => Queued;
            Enter "predecessor_done": Queued => Inside;
            Fence "fence": Inside => Fencing;
            Leave "leave": Inside => Idle, Fencing => Idle;
        }
    }
}

/// A process and its locks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    rank: NodeId,
    ranks: usize,
    repairs: RingRepairs,
    /// Number of the request before the first.
    first: u16,
    /// The locks that the process has used, and the number of its last request for each.
    locks: BTreeMap<u32, (Standing, u16)>,
}

/// The words of the locks in the replica of a node, and what the node keeps as a home.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Replica {
    repairs: RingRepairs,
    first: u16,
    /// By process and lock, as all that follows.
    done: BTreeMap<(NodeId, u32), u16>,
    before: BTreeMap<(NodeId, u32), Option<Turn>>,
    answers: BTreeMap<(NodeId, u32), u16>,
    /// Of the home only: the last request that was served of each process.
    served: BTreeMap<(NodeId, u32), u16>,
    /// Of the home only: the last request for the lock.
    tails: BTreeMap<u32, Turn>,
}

impl Process {
    /// The process `rank` of `ranks`.
    #[must_use]
    pub fn new(rank: NodeId, ranks: usize, repairs: RingRepairs) -> Self {
        Process { rank, ranks, repairs, first: 0, locks: BTreeMap::new() }
    }

    /// The number of the request before the first.
    #[must_use]
    pub fn counting_from(self, first: u16) -> Self {
        Process { first, ..self }
    }

    fn go(&mut self, lock: u32, cause: StandingCause) -> bool {
        let first = self.first;
        self.locks.entry(lock).or_insert((Standing::Idle, first)).0.go(cause)
    }

    fn turn(&self, lock: u32) -> Turn {
        let number = self.locks.get(&lock).map_or(self.first, |one| one.1);
        Turn { process: self.rank, number }
    }

    fn acquire(&mut self, lock: u32, server: &mut Replica, actions: &mut Vec<Action>) {
        if !self.go(lock, StandingCause::Ask) {
            actions.push(Action::Misuse(Misuse::Twice(lock)));
            return;
        }
        if let Some(one) = self.locks.get_mut(&lock) {
            one.1 = one.1.wrapping_add(1);
        }
        if home(lock, self.ranks) == self.rank {
            server.ask(lock, self.turn(lock), actions);
        } else {
            self.ask(lock, actions);
        }
    }

    /// Asks the home, also repeatedly: signals may be lost.
    fn ask(&self, lock: u32, actions: &mut Vec<Action>) {
        let swap = Message::Swap { lock, turn: self.turn(lock) };
        actions.push(Action::Ring(Ring::Signal(home(lock, self.ranks), swap, Order::None)));
        actions.push(Action::Ring(Ring::Start));
    }

    fn release(&mut self, lock: u32, actions: &mut Vec<Action>) {
        if self.locks.get(&lock).is_none_or(|one| one.0 != Standing::Inside) {
            actions.push(Action::Misuse(Misuse::NotHeld(lock)));
        } else if self.repairs.has(RingRepairs::FENCE) {
            self.go(lock, StandingCause::Fence);
            actions.push(Action::Fence);
        } else {
            self.leave(lock, actions);
        }
    }

    fn leave(&mut self, lock: u32, actions: &mut Vec<Action>) {
        if self.go(lock, StandingCause::Leave) {
            let done = Message::Done { lock, turn: self.turn(lock) };
            actions.push(Action::Ring(Ring::Write(done, Order::Sent)));
            actions.push(Action::Released(lock));
        }
    }

    /// Looks at the words of those locks for which the process waits.
    fn look(&mut self, server: &Replica, actions: &mut Vec<Action>) {
        let waits = |one: &(Standing, u16)| matches!(one.0, Standing::Asking | Standing::Queued);
        let waits = self.locks.iter().filter(|(_, one)| waits(one));
        for lock in waits.map(|(lock, _)| *lock).collect::<Vec<_>>() {
            let turn = self.turn(lock);
            if server.is_answered(lock, turn) && self.go(lock, StandingCause::Answer) {
                actions.push(Action::Ring(Ring::Stop));
            }
            if server.is_next(lock, turn) && self.go(lock, StandingCause::Enter) {
                actions.push(Action::Acquired(lock));
            }
        }
    }

    fn fenced(&mut self, actions: &mut Vec<Action>) {
        let fencing = self.locks.iter().find(|(_, one)| one.0 == Standing::Fencing);
        if let Some(lock) = fencing.map(|(lock, _)| *lock) {
            self.leave(lock, actions);
        }
    }

    fn again(&self, actions: &mut Vec<Action>) {
        for (lock, _) in self.locks.iter().filter(|(_, one)| one.0 == Standing::Asking) {
            self.ask(*lock, actions);
        }
    }
}

impl Client for Process {
    type Server = Replica;

    fn step(&mut self, event: Event, server: &mut Replica, actions: &mut Vec<Action>) {
        match event {
            Event::Acquire(lock) => self.acquire(lock, server, actions),
            Event::Release(lock) => self.release(lock, actions),
            Event::Fenced => self.fenced(actions),
            Event::Look => self.look(server, actions),
            Event::Timer => self.again(actions),
            _ => {}
        }
    }

    fn summary(&self, server: &Replica) -> String {
        let of_process = |(lock, (state, number)): (&u32, &(Standing, u16))| {
            let done = |((process, of), done): (&(NodeId, u32), &u16)| {
                (of == lock).then(|| format!("{process}: {done}"))
            };
            let done: Vec<String> = server.done.iter().filter_map(done).collect();
            format!("lock {lock} {} {number}, done {{{}}}", state.name(), done.join(", "))
        };
        let mut words: Vec<String> = self.locks.iter().map(of_process).collect();
        words
            .extend(server.tails.iter().map(|(lock, turn)| format!("tail of lock {lock}: {turn}")));
        words.join("; ")
    }
}

impl Replica {
    /// The words of a node.
    #[must_use]
    pub fn new(repairs: RingRepairs) -> Self {
        Replica {
            repairs,
            first: 0,
            done: BTreeMap::new(),
            before: BTreeMap::new(),
            answers: BTreeMap::new(),
            served: BTreeMap::new(),
            tails: BTreeMap::new(),
        }
    }

    /// The number of the request before the first.
    #[must_use]
    pub fn counting_from(self, first: u16) -> Self {
        Replica { first, ..self }
    }

    fn is_newer(&self, a: u16, b: u16) -> bool {
        if self.repairs.has(RingRepairs::DIFFERENCE) { newer(a, b) } else { a > b }
    }

    /// The home gives a request its place.
    fn ask(&mut self, lock: u32, turn: Turn, actions: &mut Vec<Action>) {
        let served = self.served.insert((turn.process, lock), turn.number).unwrap_or(self.first);
        if self.repairs.has(RingRepairs::ONCE) && !self.is_newer(turn.number, served) {
            self.served.insert((turn.process, lock), served);
            return;
        }
        let before = self.tails.insert(lock, turn);
        let before = Message::Before { lock, process: turn.process, before };
        let mut words = [before, Message::Answer { lock, turn }];
        if !self.repairs.has(RingRepairs::NUMBER_LAST) {
            words.reverse();
        }
        let write = |word| Action::Ring(Ring::Write(word, Order::Sent));
        actions.extend(words.map(write));
    }

    /// The home has answered a request.
    fn is_answered(&self, lock: u32, turn: Turn) -> bool {
        let key = (turn.process, lock);
        let is_to_it = self.answers.get(&key) == Some(&turn.number);
        self.before.contains_key(&key) && (is_to_it || !self.repairs.has(RingRepairs::NUMBER))
    }

    /// The request before this one, if there is one, has given the lock back.
    fn is_next(&self, lock: u32, turn: Turn) -> bool {
        let before = self.before.get(&(turn.process, lock)).copied().flatten();
        before.is_none_or(|before| {
            let done = self.done.get(&(before.process, lock)).copied().unwrap_or(self.first);
            !self.is_newer(before.number, done)
        })
    }
}

impl Server for Replica {
    fn serve(&mut self, from: NodeId, message: &Message, actions: &mut Vec<Action>) {
        match *message {
            Message::Swap { lock, turn } => self.ask(lock, turn, actions),
            Message::Before { lock, process, before } => {
                self.before.insert((process, lock), before);
            }
            Message::Answer { lock, turn } => {
                self.answers.insert((turn.process, lock), turn.number);
            }
            Message::Done { lock, turn } => {
                self.done.insert((from, lock), turn.number);
            }
            _ => {}
        }
    }

    fn same(&self, other: &Self) -> bool {
        (&self.done, &self.before, &self.answers) == (&other.done, &other.before, &other.answers)
    }
}
