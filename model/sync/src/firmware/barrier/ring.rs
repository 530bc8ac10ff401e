// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring barrier: every process tells all others that it has arrived, and each counts for itself.
//!
//! On a ring a broadcast passes every node once, so the last arrival is with all others N - 1 hops
//! after it was sent, and nothing else is needed: no main process, no acknowledgement, no release.
//! When a timer runs out, a node that waits sends its arrival again and names in Node_ID the lowest
//! process that it misses; that one answers with its own latest arrival. An arrival of the next
//! episode releases from this one. The return of an arrival is the network's acknowledgement, of
//! which the protocol needs nothing: to have passed a node is not to have been read there.

use super::{
    Member, Nodes,
    member::{before, behind},
};
use crate::firmware::{Action, Event, Firmware, Message, Timer};
use awgstar_frame::contract::Signal;
use awgstar_frame::quantity::NodeId;

crate::states! {
    /// A process at the barrier.
    pub enum RingState, /// Cause of a transition.
    RingCause, "ring: process" {
        states {
            /// The process has not arrived in this episode.
            Away "away",
            /// The process waits for others.
            Waiting "waiting",
        }
        causes {
            /// The process arrives.
            Arrives "arrives": Away => Waiting;
            /// All have arrived, or one of them in the next episode.
            Together "all here": Waiting => Away;
            /// The timer runs out: ask for who is missing.
            Asks "timer": Waiting => Waiting;
        }
    }
}

/// A node's state machine of the ring barrier, which meets the bound of any barrier on a ring (5.3 has
/// none like it).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ring {
    member: Member,
    /// The episode that the process is in, or arrives in next.
    episode: u16,
    state: RingState,
    /// Processes that have arrived in this episode.
    heard: Nodes,
}

impl Ring {
    /// The state machine of a node.
    pub fn new(member: Member) -> Self {
        Ring { member, episode: member.episode, state: RingState::Away, heard: Nodes::default() }
    }

    /// Sends the latest arrival; `asked` shall send its own, this node itself means none.
    fn call(&self, asked: NodeId, out: &mut Vec<Action>) {
        let waits = self.state == RingState::Waiting;
        let tag = if waits { self.episode } else { before(self.episode) };
        let arrival = self.member.message(Signal::BarrierRingArrival, asked, tag);
        out.push(Action::Send(arrival, self.member.arrivals));
    }

    /// Another barrier's arrivals do not count here.
    fn is_of_this(&self, m: &Message) -> bool {
        m.signal == Signal::BarrierRingArrival && m.lock_number == self.member.barrier.into()
    }

    fn count(&mut self, node: NodeId, out: &mut Vec<Action>) {
        self.heard.insert(node);
        if self.member.members.without(&self.heard) == Nodes::default() {
            self.pass(out);
        }
    }

    fn pass(&mut self, out: &mut Vec<Action>) {
        if self.state.go(RingCause::Together) {
            self.episode = behind(self.episode);
            self.heard.clear();
            out.extend([Action::Stop(Timer::Request), Action::Passed]);
        }
    }

    fn hear(&mut self, arrival: &Message, out: &mut Vec<Action>) {
        if arrival.tag == behind(self.episode) {
            self.pass(out);
        }
        let same = arrival.tag == self.episode;
        if arrival.node_id == self.member.node && (self.state == RingState::Waiting || !same) {
            self.call(self.member.node, out);
        }
        if same {
            self.count(arrival.source, out);
        }
    }
}

impl Firmware for Ring {
    fn step(&mut self, event: Event, out: &mut Vec<Action>) {
        match event {
            Event::Arrive if self.state.go(RingCause::Arrives) => {
                self.call(self.member.node, out);
                out.push(Action::Start(Timer::Request));
                self.count(self.member.node, out);
            }
            Event::Signal(m) if self.is_of_this(&m) => self.hear(&m, out),
            Event::Timer(_) if self.state.go(RingCause::Asks) => {
                let missing = self.member.members.without(&self.heard).first();
                self.call(missing.unwrap_or(self.member.node), out);
                out.push(Action::Start(Timer::Request));
            }
            _ => {}
        }
    }

    fn summary(&self) -> String {
        let heard: Vec<NodeId> = self.heard.iter().collect();
        format!("{} in {}, arrived {heard:?}", self.state.name(), self.episode)
    }
}
