// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lock in master-worker style (thesis 5.2.1, figures 23 to 27).

use super::{
    Caller, CallerCause, Place,
    requests::{Request, Requests},
};
use crate::firmware::{Action, Event, Firmware, Message, Timer};
use awgstar_frame::contract::{Order, Signal};
use awgstar_frame::quantity::NodeId;

crate::repairs! {
    /// Set of repairs of the lock of thesis 5.2.1.
    pub struct MwRepairs {
        /// A process asks at once and the master remembers it, whatever the lock index says. As
        /// published it first "confirms the status of the lock number is unlocked"; an acknowledgement
        /// that is retransmitted can be after the unlock, and the index then never changes from "locked".
        ASK_AT_ONCE = 0 "ask_at_once";
        /// A process repeats its request until it has the lock. As published any acknowledgement
        /// stops it, also one that was sent before its request was lost.
        ASK_ON = 1 "ask_on";
        /// A process takes an acknowledgement only for the request it waits with: an
        /// acknowledgement of one of its older requests may still be under way.
        NUMBERED = 2 "numbered";
        /// The master serves each request once, however often it comes.
        ONCE = 3 "once";
        /// The master takes an unlock only for the current grant: a retransmitted unlock must not
        /// take the lock from the next holder.
        UNLOCK_OF_GRANT = 4 "unlock_of_grant";
        /// A process that is named as holder after it has left unlocks again. Otherwise an unlock
        /// that returned, but that the master did not take, is never repeated.
        UNLOCK_AGAIN = 5 "unlock_again";
    }
}

crate::states! {
    /// State of the lock in the master.
    pub enum Arbiter, /// Cause of a transition.
    ArbiterCause, "lock, master-worker: master" {
        states {
            /// No process has the lock.
            Free "free",
            /// A process has it.
            Taken "taken",
        }
        causes {
            /// The first who waits is given the lock.
            Grant "grant": Free => Taken;
            /// The holder has left.
            Unlock "unlock": Taken => Free;
        }
    }
}

/// State of the master only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Master {
    state: Arbiter,
    /// The last request that was granted.
    grant: Request,
    requests: Requests,
}

/// State machine of a lock in master-worker style, one per node.
///
/// As published, where the thesis is silent: a request for a taken lock is answered with an
/// acknowledgement that names the holder, and is remembered. The master's own process needs no
/// request, and its grants and unlocks are broadcast like others. A process goes on when its unlock
/// is sent. A waiting process takes every acknowledgement that names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MasterWorker {
    place: Place,
    repairs: MwRepairs,
    master: NodeId,
    caller: Caller,
    /// Number of the last request.
    tag: u16,
    /// The lock index says "unlocked"; always true in the master, which sends no request, and in
    /// variants where the index holds no process back.
    open: bool,
    /// The request whose unlock was sent and is not back.
    unlocking: Option<u16>,
    arbiter: Option<Master>,
}

impl MasterWorker {
    /// The state machine of `lock` in `node`. Unlocks and acknowledgements are sent with `order`.
    #[must_use]
    pub fn new(node: NodeId, lock: u32, master: NodeId, order: Order, repairs: MwRepairs) -> Self {
        let arbiter = Master {
            state: Arbiter::Free,
            grant: (master, 0),
            requests: Requests::new(repairs.has(MwRepairs::ONCE)),
        };
        MasterWorker {
            place: Place { node, lock, order },
            repairs,
            master,
            caller: Caller::Idle,
            tag: 0,
            open: true,
            unlocking: None,
            arbiter: (node == master).then_some(arbiter),
        }
    }

    /// Starts with `tag` as the number of the request before the first.
    #[must_use]
    pub fn counting_from(mut self, tag: u16) -> Self {
        self.tag = tag;
        self
    }

    fn acquire(&mut self, actions: &mut Vec<Action>) {
        if self.open {
            self.ask(actions);
        } else {
            self.caller.go(CallerCause::HoldBack);
        }
    }

    fn ask(&mut self, actions: &mut Vec<Action>) {
        if !self.caller.go(CallerCause::Ask) {
            return;
        }
        self.tag = self.tag.wrapping_add(1);
        let request = (self.place.node, self.tag);
        if let Some(master) = &mut self.arbiter {
            master.requests.record(request);
            if self.repairs.has(MwRepairs::UNLOCK_AGAIN) {
                actions.push(Action::Start(Timer::Request));
            }
            self.serve(actions);
        } else {
            self.send_request(actions);
        }
    }

    /// The process has waited long. The master has no one to ask but the holder.
    fn ask_again(&self, actions: &mut Vec<Action>) {
        if self.arbiter.is_some() {
            self.send_ack(actions);
            actions.push(Action::Start(Timer::Request));
        } else {
            self.send_request(actions);
        }
    }

    fn send_request(&self, actions: &mut Vec<Action>) {
        let to = self.master;
        Place::send(self.place.message(Signal::LockMwRequest, to, self.tag, 0), actions);
        actions.push(Action::Start(Timer::Request));
    }

    fn release(&mut self, actions: &mut Vec<Action>) {
        if self.caller.go(CallerCause::Leave) {
            self.send_unlock(self.tag, actions);
            actions.push(Action::Released);
            self.unlocked((self.place.node, self.tag), actions);
        }
    }

    fn send_unlock(&mut self, tag: u16, actions: &mut Vec<Action>) {
        let unlock = self.place.message(Signal::LockMwUnlock, self.place.node, tag, 0);
        self.place.release(unlock, Timer::Release, actions);
        self.unlocking = Some(tag);
    }

    /// "All the processes update the index to unlocked"; the master gives the lock to the next.
    fn unlocked(&mut self, of: Request, actions: &mut Vec<Action>) {
        self.open = true;
        if self.caller == Caller::HeldBack {
            self.ask(actions);
        }
        let any = !self.repairs.has(MwRepairs::UNLOCK_OF_GRANT);
        if let Some(master) = &mut self.arbiter
            && (any || master.grant == of)
            && master.state.go(ArbiterCause::Unlock)
        {
            actions.push(Action::Stop(Timer::Grant));
            self.serve(actions);
        }
    }

    /// The master: a request is here.
    fn request(&mut self, request: Request, actions: &mut Vec<Action>) {
        let Some(master) = &mut self.arbiter else { return };
        master.requests.record(request);
        if master.state == Arbiter::Taken {
            self.send_ack(actions);
        } else {
            self.serve(actions);
        }
    }

    /// The master gives a free lock to the first who waits.
    fn serve(&mut self, actions: &mut Vec<Action>) {
        let Some(master) = &mut self.arbiter else { return };
        if master.state == Arbiter::Taken {
            return;
        }
        let Some(next) = master.requests.pop() else { return };
        master.state.go(ArbiterCause::Grant);
        master.grant = next;
        self.send_ack(actions);
        if next.0 == self.place.node {
            self.granted(next, actions);
        }
    }

    fn send_ack(&self, actions: &mut Vec<Action>) {
        let Some(master) = &self.arbiter else { return };
        let (node, tag) = master.grant;
        let ack = self.place.message(Signal::LockMwAck, node, tag, 0);
        self.place.release(ack, Timer::Grant, actions);
    }

    /// An acknowledgement names this node.
    fn granted(&mut self, grant: Request, actions: &mut Vec<Action>) {
        let mine = grant.1 == self.tag;
        let takes = mine || !self.repairs.has(MwRepairs::NUMBERED);
        if takes && self.caller.go(CallerCause::Grant) {
            actions.push(Action::Stop(Timer::Request));
            actions.push(Action::Acquired);
        } else if self.repairs.has(MwRepairs::UNLOCK_AGAIN)
            && !(mine && self.caller == Caller::Inside)
            && self.unlocking.is_none()
        {
            self.send_unlock(grant.1, actions);
        }
    }

    fn acknowledged(&mut self, grant: Request, actions: &mut Vec<Action>) {
        self.open = self.repairs.has(MwRepairs::ASK_AT_ONCE);
        if grant.0 == self.place.node {
            self.granted(grant, actions);
        } else if !self.repairs.has(MwRepairs::ASK_ON) {
            actions.push(Action::Stop(Timer::Request));
        }
    }

    fn signal(&mut self, message: Message, actions: &mut Vec<Action>) {
        let of = (message.node_id, message.tag);
        match message.signal {
            Signal::LockMwRequest => self.request((message.send_node, message.tag), actions),
            Signal::LockMwAck => self.acknowledged(of, actions),
            Signal::LockMwUnlock => self.unlocked(of, actions),
            _ => {}
        }
    }

    fn returned(&mut self, message: Message, actions: &mut Vec<Action>) {
        let grant = self.arbiter.as_ref().map(|master| master.grant);
        match message.signal {
            Signal::LockMwAck if grant == Some((message.node_id, message.tag)) => {
                actions.push(Action::Stop(Timer::Grant));
            }
            Signal::LockMwUnlock if self.unlocking == Some(message.tag) => {
                self.unlocking = None;
                actions.push(Action::Stop(Timer::Release));
            }
            _ => {}
        }
    }
}

impl Firmware for MasterWorker {
    fn step(&mut self, event: Event, actions: &mut Vec<Action>) {
        match event {
            Event::Acquire => self.acquire(actions),
            Event::Release => self.release(actions),
            Event::Signal(message) => self.signal(message, actions),
            Event::Returned(message) => self.returned(message, actions),
            Event::Timer(Timer::Request) => self.ask_again(actions),
            Event::Timer(Timer::Grant) => self.send_ack(actions),
            Event::Timer(Timer::Release) => {
                if let Some(tag) = self.unlocking {
                    self.send_unlock(tag, actions);
                }
            }
            _ => {}
        }
    }

    fn summary(&self) -> String {
        let mut text = format!("{} #{}", self.caller.name(), self.tag);
        if let Some(Master { state, grant, requests }) = &self.arbiter {
            let taken = format!("taken by {}#{}", grant.0, grant.1);
            let state = if *state == Arbiter::Free { "free".to_string() } else { taken };
            text = format!("{text}, lock {state}, waiting {requests}");
        }
        text
    }
}
