// SPDX-License-Identifier: MIT OR Apache-2.0
//! Election of the main process.
//!
//! *At most one.* Let i < j both become main, each after an own arrival has returned. Frames do not
//! overtake each other, so at least one of the two returned arrivals was heard by the other process
//! before its own returned. It was not i's: j would have had to wait for i to name it, and i, which
//! names the lowest it heard of, never names a higher one. So it was j's, and j has named i: it had
//! heard of i before it became main, and was waiting for i. A main process names only itself.
//!
//! *At least one.* While there is none, all that wait retransmit when their timers run out. The
//! lowest of them is named by all it heard of.

use super::{DistRepairs, Distributed, DistributedCause, DistributedState};
use crate::firmware::{Action, Message, barrier::Nodes};
use awgstar_frame::contract::Signal;
use awgstar_frame::quantity::NodeId;

impl Distributed {
    /// Process that an arrival of this node names.
    fn candidate(&self) -> NodeId {
        let own = self.member.node;
        if self.state == DistributedState::Main { own } else { self.heard.first().unwrap_or(own) }
    }

    /// Forgets the arrivals heard before the own one was sent, in the protocol as published.
    fn forget(&mut self) {
        if !self.repairs.has(DistRepairs::HEARD) {
            self.heard = Nodes::from_iter([self.member.node]);
        }
    }

    /// Sends the arrival, again or not.
    pub(super) fn call(&mut self, out: &mut Vec<Action>) {
        self.forget();
        let follows = self.repairs.has(DistRepairs::FOLLOW);
        self.named = if follows { self.candidate() } else { NodeId(0) };
        let tag = self.repairs.tag(self.episode);
        let arrival = self.member.message(Signal::BarrierDistArrival, self.named, tag);
        out.push(Action::Send(arrival, self.member.arrivals));
    }

    /// Handles the return of the own arrival.
    pub(super) fn came_back(&mut self, out: &mut Vec<Action>) {
        if self.repairs.has(DistRepairs::HEARD) {
            if self.state.go(DistributedCause::ComesBack) {
                self.decide(out);
            }
        } else if self.state == DistributedState::Calling {
            if self.candidate() == self.member.node {
                self.elected(out);
            } else {
                self.call(out);
            }
        }
    }

    /// Another process' arrival, heard by one that is not main.
    pub(super) fn hear(&mut self, m: &Message, out: &mut Vec<Action>) {
        self.heard.insert(m.send_node);
        let named = self.repairs.has(DistRepairs::FOLLOW) && m.node_id == self.member.node;
        self.against.set(m.send_node, !named);
        if self.state == DistributedState::Unsure {
            self.decide(out);
        }
    }

    /// Names whom it has to, or becomes main.
    fn decide(&mut self, out: &mut Vec<Action>) {
        if self.against == Nodes::default() {
            self.elected(out);
        } else if self.repairs.has(DistRepairs::FOLLOW) && self.candidate() != self.named {
            self.call(out);
        }
    }

    fn elected(&mut self, out: &mut Vec<Action>) {
        if self.state.go(DistributedCause::Elected) {
            self.forget();
            self.settle(out);
            self.complete(out);
        }
    }
}
