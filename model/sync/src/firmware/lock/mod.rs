//! The locks (thesis 5.2), and one that is not in it.
//!
//! * [`MasterWorker`]: a master gives the lock to one after the other (thesis 5.2.1).
//! * [`Distributed`]: the right to the lock goes from process to process (thesis 5.2.2).
//! * [`RingQueue`]: as distributed, with every hand-over seen by all: one frame, in the order in
//!   which the ring has carried the requests.
//!
//! One machine is one lock in one node. The two of the thesis are there as printed and repaired,
//! from one source: what is wrong, and what each repair is for, stands at [`MwRepairs`] and
//! [`DistRepairs`].
//!
//! Repaired, and the ring queue: one holder, one grant for each request, in every run within the
//! bounds of the checker (LOCK-1 to LOCK-8).

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
    /// What the process does, in the two locks of the thesis.
    pub enum Caller, /// What moves it.
    CallerCause, "lock: process" {
        states {
            /// It does not want the lock.
            Idle "idle",
            /// As printed only: it waits until its lock index says "unlocked".
            HeldBack "held_back",
            /// It has asked.
            Asking "asking",
            /// It has the lock.
            Inside "inside",
        }
        causes {
            /// It asks.
            Ask "ask": Idle => Asking, HeldBack => Asking;
            /// It must not ask yet.
            HoldBack "hold_back": Idle => HeldBack;
            /// It wants the lock, and the right is here.
            Here "right_here": Idle => Inside;
            /// It is given the lock.
            Grant "grant": HeldBack => Inside, Asking => Inside;
            /// It gives the lock back.
            Leave "leave": Inside => Idle;
        }
    }
}

crate::states! {
    /// Where the right to a lock is, seen from a node.
    pub enum Right, /// What moves it.
    RightCause, "lock: right" {
        states {
            /// With another node, or on the way.
            Away "away",
            /// Here.
            Here "here",
        }
        causes {
            /// It comes.
            Come "come": Away => Here;
            /// It is given to another node.
            Give "give": Here => Away;
        }
    }
}

/// Who a machine is, and how it sends.
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

/// Whether number `a` was given after `b`, though 65535 is followed by 0 (LOCK-2, LOCK-3).
const fn newer(a: u16, b: u16) -> bool {
    a != b && a.wrapping_sub(b) < 0x8000
}
