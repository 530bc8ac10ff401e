// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interface of the paging state machines: events in, actions out.

use crate::firmware::Message;
use awgstar_frame::quantity::ByteAddress;

/// Event for a paging state machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The process wants to access a page.
    Access(u16),
    /// The process does not access its page for now: it waits for others, or has ended.
    LetGo,
    /// A process asks for a page to be swapped in (master).
    Wanted(u16),
    /// The word that was read.
    Word(u32),
    /// All that was written before is on every board.
    Confirmed,
    /// The page has been copied.
    Copied,
    /// The timer of a request has run out; it is stopped now.
    Timer,
}

/// Action of a paging state machine; actions are carried out in order. An action that an event
/// answers comes last, and the state machine gets no other event of the protocol until then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Read a word of the local replica: answered by [`Event::Word`].
    Read(ByteAddress),
    /// Read a word repeatedly until it is not zero: answered by [`Event::Word`].
    Until(ByteAddress),
    /// Write the bytes of a word that `strobe` marks.
    Write {
        /// Byte address, a multiple of 4.
        addr: ByteAddress,
        /// The word; lane 0 is the byte with the lowest address.
        data: u32,
        /// Bit l: byte l of the word is written.
        strobe: u8,
    },
    /// Report when all that was written is on every board: [`Event::Confirmed`].
    Confirm,
    /// Copy a page out of the shared memory: answered by [`Event::Copied`].
    CopyOut(Copy),
    /// Copy a page into the shared memory: answered by [`Event::Copied`].
    CopyIn(Copy),
    /// Send a signal to the master's node, with no order relative to data.
    Send(Message),
    /// Ask the master on this node for a page.
    Ask(u16),
    /// Start the timer of a request.
    Start,
    /// Stop the timer.
    Stop,
    /// The process may access its page, which is at this offset.
    Granted(ByteAddress),
    /// The process may go on without a page.
    Released,
}

/// A page between the shared memory and the master's local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Copy {
    pub page: u16,
    /// Byte address in the shared memory.
    pub offset: ByteAddress,
    /// Area in the local memory, from 0.
    pub area: u16,
}
