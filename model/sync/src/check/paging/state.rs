// SPDX-License-Identifier: MIT OR Apache-2.0
//! A state of the ring: replicas, state machines, boards, and what is under way.

use super::settings::Property;
use crate::{
    check::{board::Data, network},
    firmware::{
        Message,
        paging::{Access, Copy, Master},
    },
};
use awgstar_frame::contract::PageTable;
use awgstar_frame::quantity::{ByteAddress, NodeId};
use std::{collections::VecDeque, rc::Rc};

/// A data frame that writes bytes of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    /// Node that wrote.
    pub source: NodeId,
    /// Number of the data frame, counted from 1 at its source.
    pub number: u8,
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

/// A node in a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
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
}

/// State of the master's node only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chief {
    pub(super) machine: Master,
    pub(super) job: Job,
    /// Requests that a slow node has to handle.
    pub(super) inbox: VecDeque<Message>,
    /// Local memory of the master.
    pub(super) areas: Vec<u32>,
}

/// A state of the ring. `written[(page - 1) * nodes + node]`: the last value of each process in each page.
pub type State = network::State<Node, Word, Property, Rc<Chief>>;

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

/// Every replica's table says where the pages are, and they hold what was written last.
pub(super) fn whole(state: &State, at: &PageTable) -> bool {
    let nodes = state.nodes.len();
    (1..=at.pages).all(|page| {
        let first = usize::from(page - 1) * nodes;
        let mut expected = [0; 4];
        expected[..nodes].copy_from_slice(&state.written[first..first + nodes]);
        let expected = u32::from_le_bytes(expected);
        match state.common.machine.area(page) {
            Some(area) => state.common.areas[usize::from(area)] == expected,
            None => state.nodes.iter().all(|node| {
                let word = |addr: ByteAddress| node.memory.get(addr.word()).copied().unwrap_or(0);
                let offset = awgstar_frame::contract::page_table::word(word(at.offset(page)));
                word(at.valid(page)) != 0 && word(ByteAddress(offset)) == expected
            }),
        }
    })
}
