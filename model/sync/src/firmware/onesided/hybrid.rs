// SPDX-License-Identifier: MIT OR Apache-2.0
//! The hybrid lock (paper 001, 3.2.1): a process at the home of the lock takes a ticket and polls the counter;
//! for others the server of the home takes the ticket and answers when the counter has reached it.

use super::{Action, Client, End, Event, Message, Misuse, Server};
use awgstar_frame::quantity::NodeId;
use std::collections::BTreeMap;

crate::repairs! {
    /// Repairs of the hybrid lock.
    pub struct HybridRepairs {
        /// A holder at the home leaves the counter to the server; the text on tickets lets it write the counter.
        BY_SERVER = 0 "counter by the server";
        /// More ticket numbers than processes; without it there are two.
        RANGE = 1 "more tickets than processes";
        /// A release waits until the puts of its process are in place.
        FENCE = 2 "fence before the release";
    }
}

crate::states! {
    /// State of a process and a lock.
    pub enum Holding, /// Cause of a transition.
    HoldingCause, "hybrid lock: process" {
        states {
            Idle "idle",
            /// The process waits for the answer of the server.
            Asking "asking",
            /// The process at the home polls the counter.
            Polling "polling",
            Inside "inside",
            /// The process waits until its puts are in place.
            Fencing "fencing",
        }
        causes {
            Ask "ask": Idle => Asking;
            Take "take": Idle => Polling;
            Enter "enter": Asking => Inside, Polling => Inside;
            /// The lock is taken, and the process does not wait.
            Refuse "refuse": Asking => Idle;
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
    repairs: HybridRepairs,
    /// The locks that the process has used, and its ticket for each where it is at home.
    locks: BTreeMap<u32, (Holding, u16)>,
}

/// A lock at its home.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Tickets {
    ticket: u16,
    counter: u16,
    /// Requests of other nodes that wait, with their tickets.
    queue: Vec<(NodeId, u16)>,
}

/// The locks of which a node is the home.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Home {
    repairs: HybridRepairs,
    locks: BTreeMap<u32, Tickets>,
}

/// The home of a lock: locks are dealt out to the processes in turn.
#[must_use]
pub fn home(lock: u32, ranks: usize) -> NodeId {
    NodeId::at(lock as usize % ranks.max(1))
}

impl Process {
    /// The process `rank` of `ranks`.
    #[must_use]
    pub fn new(rank: NodeId, ranks: usize, repairs: HybridRepairs) -> Self {
        Process { rank, ranks, repairs, locks: BTreeMap::new() }
    }

    fn send_home(&self, lock: u32, message: Message, actions: &mut Vec<Action>) {
        actions.push(Action::Send(End::Server(home(lock, self.ranks)), message));
    }

    fn go(&mut self, lock: u32, cause: HoldingCause) -> bool {
        self.locks.entry(lock).or_insert((Holding::Idle, 0)).0.go(cause)
    }

    fn request(&mut self, lock: u32, once: bool, server: &mut Home, actions: &mut Vec<Action>) {
        if self.locks.get(&lock).is_some_and(|one| one.0 != Holding::Idle) {
            actions.push(Action::Misuse(Misuse::Twice(lock)));
        } else if once || home(lock, self.ranks) != self.rank {
            // Who does not wait comes after its own unlock, which may be under way to the server.
            self.go(lock, HoldingCause::Ask);
            self.send_home(lock, Message::Lock { lock, once }, actions);
        } else if let Some(ticket) = server.take(lock, false) {
            self.go(lock, HoldingCause::Take);
            self.locks.insert(lock, (Holding::Polling, ticket));
            self.poll(server, actions);
        }
    }

    /// Looks at the counters of the locks that it polls.
    fn poll(&mut self, server: &Home, actions: &mut Vec<Action>) {
        for (lock, (state, ticket)) in &mut self.locks {
            let counter = server.locks.get(lock).map(|one| one.counter);
            if *state == Holding::Polling
                && counter == Some(*ticket)
                && state.go(HoldingCause::Enter)
            {
                actions.push(Action::Acquired(*lock));
            }
        }
    }

    fn release(&mut self, lock: u32, server: &mut Home, actions: &mut Vec<Action>) {
        if self.locks.get(&lock).is_none_or(|one| one.0 != Holding::Inside) {
            actions.push(Action::Misuse(Misuse::NotHeld(lock)));
        } else if self.repairs.has(HybridRepairs::FENCE) {
            self.go(lock, HoldingCause::Fence);
            actions.push(Action::Fence);
        } else {
            self.leave(lock, server, actions);
        }
    }

    fn leave(&mut self, lock: u32, server: &mut Home, actions: &mut Vec<Action>) {
        self.go(lock, HoldingCause::Leave);
        if home(lock, self.ranks) == self.rank && !self.repairs.has(HybridRepairs::BY_SERVER) {
            // As in the text on tickets: the server does not learn of it.
            server.step(lock);
        } else {
            self.send_home(lock, Message::Unlock { lock }, actions);
        }
        actions.push(Action::Released(lock));
    }
}

impl Client for Process {
    type Server = Home;

    fn step(&mut self, event: Event, server: &mut Home, actions: &mut Vec<Action>) {
        match event {
            Event::Acquire(lock) => self.request(lock, false, server, actions),
            Event::Try(lock) => self.request(lock, true, server, actions),
            Event::Release(lock) => self.release(lock, server, actions),
            Event::Fenced => {
                let fencing = self.locks.iter().find(|(_, one)| one.0 == Holding::Fencing);
                if let Some(lock) = fencing.map(|(lock, _)| *lock) {
                    self.leave(lock, server, actions);
                }
            }
            Event::Message(_, Message::Locked { lock, yes }) => {
                let (cause, action) = if yes {
                    (HoldingCause::Enter, Action::Acquired(lock))
                } else {
                    (HoldingCause::Refuse, Action::Taken(lock))
                };
                if self.go(lock, cause) {
                    actions.push(action);
                }
            }
            Event::Look => self.poll(server, actions),
            _ => {}
        }
    }

    fn summary(&self, server: &Home) -> String {
        let mut words: Vec<String> =
            self.locks.iter().map(|(lock, one)| format!("lock {lock} {}", one.0.name())).collect();
        words.extend(server.locks.iter().map(|(lock, one)| {
            format!("home of {lock}: ticket {}, counter {}", one.ticket, one.counter)
        }));
        words.join("; ")
    }
}

impl Home {
    /// The locks of a node of `repairs`.
    #[must_use]
    pub fn new(repairs: HybridRepairs) -> Self {
        Home { repairs, locks: BTreeMap::new() }
    }

    fn next(&self, number: u16) -> u16 {
        if self.repairs.has(HybridRepairs::RANGE) { number.wrapping_add(1) } else { number ^ 1 }
    }

    /// Takes a ticket, in one step; with `once` only the one that is served now.
    fn take(&mut self, lock: u32, once: bool) -> Option<u16> {
        let Tickets { ticket, counter, .. } = *self.locks.entry(lock).or_default();
        if once && ticket != counter {
            return None;
        }
        let next = self.next(ticket);
        self.locks.entry(lock).or_default().ticket = next;
        Some(ticket)
    }

    /// The next ticket is served.
    fn step(&mut self, lock: u32) -> u16 {
        let counter = self.locks.entry(lock).or_default().counter;
        let counter = self.next(counter);
        self.locks.entry(lock).or_default().counter = counter;
        counter
    }
}

impl Server for Home {
    fn serve(&mut self, from: NodeId, message: &Message, actions: &mut Vec<Action>) {
        let answer = |to, lock, yes, actions: &mut Vec<Action>| {
            actions.push(Action::Send(End::Process(to), Message::Locked { lock, yes }));
        };
        match *message {
            Message::Lock { lock, once } => match self.take(lock, once) {
                None => answer(from, lock, false, actions),
                Some(ticket) => {
                    let one = self.locks.entry(lock).or_default();
                    if one.counter == ticket {
                        answer(from, lock, true, actions);
                    } else {
                        one.queue.push((from, ticket));
                    }
                }
            },
            Message::Unlock { lock } => {
                let counter = self.step(lock);
                let one = self.locks.entry(lock).or_default();
                if one.queue.first().is_some_and(|(_, ticket)| *ticket == counter) {
                    let (next, _) = one.queue.remove(0);
                    answer(next, lock, true, actions);
                }
            }
            _ => {}
        }
    }
}
