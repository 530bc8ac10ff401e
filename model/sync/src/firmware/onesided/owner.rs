// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accumulate and read-modify-write on a ring: by the firmware of the word's owner, in the replica there.
//!
//! Paper 001 leaves them to the server of the word's node (section 2), which writes one memory. Here the owner
//! writes to all replicas, beside the puts of others. A process writes its request into words of the shared memory
//! and rings the owner's doorbell, which may be lost or ring twice; the owner updates the word and writes an answer.
//! A process has one request at a time.

use super::{Access, Action, Client, Event, Message, Ring, Server, Turn, home};
use crate::firmware::lock::newer;
use awgstar_frame::{contract::Order, quantity::NodeId};
use std::collections::BTreeMap;

crate::repairs! {
    /// Repairs of accumulate and read-modify-write by the owner.
    pub struct OwnerRepairs {
        /// A get of a word waits for the answer to the process's update of it.
        READ_WAITS = 0 "a get waits for the answer";
        /// A fence waits for the answer; without it for the writes of its node only.
        FENCE_WAITS = 1 "a fence waits for the answer";
        /// The owner answers when its update is in all replicas.
        ANSWER_CONFIRMED = 2 "answer confirmed";
        /// The doorbell rings when earlier puts of the process are in all replicas.
        REQUEST_CONFIRMED = 3 "request confirmed";
        /// A put to a word waits for the answer to the process's update of it.
        PUT_WAITS = 4 "a put waits for the answer";
        /// The owner serves each request once, however often its doorbell rings.
        ONCE = 5 "each request once";
    }
}

crate::states! {
    /// State of a process and its request.
    pub enum Asked, /// Cause of a transition.
    AskedCause, "owner of a word: process" {
        states {
            Idle "idle",
            /// The owner has the request, and the process goes on.
            Open "open",
            /// The process waits for the answer.
            Held "held",
        }
        causes {
            Ask "ask": Idle => Open;
            Hold "hold": Open => Held;
            Answer "answer": Open => Idle, Held => Idle;
        }
    }
}

/// A call of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Wanted {
    /// The answer to the request that is open.
    Answer,
    Word(u32, Access),
    Fence,
}

/// A process and its request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    rank: NodeId,
    ranks: usize,
    repairs: OwnerRepairs,
    state: Asked,
    /// Number of the last request.
    number: u16,
    /// The word that the last request is about.
    word: u32,
    /// What waits for the answer.
    held: Option<Wanted>,
}

/// What a process asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Request {
    number: u16,
    word: u32,
    more: u32,
}

/// The replica of a node, and what the node keeps as an owner.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    rank: NodeId,
    ranks: usize,
    repairs: OwnerRepairs,
    first: u16,
    words: BTreeMap<u32, u32>,
    requests: BTreeMap<NodeId, Request>,
    /// By owner and process: number of the request, and the word as it was.
    answers: BTreeMap<(NodeId, NodeId), (u16, u32)>,
    /// Of the owner only: the last request that was served of each process.
    served: BTreeMap<NodeId, u16>,
}

impl Process {
    /// The process `rank` of `ranks`; the owner of a word is its [`home`].
    #[must_use]
    pub fn new(rank: NodeId, ranks: usize, repairs: OwnerRepairs) -> Self {
        let state = Asked::Idle;
        Process { rank, ranks, repairs, state, number: 0, word: 0, held: None }
    }

    /// The number of the request before the first.
    #[must_use]
    pub fn counting_from(self, number: u16) -> Self {
        Process { number, ..self }
    }

    /// The call has to wait for the answer.
    fn must_wait(&self, wanted: Wanted) -> bool {
        let repair = match wanted {
            Wanted::Answer | Wanted::Word(_, Access::Add(_) | Access::Fetch(_)) => return true,
            Wanted::Word(word, _) if word != self.word => return false,
            Wanted::Word(_, Access::Get) => OwnerRepairs::READ_WAITS,
            Wanted::Word(_, Access::Put(_)) => OwnerRepairs::PUT_WAITS,
            Wanted::Fence => OwnerRepairs::FENCE_WAITS,
        };
        self.repairs.has(repair)
    }

    fn call(&mut self, wanted: Wanted, server: &mut Segment, actions: &mut Vec<Action>) {
        if self.must_wait(wanted) && self.state.go(AskedCause::Hold) {
            self.held = Some(wanted);
        } else {
            self.carry_out(wanted, server, actions);
        }
    }

    fn carry_out(&mut self, wanted: Wanted, server: &mut Segment, actions: &mut Vec<Action>) {
        let done = |value| Action::Ring(Ring::Done(value));
        let (word, more, waits) = match wanted {
            Wanted::Answer => return actions.push(done(Some(server.old(self.word, self.rank).1))),
            Wanted::Fence => return actions.push(Action::Fence),
            Wanted::Word(word, Access::Get) => return actions.push(done(Some(server.word(word)))),
            Wanted::Word(word, Access::Put(value)) => {
                actions.push(write(Message::Word { word, value }, Order::Sent));
                return actions.push(done(None));
            }
            Wanted::Word(word, Access::Add(more)) => (word, more, false),
            Wanted::Word(word, Access::Fetch(more)) => (word, more, true),
        };
        if home(word, self.ranks) == self.rank {
            let old = server.update(word, more, actions);
            return actions.push(done(waits.then_some(old)));
        }
        self.state.go(AskedCause::Ask);
        (self.number, self.word) = (self.number.wrapping_add(1), word);
        actions.push(write(Message::Request { word, more, number: self.number }, Order::Sent));
        self.ring(actions);
        if waits {
            self.call(Wanted::Answer, server, actions);
        } else {
            actions.push(done(None));
        }
    }

    /// Rings the doorbell, also repeatedly: signals may be lost.
    fn ring(&self, actions: &mut Vec<Action>) {
        let confirmed = self.repairs.has(OwnerRepairs::REQUEST_CONFIRMED);
        let owner = home(self.word, self.ranks);
        actions.push(Action::Ring(Ring::Signal(owner, Message::Doorbell, order(confirmed))));
        actions.push(Action::Ring(Ring::Start));
    }

    /// Looks for the answer.
    fn look(&mut self, server: &mut Segment, actions: &mut Vec<Action>) {
        if self.state == Asked::Idle || server.old(self.word, self.rank).0 != self.number {
            return;
        }
        self.state.go(AskedCause::Answer);
        actions.push(Action::Ring(Ring::Stop));
        if let Some(held) = self.held.take() {
            self.carry_out(held, server, actions);
        }
    }
}

fn write(word: Message, order: Order) -> Action {
    Action::Ring(Ring::Write(word, order))
}

const fn order(confirmed: bool) -> Order {
    if confirmed { Order::Confirmed } else { Order::Sent }
}

impl Client for Process {
    type Server = Segment;

    fn step(&mut self, event: Event, server: &mut Segment, actions: &mut Vec<Action>) {
        match event {
            Event::Word(word, access) => self.call(Wanted::Word(word, access), server, actions),
            Event::Fence => self.call(Wanted::Fence, server, actions),
            Event::Fenced => actions.push(Action::Ring(Ring::Done(None))),
            Event::Look => self.look(server, actions),
            Event::Timer if self.state != Asked::Idle => self.ring(actions),
            _ => {}
        }
    }

    fn summary(&self, server: &Segment) -> String {
        let words = server.words.iter().map(|(word, value)| format!("word {word} is {value}"));
        let state = format!("{}, request {}", self.state.name(), self.number);
        [state].into_iter().chain(words).collect::<Vec<_>>().join("; ")
    }
}

impl Segment {
    /// The replica of the node of process `rank`.
    #[must_use]
    pub fn new(rank: NodeId, ranks: usize, repairs: OwnerRepairs) -> Self {
        Segment {
            rank,
            ranks,
            repairs,
            first: 0,
            words: BTreeMap::new(),
            requests: BTreeMap::new(),
            answers: BTreeMap::new(),
            served: BTreeMap::new(),
        }
    }

    /// The number of the request before the first of each process.
    #[must_use]
    pub fn counting_from(self, first: u16) -> Self {
        Segment { first, ..self }
    }

    /// The owner of a word adds to it; the word as it was.
    fn update(&self, word: u32, more: u32, actions: &mut Vec<Action>) -> u32 {
        let old = self.word(word);
        let value = old.wrapping_add(more);
        actions.push(write(Message::Word { word, value }, Order::Sent));
        old
    }

    /// The last answer of the owner of a word to a process.
    fn old(&self, word: u32, process: NodeId) -> (u16, u32) {
        let key = (home(word, self.ranks), process);
        self.answers.get(&key).copied().unwrap_or((self.first, 0))
    }

    /// The doorbell rings.
    fn ring(&mut self, process: NodeId, actions: &mut Vec<Action>) {
        let Some(&Request { number, word, more }) = self.requests.get(&process) else { return };
        let served = self.served.get(&process).copied().unwrap_or(self.first);
        // A late doorbell may find a request to another owner.
        let once = self.repairs.has(OwnerRepairs::ONCE) && !newer(number, served);
        if once || home(word, self.ranks) != self.rank {
            return;
        }
        self.served.insert(process, number);
        let old = self.update(word, more, actions);
        let confirmed = self.repairs.has(OwnerRepairs::ANSWER_CONFIRMED);
        let turn = Turn { process, number };
        actions.push(write(Message::Old { turn, old }, order(confirmed)));
    }
}

impl Server for Segment {
    fn serve(&mut self, from: NodeId, message: &Message, actions: &mut Vec<Action>) {
        match *message {
            Message::Doorbell => self.ring(from, actions),
            Message::Request { word, more, number } => {
                self.requests.insert(from, Request { number, word, more });
            }
            Message::Word { word, value } => {
                self.words.insert(word, value);
            }
            Message::Old { turn, old } => {
                self.answers.insert((from, turn.process), (turn.number, old));
            }
            _ => {}
        }
    }

    fn word(&self, word: u32) -> u32 {
        self.words.get(&word).copied().unwrap_or(0)
    }

    fn same(&self, other: &Self) -> bool {
        (&self.words, &self.requests, &self.answers)
            == (&other.words, &other.requests, &other.answers)
    }
}
