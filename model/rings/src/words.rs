// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words of channels: who writes each, and what it says.

use awgstar_frame::quantity::{ByteAddress, NodeId};
use std::fmt;
use thiserror::Error;

/// Number of a ring: the first dimension of an address (paper 004, section 4.3).
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RingNumber(pub u16);

/// A gateway among those of its ring: 0, or 1 for a standby.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u8);

/// A client, as another ring knows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Requester {
    pub ring: RingNumber,
    pub client: NodeId,
}

/// A word of the memory of a ring. The node that is named, or the gateway of the slot, is its only writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Word {
    /// Number, operation and length of a client's request: [`Head`].
    Request(NodeId),
    /// The ring that the request is for.
    Target(NodeId),
    /// The address in that ring.
    Address(NodeId),
    /// A word to be stored there.
    Data(NodeId, u16),
    /// The last episode of the barrier in which the client has arrived, and how often it has called locks.
    Arrival(NodeId),
    /// As published: the number of the last request that was read from the channel, and so cleared.
    Taken(Slot, NodeId),
    /// The number of the last request that was answered, and its [`Status`].
    Reply(Slot, NodeId),
    /// A word that the request has read.
    Value(Slot, NodeId, u16),
    /// The last episode of the barrier that all may leave.
    Release(Slot),
    /// At home: number, operation and length of the request that is carried out.
    Intent(Slot, Requester),
    /// Its address.
    IntentAddress(Slot, Requester),
    /// Words that the board will have accepted when it has all of the intent.
    IntentAt(Slot, Requester),
    /// A word that it stores.
    IntentData(Slot, Requester, u16),
    /// At home: the number of the last request that is done, and its [`Status`].
    Done(Slot, Requester),
    /// A word that it has read.
    Result(Slot, Requester, u16),
    /// The number of the client's last call of a lock of all rings, and whether it was given up since.
    Want(NodeId, u16),
    /// The client of the ring that has had the lock last, and the number of its call.
    Grant(Slot, u16),
    /// The number of the last turn of the ring, and what the gateway has of it.
    Turn(Slot, u16),
    /// At the lock's manager: the ring that has the turn, and its number.
    Owner(Slot, u16),
    /// The number of the line of another ring that is in this place: odd while it may be read. Its near gateway alone
    /// writes it and what follows.
    Line(u16),
    /// The ring that it is of.
    LineRing(u16),
    /// The address of its first word there.
    LineAddress(u16),
    /// A word of it.
    Cached(u16, u16),
    /// At home: the firmware of the gateway has begun before, so other rings may have lines of this one.
    Begun(Slot),
    /// The memory that programs use.
    Memory(ByteAddress),
}

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    Get,
    Put,
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    Good,
    /// No way leads to the ring.
    NoRing,
    /// The memory of the ring ends before the last word.
    NoAddress,
    /// The first word of the request has no operation, or a length that no channel has room for.
    NoRequest,
}

/// The first word of a request: number 16, operation 4, length 12 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Head {
    pub number: u16,
    pub operation: Operation,
    /// In words of 32 bits.
    pub length: u16,
}

/// A word whose codes mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Codes {
    #[error("operation: {0}; expected 1 or 2")]
    Operation(u8),
    #[error("status: {0}; expected 0 to 3")]
    Status(u8),
    #[error("length: {0} words; expected 1 to 4095")]
    Length(u16),
}

/// The number in the first 16 bits of a word.
#[must_use]
pub const fn number(word: u32) -> u16 {
    (word >> 16) as u16
}

/// A request that a gateway with an old replica of the channel may still send: at most so many numbers before the last.
/// All others are later ones, because a client's requests to other rings have numbers, too.
const OLD: u16 = 256;

pub(crate) const fn older(number: u16, than: u16) -> bool {
    let before = than.wrapping_sub(number);
    before > 0 && before < OLD
}

impl Head {
    /// The word.
    ///
    /// # Errors
    /// [`Codes::Length`] for a length that does not fit 12 bits, and for none.
    pub fn word(self) -> Result<u32, Codes> {
        if !(1..=0xfff).contains(&self.length) {
            return Err(Codes::Length(self.length));
        }
        let operation = match self.operation {
            Operation::Get => 1,
            Operation::Put => 2,
        };
        Ok(u32::from(self.number) << 16 | operation << 12 | u32::from(self.length))
    }

    /// What a word says.
    ///
    /// # Errors
    /// [`Codes`] for an operation that is none, and for no words.
    pub fn of(word: u32) -> Result<Head, Codes> {
        let operation = match word >> 12 & 0xf {
            1 => Operation::Get,
            2 => Operation::Put,
            other => return Err(Codes::Operation(other.to_le_bytes()[0])),
        };
        let length = (word & 0xfff) as u16;
        if length == 0 {
            return Err(Codes::Length(0));
        }
        Ok(Head { number: number(word), operation, length })
    }
}

impl Status {
    /// The word of a reply: number 16, status 8 bits.
    #[must_use]
    pub fn word(self, number: u16) -> u32 {
        let status = match self {
            Status::Good => 0,
            Status::NoRing => 1,
            Status::NoAddress => 2,
            Status::NoRequest => 3,
        };
        u32::from(number) << 16 | status << 8
    }

    /// The status in a reply.
    ///
    /// # Errors
    /// [`Codes::Status`].
    pub fn of(word: u32) -> Result<Status, Codes> {
        match word.to_be_bytes()[2] {
            0 => Ok(Status::Good),
            1 => Ok(Status::NoRing),
            2 => Ok(Status::NoAddress),
            3 => Ok(Status::NoRequest),
            other => Err(Codes::Status(other)),
        }
    }
}

impl fmt::Display for RingNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for RingNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Requester {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "client {} of ring {}", self.client, self.ring)
    }
}

impl fmt::Debug for Requester {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.ring, self.client)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Word::Request(_) => f.write_str("request"),
            Word::Target(_) => f.write_str("ring"),
            Word::Address(_) => f.write_str("address"),
            Word::Data(_, at) => write!(f, "data {at}"),
            Word::Arrival(_) => f.write_str("arrival"),
            Word::Taken(..) => f.write_str("taken"),
            Word::Reply(..) => f.write_str("reply"),
            Word::Value(_, _, at) => write!(f, "value {at}"),
            Word::Release(_) => f.write_str("release"),
            Word::Intent(..) => f.write_str("intent"),
            Word::IntentAddress(..) => f.write_str("intent's address"),
            Word::IntentAt(..) => f.write_str("intent's count"),
            Word::IntentData(_, _, at) => write!(f, "intent's data {at}"),
            Word::Done(..) => f.write_str("done"),
            Word::Result(_, _, at) => write!(f, "result {at}"),
            Word::Want(..) => f.write_str("want"),
            Word::Grant(..) => f.write_str("grant"),
            Word::Turn(..) => f.write_str("turn"),
            Word::Owner(..) => f.write_str("owner"),
            Word::Line(place) => write!(f, "number of place {place}"),
            Word::LineRing(place) => write!(f, "ring of place {place}"),
            Word::LineAddress(place) => write!(f, "address of place {place}"),
            Word::Cached(place, at) => write!(f, "place {place} {at}"),
            Word::Begun(_) => f.write_str("begun"),
            Word::Memory(address) => write!(f, "word {}", address.word()),
        }
    }
}
