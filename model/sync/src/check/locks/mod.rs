// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks and barriers on the [`Network`], as [`Settings`] says. A node may handle later what it
//! received.

mod steps;

use super::{
    explore::{Checkable, Next},
    network::{Network, Rules, StateOf, Traffic},
    settings::{Kind, Property, Settings},
    step::{Call, Step, What, Write},
};
use crate::firmware::{Action, Event, Firmware, Message, Timer};
use awgstar_frame::contract::Signal;
use awgstar_frame::quantity::NodeId;
use std::collections::VecDeque;

/// State of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Process {
    Idle,
    Waiting(u8),
    Inside(u8),
    Leaving(u8),
}

/// State of a process that waits for a lock, for [`Property::Fair`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Queued {
    /// Request of the process, once it was sent.
    asked: Option<Message>,
    /// The request has returned.
    back: bool,
    /// Bit i: the request of node i was back before this one was sent.
    behind: u32,
}

/// A node in a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node<F> {
    machines: Vec<F>,
    process: Process,
    queued: Queued,
    /// Calls that the process has still to make.
    left: u8,
    /// Timers that run: four bits for each lock.
    timers: u16,
    /// Events that a slow node still has to handle. Own returns and frames of others are not
    /// ordered, but with [`Settings::drained`] a return follows the inbox events counted with it.
    inbox: VecDeque<Message>,
    returned: VecDeque<(Message, usize)>,
}

type State<F> = StateOf<Network<F>>;

const TIMERS: [Timer; 4] = [Timer::Request, Timer::Grant, Timer::Release, Timer::Pass];

const fn timer_bit(lock: u8, timer: Timer) -> u16 {
    1 << (lock * 4 + timer as u8)
}

fn is_request(signal: Signal) -> bool {
    use Signal::{LockDistRequest, LockMwRequest, LockQueueRequest};
    matches!(signal, LockMwRequest | LockDistRequest | LockQueueRequest)
}

impl<F: Firmware> Network<F> {
    /// Signals sent, timers, and what the process learns.
    fn act(&self, state: &mut State<F>, at: usize, lock: u8, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Send(message, order) => {
                    if is_request(message.signal) {
                        self.asked(state, at, message);
                    }
                    self.send(state, at, message, order);
                }
                Action::Start(timer) => state.nodes[at].timers |= timer_bit(lock, timer),
                Action::Stop(timer) => state.nodes[at].timers &= !timer_bit(lock, timer),
                Action::Acquired => self.acquired(state, at, lock),
                Action::Released => {
                    Self::let_go(state, at, Process::Leaving(lock), Process::Idle);
                }
                Action::Passed => {
                    if Self::let_go(state, at, Process::Waiting(lock), Process::Idle) {
                        let mine = state.nodes[at].left;
                        // All are in this episode: no process has more calls left than this one.
                        if state.nodes.iter().any(|other| other.left > mine) {
                            state.wrong = Some(Property::Together);
                        } else if self.settings.data && !self.sees_all(state, at) {
                            state.wrong = Some(Property::Visible);
                        }
                    }
                }
            }
        }
    }

    /// The process goes on; it must have asked.
    fn let_go(state: &mut State<F>, at: usize, from: Process, to: Process) -> bool {
        let asked = state.nodes[at].process == from;
        if asked {
            state.nodes[at].process = to;
        } else {
            state.wrong = Some(Property::OneGrant);
        }
        asked
    }

    /// The node has what the others wrote before they arrived: one data frame in each episode.
    fn sees_all(&self, state: &State<F>, at: usize) -> bool {
        let node = &state.nodes[at];
        let written = self.settings.rounds - node.left;
        NodeId::all(self.settings.nodes)
            .all(|source| source.index() == at || state.boards[at].has(source, written))
    }

    fn acquired(&self, state: &mut State<F>, at: usize, lock: u8) {
        if !Self::let_go(state, at, Process::Waiting(lock), Process::Inside(lock)) {
            return;
        }
        let queued = std::mem::take(&mut state.nodes[at].queued);
        if queued.behind != 0 {
            state.wrong = Some(Property::Fair);
        }
        for other in 0..self.settings.nodes {
            if state.nodes[other].queued.behind != 0 {
                state.nodes[other].queued.behind &= !(1 << at);
            }
        }
        if self.settings.data {
            let first = usize::from(lock) * self.settings.nodes;
            let board = &state.boards[at];
            let missing = |source: NodeId| {
                let number = state.written[first + source.index()];
                source.index() != at && !board.has(source, number)
            };
            if NodeId::all(self.settings.nodes).any(missing) {
                state.wrong = Some(Property::Visible);
            }
        }
    }

    /// A request is sent: those that are back now must be served before it.
    fn asked(&self, state: &mut State<F>, at: usize, message: Message) {
        let mine = state.nodes[at].process;
        let waits = matches!(mine, Process::Waiting(_));
        if self.settings.fair && waits && state.nodes[at].queued.asked.is_none() {
            let back = |node: &Node<F>| node.process == mine && node.queued.back;
            let nodes = state.nodes.iter().enumerate();
            let behind = nodes.filter(|(_, node)| back(node)).fold(0, |bits, (i, _)| bits | 1 << i);
            state.nodes[at].queued = Queued { asked: Some(message), back: false, behind };
        }
    }

    fn tell_lock(&self, state: &mut State<F>, at: usize, lock: u8, event: Event) {
        let mut actions = Vec::new();
        if let Some(machine) = state.nodes[at].machines.get_mut(usize::from(lock)) {
            let before = machine.led();
            machine.step(event, &mut actions);
            if machine.led() != before && Self::second_main(state, at, lock.into()) {
                state.wrong = Some(Property::OneLeader);
            }
            self.act(state, at, lock, actions);
        }
    }

    /// The node has become the main process of an episode that has, or had, another one: who has
    /// passed this episode was released by it.
    fn second_main(state: &State<F>, at: usize, lock: usize) -> bool {
        let left =
            |node: &Node<F>| node.left + u8::from(matches!(node.process, Process::Waiting(_)));
        let led = |node: &Node<F>| node.machines[lock].led();
        let node = &state.nodes[at];
        let another = |(one, other): (usize, &Node<F>)| {
            one != at && (led(other) == led(node) || left(other) < left(node))
        };
        state.nodes.iter().enumerate().any(another)
    }

    /// The place of the lock with this number; `None` if there is no such lock.
    fn lock(&self, number: u32) -> Option<u8> {
        let numbers = (0_u32..).step_by(self.settings.lock_step as usize);
        let mut locks = (0..).zip(numbers).take(self.settings.locks);
        locks.find_map(|(lock, other)| (other == number).then_some(lock))
    }

    fn tell_signal(&self, state: &mut State<F>, at: usize, message: Message, returned: bool) {
        let Some(lock) = self.lock(message.lock_number) else { return };
        let event = if returned { Event::Returned(message) } else { Event::Signal(message) };
        self.tell_lock(state, at, lock, event);
    }

    /// Passes a message to the firmware at once; a slow node queues it for later.
    fn receive(&self, state: &mut State<F>, at: usize, message: Message, returned: bool) {
        let node = &mut state.nodes[at];
        node.queued.back |= returned && node.queued.asked == Some(message);
        if self.settings.slow >> at & 1 == 0 {
            self.tell_signal(state, at, message, returned);
        } else if returned {
            let first = if self.settings.drained { node.inbox.len() } else { 0 };
            node.returned.push_back((message, first));
        } else {
            node.inbox.push_back(message);
        }
    }

    /// Nothing has gone wrong, and yet only a timer can let a process that waits go on.
    fn waits_for_timer(&self, state: &State<F>) -> bool {
        let s = &self.settings;
        let helps = |node: &Node<F>, lock: u8| match s.kind {
            Kind::Lock => node.process == Process::Inside(lock),
            Kind::Barrier => node.process == Process::Idle && node.left > 0,
        };
        let alone = |node: &Node<F>| match node.process {
            Process::Waiting(lock) => !state.nodes.iter().any(|other| helps(other, lock)),
            _ => false,
        };
        self.faultless(state) && state.nodes.iter().any(alone) && Self::quiet(state)
    }
}

impl<F: Firmware> Traffic for Network<F> {
    type Node = Node<F>;
    type Common = ();
    type Data = Write;
    type Shown = Write;
    type Local = Call;
    type Property = Property;

    fn rules(&self) -> Rules {
        let &Settings { nodes, descending, profile, losses, early, full, .. } = &self.settings;
        Rules { nodes, descending, profile, losses, early, full }
    }

    fn shown(&self, data: Write) -> Write {
        data
    }

    fn takes(&self, at: usize, message: Message) -> bool {
        message.reaches(NodeId::at(at))
    }

    fn passes(message: Message) -> What {
        What::Arrives(message)
    }

    fn arrives(&self, state: &mut State<F>, at: usize, message: Message, place: usize) {
        self.receive(state, at, message, false);
        if self.settings.in_place {
            self.answer_in_place(state, at, message, place);
        }
    }

    fn returns(&self, state: &mut State<F>, at: usize, message: Message) {
        // Of a request in which a holder has put its acknowledgement that is what counts.
        let answered = self.settings.in_place && message.signal == Signal::LockDistAck;
        self.receive(state, at, message, !answered);
    }

    fn idle(state: &State<F>) -> bool {
        state.nodes.iter().all(|node| node.inbox.is_empty() && node.returned.is_empty())
    }
}

impl<F: Firmware> Checkable for Network<F> {
    type State = State<F>;
    type Step = Step;
    type Property = Property;

    fn start(&self) -> State<F> {
        let s = &self.settings;
        let node = |(at, machines): (usize, &Vec<F>)| Node {
            machines: machines.clone(),
            process: Process::Idle,
            queued: Queued::default(),
            left: if s.callers >> at & 1 == 1 { s.rounds } else { 0 },
            timers: 0,
            inbox: VecDeque::new(),
            returned: VecDeque::new(),
        };
        let written = if s.data { s.locks * s.nodes } else { 0 };
        self.state(self.machines.iter().enumerate().map(node), (), (s.data, written))
    }

    fn steps(&self, state: &State<F>, next: &mut Vec<Next<Self>>) {
        for at in 0..self.settings.nodes {
            self.link(state, at, next);
            self.handle(state, at, next);
            self.run_out(state, at, next);
            self.resend(state, at, next);
            self.call(state, at, next);
        }
    }

    fn broken(&self, state: &State<F>) -> Option<Property> {
        let inside = |lock: u8| {
            state.nodes.iter().filter(|node| node.process == Process::Inside(lock)).count()
        };
        let lead = |lock: u8| {
            state.nodes.iter().filter(|node| node.machines[usize::from(lock)].leads()).count()
        };
        let locks = || (0..=u8::MAX).take(self.settings.locks);
        if self.settings.kind == Kind::Lock && locks().any(|lock| inside(lock) > 1) {
            Some(Property::Exclusion)
        } else if state.wrong.is_some() {
            state.wrong
        } else if locks().any(|lock| lead(lock) > 1) {
            Some(Property::OneLeader)
        } else if self.settings.unaided && self.waits_for_timer(state) {
            Some(Property::Unaided)
        } else {
            None
        }
    }

    fn done(&self, state: &State<F>) -> bool {
        let rests = |node: &Node<F>| !self.settings.rest || node.timers == 0;
        state
            .nodes
            .iter()
            .all(|node| node.left == 0 && node.process == Process::Idle && rests(node))
            && (!self.settings.rest || Self::quiet(state))
    }

    fn describe(&self, step: &mut Step, after: &State<F>) {
        let machines = &after.nodes[step.node].machines;
        step.after = machines.iter().map(F::summary).collect::<Vec<_>>().join("; ");
    }
}
