// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interface of a firmware state machine: events in, actions out.

use super::Message;
use awgstar_frame::contract::Order;
use core::{fmt::Debug, hash::Hash};

/// Event for a state machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The process wants the lock.
    Acquire,
    /// The process that holds the lock gives it up.
    Release,
    /// The process has arrived at the barrier.
    Arrive,
    /// A signal of another node is here.
    Signal(Message),
    /// A signal of this node has returned: it has passed all other nodes. The driver first passes
    /// on the messages that were in the mailbox by then.
    Returned(Message),
    /// A timer has run out; it is stopped now.
    Timer(Timer),
}

/// Action of a state machine; the driver carries actions out in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Send this signal, after those before it.
    Send(Message, Order),
    /// A timer started, from the beginning if it runs.
    Start(Timer),
    /// A timer stopped, if it runs.
    Stop(Timer),
    /// The process has the lock.
    Acquired,
    /// The process may ask for the lock again.
    Released,
    /// The process may pass the barrier.
    Passed,
}

/// A timer of a state machine. How long each takes is the driver's to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timer {
    /// For what answers a request, or an arrival at a barrier.
    Request,
    /// For a grant, or, at a barrier, for the release after an acknowledgement.
    Grant,
    /// For an unlock, or for a barrier's release to return.
    Release,
    /// For the acknowledgement of a lock handed over.
    Pass,
}

/// A node's state machine of one lock or one barrier.
pub trait Firmware: Clone + Debug + Eq + Hash {
    /// Handles an event and appends the resulting actions to `actions`.
    fn step(&mut self, event: Event, actions: &mut Vec<Action>);

    /// The state machine in a few words, for a run that is read: its states.
    fn summary(&self) -> String;

    /// Returns true if the node leads: it owns the lock.
    fn leads(&self) -> bool {
        false
    }

    /// The last episode of a barrier in which the node was the main process.
    fn led(&self) -> Option<u16> {
        None
    }
}
