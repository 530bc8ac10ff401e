// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interface of the one-sided protocols: a process, and a server for each of them.
//!
//! The memory of a process is shared with the server of its node. So the words of a protocol are in the
//! [`Server`], and a [`Client`] is given the server of the same node: what it does there is its direct access.

use awgstar_frame::{contract::Order, quantity::NodeId};
use core::{fmt, fmt::Debug, hash::Hash};
use thiserror::Error;

/// The end of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// The process with this number.
    Process(NodeId),
    /// The server of the node on which this process is.
    Server(NodeId),
}

/// A request for a queue lock: its process, and which of its requests it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    pub process: NodeId,
    /// Number of the request among those of the process for this lock, modulo 65,536.
    pub number: u16,
}

/// A message of a protocol. Its sender is known from the channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    /// To a server: answer when so many puts of mine to this process are written since the start, modulo 2^32.
    Fence { target: NodeId, puts: u32 },
    /// The answer to [`Message::Fence`].
    Confirm,
    /// Between processes: counts of puts for each process, in a phase of an episode of the barrier.
    Sums { episode: u16, phase: u8, counts: Vec<u32> },
    /// Between processes: arrival in a phase of an episode.
    Arrive { episode: u16, phase: u8 },
    /// To the home of a hybrid lock: a request; `once` if it does not wait.
    Lock { lock: u32, once: bool },
    /// The answer to [`Message::Lock`]: false only to one that does not wait.
    Locked { lock: u32, yes: bool },
    /// To the home of a hybrid lock: it is free.
    Unlock { lock: u32 },
    /// To the home of a queue lock: the tail becomes this request.
    Swap { lock: u32, turn: Turn },
    /// To the home of a queue lock: this request gets it if it is free.
    TrySwap { lock: u32, turn: Turn },
    /// To the home of a queue lock: it becomes free if this request is the tail.
    CompareSwap { lock: u32, turn: Turn },
    /// The tail of a queue lock as it was.
    Was { lock: u32, tail: Option<Turn> },
    /// To the server of a process in the queue: `next` comes after its request.
    Link { lock: u32, of: Turn, next: Turn },
    /// To the server of a process in the queue: its request has the lock.
    Free { lock: u32, turn: Turn },
    /// Word on a ring: no request comes after this one.
    NoNext { lock: u32, turn: Turn },
    /// Word on a ring: this request waits for the one before it.
    Wait { lock: u32, turn: Turn },
    /// Word on a ring, of the home: what comes before the request of a process.
    Before { lock: u32, process: NodeId, before: Option<Turn> },
    /// Word on a ring, of the home: the request that [`Message::Before`] is about.
    Answer { lock: u32, turn: Turn },
    /// Word on a ring, of the process: its request has given the lock back.
    Done { lock: u32, turn: Turn },
    /// Words on a ring, of the process: what it asks the owner of a word for.
    Request { word: u32, more: u32, number: u16 },
    /// To the owner of a word, on a ring: look at my request.
    Doorbell,
    /// Word on a ring.
    Word { word: u32, value: u32 },
    /// Words on a ring, of the owner: the word as it was before this request.
    Old { turn: Turn, old: u32 },
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "request {} of process {}", self.number, self.process)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Fence { target, puts } => write!(f, "fence of {puts} puts to {target}"),
            Message::Confirm => f.write_str("confirmation"),
            Message::Sums { episode, phase, counts } => {
                write!(f, "sums {counts:?} of episode {episode}, phase {phase}")
            }
            Message::Arrive { episode, phase } => {
                write!(f, "arrival in episode {episode}, phase {phase}")
            }
            Message::Lock { lock, once: false } => write!(f, "request for lock {lock}"),
            Message::Lock { lock, once: true } => write!(f, "try of lock {lock}"),
            Message::Locked { lock, yes: true } => write!(f, "lock {lock} is granted"),
            Message::Locked { lock, yes: false } => write!(f, "lock {lock} is taken"),
            Message::Unlock { lock } => write!(f, "unlock of lock {lock}"),
            Message::Swap { lock, turn } => write!(f, "swap of lock {lock} to {turn}"),
            Message::TrySwap { lock, turn } => write!(f, "lock {lock}, if it is free, to {turn}"),
            Message::CompareSwap { lock, turn } => {
                write!(f, "lock {lock} becomes free if its tail is {turn}")
            }
            Message::Was { lock, tail: None } => write!(f, "lock {lock} was free"),
            Message::Was { lock, tail: Some(turn) } => write!(f, "tail of lock {lock} was {turn}"),
            Message::Link { lock, of, next } => write!(f, "lock {lock}: after {of} comes {next}"),
            Message::Free { lock, turn } => write!(f, "lock {lock} is handed to {turn}"),
            Message::NoNext { lock, turn } => write!(f, "lock {lock}: nothing comes after {turn}"),
            Message::Wait { lock, turn } => write!(f, "lock {lock}: {turn} waits"),
            Message::Before { lock, process, before: None } => {
                write!(f, "lock {lock}: nothing comes before process {process}")
            }
            Message::Before { lock, process, before: Some(turn) } => {
                write!(f, "lock {lock}: before process {process} comes {turn}")
            }
            Message::Answer { lock, turn } => write!(f, "lock {lock}: {turn} is answered"),
            Message::Done { lock, turn } => write!(f, "lock {lock}: {turn} is done"),
            Message::Request { word, more, number } => {
                write!(f, "request {number}: {more} more in word {word}")
            }
            Message::Doorbell => f.write_str("doorbell"),
            Message::Word { word, value } => write!(f, "word {word} is {value}"),
            Message::Old { turn, old } => write!(f, "{turn} found {old}"),
        }
    }
}

/// What a process does with a word of the shared memory of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    Get,
    Put(u32),
    /// So much more; the process does not wait (accumulate).
    Add(u32),
    /// So much more, and the word as it was (read-modify-write).
    Fetch(u32),
}

/// Event for a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The process has sent a put to another one.
    Put(NodeId),
    /// The process calls the barrier with a fence.
    Enter,
    /// The process wants the lock and waits for it.
    Acquire(u32),
    /// The process wants the lock if it is free.
    Try(u32),
    /// The process that has the lock gives it up.
    Release(u32),
    /// A message of this process or server is here.
    Message(NodeId, Message),
    /// The server of the process's own node has done something, or the process goes on after [`Action::GoOn`].
    Look,
    /// What [`Action::Fence`] asked for is done.
    Fenced,
    /// The process accesses this word.
    Word(u32, Access),
    /// The process calls the fence: all that it did before is in place.
    Fence,
    /// The timer of a request has run out.
    Timer,
}

/// Action of a process or of a server; the driver carries actions out in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Send this message, after those to the same end before it.
    Send(End, Message),
    /// [`Event::Fenced`] when all puts of this process are in place.
    Fence,
    /// [`Event::Look`] in a separate step.
    GoOn,
    /// The process sleeps until its server has done something; with a value only if
    /// [`Client::watched`] is still the same.
    Sleep(Option<u32>),
    /// The process may pass the barrier.
    Passed,
    /// The process has the lock.
    Acquired(u32),
    /// The lock is taken: the answer to [`Event::Try`].
    Taken(u32),
    /// The process may ask for the lock again.
    Released(u32),
    /// The call is an error of the program; nothing has happened.
    Misuse(Misuse),
    /// What there is on a ring only.
    Ring(Ring),
}

/// Action on a ring of replicas of the memory: a write is in the replica of its node at once, and comes to each other one
/// later, after the earlier writes of its node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ring {
    /// Every server is to handle this word, that of this node too. [`Order::Confirmed`]: when the writes of this node
    /// before it are in all replicas.
    Write(Message, Order),
    /// The server of a process is to handle this message. A signal may be lost.
    Signal(NodeId, Message, Order),
    /// The timer of the request starts.
    Start,
    /// The timer stops, if it runs.
    Stop,
    /// The access or the fence of the process is done; the value of a get or a fetch.
    Done(Option<u32>),
}

/// An error of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum Misuse {
    #[error("barrier: called by a process that waits at it; expected one call at a time")]
    Nested,
    #[error("lock {0}: requested by a process that has it or waits for it")]
    Twice(u32),
    #[error("lock {0}: released by a process that does not hold it; expected its holder")]
    NotHeld(u32),
}

/// A process that cannot be in a barrier of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GroupError {
    #[error("group: process {0} is not in it; expected it among the members")]
    NotMember(NodeId),
    #[error("group: member {found}; expected processes 0 to {}", ranks.saturating_sub(1))]
    NoProcess { found: NodeId, ranks: usize },
}

/// The process's side of a protocol.
pub trait Client: Clone + Debug + Eq + Hash {
    /// The server's side, with the words in the memory of the node.
    type Server: Server;

    /// Handles an event and appends the resulting actions. `server` is that of the process's own node.
    fn step(&mut self, event: Event, server: &mut Self::Server, actions: &mut Vec<Action>);

    /// The process in a few words, for a run that is read.
    fn summary(&self, server: &Self::Server) -> String;

    /// The value that [`Action::Sleep`] is about, now.
    fn watched(&self, _server: &Self::Server) -> u32 {
        0
    }
}

/// The server's side of a protocol.
pub trait Server: Clone + Debug + Eq + Hash {
    /// Handles a message of a process and appends the resulting actions.
    fn serve(&mut self, from: NodeId, message: &Message, actions: &mut Vec<Action>);

    /// A put of a process to another one is counted: before or after it is written, as
    /// [`Server::counts_first`] says. `library`: no process has counted it.
    fn count(&mut self, _puts: (NodeId, NodeId), _library: bool, _actions: &mut Vec<Action>) {}

    /// Puts are counted before they are written, in separate steps.
    fn counts_first(&self) -> bool {
        false
    }

    /// On a ring: a word of the replica that programs use.
    fn word(&self, _word: u32) -> u32 {
        0
    }

    /// On a ring: the words that all nodes have are the same as in the other replica.
    fn same(&self, _other: &Self) -> bool {
        true
    }
}
