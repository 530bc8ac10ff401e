// SPDX-License-Identifier: MIT OR Apache-2.0
//! The master.

use crate::firmware::{
    Action, Event, Message, Timer,
    barrier::{
        Member, MwRepairs, Nodes,
        member::{before, behind},
        watch::{Watch, WatchCause},
    },
};
use awgstar_frame::contract::{Order, Signal};
use awgstar_frame::quantity::NodeId;

crate::states! {
    /// The master's own process at the barrier.
    pub enum MasterState, /// Cause of a transition.
    MasterCause, "master-worker: master" {
        states {
            /// The master's process has not arrived in this episode.
            Away "away",
            /// The master's process has arrived and waits for workers.
            Waiting "waiting",
        }
        causes {
            /// The process arrives.
            Arrives "arrives": Away => Waiting;
            /// All have arrived.
            Together "all here": Waiting => Away;
        }
    }
}

/// The master's state machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Master {
    member: Member,
    repairs: MwRepairs,
    episode: u16,
    state: MasterState,
    watch: Watch,
    /// Processes that have arrived in this episode.
    arrived: Nodes,
}

impl Master {
    pub(super) fn new(member: Member, repairs: MwRepairs) -> Self {
        Master {
            member,
            repairs,
            episode: member.episode,
            state: MasterState::Away,
            watch: Watch::Quiet,
            arrived: Nodes::default(),
        }
    }

    /// The release of the episode before this one.
    fn release(&self) -> Action {
        let tag = self.repairs.tag(before(self.episode));
        self.member.release(Signal::BarrierMwRelease, tag)
    }

    fn count(&mut self, node: NodeId, out: &mut Vec<Action>) {
        self.arrived.insert(node);
        if self.member.members.without(&self.arrived) == Nodes::default() {
            self.state.go(MasterCause::Together);
            self.watch.go(WatchCause::Released);
            self.arrived.clear();
            self.episode = behind(self.episode);
            out.extend([self.release(), Action::Start(Timer::Release), Action::Passed]);
        }
    }

    fn hear(&mut self, arrival: &Message, out: &mut Vec<Action>) {
        if !self.repairs.has(MwRepairs::TAG_ARRIVAL) || arrival.tag == self.episode {
            let to = arrival.send_node;
            let ack = self.member.message(Signal::BarrierMwAck, to, arrival.tag);
            out.push(Action::Send(ack, Order::None));
            self.count(to, out);
        } else if self.repairs.has(MwRepairs::ANSWER) && arrival.tag == before(self.episode) {
            out.push(self.release());
        }
    }

    pub(super) fn step(&mut self, event: Event, out: &mut Vec<Action>) {
        match event {
            Event::Arrive if self.state.go(MasterCause::Arrives) => {
                self.count(self.member.node, out);
            }
            Event::Signal(m) if m.signal == Signal::BarrierMwArrival => self.hear(&m, out),
            Event::Returned(m)
                if m.signal == Signal::BarrierMwRelease && self.watch.go(WatchCause::Back) =>
            {
                out.push(Action::Stop(Timer::Release));
            }
            Event::Timer(_) if self.watch.go(WatchCause::Again) => {
                out.extend([self.release(), Action::Start(Timer::Release)]);
            }
            _ => {}
        }
    }

    pub(super) fn summary(&self) -> String {
        let arrived: Vec<NodeId> = self.arrived.iter().collect();
        let mut text = format!("{} in {}, arrived {arrived:?}", self.state.name(), self.episode);
        self.watch.tell(&mut text);
        text
    }
}
