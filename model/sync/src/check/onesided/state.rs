// SPDX-License-Identifier: MIT OR Apache-2.0
//! A state of the processes, the servers and what is between them.

use super::{settings::Property, step::Packet};
use crate::firmware::onesided::{Client, End, Message};
use std::{
    collections::{BTreeMap, VecDeque},
    rc::Rc,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sleeps {
    No,
    /// The process is about to sleep; with a value only if that is still the same.
    Soon(Option<u32>),
    Yes,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Process<C> {
    pub(super) client: C,
    /// Calls that were begun.
    pub(super) begun: usize,
    pub(super) waits: bool,
    pub(super) sleeps: Sleeps,
    pub(super) goes_on: bool,
    /// The process fences; on a ring until these writes are in place.
    pub(super) fences: Option<Waits>,
    /// The timer of its request runs.
    pub(super) timer: bool,
    pub(super) inside: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node<S> {
    pub(super) server: S,
    /// A put that is counted and not written: source, target, number.
    pub(super) writes: Option<(usize, usize, u8)>,
}

/// A state of the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<C: Client> {
    pub(super) processes: Vec<Rc<Process<C>>>,
    pub(super) nodes: Vec<Rc<Node<C::Server>>>,
    pub(super) channels: BTreeMap<(End, End), VecDeque<Packet>>,
    /// Copies that may arrive any time.
    pub(super) late: Vec<(End, End, Packet)>,
    pub(super) copies: u8,
    /// Puts that are written, by target and source: a bit for each number.
    pub(super) written: Vec<Vec<u16>>,
    /// Words of the data of locks; on a ring those of each node.
    pub(super) words: Vec<u8>,
    /// On a ring.
    pub(super) held: Vec<Held>,
    pub(super) losses: u8,
    pub(super) early: u8,
    /// Updates that were begun under a lock, by word.
    pub(super) updates: Vec<u8>,
    pub(super) wrong: Option<Property>,
}

/// How many writes of a node must come to each other node before something may happen.
pub(super) type Waits = Vec<u8>;

/// A signal that is under way, or a write that waits for those before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Held {
    pub(super) from: usize,
    /// Where the signal goes; a write goes to all.
    pub(super) to: Option<usize>,
    pub(super) message: Message,
    pub(super) waits: Waits,
    /// A write with which the process itself waits, not the firmware beside it.
    pub(super) by_process: bool,
}

impl Held {
    pub(super) fn is_ready(&self) -> bool {
        is_over(&self.waits)
    }
}

pub(super) fn is_over(waits: &Waits) -> bool {
    waits.iter().all(|writes| *writes == 0)
}
