// SPDX-License-Identifier: MIT OR Apache-2.0
//! What gateways and clients see and do: the memory of their node, frames, messages between gateways.

use crate::line::Note;
use crate::words::{Operation, Requester, RingNumber, Slot, Status, Word, number};
use awgstar_frame::quantity::{ByteAddress, narrow};
use std::fmt;

/// The replica of the ring's memory at a node.
pub trait Memory {
    /// A word; 0 where nothing was stored.
    fn word(&self, word: Word) -> u32;

    /// Words of a gateway that this replica has, since its board was reset, modulo 2^32. For the gateway itself it is
    /// what its board has accepted; for another one, what has come.
    fn stored(&self, by: Slot) -> u32;
}

/// Words that are stored at once, in every replica.
pub type Frame = Vec<(Word, u32)>;

/// How a frame goes to the other replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// After all frames of this node before it.
    After,
    /// As published, a second way: nothing is after or before it.
    Beside,
}

/// Words of the memory that follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// Address of the first.
    pub first: ByteAddress,
    pub values: Vec<u32>,
}

/// Action of a client or a gateway; the driver carries actions out in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// These words are stored.
    Store(Frame, Order),
    /// An event when all frames of this node are in all replicas.
    Flush,
    /// A message to the gateway of a neighbouring ring, after those before it.
    Send(RingNumber, Message),
    /// All windows of the ring are read again, in order among what is written there: [`crate::gateway::Event::Filled`].
    Fill,
    /// The client's request is done; the words that it read.
    Done(Status, Vec<u32>),
    /// The client may leave the barrier.
    Passed,
}

/// A request between gateways.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    pub from: Requester,
    pub number: u16,
    pub target: RingNumber,
    pub operation: Operation,
    pub address: ByteAddress,
    /// Words to be read.
    pub length: u16,
    /// Words to be stored.
    pub data: Vec<u32>,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    pub to: Requester,
    pub number: u16,
    pub status: Status,
    pub values: Vec<u32>,
}

/// What a gateway says of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum About {
    /// The ring asks its manager for a turn.
    Ask,
    /// The manager gives it.
    Given,
    /// The manager says that other rings wait.
    Wanted,
    /// The ring gives it back.
    Back,
}

/// A message of a turn: between the manager of a lock and the gateway of the ring that has, or wants, the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    pub to: RingNumber,
    pub about: About,
    pub lock: u16,
    /// The ring of the turn.
    pub ring: RingNumber,
    /// The number of the turn among those of its ring.
    pub number: u16,
}

/// A message between two gateways.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    /// Requests for one ring, together (paper 004, section 4.1, step 3).
    Requests(Vec<Request>),
    Answer(Answer),
    /// All below this gateway have arrived in this episode of the barrier.
    Arrived(u16),
    /// All may leave this episode.
    Released(u16),
    /// What the ring has written into a window.
    Reflected(Block),
    /// All windows of the ring were sent once more.
    Whole,
    /// A lock of all rings.
    Turn(Turn),
    /// Of lines of the cache.
    Note(Note),
}

impl Message {
    /// Words of 32 bits on a link: a head, and for each request or answer its requester with its number, its address or
    /// status, and its data; for a line its rings, number and words.
    #[must_use]
    pub fn words(&self) -> u32 {
        let words = match self {
            Message::Requests(all) => all.iter().map(|one| 4 + one.data.len()).sum(),
            Message::Answer(answer) => 3 + answer.values.len(),
            Message::Arrived(_) | Message::Released(_) | Message::Whole => 0,
            Message::Reflected(block) => 1 + block.values.len(),
            Message::Turn(_) => 2,
            Message::Note(note) => note.words(),
        };
        1 + narrow::<u32>(words)
    }
}

/// The number in a word.
pub(crate) fn number_of(memory: &impl Memory, word: Word) -> u16 {
    number(memory.word(word))
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.address.word();
        match self.operation {
            Operation::Get => write!(f, "{}: #{} gets word {word}", self.from, self.number),
            Operation::Put => {
                write!(f, "{}: #{} puts {:?} at {word}", self.from, self.number, self.data)
            }
        }
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Turn { ring, number, lock, .. } = self;
        match self.about {
            About::Ask => write!(f, "ring {ring} asks for turn {number} of lock {lock}"),
            About::Given => write!(f, "ring {ring} has turn {number} of lock {lock}"),
            About::Wanted => write!(f, "others wait for the end of turn {number} of lock {lock}"),
            About::Back => write!(f, "turn {number} of lock {lock} of ring {ring} is over"),
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Requests(all) => {
                for (at, one) in all.iter().enumerate() {
                    write!(f, "{}{one}", if at == 0 { "" } else { "; " })?;
                }
                Ok(())
            }
            Message::Answer(answer) if answer.values.is_empty() => {
                write!(f, "answer to #{} of {}", answer.number, answer.to)
            }
            Message::Answer(answer) => {
                write!(f, "answer {:?} to #{} of {}", answer.values, answer.number, answer.to)
            }
            Message::Arrived(episode) => write!(f, "all have arrived in {episode}"),
            Message::Released(episode) => write!(f, "all may leave {episode}"),
            Message::Whole => f.write_str("the windows are whole"),
            Message::Turn(turn) => turn.fmt(f),
            Message::Note(note) => note.fmt(f),
            Message::Reflected(Block { first, values }) => {
                write!(f, "{values:?} of the window, at word {}", first.word())
            }
        }
    }
}
