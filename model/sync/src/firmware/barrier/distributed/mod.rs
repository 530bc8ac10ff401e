// SPDX-License-Identifier: MIT OR Apache-2.0
//! The distributed barrier (thesis 5.3.2).
//!
//! A process that arrives broadcasts its arrival. The first one becomes the main process,
//! acknowledges the others, and releases all when all have arrived. Where the thesis leaves a
//! choice, "as published" means here:
//!
//! * The first process is the one whose arrival returns without an acknowledgement, as the text
//!   says.
//! * Of "we determine the process i is the master process if i < j" and "if the number of the other
//!   is larger than its own, it sends the signal again" the first rules. A process that hears of a
//!   lower number while its own arrival goes round retransmits that arrival when it has returned.
//! * The main process counts the arrivals that reach it as main, so also retransmitted ones, each
//!   process once, itself included.
//! * "The process which sends the signal knows that": an arrival is retransmitted when a timer runs
//!   out before its sender is acknowledged or main; a release when it has not returned.
//! * A release ends every wait.

mod election;

use super::{
    Member, Nodes,
    member::behind,
    watch::{Watch, WatchCause},
};
use crate::firmware::{Action, Event, Firmware, Message, Timer};
use awgstar_frame::contract::{Order, Signal};
use awgstar_frame::quantity::NodeId;
use std::fmt::Write as _;

crate::states! {
    /// A process at the barrier.
    pub enum DistributedState, /// Cause of a transition.
    DistributedCause, "distributed: process" {
        states {
            /// The process has not arrived in this episode.
            Away "away",
            /// The own arrival goes round.
            Calling "calling",
            /// The own arrival has returned, and the process is neither main nor acknowledged
            /// (repaired only).
            Unsure "unsure",
            /// The main process knows.
            Acknowledged "acknowledged",
            /// The process is the main process.
            Main "main",
        }
        causes {
            /// The process arrives.
            Arrives "arrives": Away => Calling;
            /// The own arrival returns, and other arrivals were heard.
            ComesBack "comes back": Calling => Unsure;
            /// The process becomes the main process.
            Elected "elected": Calling => Main, Unsure => Main;
            /// The main process acknowledges it.
            Acknowledge "ACK": Calling => Acknowledged, Unsure => Acknowledged;
            /// The barrier is released.
            Released "release": Calling => Away, Unsure => Away, Acknowledged => Away, Main => Away;
            /// A timer runs out: the arrival is retransmitted.
            Again "timer": Calling => Calling, Unsure => Unsure, Acknowledged => Acknowledged,
                Main => Main;
        }
    }
}

crate::repairs! {
    /// Set of repairs of the barrier of thesis 5.3.2.
    pub struct DistRepairs {
        /// An arrival counts in its own episode only.
        TAG_ARRIVAL = 0 "tag-arrival";
        /// A release ends its own episode only.
        TAG_RELEASE = 1 "tag-release";
        /// An acknowledgement counts in its own episode only.
        TAG_ACK = 2 "tag-ack";
        /// The return of an arrival counts in its own episode only.
        TAG_RETURN = 3 "tag-return";
        /// A process remembers whose arrivals of this episode it heard, before its own too. If
        /// there are any, the return of its own arrival does not make it main.
        HEARD = 4 "heard";
        /// Node_ID of an arrival names the lowest process that its sender heard of, itself included;
        /// to name another one it is retransmitted. Who was named by all it heard of becomes main.
        FOLLOW = 5 "follow";
        /// Who waits in an episode and hears an arrival of the next one is released: its sender was.
        NEXT = 6 "next";
        /// Who is acknowledged or main sends its arrival again when a timer runs out.
        ASK = 7 "ask";
        /// An arrival of the last episode that a node released is answered with that release.
        ANSWER = 8 "answer";
    }
}

impl DistRepairs {
    /// Tag in the frames of `episode`; 0 as published.
    fn tag(self, episode: u16) -> u16 {
        if self == DistRepairs::NONE { 0 } else { episode }
    }
}

/// A node's state machine of the distributed barrier (thesis 5.3.2).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Distributed {
    member: Member,
    repairs: DistRepairs,
    /// The episode that the process is in, or arrives in next.
    episode: u16,
    state: DistributedState,
    watch: Watch,
    /// The last episode that this node released.
    released: Option<u16>,
    /// Processes that have arrived in this episode, this node included. As published: those heard
    /// since the process sent its arrival, or became main.
    heard: Nodes,
    /// Of these, who has not named this node.
    against: Nodes,
    /// Process that the last arrival named.
    named: NodeId,
}

impl Distributed {
    /// The state machine of a node.
    pub fn new(member: Member, repairs: DistRepairs) -> Self {
        Distributed {
            member,
            repairs,
            episode: member.episode,
            state: DistributedState::Away,
            watch: Watch::Quiet,
            released: None,
            heard: Nodes::default(),
            against: Nodes::default(),
            named: NodeId(0),
        }
    }

    /// A frame with `tag` is of this episode, as far as `repair` lets tell.
    fn ours(&self, repair: DistRepairs, tag: u16) -> bool {
        !self.repairs.has(repair) || tag == self.episode
    }

    fn release(&self, episode: u16) -> Action {
        self.member.release(Signal::BarrierDistRelease, self.repairs.tag(episode))
    }

    fn complete(&mut self, out: &mut Vec<Action>) {
        if self.member.members.without(&self.heard) == Nodes::default() {
            self.watch.go(WatchCause::Released);
            self.released = Some(self.episode);
            out.extend([self.release(self.episode), Action::Start(Timer::Release)]);
            self.pass(out);
        }
    }

    fn pass(&mut self, out: &mut Vec<Action>) {
        if self.state.go(DistributedCause::Released) {
            self.episode = behind(self.episode);
            self.heard.clear();
            self.against.clear();
            out.extend([Timer::Request, Timer::Grant].map(Action::Stop));
            out.push(Action::Passed);
        }
    }

    /// From now on only asked for again, if at all.
    fn settle(&self, out: &mut Vec<Action>) {
        out.push(Action::Stop(Timer::Request));
        if self.repairs.has(DistRepairs::ASK) {
            out.push(Action::Start(Timer::Grant));
        }
    }

    fn signal(&mut self, m: &Message, out: &mut Vec<Action>) {
        match m.signal {
            Signal::BarrierDistArrival => self.arrival(m, out),
            Signal::BarrierDistAck
                if self.ours(DistRepairs::TAG_ACK, m.tag)
                    && self.state.go(DistributedCause::Acknowledge) =>
            {
                self.settle(out);
            }
            Signal::BarrierDistRelease if self.ours(DistRepairs::TAG_RELEASE, m.tag) => {
                self.pass(out);
            }
            _ => {}
        }
    }

    fn arrival(&mut self, m: &Message, out: &mut Vec<Action>) {
        if self.repairs.has(DistRepairs::TAG_ARRIVAL) {
            if self.repairs.has(DistRepairs::NEXT) && m.tag == behind(self.episode) {
                self.pass(out);
            }
            if m.tag != self.episode {
                if self.repairs.has(DistRepairs::ANSWER) && self.released == Some(m.tag) {
                    out.push(self.release(m.tag));
                }
                return;
            }
        }
        if self.state == DistributedState::Main {
            self.heard.insert(m.send_node);
            let ack = self.member.message(Signal::BarrierDistAck, m.send_node, m.tag);
            out.push(Action::Send(ack, Order::None));
            self.complete(out);
        } else {
            self.hear(m, out);
        }
    }

    fn returned(&mut self, m: &Message, out: &mut Vec<Action>) {
        match m.signal {
            Signal::BarrierDistArrival if self.ours(DistRepairs::TAG_RETURN, m.tag) => {
                self.came_back(out);
            }
            Signal::BarrierDistRelease if self.watch.go(WatchCause::Back) => {
                out.push(Action::Stop(Timer::Release));
            }
            _ => {}
        }
    }

    fn timer(&mut self, timer: Timer, out: &mut Vec<Action>) {
        if timer == Timer::Release {
            if let (true, Some(episode)) = (self.watch.go(WatchCause::Again), self.released) {
                out.extend([self.release(episode), Action::Start(timer)]);
            }
        } else if self.state.go(DistributedCause::Again) {
            self.call(out);
            out.push(Action::Start(timer));
        }
    }
}

impl Firmware for Distributed {
    fn step(&mut self, event: Event, out: &mut Vec<Action>) {
        match event {
            Event::Arrive if self.state.go(DistributedCause::Arrives) => {
                self.heard.insert(self.member.node);
                self.call(out);
                out.push(Action::Start(Timer::Request));
            }
            Event::Signal(m) => self.signal(&m, out),
            Event::Returned(m) => self.returned(&m, out),
            Event::Timer(timer) => self.timer(timer, out),
            _ => {}
        }
    }

    fn summary(&self) -> String {
        let heard: Vec<NodeId> = self.heard.iter().collect();
        let against: Vec<NodeId> = self.against.iter().collect();
        let mut text = format!("{} in {}, heard {heard:?}", self.state.name(), self.episode);
        if self.repairs.has(DistRepairs::HEARD) && !against.is_empty() {
            let _ = write!(text, ", against {against:?}");
        }
        self.watch.tell(&mut text);
        text
    }

    fn led(&self) -> Option<u16> {
        if self.state == DistributedState::Main { Some(self.episode) } else { self.released }
    }
}
