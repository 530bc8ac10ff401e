// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of the nodes in a run, and its events.

use super::Visit;
use awgstar_frame::quantity::{ByteAddress, Nanoseconds};
use awgstar_sync::firmware::paging::{Access, Action, Event};
use std::collections::VecDeque;

/// Event of the simulation.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// A frame of a node is ready to leave.
    Leaves(usize),
    /// A word of the table is in a node's replica.
    Word(usize, Word),
    /// The event that a state machine waited for.
    Machine(Side, Event),
    /// A state machine does the next thing.
    Turn(Side),
    /// A request has come to the master.
    Wanted(u16),
    /// A process goes on.
    Process(usize),
}

/// A state machine: node, and whether it is the master's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) node: usize,
    pub(super) master: bool,
}

/// Bytes of a word of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) addr: ByteAddress,
    pub(super) data: u32,
    pub(super) strobe: u8,
}

/// Actions that a state machine still has to carry out.
#[derive(Clone, Debug, Default)]
pub(super) struct Todo {
    pub(super) actions: VecDeque<Action>,
    /// The state machine waits for an event.
    pub(super) waits: bool,
    /// The state machine waits until that many frames of its node have returned.
    pub(super) mark: Option<u64>,
}

pub(super) struct Node {
    pub(super) access: Access,
    /// The page table in this replica.
    pub(super) table: Vec<u32>,
    pub(super) todo: Todo,
    pub(super) visits: VecDeque<Visit>,
    /// Since when the process waits, and since when for a page that is not in.
    pub(super) since: Nanoseconds,
    pub(super) asked: Option<Nanoseconds>,
    /// When the host has done what it does.
    pub(super) free: Nanoseconds,
    /// Frames that are not ready yet, or have not left: bytes of Data, and what of the table.
    pub(super) out: VecDeque<(u64, Option<Word>)>,
    /// Frames that have been written, and that have left.
    pub(super) written: u64,
    pub(super) left: u64,
    pub(super) ended: bool,
}

pub(super) fn put(table: &mut [u32], Word { addr, data, strobe }: Word) {
    let Some(word) = table.get_mut(addr.word()) else { return };
    let lanes = (0..4).filter(|lane| strobe >> lane & 1 == 1);
    let mask = lanes.fold(0, |mask, lane| mask | 0xff << (8 * lane));
    *word = *word & !mask | data & mask;
}
