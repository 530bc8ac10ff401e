// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks: two of the thesis (5.2), and the ring queue, which is not in the thesis.
//!
//! * [`MasterWorker`]: a master grants the lock to one process after the other (thesis 5.2.1).
//! * [`Distributed`]: ownership of the lock goes from process to process (thesis 5.2.2).
//! * [`RingQueue`]: as distributed, but all nodes see every hand-over: one frame, in the order in
//!   which the ring has carried the requests.
//!
//! One state machine is one lock in one node. The two locks of the thesis exist as published and
//! repaired, from one source. [`MwRepairs`] and [`DistRepairs`] describe each error and the repair
//! for it.
//!
//! The repaired locks and the ring queue have one holder at a time and one grant for each request,
//! in every run within the bounds of the checker (LOCK-1 to LOCK-8).

mod distributed;
mod master_worker;
mod queue;
mod requests;

use awgstar_frame::quantity::NodeId;
pub use distributed::{DistRepairs, Distributed};
pub use master_worker::{Arbiter, ArbiterCause, MasterWorker, MwRepairs};
pub use queue::{QueueCaller, QueueCallerCause, RingQueue};

use super::{Action, Message, Timer};
use awgstar_frame::contract::{Order, Signal};

crate::states! {
    /// State of the process, in the two locks of the thesis.
    pub enum Caller, /// Cause of a transition.
    CallerCause, "lock: process" {
        states {
            /// The process does not want the lock.
            Idle "idle",
            /// As published only: the process waits until its lock index says "unlocked".
            HeldBack "held_back",
            /// The process has requested the lock.
            Asking "asking",
            /// The process has the lock.
            Inside "inside",
        }
        causes {
            /// The process requests the lock.
            Ask "ask": Idle => Asking, HeldBack => Asking;
            /// The process must not request yet.
            HoldBack "hold_back": Idle => HeldBack;
            /// The process wants the lock, and its node has ownership.
            Here "right_here": Idle => Inside;
            /// The process is granted the lock.
            Grant "grant": HeldBack => Inside, Asking => Inside;
            /// The process releases the lock.
            Leave "leave": Inside => Idle;
        }
    }
}

crate::states! {
    /// Ownership of a lock, seen from a node.
    pub enum Right, /// Cause of a transition.
    RightCause, "lock: right" {
        states {
            /// With another node, or on the way.
            Away "away",
            Here "here",
        }
        causes {
            /// Ownership arrives.
            Come "come": Away => Here;
            /// Ownership is given to another node.
            Give "give": Here => Away;
        }
    }
}

/// Node of a state machine, and settings of its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    node: NodeId,
    lock: u32,
    order: Order,
}

impl Place {
    /// A message of this lock: to, or of, `node_id`.
    fn message(self, signal: Signal, node_id: NodeId, tag: u16, epoch: u16) -> Message {
        let (node, lock_number) = (self.node, self.lock);
        let read = |name| signal.fields().iter().any(|field| field.name == name);
        let send_node = if read("send_node") { node } else { NodeId(0) };
        Message { node_id, send_node, tag, lock_number, epoch, ..Message::new(signal, node) }
    }

    /// Sends what says nothing about data.
    fn send(message: Message, actions: &mut Vec<Action>) {
        actions.push(Action::Send(message, Order::None));
    }

    /// Sends what another node may take the lock upon (LOCK-6).
    fn release(self, message: Message, timer: Timer, actions: &mut Vec<Action>) {
        actions.push(Action::Send(message, self.order));
        actions.push(Action::Start(timer));
    }
}

/// Returns true if number `a` was given after `b`, modulo 65,536 (LOCK-2, LOCK-3).
#[must_use]
pub const fn newer(a: u16, b: u16) -> bool {
    a != b && a.wrapping_sub(b) < 0x8000
}
