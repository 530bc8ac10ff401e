// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lock in distributed style (thesis 5.2.2, figures 28 to 32).

use super::{
    Caller, CallerCause, Place, Right, RightCause, newer,
    requests::{Request, Requests},
};
use crate::firmware::{Action, Event, Firmware, Message, Timer};
use awgstar_frame::contract::{Order, Signal};
use awgstar_frame::quantity::NodeId;

crate::repairs! {
    /// Set of repairs of the lock of thesis 5.2.2.
    pub struct DistRepairs {
        /// One node owns the lock at the start. As published no process answers the first request:
        /// "the process which is holding the lock right, or locked the section last time".
        FIRST = 0 "first";
        /// A process requests at once, whatever its lock index says, and no unlock is sent: a
        /// process that wants ownership requests it. As published a retransmitted acknowledgement
        /// can come after the unlock, and the index then never changes from "another process locked".
        ASK_AT_ONCE = 1 "ask_at_once";
        /// Every node remembers every request. As published a request is lost that passes the old
        /// owner after it gave ownership away, and the new one before it requested.
        RECORDED = 2 "recorded";
        /// A request has a number: it is recorded once, however often it comes, and an
        /// acknowledgement strikes out no newer one of the same process.
        NUMBERED = 3 "numbered";
        /// Ownership has a number too, one higher with each hand-over, and a grant that is not newer
        /// than the last one known is only acknowledged: retransmitted, it must not make a second owner.
        EPOCHS = 4 "epochs";
        /// A process that gets ownership without waiting gives it to the next one that waits:
        /// who did not see that a request was served, serves it again.
        HANDED_ON = 5 "handed_on";
        /// A process repeats its request until it has the lock, and is answered again. As published
        /// it stops when its request has returned.
        ASK_ON = 6 "ask_on";
        /// The owner hands over by the acknowledgement, which all see: each node removes the
        /// process that is served from its list, and learns the number of the ownership. A
        /// point-to-point pass leaves the request on the lists of all others. Each of them serves
        /// it once more, some N^2 hand-overs on a ring of N; and a node that saw none of 32,768 of
        /// them takes the ownership for an old one. A process that ownership did not reach may have
        /// ended its request: so the node that gave it gives it again when any node, itself
        /// included, repeats a request.
        SHOWN = 7 "shown";
    }
}

/// Process that ownership was given to, and the signal used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Given {
    to: Request,
    by: Signal,
}

/// State machine of a lock in distributed style, one per node.
///
/// As published, where the thesis is silent: a process that waits or is inside records the requests
/// of others, each once, and removes those that are acknowledged. It forgets requests that it
/// recorded and does not serve when it gives ownership away. A process that has ownership enters
/// without a signal. The process that gave ownership away gives it again when the same node repeats
/// its request, until it sees ownership at another node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Distributed {
    place: Place,
    repairs: DistRepairs,
    caller: Caller,
    right: Right,
    /// Number of the last request.
    tag: u16,
    /// Number of the last hand-over known.
    epoch: u16,
    /// The lock index says "unlocked"; always true in variants where the index holds no process
    /// back.
    open: bool,
    requests: Requests,
    given: Option<Given>,
}

impl Distributed {
    /// The state machine of `lock` in `node`; `first` owns the lock at the start. What gives the lock to
    /// another is sent with `order`.
    #[must_use]
    pub fn new(node: NodeId, lock: u32, first: NodeId, order: Order, repairs: DistRepairs) -> Self {
        let here = node == first && repairs.has(DistRepairs::FIRST);
        Distributed {
            place: Place { node, lock, order },
            repairs,
            caller: Caller::Idle,
            right: if here { Right::Here } else { Right::Away },
            tag: 0,
            epoch: 0,
            open: true,
            requests: Requests::new(repairs.has(DistRepairs::NUMBERED)),
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
            if self.caller.go(CallerCause::Here) {
                actions.push(Action::Acquired);
            }
        } else if self.open {
            self.ask(actions);
        } else {
            self.caller.go(CallerCause::HoldBack);
        }
    }

    fn ask(&mut self, actions: &mut Vec<Action>) {
        if self.caller.go(CallerCause::Ask) {
            self.tag = self.tag.wrapping_add(1);
            self.send_request(actions);
        }
    }

    fn send_request(&self, actions: &mut Vec<Action>) {
        let node = self.place.node;
        Place::send(self.place.message(Signal::LockDistRequest, node, self.tag, 0), actions);
        actions.push(Action::Start(Timer::Request));
    }

    fn release(&mut self, actions: &mut Vec<Action>) {
        if !self.caller.go(CallerCause::Leave) {
            return;
        }
        actions.push(Action::Released);
        self.serve(self.next_by(), actions);
        if self.right == Right::Here && !self.repairs.has(DistRepairs::ASK_AT_ONCE) {
            self.open = true;
            self.send_unlock(actions);
        }
    }

    fn send_unlock(&self, actions: &mut Vec<Action>) {
        let unlock = self.place.message(Signal::LockDistUnlock, self.place.node, 0, 0);
        self.place.release(unlock, Timer::Release, actions);
    }

    /// Signal that hands over to a process whose request was recorded before.
    fn next_by(&self) -> Signal {
        if self.shown() { Signal::LockDistAck } else { Signal::LockDistPass }
    }

    fn shown(&self) -> bool {
        self.repairs.has(DistRepairs::SHOWN)
    }

    /// Gives ownership to the first process that waits, with signal `by`.
    fn serve(&mut self, by: Signal, actions: &mut Vec<Action>) {
        let Some(to) = self.requests.pop() else { return };
        self.right.go(RightCause::Give);
        self.epoch = self.epoch.wrapping_add(1);
        self.open = self.repairs.has(DistRepairs::ASK_AT_ONCE);
        self.given = Some(Given { to, by });
        if !self.repairs.has(DistRepairs::RECORDED) {
            self.requests.clear();
        }
        self.give(actions);
    }

    /// Sends the ownership that was given away, also repeatedly.
    fn give(&self, actions: &mut Vec<Action>) {
        let Some(Given { to: (node, tag), by }) = self.given else { return };
        let timer = if by == Signal::LockDistPass { Timer::Pass } else { Timer::Grant };
        self.place.release(self.place.message(by, node, tag, self.epoch), timer, actions);
    }

    fn request(&mut self, request: Request, actions: &mut Vec<Action>) {
        let noted = self.repairs.has(DistRepairs::RECORDED)
            || self.right == Right::Here
            || self.caller == Caller::Asking;
        let new = noted && self.requests.record(request);
        if self.right == Right::Here && self.caller != Caller::Inside {
            self.serve(Signal::LockDistAck, actions);
        } else if !(new && self.repairs.has(DistRepairs::NUMBERED))
            && self.given.is_some_and(|given| self.shown() || given.to.0 == request.0)
        {
            self.give(actions);
        }
    }

    /// Returns true if a message carries ownership that is not an earlier one.
    fn is_news(&self, message: &Message) -> bool {
        !self.repairs.has(DistRepairs::EPOCHS) || newer(message.epoch, self.epoch)
    }

    /// Ownership arrives at this node.
    fn granted(&mut self, message: &Message, actions: &mut Vec<Action>) {
        if !self.is_news(message) {
            return;
        }
        self.epoch = message.epoch;
        self.right.go(RightCause::Come);
        self.forget_given(actions);
        if self.caller.go(CallerCause::Grant) {
            actions.push(Action::Stop(Timer::Request));
            actions.push(Action::Acquired);
        } else if self.repairs.has(DistRepairs::HANDED_ON) {
            self.serve(self.next_by(), actions);
        }
    }

    fn forget_given(&mut self, actions: &mut Vec<Action>) {
        if self.given.take().is_some() {
            actions.push(Action::Stop(Timer::Grant));
            actions.push(Action::Stop(Timer::Pass));
        }
    }

    /// Ownership passes between two other nodes.
    fn acknowledged(&mut self, message: &Message, actions: &mut Vec<Action>) {
        self.open = self.repairs.has(DistRepairs::ASK_AT_ONCE);
        self.requests.served((message.node_id, message.tag));
        if self.is_news(message) {
            if self.shown() {
                self.epoch = message.epoch;
            }
            self.forget_given(actions);
        }
    }

    fn signal(&mut self, message: Message, actions: &mut Vec<Action>) {
        match message.signal {
            Signal::LockDistRequest => self.request((message.node_id, message.tag), actions),
            Signal::LockDistAck if message.node_id == self.place.node => {
                self.granted(&message, actions);
            }
            Signal::LockDistAck => self.acknowledged(&message, actions),
            Signal::LockDistPass => {
                self.granted(&message, actions);
                let (to, tag, epoch) = (message.send_node, message.tag, message.epoch);
                let ack = self.place.message(Signal::LockDistPassAck, to, tag, epoch);
                Place::send(ack, actions);
            }
            Signal::LockDistPassAck if self.is_given(&message) => {
                self.forget_given(actions);
            }
            Signal::LockDistUnlock => {
                self.open = true;
                self.forget_given(actions);
                if self.caller == Caller::HeldBack {
                    self.ask(actions);
                }
            }
            _ => {}
        }
    }

    /// Returns true if a message names the ownership that this node gave away last.
    fn is_given(&self, message: &Message) -> bool {
        !self.repairs.has(DistRepairs::EPOCHS) || message.epoch == self.epoch
    }

    fn returned(&mut self, message: Message, actions: &mut Vec<Action>) {
        match message.signal {
            Signal::LockDistRequest if !self.repairs.has(DistRepairs::ASK_ON) => {
                actions.push(Action::Stop(Timer::Request));
            }
            Signal::LockDistAck if self.is_given(&message) => {
                actions.push(Action::Stop(Timer::Grant));
            }
            Signal::LockDistUnlock => actions.push(Action::Stop(Timer::Release)),
            _ => {}
        }
    }
}

impl Firmware for Distributed {
    fn step(&mut self, event: Event, actions: &mut Vec<Action>) {
        match event {
            Event::Acquire => self.acquire(actions),
            Event::Release => self.release(actions),
            Event::Signal(message) => self.signal(message, actions),
            Event::Returned(message) => self.returned(message, actions),
            Event::Timer(Timer::Request) => {
                self.send_request(actions);
                if self.shown() {
                    self.give(actions);
                }
            }
            Event::Timer(Timer::Release) => self.send_unlock(actions),
            Event::Timer(_) => self.give(actions),
            Event::Arrive => {}
        }
    }

    fn summary(&self) -> String {
        let Distributed { caller, right, tag, epoch, requests, .. } = self;
        let (caller, right) = (caller.name(), right.name());
        format!("{caller} #{tag}, right {right} ({epoch}), waiting {requests}")
    }

    fn leads(&self) -> bool {
        self.right == Right::Here
    }
}
