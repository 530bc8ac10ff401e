//! Ring queue lock: who waits learns its place from the order in which requests pass the holder.
//!
//! Not in the thesis. Every request and every hand-over goes round to all, so each node knows who
//! waits, in an order that no two nodes see differently for requests of which one was back before
//! the other was sent. The right goes from its holder to the first who waits in one frame; it stays
//! where it is while nobody waits. A lock that is free costs one rotation.

use super::{
    Place, Right, RightCause, newer,
    requests::{Request, Requests},
};
use crate::firmware::{Action, Event, Firmware, Message, Timer};
use awgstar_frame::contract::{Order, Signal};
use awgstar_frame::quantity::NodeId;

crate::states! {
    /// What the process does.
    pub enum QueueCaller, /// What moves it.
    QueueCallerCause, "lock, ring queue: process" {
        states {
            /// It does not want the lock.
            Idle "idle",
            /// It has asked.
            Asking "asking",
            /// It has the lock.
            Inside "inside",
        }
        causes {
            /// It asks.
            Ask "ask": Idle => Asking;
            /// It wants the lock, and the right is here.
            Here "right_here": Idle => Inside;
            /// It is given the lock.
            Grant "grant": Asking => Inside;
            /// It gives the lock back.
            Leave "leave": Inside => Idle;
        }
    }
}

/// A node's machine of a ring queue lock.
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
    /// Whom this node gave the right to, until it sees a newer hand-over.
    given: Option<Request>,
}

impl RingQueue {
    /// The machine of `lock` in `node`; `first` has the right at the start. Passes are sent with
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

    /// The same with `tag` as the number of the request before the first, and `epoch` as that of
    /// the right.
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

    /// Gives the right to the first who waits; if nobody does, it stays here.
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

    /// Sends the right that was given away, also again.
    fn give(&self, actions: &mut Vec<Action>) {
        if let Some((node, tag)) = self.given {
            let pass = self.place.message(Signal::LockQueuePass, node, tag, self.epoch);
            self.place.release(pass, Timer::Pass, actions);
        }
    }

    fn request(&mut self, request: Request, actions: &mut Vec<Action>) {
        if !self.requests.record(request) {
            // Somebody has waited long: the right may not have reached the next holder.
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
