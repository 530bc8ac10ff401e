// SPDX-License-Identifier: MIT OR Apache-2.0
//! A worker.

use crate::firmware::{
    Action, Event, Timer,
    barrier::{Member, MwRepairs, member::behind},
};
use awgstar_frame::contract::Signal;
use awgstar_frame::quantity::NodeId;

crate::states! {
    /// A worker at the barrier.
    pub enum WorkerState, /// Cause of a transition.
    WorkerCause, "master-worker: worker" {
        states {
            /// The worker has not arrived in this episode.
            Away "away",
            /// The worker has sent its arrival.
            Calling "calling",
            /// The master knows.
            Suspended "suspended",
        }
        causes {
            /// The process arrives.
            Arrives "arrives": Away => Calling;
            /// The arrival is acknowledged.
            Acknowledged "ACK": Calling => Suspended;
            /// The barrier is released.
            Released "release": Calling => Away, Suspended => Away;
            /// A timer runs out: the arrival is retransmitted.
            Again "timer": Calling => Calling, Suspended => Suspended;
        }
    }
}

/// A worker's state machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Worker {
    member: Member,
    master: NodeId,
    repairs: MwRepairs,
    episode: u16,
    state: WorkerState,
}

impl Worker {
    pub(super) fn new(member: Member, master: NodeId, repairs: MwRepairs) -> Self {
        Worker { member, master, repairs, episode: member.episode, state: WorkerState::Away }
    }

    fn call(&self, timer: Timer, out: &mut Vec<Action>) {
        let tag = self.repairs.tag(self.episode);
        let arrival = self.member.message(Signal::BarrierMwArrival, self.master, tag);
        out.extend([Action::Send(arrival, self.member.arrivals), Action::Start(timer)]);
    }

    pub(super) fn step(&mut self, event: Event, out: &mut Vec<Action>) {
        match event {
            Event::Arrive if self.state.go(WorkerCause::Arrives) => {
                self.call(Timer::Request, out);
            }
            Event::Signal(m) => match m.signal {
                // Of another episode it only makes the timer a slower one: no repair needs its tag.
                Signal::BarrierMwAck if self.state.go(WorkerCause::Acknowledged) => {
                    out.push(Action::Stop(Timer::Request));
                    if self.repairs.has(MwRepairs::ASK) {
                        out.push(Action::Start(Timer::Grant));
                    }
                }
                Signal::BarrierMwRelease => {
                    let ours = !self.repairs.has(MwRepairs::TAG_RELEASE) || m.tag == self.episode;
                    if ours && self.state.go(WorkerCause::Released) {
                        self.episode = behind(self.episode);
                        out.extend([Timer::Request, Timer::Grant].map(Action::Stop));
                        out.push(Action::Passed);
                    }
                }
                _ => {}
            },
            Event::Timer(timer) if self.state.go(WorkerCause::Again) => self.call(timer, out),
            _ => {}
        }
    }

    pub(super) fn summary(&self) -> String {
        format!("{} in {}", self.state.name(), self.episode)
    }
}
