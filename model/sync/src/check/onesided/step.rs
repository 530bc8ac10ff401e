// SPDX-License-Identifier: MIT OR Apache-2.0
//! What travels between two ends, and what happens in a step, as a reader sees it.

use super::settings::Call;
use crate::{
    check::step::early,
    firmware::onesided::{Access, End, Message},
};
use std::fmt;

/// What travels between two ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Packet {
    Protocol(Message),
    /// A put to this process: its number among those of the sender, from 0; one of the library has none.
    Put {
        target: usize,
        number: Option<u8>,
    },
    /// A get of the word of a lock's data.
    Get(usize),
    /// The word of a lock's data, to the process that wants it, or to be written.
    Value(usize, u8),
}

impl fmt::Display for Packet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Packet::Protocol(message) => write!(f, "{message}"),
            Packet::Put { target, number: Some(number) } => write!(f, "put {number} to {target}"),
            Packet::Put { target, number: None } => write!(f, "put of the library to {target}"),
            Packet::Get(target) => write!(f, "get from {target}"),
            Packet::Value(target, value) => write!(f, "{value}, a word of {target}"),
        }
    }
}

/// What happens in a step.
#[derive(Clone, Debug)]
pub enum What {
    Calls(usize, Call),
    GoesOn(usize),
    Fenced(usize),
    Sleeps(usize),
    Writes(usize, usize),
    Arrives(End, End, Packet),
    Late(End, End, Packet),
    /// The timer of a process runs out; true if early.
    Timer(usize, bool),
    /// On a ring: a write that waited for those before it is made.
    Leaves(usize, Message),
    /// On a ring: a signal is lost, from and to.
    Lost(usize, usize, Message),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Process(process) => write!(f, "P{process}"),
            End::Server(node) => write!(f, "S{node}"),
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Calls(process, Call::Put(to)) => write!(f, "P{process} puts to {to}"),
            What::Calls(process, Call::LibraryPut(to)) => {
                write!(f, "P{process}: the library puts to {to}")
            }
            What::Calls(process, Call::Barrier) => write!(f, "P{process} calls the barrier"),
            What::Calls(process, Call::Acquire(lock)) => write!(f, "P{process} wants lock {lock}"),
            What::Calls(process, Call::Try(lock)) => write!(f, "P{process} tries lock {lock}"),
            What::Calls(process, Call::Update(of)) => {
                write!(f, "P{process} updates a word of {of}")
            }
            What::Calls(process, Call::Release(lock)) => {
                write!(f, "P{process} releases lock {lock}")
            }
            What::Calls(process, Call::Word(word, access)) => match access {
                Access::Get => write!(f, "P{process} gets word {word}"),
                Access::Put(value) => write!(f, "P{process} puts {value} into word {word}"),
                Access::Add(more) => write!(f, "P{process} adds {more} to word {word}"),
                Access::Fetch(more) => write!(f, "P{process} fetches word {word} and adds {more}"),
            },
            What::Calls(process, Call::Read(word, _)) => write!(f, "P{process} gets word {word}"),
            What::Calls(process, Call::Until(word)) => {
                write!(f, "P{process} finds that word {word} is not 0")
            }
            What::Calls(process, Call::Fence) => write!(f, "P{process} calls the fence"),
            What::GoesOn(process) => write!(f, "P{process} goes on"),
            What::Fenced(process) => write!(f, "P{process}: all its puts are in place"),
            What::Sleeps(process) => write!(f, "P{process} goes to sleep"),
            What::Writes(node, source) => write!(f, "S{node} writes the put of {source}"),
            What::Arrives(from, to, packet) => write!(f, "{to} gets from {from}: {packet}"),
            What::Late(from, to, packet) => write!(f, "{to} gets from {from} once more: {packet}"),
            What::Timer(process, at) => {
                write!(f, "{}timer of P{process} runs out", early(*at))
            }
            What::Leaves(node, message) => write!(f, "node {node} writes: {message}"),
            What::Lost(from, to, message) => write!(f, "LOST from {from} to {to}: {message}"),
        }
    }
}
