// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ring queue lock: a process learns its place in the queue from the order in which requests pass
//! the holder.
//!
//! This lock is not in the thesis. Every request and every hand-over goes round to all nodes, so
//! each node knows the waiting processes. If one of two requests had returned before the other was
//! sent, all nodes see the two in the same order. Ownership goes from its holder to the first
//! waiting process in one frame; it stays where it is while no process waits. A free lock costs one
//! rotation.

use super::{
    Place, Right, RightCause, newer,
    requests::{Request, Requests},
};
use crate::firmware::{Action, Event, Firmware, Message, Timer};
use awgstar_frame::contract::{Order, Signal};
use awgstar_frame::quantity::NodeId;

crate::states! {
    /// State of the process.
    pub enum QueueCaller, /// Cause of a transition.
    QueueCallerCause, "lock, ring queue: process" {
        states {
            /// The process does not want the lock.
            Idle "idle",
            /// The process has requested the lock.
            Asking "asking",
            /// The process has the lock.
            Inside "inside",
        }
        causes {
            /// The process requests the lock.
            Ask "ask": Idle => Asking;
            /// The process wants the lock, and its node has ownership.
            Here "right_here": Idle => Inside;
            /// The process is granted the lock.
            Grant "grant": Asking => Inside;
            /// The process releases the lock.
            Leave "leave": Inside => Idle;
        }
    }
}

/// A node's state machine of a ring queue lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RingQueue {
    place: Place,
    caller: QueueCaller,
    right: Right,
    /// Number of the last request.
    tag: u16,
    /// Number of the last hand-over known.
    epoch: u16,
    requests: Requests,
    /// Process that this node gave ownership to, until it sees a newer hand-over.
    given: Option<Request>,
}

impl RingQueue {
    /// The state machine of `lock` in `node`; `first` owns the lock at the start. Passes are sent with
    /// `order`.
    #[must_use]
    pub fn new(node: NodeId, lock: u32, first: NodeId, order: Order) -> Self {
        RingQueue {
            place: Place { node, lock, order },
            caller: QueueCaller::Idle,
            right: if node == first { Right::Here } else { Right::Away },
            tag: 0,
            epoch: 0,
            requests: Requests::new(true),
            given: None,
        }
    }

    /// Starts with `tag` as the number of the request before the first, and `epoch` as that of
    /// the ownership.
    #[must_use]
    pub fn counting_from(mut self, tag: u16, epoch: u16) -> Self {
        self.tag = tag;
        self.epoch = epoch;
        self
    }

    fn acquire(&mut self, actions: &mut Vec<Action>) {
        if self.right == Right::Here {
            if self.caller.go(QueueCallerCause::Here) {
                actions.push(Action::Acquired);
            }
        } else if self.caller.go(QueueCallerCause::Ask) {
            self.tag = self.tag.wrapping_add(1);
            self.send_request(actions);
        }
    }

    fn send_request(&self, actions: &mut Vec<Action>) {
        let node = self.place.node;
        Place::send(self.place.message(Signal::LockQueueRequest, node, self.tag, 0), actions);
        actions.push(Action::Start(Timer::Request));
    }

    fn release(&mut self, actions: &mut Vec<Action>) {
        if self.caller.go(QueueCallerCause::Leave) {
            actions.push(Action::Released);
            self.serve(actions);
        }
    }

    /// Gives ownership to the first waiting process; without one it stays here.
    fn serve(&mut self, actions: &mut Vec<Action>) {
        if let Some(next) = self.requests.pop() {
            self.right.go(RightCause::Give);
            self.epoch = self.epoch.wrapping_add(1);
            self.given = Some(next);
            self.give(actions);
        } else {
            self.enter(actions);
        }
    }

    fn enter(&mut self, actions: &mut Vec<Action>) -> bool {
        let enters = self.caller.go(QueueCallerCause::Grant);
        if enters {
            actions.push(Action::Stop(Timer::Request));
            actions.push(Action::Acquired);
        }
        enters
    }

    /// Sends the ownership that was given away, also repeatedly.
    fn give(&self, actions: &mut Vec<Action>) {
        if let Some((node, tag)) = self.given {
            let pass = self.place.message(Signal::LockQueuePass, node, tag, self.epoch);
            self.place.release(pass, Timer::Pass, actions);
        }
    }

    fn request(&mut self, request: Request, actions: &mut Vec<Action>) {
        if !self.requests.record(request) {
            // A process has waited long: ownership may not have reached the next holder.
            self.give(actions);
        } else if self.right == Right::Here && self.caller == QueueCaller::Idle {
            self.serve(actions);
        }
    }

    fn passed(&mut self, message: &Message, actions: &mut Vec<Action>) {
        self.requests.served((message.node_id, message.tag));
        if !newer(message.epoch, self.epoch) {
            return;
        }
        self.epoch = message.epoch;
        if self.given.take().is_some() {
            actions.push(Action::Stop(Timer::Pass));
        }
        if message.node_id == self.place.node {
            self.right.go(RightCause::Come);
            // A node that missed an earlier pass has served an earlier request again.
            if message.tag != self.tag || !self.enter(actions) {
                self.serve(actions);
            }
        }
    }
}

impl Firmware for RingQueue {
    fn step(&mut self, event: Event, actions: &mut Vec<Action>) {
        match event {
            Event::Acquire => self.acquire(actions),
            Event::Release => self.release(actions),
            Event::Signal(message) => match message.signal {
                Signal::LockQueueRequest => self.request((message.node_id, message.tag), actions),
                Signal::LockQueuePass => self.passed(&message, actions),
                _ => {}
            },
            Event::Returned(message) => {
                if message.signal == Signal::LockQueuePass && message.epoch == self.epoch {
                    actions.push(Action::Stop(Timer::Pass));
                }
            }
            Event::Timer(Timer::Request) => self.send_request(actions),
            Event::Timer(_) => self.give(actions),
            Event::Arrive => {}
        }
    }

    fn summary(&self) -> String {
        let RingQueue { caller, right, tag, epoch, requests, .. } = self;
        let (caller, right) = (caller.name(), right.name());
        format!("{caller} #{tag}, right {right} ({epoch}), waiting {requests}")
    }

    fn leads(&self) -> bool {
        self.right == Right::Here
    }
}
