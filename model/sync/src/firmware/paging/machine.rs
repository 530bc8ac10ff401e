//! What goes into the machines of paging, and what comes out.

use crate::firmware::Message;

/// What a machine is told.
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

/// What a machine wants done, in this order. Those that are answered by an event come last, and
/// nothing else is told to the machine's side of the protocol until then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A word of the own replica: answered by [`Event::Word`].
    Read(u32),
    /// The same word again and again until it is not zero: answered by [`Event::Word`].
    Until(u32),
    /// The bytes of a word that `strobe` marks written (bit l: lane l).
    Write {
        /// Byte address, a multiple of 4.
        addr: u32,
        /// The word; lane 0 is the byte with the lowest address.
        data: u32,
        /// Which of its bytes.
        strobe: u8,
    },
    /// To be told when all that was written is on every board: [`Event::Confirmed`].
    Confirm,
    /// A page copied out of the shared memory: answered by [`Event::Copied`].
    CopyOut(Copy),
    /// A page copied into the shared memory: answered by [`Event::Copied`].
    CopyIn(Copy),
    /// A signal sent to the master's node. It has nothing to do with data.
    Send(Message),
    /// The master on this node asked for a page.
    Ask(u16),
    /// The timer of a request started.
    Start,
    /// It stopped.
    Stop,
    /// The process may access its page, which is at this offset.
    Granted(u32),
    /// The process may go on without a page.
    Released,
}

/// A page between the shared memory and the master's local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Copy {
    /// Page.
    pub page: u16,
    /// Byte offset in the shared memory.
    pub offset: u32,
    /// Area in the local memory, from 0.
    pub area: u16,
}
