// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model of the ring on which firmware is checked.
//!
//! Frames stay in order on every link. A node receives the frames that are for it and passes all
//! on. A frame that it sends in answer follows the frame that caused it. The source of a frame
//! removes it from the ring.
//!
//! [`Settings`] selects the faults: a frame is lost on a link, a timer runs out early, a mailbox is
//! full, a node handles later what it received. A timeout is *right* only if the ring is empty and
//! nothing waits. At any other time it is early, and each early timeout takes one of
//! [`Settings::early`].

mod steps;

use super::{
    board::{Board, Frame},
    explore::{Checkable, Next},
    settings::{Kind, Property, Settings},
    step::Step,
};
use crate::firmware::{Action, Event, Firmware, Message, Timer};
use awgstar_frame::contract::Signal;
use awgstar_frame::quantity::NodeId;
use std::{
    collections::VecDeque,
    ops::{Index, IndexMut},
    rc::Rc,
};

/// A ring of state machines to be checked.
#[derive(Clone, Debug)]
pub struct Network<F> {
    /// Traffic and faults of the run.
    pub settings: Settings,
    /// State machine of each node and lock: `machines[node][lock]`.
    pub machines: Vec<Vec<F>>,
}

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
struct Node<F> {
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
    board: Board,
}

/// The nodes of a state. Those that a step does not touch are shared with the state before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Nodes<F>(Vec<Rc<Node<F>>>);

impl<F> Nodes<F> {
    fn iter(&self) -> impl Iterator<Item = &Node<F>> {
        self.0.iter().map(Rc::as_ref)
    }
}

impl<F> Index<usize> for Nodes<F> {
    type Output = Node<F>;

    fn index(&self, at: usize) -> &Node<F> {
        &self.0[at]
    }
}

impl<F: Clone> IndexMut<usize> for Nodes<F> {
    fn index_mut(&mut self, at: usize) -> &mut Node<F> {
        Rc::make_mut(&mut self.0[at])
    }
}

/// A state of the ring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<F> {
    nodes: Nodes<F>,
    /// Frames on link i, from node i to the next; the first one arrives next.
    links: Vec<VecDeque<Frame>>,
    losses: u8,
    early: u8,
    full: u8,
    /// With [`Settings::data`]: each node's last data frame under each lock.
    written: Vec<u8>,
    /// Property that the last step violated.
    wrong: Option<Property>,
}

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
                    let node = &mut state.nodes[at];
                    node.board.send(message, order);
                    node.board.pump(&mut state.links[at], self.settings.profile);
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
            .all(|source| source.index() == at || node.board.has(source, written))
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
            let board = &state.nodes[at].board;
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

    /// Nothing is under way, nothing waits to be handled, and no board has anything to send.
    fn quiet(state: &State<F>) -> bool {
        let idle = |node: &Node<F>| {
            node.inbox.is_empty() && node.returned.is_empty() && node.board.is_idle()
        };
        state.links.iter().all(VecDeque::is_empty) && state.nodes.iter().all(idle)
    }

    /// Nothing has gone wrong, and yet only a timer can let a process that waits go on.
    fn waits_for_timer(&self, state: &State<F>) -> bool {
        let s = &self.settings;
        let faultless = (state.losses, state.early, state.full) == (s.losses, s.early, s.full);
        let helps = |node: &Node<F>, lock: u8| match s.kind {
            Kind::Lock => node.process == Process::Inside(lock),
            Kind::Barrier => node.process == Process::Idle && node.left > 0,
        };
        let alone = |node: &Node<F>| match node.process {
            Process::Waiting(lock) => !state.nodes.iter().any(|other| helps(other, lock)),
            _ => false,
        };
        faultless && state.nodes.iter().any(alone) && Self::quiet(state)
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
            board: Board::new(if s.data { s.nodes } else { 0 }),
        };
        State {
            nodes: Nodes(self.machines.iter().enumerate().map(|one| Rc::new(node(one))).collect()),
            links: vec![VecDeque::new(); s.nodes],
            losses: s.losses,
            early: s.early,
            full: s.full,
            written: vec![0; if s.data { s.locks * s.nodes } else { 0 }],
            wrong: None,
        }
    }

    fn steps(&self, state: &State<F>, next: &mut Vec<Next<Self>>) {
        for at in 0..self.settings.nodes {
            self.link(state, at, next);
            self.node(state, at, next);
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
