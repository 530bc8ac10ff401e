// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps of a run, and how a reader sees them.

use super::state::Word;
use crate::{
    check::step::{self, Local, early, words},
    firmware::{Message, paging::Copy},
};
use awgstar_frame::contract::{PageTable, page_table::word};
use awgstar_frame::quantity::ByteAddress;
use std::fmt;

/// Kind of step.
pub type What = step::What<Does, Placed>;

/// Step of a process, or of a state machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
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
    /// The master's slow node handles a signal that has arrived.
    Handles(Message),
    /// The timer of a request runs out; whether it is early.
    Timer(bool),
}

/// Data, with the table that gives it its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed(pub PageTable, pub Word);

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

impl Local for Does {
    fn action(&self) -> u16 {
        match self {
            Does::Wants(_) | Does::Uses(..) | Does::LetsGo => 0,
            Does::Reads(.., false) | Does::Confirmed(false) => 1,
            Does::Reads(.., true) | Does::Confirmed(true) | Does::Out(..) | Does::In(..) => 2,
            Does::Timer(_) => 3,
            Does::Handles(_) => 4,
        }
    }
}

impl fmt::Display for Does {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Does::Wants(page) => write!(f, "process wants page {page}"),
            Does::Uses(page, value) => write!(f, "process writes {value} to page {page}"),
            Does::LetsGo => write!(f, "process lets go"),
            Does::Reads(at, addr, value, master) => {
                write!(f, "{} reads {}", who(*master), meaning(at, *addr, 0b1111, *value))
            }
            Does::Confirmed(master) => write!(f, "{}: confirmed", who(*master)),
            Does::Out(copy, value) => {
                let bytes = value.to_le_bytes();
                let page = copy.page;
                write!(f, "COPIES page {page} out: {} {}", bytes[0], bytes[1])
            }
            Does::In(copy, value) => {
                let bytes = value.to_le_bytes();
                let page = copy.page;
                write!(f, "copies page {page} in: {} {}", bytes[0], bytes[1])
            }
            Does::Handles(m) => write!(f, "handles late: {}", words(m)),
            Does::Timer(at) => write!(f, "{}timer runs out", early(*at)),
        }
    }
}

impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Placed(at, Word { source, number, addr, data, strobe }) = *self;
        write!(f, "data {number} of node {source}, {}", meaning(&at, addr, strobe, data))
    }
}
