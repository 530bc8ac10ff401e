// SPDX-License-Identifier: MIT OR Apache-2.0
//! A state of the ring: replicas, state machines, boards, and what is under way.

use super::settings::Property;
use crate::{
    check::board::{Board, Data, Frame},
    firmware::{
        Message,
        paging::{Access, Copy, Master},
    },
};
use awgstar_frame::contract::PageTable;
use awgstar_frame::quantity::{ByteAddress, NodeId};
use std::{
    collections::VecDeque,
    ops::{Index, IndexMut},
    rc::Rc,
};

/// A data frame that writes bytes of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    /// Node that wrote.
    pub source: NodeId,
    /// Number of the data frame, counted from 1 at its source.
    pub number: u8,
    /// Byte address of the word.
    pub addr: ByteAddress,
    /// The word.
    pub data: u32,
    /// Bit l: lane l is written.
    pub strobe: u8,
}

impl Data for Word {
    fn key(&self) -> (NodeId, u8) {
        (self.source, self.number)
    }
}

/// Answer that a state machine waits for from its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Job {
    None,
    Read(ByteAddress),
    Until(ByteAddress),
    /// Data up to this number.
    Confirm(u8),
    Out(Copy),
    In(Copy),
}

/// State of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Process {
    Idle,
    Waiting(u16),
    /// The process has a page, at this offset, and has not written.
    Has(u16, ByteAddress),
    /// The process has written to its page.
    Wrote(u16),
    Leaving,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub(super) memory: Vec<u32>,
    pub(super) access: Access,
    pub(super) job: Job,
    pub(super) process: Process,
    /// Accesses of its script that have begun.
    pub(super) begun: u8,
    /// Requests of this access.
    pub(super) asked: u8,
    /// The timer of a request runs.
    pub(super) timer: bool,
    pub(super) board: Board<Word>,
}

/// State of the master's node only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Chief {
    pub(super) machine: Master,
    pub(super) job: Job,
    /// Requests that a slow node has to handle.
    pub(super) inbox: VecDeque<Message>,
    /// Local memory of the master.
    pub(super) areas: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Nodes(pub(super) Vec<Rc<Node>>);

impl Nodes {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Node> {
        self.0.iter().map(Rc::as_ref)
    }
}

impl Index<usize> for Nodes {
    type Output = Node;

    fn index(&self, at: usize) -> &Node {
        &self.0[at]
    }
}

impl IndexMut<usize> for Nodes {
    fn index_mut(&mut self, at: usize) -> &mut Node {
        Rc::make_mut(&mut self.0[at])
    }
}

/// A state of the ring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) nodes: Nodes,
    pub(super) chief: Rc<Chief>,
    /// Frames on link i, from node i to the next; the first one arrives next.
    pub(super) links: Vec<VecDeque<Frame<Word>>>,
    pub(super) losses: u8,
    pub(super) early: u8,
    pub(super) full: u8,
    /// Last value written by each process to each page: `written[(page - 1) * nodes + node]`.
    pub(super) written: Vec<u8>,
    /// Property that the last step violated.
    pub(super) wrong: Option<Property>,
}

/// Writes the bytes that are marked.
pub(super) fn write(memory: &mut [u32], addr: ByteAddress, data: u32, strobe: u8) {
    let Some(word) = memory.get_mut(addr.word()) else { return };
    let mut bytes = word.to_le_bytes();
    for (lane, (old, new)) in bytes.iter_mut().zip(data.to_le_bytes()).enumerate() {
        if strobe >> lane & 1 == 1 {
            *old = new;
        }
    }
    *word = u32::from_le_bytes(bytes);
}

impl State {
    /// A job that something comes of without another frame.
    fn goes_on(node: &Node, job: Job) -> bool {
        match job {
            Job::None => false,
            Job::Until(addr) => node.memory[addr.word()] != 0,
            Job::Confirm(mark) => node.board.confirmed(mark),
            Job::Read(_) | Job::Out(_) | Job::In(_) => true,
        }
    }

    /// No frame is under way, no board has anything to send, and no state machine has anything to read.
    pub(super) fn quiet(&self) -> bool {
        self.links.iter().all(VecDeque::is_empty)
            && self.nodes.iter().all(|node| node.board.is_idle() && !Self::goes_on(node, node.job))
            && !Self::goes_on(&self.nodes[0], self.chief.job)
            && self.chief.inbox.is_empty()
    }

    /// Every replica's table says where the pages are, and they hold what was written last.
    pub(super) fn whole(&self, at: &PageTable) -> bool {
        let nodes = self.nodes.0.len();
        (1..=at.pages).all(|page| {
            let first = usize::from(page - 1) * nodes;
            let mut expected = [0; 4];
            expected[..nodes].copy_from_slice(&self.written[first..first + nodes]);
            let expected = u32::from_le_bytes(expected);
            match self.chief.machine.area(page) {
                Some(area) => self.chief.areas[usize::from(area)] == expected,
                None => self.nodes.iter().all(|node| {
                    let word =
                        |addr: ByteAddress| node.memory.get(addr.word()).copied().unwrap_or(0);
                    let offset = awgstar_frame::contract::page_table::word(word(at.offset(page)));
                    word(at.valid(page)) != 0 && word(ByteAddress(offset)) == expected
                }),
            }
        })
    }
}
