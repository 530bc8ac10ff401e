// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens in a step, as a reader sees it.

use super::settings::Op;
use super::state::Packet;
use crate::interface::{Frame, Message, Order};
use crate::words::{RingNumber, Status};
use std::fmt::{self, Write as _};

/// What happens in a step.
#[derive(Clone, Debug)]
pub enum What {
    Calls(Op),
    /// The client looks at a line; it is not there, and so is asked for.
    Looks(bool),
    /// The client reads a word of its replica.
    Reads(usize, u32),
    /// The client sees its reply.
    Goes(Status, Vec<u32>),
    /// The client leaves the barrier, or has the lock.
    Passes(Op),
    /// The gateway polls, and does something.
    Polls,
    Gets(RingNumber, Option<Message>),
    /// The gateway reads a word of a window; all were read.
    Fills(Option<usize>),
    /// The gateway carries out the next action.
    Acts,
    Confirmed,
    /// A frame of another node comes.
    Comes(usize, Frame, Order),
    Timer(bool),
    Restarts,
    /// The link to this ring.
    Reset(RingNumber),
    Dies,
    TakesOver,
}

/// A step, and what the gateway did in it.
#[derive(Clone, Debug)]
pub struct Happens {
    pub what: What,
    /// Frames that were stored and messages that were sent.
    pub done: Vec<String>,
}

pub(super) fn words(frame: &Frame) -> String {
    let mut text = String::new();
    for (word, value) in frame {
        let comma = if text.is_empty() { "" } else { ", " };
        // Numbers are in the upper half of a word.
        let value = if *value > 0xffff { format!("#{}", value >> 16) } else { value.to_string() };
        let _ = write!(text, "{comma}{word} {value}");
    }
    text
}

impl What {
    pub(super) fn got(from: RingNumber, packet: &Packet) -> What {
        match packet {
            Packet::Message(message) => What::Gets(from, Some(message.clone())),
            Packet::Reset => What::Gets(from, None),
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Calls(Op::Get(ring, word, length)) => {
                write!(f, "wants {length} of ring {ring} from word {word}")
            }
            What::Calls(Op::Put(ring, word, length)) => {
                write!(f, "puts {length} to ring {ring} at word {word}")
            }
            What::Calls(Op::Meet) => f.write_str("arrives at the barrier"),
            What::Calls(Op::See(word, ..)) => write!(f, "sees word {word}"),
            What::Calls(Op::Set(word)) => write!(f, "stores word {word}"),
            What::Calls(Op::Compare(..)) => f.write_str("looks at the window"),
            What::Reads(word, value) => write!(f, "reads word {word}: {value}"),
            What::Fills(Some(word)) => write!(f, "reads word {word} once more"),
            What::Fills(None) => f.write_str("has read all windows"),
            What::Calls(Op::Lock(lock)) => write!(f, "wants lock {lock}"),
            What::Calls(Op::GiveUp(lock)) => write!(f, "gives lock {lock} up"),
            What::Passes(Op::Lock(lock)) => write!(f, "has lock {lock}"),
            What::Passes(_) => f.write_str("leaves the barrier"),
            What::Goes(_, values) if values.is_empty() => f.write_str("goes on"),
            What::Goes(_, values) => write!(f, "goes on with {values:?}"),
            What::Looks(false) => f.write_str("looks at the line"),
            What::Looks(true) => f.write_str("misses the line"),
            What::Polls => f.write_str("polls"),
            What::Gets(from, Some(message)) => write!(f, "from ring {from}: {message}"),
            What::Gets(from, None) => write!(f, "the link to ring {from} was reset"),
            What::Acts => f.write_str("goes on"),
            What::Confirmed => f.write_str("all its frames are in all replicas"),
            What::Comes(from, frame, Order::After) => {
                write!(f, "frame of {from}: {}", words(frame))
            }
            What::Comes(from, frame, Order::Beside) => {
                write!(f, "second way, of {from}: {}", words(frame))
            }
            What::Timer(early) => write!(f, "{}timer runs out", if *early { "EARLY " } else { "" }),
            What::Restarts => f.write_str("RESTARTS"),
            What::Reset(ring) => write!(f, "LINK RESET to ring {ring}"),
            What::Dies => f.write_str("DIES"),
            What::TakesOver => f.write_str("takes over"),
        }
    }
}

impl fmt::Display for Happens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        if self.done.is_empty() { Ok(()) } else { write!(f, "; {}", self.done.join("; ")) }
    }
}
