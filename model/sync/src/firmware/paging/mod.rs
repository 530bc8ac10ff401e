// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shared memory virtualisation (thesis 5.4): pages swapped between the shared memory and the
//! master's local memory, over a page table in the shared memory.
//!
//! Each process has a state machine ([`Access`]), the master's node one more ([`Master`]). They
//! read the table in the local replica, write it by data frames, and request pages by the signal
//! `swap_request`. Like the locks they exist as published and as repaired, from one source: see
//! [`Repairs`].
//!
//! An access is safe by a rule of two flags: a process sets its access flag, waits until it is on
//! every board, and then reads the valid flag; the master clears the valid flag, waits until that is
//! on every board, and then reads the access flags. Whatever the order, one of them sees the other.

mod machine;
mod master;
mod worker;

use awgstar_frame::quantity::NodeId;
pub use machine::{Action, Copy, Event};
pub use master::{Master, Swap, SwapCause};
pub use worker::{Access, Worker, WorkerCause};

use awgstar_frame::contract::PageTable;

crate::repairs! {
    /// Set of repairs of the paging of thesis 5.4.
    pub struct Repairs {
        /// A request's Node_ID is the master. As published it is the worker, and a point-to-point
        /// signal reaches the node that Node_ID names.
        TO_MASTER = 0 "to_master";
        /// A process sets its access flag first and keeps it set while it waits for the page. As
        /// published it sets it back to 0 and asks, and when the page has come it is swapped out again
        /// before the flag has arrived.
        KEEP = 1 "keep";
        /// The master waits until the valid flag is 0 on every board and looks at the access flags
        /// again: one may have passed between its first look and the frame's departure.
        LOOK_AGAIN = 2 "look_again";
        /// The master sets the valid flag when the page is on every board. A frame of the page that was lost
        /// and is retransmitted after the process has begun would overwrite its writes.
        COPY_CONFIRMED = 3 "copy_confirmed";
        /// A process clears its flag when what it wrote is on every board, for the same reason: the page
        /// that comes next to this place would be overwritten.
        CLEAR_CONFIRMED = 4 "clear_confirmed";
        /// A page that is in is not swapped in again, whoever asks.
        ONCE = 5 "once";
        /// A process asks again until the page is there. The thesis has no word on a lost request.
        ASK_AGAIN = 6 "ask_again";
        /// A process that waits for others, or ends, clears its flag. As published the flag is
        /// cleared when another page is accessed, and a page can be held without end.
        LET_GO = 7 "let_go";
    }
}

/// Node of a state machine, and layout of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Node, which is the number of its process.
    pub node: NodeId,
    pub master: NodeId,
    /// The table.
    pub at: PageTable,
}
