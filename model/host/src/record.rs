// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of the events on the nodes in a run, for drawings and measurements.

use super::pager::Side;
use awgstar_frame::quantity::{Cycle, NodeId};
use awgstar_request::{ProcessSignal, Request};
use awgstar_sync::firmware::Message;

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub cycle: Cycle,
    pub node: NodeId,
    /// Kind of event.
    pub what: Happened,
}

/// Kind of event on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    /// The process asked for something.
    Asked(Request),
    /// The request was answered.
    Answered(Request),
    /// A signal was handed to the board.
    Sent(Message),
    /// A signal of another node was taken from the mailbox.
    Received(Message),
    /// The board reported that a signal has returned.
    Returned(Message),
    /// A signal of the process was handed to the board.
    SentOfProcess(ProcessSignal),
    /// A signal of another node's process was taken from the mailbox.
    ReceivedOfProcess(ProcessSignal),
    /// The board reported that the signal of the process has returned.
    ReturnedOfProcess(ProcessSignal),
    /// A state machine is in another state: the lock, or `None` for a barrier, and the state in words,
    /// with the number of the barrier in front if it is not 0.
    State(Option<u32>, String),
    /// The paging state machine of the process, or of the master, is in another state.
    Pages(Side, String),
}
