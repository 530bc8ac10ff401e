// SPDX-License-Identifier: MIT OR Apache-2.0
//! A state of a system.

use super::settings::Property;
use crate::client::Client;
use crate::gateway::Gateway;
use crate::interface::{Action, Frame, Memory, Message};
use crate::words::{RingNumber, Slot, Word};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// The memory of a ring at one node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Replica {
    pub(super) words: BTreeMap<Word, u32>,
    /// Words of each gateway of the ring.
    pub(super) stored: [u32; 2],
}

impl Memory for Replica {
    fn word(&self, word: Word) -> u32 {
        self.words.get(&word).copied().unwrap_or(0)
    }

    fn stored(&self, by: Slot) -> u32 {
        self.stored.get(usize::from(by.0)).copied().unwrap_or(0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Firmware {
    pub(super) gateway: Gateway,
    /// Actions that are not carried out.
    pub(super) actions: VecDeque<Action>,
    pub(super) flushing: bool,
    /// Words of windows that are still to be read, if they were asked for.
    pub(super) filling: Option<VecDeque<usize>>,
    pub(super) dead: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Process {
    pub(super) client: Client,
    /// Operations that have begun.
    pub(super) begun: usize,
    pub(super) waits: bool,
    /// For each word that a get reads: what it was since the call.
    pub(super) allowed: Vec<BTreeSet<u32>>,
    /// Words that were read for a comparison, and those of the last one in which the window was whole.
    pub(super) read: Vec<u32>,
    pub(super) whole: [u32; 2],
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Gateway(Box<Firmware>),
    Client(Box<Process>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub(super) replica: Replica,
    pub(super) kind: Kind,
}

/// What is on a link.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Packet {
    Message(Message),
    Reset,
}

/// A state of the system. Nodes that a step does not touch are shared with the state before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) nodes: Vec<Rc<Node>>,
    /// Frames from a node to another one of its ring.
    pub(super) frames: BTreeMap<(usize, usize), VecDeque<Frame>>,
    /// Frames that took the second way.
    pub(super) beside: Vec<(usize, usize, Frame)>,
    /// From one ring to a neighbour.
    pub(super) links: BTreeMap<(RingNumber, RingNumber), VecDeque<Packet>>,
    /// How often a gateway has stored the values of puts.
    pub(super) applied: BTreeMap<u32, u8>,
    /// With a cache: the values of a word of a ring that a read which begins now may return, in the order in which they
    /// came to the gateway.
    pub(super) current: BTreeMap<(usize, usize), Vec<u32>>,
    pub(super) restarts: u8,
    pub(super) resets: u8,
    pub(super) early: u8,
    pub(super) deaths: u8,
    pub(super) wrong: Option<Property>,
}

impl State {
    pub(super) fn node(&mut self, at: usize) -> &mut Node {
        Rc::make_mut(&mut self.nodes[at])
    }

    pub(super) fn firmware(&mut self, at: usize) -> Option<&mut Firmware> {
        match &mut self.node(at).kind {
            Kind::Gateway(firmware) => Some(firmware),
            Kind::Client(_) => None,
        }
    }

    pub(super) fn process(&mut self, at: usize) -> Option<&mut Process> {
        match &mut self.node(at).kind {
            Kind::Gateway(_) => None,
            Kind::Client(process) => Some(process),
        }
    }
}
