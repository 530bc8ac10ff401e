//! The ring that firmware is checked on.
//!
//! A frame goes to the next node in the order of its link; a node takes what is meant for it and
//! passes all on, and what it sends because of a frame goes behind that frame. Its source takes a
//! frame from the ring again.
//!
//! What can go wrong is a [`Settings`] away: a frame is lost on a link, a timer runs out early, a
//! node handles what it received later. A timer is *right* only when nothing is on the ring and
//! nothing waits; at any other time it is early, and each such run-out takes one of
//! [`Settings::early`].

use super::explore::{Next, System};
use crate::firmware::{Action, Event, Firmware, Message, Timer};
use std::{collections::VecDeque, fmt};

/// What the network does about a lost frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Nothing: the firmware's timers do.
    Bare,
    /// A node sends its signals one after the other, each until it has come back.
    Acknowledged,
}

/// What the processes do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Each takes and gives back a lock [`Settings::rounds`] times.
    Lock,
    /// Each goes through so many episodes of a barrier.
    Barrier,
}

/// A small ring and what may happen on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Locks or barrier.
    pub kind: Kind,
    /// Nodes.
    pub nodes: usize,
    /// Locks; 1 for a barrier.
    pub locks: usize,
    /// Acquisitions or episodes of each process.
    pub rounds: u8,
    /// Bit i: the process of node i takes part (locks only; a barrier is for all).
    pub callers: u32,
    /// Frames lost, at most.
    pub losses: u8,
    /// Timers that run out early, at most.
    pub early: u8,
    /// A node that handles what it received at any later time.
    pub slow: Option<usize>,
    /// What is done about losses.
    pub profile: Profile,
}

/// A ring of machines to be checked.
#[derive(Clone, Debug)]
pub struct Network<F> {
    /// What may happen.
    pub settings: Settings,
    /// Machine of each node and lock: `machines[node][lock]`.
    pub machines: Vec<Vec<F>>,
}

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Process {
    Idle,
    Waiting(u8),
    Inside(u8),
    Leaving(u8),
}

/// A node in a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node<F> {
    machines: Vec<F>,
    process: Process,
    /// Calls that the process has still to make.
    left: u8,
    /// Timers that run, by lock.
    timers: Vec<(u8, Timer)>,
    /// What a slow node has to handle.
    inbox: VecDeque<Event>,
    /// With [`Profile::Acknowledged`]: signals not back yet; the first one was sent.
    unsent: VecDeque<Message>,
}

/// A state of the ring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<F> {
    nodes: Vec<Node<F>>,
    /// Frames on link i, from node i to the next; the first one arrives next.
    links: Vec<VecDeque<Message>>,
    losses: u8,
    early: u8,
    /// A process was let go that had not asked.
    unasked: bool,
    /// A process passed a barrier too early.
    too_early: bool,
}

/// What must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// At most one process has a lock.
    Exclusion,
    /// A process is let go once for each time it asked.
    OneGrant,
    /// Nobody passes a barrier before all have arrived.
    Together,
    /// At most one node leads.
    OneLeader,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Node in which it happens.
    pub node: usize,
    /// What happens.
    pub what: What,
    /// The node's machines afterwards, in words.
    pub after: String,
}

/// What happens in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The process calls.
    Call(u8, Event),
    /// A frame of another node arrives and is passed on.
    Arrives(Message),
    /// A frame arrives at its source and is taken from the ring.
    Comes(Message),
    /// A frame is lost on the link to the node.
    Lost(Message),
    /// A slow node handles what it received.
    Handles(Event),
    /// A timer runs out: lock, timer, and whether it is early.
    Timer(u8, Timer, bool),
    /// The node sends what has not come back again; early when it is still under way.
    Again(Message, bool),
}

fn frame(f: &mut fmt::Formatter<'_>, m: &Message) -> fmt::Result {
    write!(f, "{} of node {}", m.signal.name(), m.source)?;
    write!(f, " (Node_ID {}, send_node {}, tag {}", m.node_id, m.send_node, m.tag)?;
    write!(f, ", lock {}, epoch {})", m.lock_number, m.epoch)
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}: ", self.node)?;
        match &self.what {
            What::Call(lock, event) => write!(f, "process calls {event:?}, lock {lock}")?,
            What::Arrives(m) => {
                f.write_str("receives ")?;
                frame(f, m)?;
            }
            What::Comes(m) => {
                f.write_str("its own comes back: ")?;
                frame(f, m)?;
            }
            What::Lost(m) => {
                f.write_str("LOST on the link to it: ")?;
                frame(f, m)?;
            }
            What::Handles(Event::Signal(m) | Event::Returned(m)) => {
                f.write_str("handles, late: ")?;
                frame(f, m)?;
            }
            What::Handles(event) => write!(f, "handles, late: {event:?}")?,
            What::Timer(lock, timer, early) => {
                let early = if *early { " EARLY" } else { "" };
                write!(f, "timer {timer:?} of lock {lock} runs out{early}")?;
            }
            What::Again(m, early) => {
                write!(f, "{}sends again: ", if *early { "EARLY, " } else { "" })?;
                frame(f, m)?;
            }
        }
        write!(f, " -> {}", self.after)
    }
}

impl<F: Firmware> Network<F> {
    /// Signals sent, timers, and what the process learns.
    fn act(&self, state: &mut State<F>, at: usize, lock: u8, actions: Vec<Action>) {
        for action in actions {
            let node = &mut state.nodes[at];
            match action {
                Action::Send(message, _) => match self.settings.profile {
                    Profile::Bare => state.links[at].push_back(message),
                    Profile::Acknowledged => {
                        node.unsent.push_back(message);
                        if node.unsent.len() == 1 {
                            state.links[at].push_back(message);
                        }
                    }
                },
                Action::Start(timer) => {
                    if !node.timers.contains(&(lock, timer)) {
                        node.timers.push((lock, timer));
                        node.timers.sort_unstable();
                    }
                }
                Action::Stop(timer) => node.timers.retain(|&one| one != (lock, timer)),
                Action::Acquired => {
                    if node.process == Process::Waiting(lock) {
                        node.process = Process::Inside(lock);
                    } else {
                        state.unasked = true;
                    }
                }
                Action::Released => {
                    if node.process == Process::Leaving(lock) {
                        node.process = Process::Idle;
                    } else {
                        state.unasked = true;
                    }
                }
                Action::Passed => {
                    if node.process == Process::Waiting(lock) {
                        node.process = Process::Idle;
                        let mine = node.left;
                        // All are in this episode: their calls left are not more than this one's.
                        state.too_early |= state.nodes.iter().any(|other| other.left > mine);
                    } else {
                        state.unasked = true;
                    }
                }
            }
        }
    }

    fn tell(&self, state: &mut State<F>, at: usize, event: Event) {
        let machine = |m: &Message| usize::try_from(m.lock_number).unwrap_or(usize::MAX);
        let lock = match event {
            Event::Signal(m) | Event::Returned(m) => machine(&m),
            _ => 0,
        };
        self.tell_lock(state, at, lock, event);
    }

    fn tell_lock(&self, state: &mut State<F>, at: usize, lock: usize, event: Event) {
        let mut actions = Vec::new();
        if let Some(machine) = state.nodes[at].machines.get_mut(lock) {
            machine.step(event, &mut actions);
            self.act(state, at, u8::try_from(lock).unwrap_or(u8::MAX), actions);
        }
    }

    /// Told at once, or later by a slow node.
    fn receive(&self, state: &mut State<F>, at: usize, event: Event) {
        if self.settings.slow == Some(at) {
            state.nodes[at].inbox.push_back(event);
        } else {
            self.tell(state, at, event);
        }
    }

    /// Nothing is under way and nothing waits to be handled.
    fn quiet(state: &State<F>) -> bool {
        state.links.iter().all(VecDeque::is_empty)
            && state.nodes.iter().all(|node| node.inbox.is_empty())
    }

    fn push(next: &mut Vec<Next<Self>>, node: usize, what: What, fault: bool, state: State<F>) {
        let after: Vec<String> = state.nodes[node].machines.iter().map(F::summary).collect();
        next.push(Next { step: Step { node, what, after: after.join("; ") }, state, fault });
    }

    /// The first frame of the link to `to`.
    fn link(&self, state: &State<F>, to: usize, next: &mut Vec<Next<Self>>) {
        let from = (to + self.settings.nodes - 1) % self.settings.nodes;
        let Some(&message) = state.links[from].front() else { return };
        let mut after = state.clone();
        after.links[from].pop_front();
        if state.losses > 0 {
            let mut lost = after.clone();
            lost.losses -= 1;
            Self::push(next, to, What::Lost(message), true, lost);
        }
        let what = if usize::from(message.source) == to {
            let unsent = &mut after.nodes[to].unsent;
            let mut returned = true;
            if self.settings.profile == Profile::Acknowledged {
                returned = unsent.front() == Some(&message);
                if returned {
                    unsent.pop_front();
                    after.links[to].extend(unsent.front());
                }
            }
            if returned {
                self.receive(&mut after, to, Event::Returned(message));
            }
            What::Comes(message)
        } else {
            after.links[to].push_back(message);
            if u8::try_from(to).is_ok_and(|to| message.reaches(to)) {
                self.receive(&mut after, to, Event::Signal(message));
            }
            What::Arrives(message)
        };
        Self::push(next, to, what, false, after);
    }

    /// What the node does by itself.
    fn node(&self, state: &State<F>, at: usize, next: &mut Vec<Next<Self>>) {
        let node = &state.nodes[at];
        let quiet = Self::quiet(state);
        if let Some(&event) = node.inbox.front() {
            let mut after = state.clone();
            after.nodes[at].inbox.pop_front();
            self.tell(&mut after, at, event);
            Self::push(next, at, What::Handles(event), false, after);
        }
        for &(lock, timer) in &node.timers {
            if quiet || state.early > 0 {
                let mut after = state.clone();
                after.early -= u8::from(!quiet);
                after.nodes[at].timers.retain(|&one| one != (lock, timer));
                self.tell_lock(&mut after, at, lock.into(), Event::Timer(timer));
                Self::push(next, at, What::Timer(lock, timer, !quiet), !quiet, after);
            }
        }
        if let Some(&message) = node.unsent.front() {
            let early = state.links.iter().any(|link| link.contains(&message));
            if !early || state.early > 0 {
                let mut after = state.clone();
                after.early -= u8::from(early);
                after.links[at].push_back(message);
                Self::push(next, at, What::Again(message, early), early, after);
            }
        }
        let mut call = |lock: u8, process, event| {
            let mut after = state.clone();
            after.nodes[at].process = process;
            after.nodes[at].left -= u8::from(matches!(process, Process::Waiting(_)));
            self.tell_lock(&mut after, at, lock.into(), event);
            Self::push(next, at, What::Call(lock, event), false, after);
        };
        match node.process {
            Process::Idle if node.left > 0 => match self.settings.kind {
                Kind::Lock => {
                    for lock in (0..).take(self.settings.locks) {
                        call(lock, Process::Waiting(lock), Event::Acquire);
                    }
                }
                Kind::Barrier => call(0, Process::Waiting(0), Event::Arrive),
            },
            Process::Inside(lock) => call(lock, Process::Leaving(lock), Event::Release),
            _ => {}
        }
    }
}

impl<F: Firmware> System for Network<F> {
    type State = State<F>;
    type Step = Step;
    type Property = Property;

    fn start(&self) -> State<F> {
        let s = &self.settings;
        let node = |(at, machines): (usize, &Vec<F>)| Node {
            machines: machines.clone(),
            process: Process::Idle,
            left: if s.callers >> at & 1 == 1 { s.rounds } else { 0 },
            timers: Vec::new(),
            inbox: VecDeque::new(),
            unsent: VecDeque::new(),
        };
        State {
            nodes: self.machines.iter().enumerate().map(node).collect(),
            links: vec![VecDeque::new(); s.nodes],
            losses: s.losses,
            early: s.early,
            unasked: false,
            too_early: false,
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
        if state.unasked {
            Some(Property::OneGrant)
        } else if state.too_early {
            Some(Property::Together)
        } else if locks().any(|lock| inside(lock) > 1) {
            Some(Property::Exclusion)
        } else if locks().any(|lock| lead(lock) > 1) {
            Some(Property::OneLeader)
        } else {
            None
        }
    }

    fn done(&self, state: &State<F>) -> bool {
        state.nodes.iter().all(|node| node.left == 0 && node.process == Process::Idle)
    }
}
