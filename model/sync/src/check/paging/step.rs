// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps of a run, and how a reader sees them.

use super::state::Word;
use crate::{
    check::step::{DataStep, words},
    firmware::{Message, paging::Copy},
};
use awgstar_frame::contract::{PageTable, page_table::word};
use awgstar_frame::quantity::ByteAddress;
use std::fmt;

/// Kind of step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The process wants a page.
    Wants(u16),
    /// The process writes its byte of its page.
    Uses(u16, u8),
    /// The process releases its page.
    LetsGo,
    /// A state machine reads a word: address and value, and whether it is the master's.
    Reads(PageTable, ByteAddress, u32, bool),
    /// All writes of a state machine are on every board; true for the master's.
    Confirmed(bool),
    /// The master copies a page out.
    Out(Copy, u32),
    /// The master copies a page in.
    In(Copy, u32),
    /// A signal arrives at its receiver.
    Arrives(Message),
    /// As [`What::Arrives`], but the mailbox is full.
    Full(Message),
    /// The master's slow node handles a signal that has arrived.
    Handles(Message),
    /// A signal passes a node.
    Passes(Message),
    /// A signal arrives at its source.
    Comes(Message),
    /// A signal is lost on the link to the node.
    Lost(Message),
    /// The board sends a signal again; early when it is still under way.
    Again(Message, bool),
    /// The timer of a request runs out; whether it is early.
    Timer(bool),
    /// Data.
    Data(PageTable, DataStep, Word),
}

/// The byte of a word that is marked, with its lane.
fn lane(strobe: u8, value: u32) -> (u32, u32) {
    let lane = strobe.trailing_zeros();
    (lane, value >> (8 * lane) & 0xff)
}

/// A word of the shared memory by its meaning.
fn meaning(at: &PageTable, addr: ByteAddress, strobe: u8, value: u32) -> String {
    let ((lane, byte), whole) = (lane(strobe, value), strobe == 0b1111);
    let bytes: Vec<u8> = value.to_le_bytes().into_iter().take(at.processes.into()).collect();
    if addr >= at.physical {
        let place = (addr - at.physical) / at.page_bytes;
        return if whole {
            format!("place {place} = {bytes:?}")
        } else {
            format!("place {place}, byte {lane} = {byte}")
        };
    }
    let page = addr.0 / at.entry_bytes() + 1;
    match addr.0 % at.entry_bytes() {
        0 => format!("valid of page {page} = {}", word(value)),
        4 => format!("offset of page {page} = {}", word(value)),
        _ if whole => format!("flags of page {page} = {bytes:?}"),
        _ => format!("flag {lane} of page {page} = {byte}"),
    }
}

fn who(master: bool) -> &'static str {
    if master { "master" } else { "process" }
}

impl What {
    /// Number of the action of the node, without the node: its process, its state machine, the
    /// master's state machine, the link to it, its board or its timer.
    pub(super) fn action(&self) -> u16 {
        match self {
            What::Wants(_) | What::Uses(..) | What::LetsGo => 0,
            What::Reads(.., false) | What::Confirmed(false) => 1,
            What::Reads(.., true) | What::Confirmed(true) | What::Out(..) | What::In(..) => 2,
            What::Arrives(_)
            | What::Full(_)
            | What::Passes(_)
            | What::Comes(_)
            | What::Lost(_)
            | What::Data(_, DataStep::Arrives | DataStep::Comes | DataStep::Lost, _) => 3,
            What::Again(..) => 4,
            What::Timer(_) => 5,
            What::Data(_, DataStep::Leaves, _) => 6,
            What::Data(_, DataStep::Again, _) => 7,
            What::Handles(_) => 8,
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let early = |early| if early { "EARLY: " } else { "" };
        match self {
            What::Wants(page) => write!(f, "process wants page {page}"),
            What::Uses(page, value) => write!(f, "process writes {value} to page {page}"),
            What::LetsGo => write!(f, "process lets go"),
            What::Reads(at, addr, value, master) => {
                write!(f, "{} reads {}", who(*master), meaning(at, *addr, 0b1111, *value))
            }
            What::Confirmed(master) => write!(f, "{}: confirmed", who(*master)),
            What::Out(copy, value) => {
                let bytes = value.to_le_bytes();
                let page = copy.page;
                write!(f, "COPIES page {page} out: {} {}", bytes[0], bytes[1])
            }
            What::In(copy, value) => {
                let bytes = value.to_le_bytes();
                let page = copy.page;
                write!(f, "copies page {page} in: {} {}", bytes[0], bytes[1])
            }
            What::Arrives(m) => write!(f, "receives {}", words(m)),
            What::Full(m) => write!(f, "MAILBOX FULL: {}", words(m)),
            What::Handles(m) => write!(f, "handles late: {}", words(m)),
            What::Passes(m) => write!(f, "passes on {}", words(m)),
            What::Comes(m) => write!(f, "comes back: {}", words(m)),
            What::Lost(m) => write!(f, "LOST before it: {}", words(m)),
            What::Again(m, at) => write!(f, "{}board sends again: {}", early(*at), words(m)),
            What::Timer(at) => write!(f, "{}timer runs out", early(*at)),
            What::Data(at, step, one) => {
                let step = match step {
                    DataStep::Leaves => "sends",
                    DataStep::Arrives => "receives",
                    DataStep::Comes => "comes back:",
                    DataStep::Lost => "LOST before it:",
                    DataStep::Again => "will send again:",
                };
                let Word { source, number, addr, data, strobe } = *one;
                let meaning = meaning(at, addr, strobe, data);
                write!(f, "{step} data {number} of node {source}, {meaning}")
            }
        }
    }
}
