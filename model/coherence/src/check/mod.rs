// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every run of a program on a small system: a process on each node, messages that arrive in order between
//! two nodes, and each byte of the memory with the value that was written last.

pub mod races;
mod script;

pub use script::{Op, Property};

use crate::interface::{Action, Coherence, Event};
use crate::memory::{Pages, Shape};
use awgstar_frame::quantity::{NodeId, narrow};
use awgstar_request::Protection;
use awgstar_sync::check::Step;
use awgstar_sync::check::explore::{Checkable, Next, action};
use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    rc::Rc,
};

/// A protocol whose nodes can be looked at together.
pub trait Observed: Coherence {
    /// The property that nodes and their memories violate, if any. `latest` is each byte as it was written
    /// last; `rest`: all have arrived at their last barrier, and no message is on its way.
    fn wrong(nodes: &[(&Self, &Pages)], latest: &[u8], rest: bool) -> Option<Property>;
}

/// Nodes and their programs, to be checked.
#[derive(Clone, Debug)]
pub struct System<C> {
    shape: Shape,
    scripts: Vec<Vec<Op>>,
    nodes: Vec<C>,
    /// The value of the first store of each node; all stores have different values.
    first: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Process<C> {
    node: C,
    memory: Pages,
    /// Operations that are done.
    done: usize,
    /// The operation waits.
    waits: bool,
}

/// A state of the system.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<C: Coherence> {
    processes: Vec<Rc<Process<C>>>,
    channels: BTreeMap<(NodeId, NodeId), VecDeque<C::Message>>,
    latest: Vec<u8>,
    wrong: Option<Property>,
}

/// What happens in a step.
#[derive(Clone, Debug)]
pub enum What<M> {
    Calls(Op),
    Arrives(NodeId, M),
}

impl<M: fmt::Display> fmt::Display for What<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Calls(op) => write!(f, "process: {op}"),
            What::Arrives(from, message) => write!(f, "from {from}: {message}"),
        }
    }
}

impl<C: Coherence> System<C> {
    /// A system in which each node runs a script. A byte of the memory is a word of the program.
    ///
    /// # Panics
    /// If the scripts have more than 255 operations, which is more than any exploration ends with.
    #[must_use]
    pub fn new(shape: Shape, scripts: Vec<Vec<Op>>, node: impl Fn(NodeId) -> C) -> Self {
        let mut next: u8 = 1;
        let mut first = Vec::new();
        for script in &scripts {
            first.push(next);
            let operations = u8::try_from(script.len()).expect("a short script");
            next = next.checked_add(operations).expect("short scripts");
        }
        let nodes = shape.all().map(node).collect();
        System { shape, scripts, nodes, first }
    }

    /// Nodes, for a listing of a run.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.shape.nodes()
    }

    /// Operations of all scripts.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.scripts.iter().map(Vec::len).sum()
    }

    fn send_event(&self, state: &mut State<C>, at: usize, event: Event<C::Message>) {
        let mut actions = Vec::new();
        let process = Rc::make_mut(&mut state.processes[at]);
        if process.node.step(event, &mut process.memory, &mut actions).is_err() {
            state.wrong = Some(Property::Calls);
        }
        for action in actions {
            match action {
                Action::Send(to, message) => {
                    state.channels.entry((NodeId::at(at), to)).or_default().push_back(message);
                }
                Action::Done => self.goes_on(state, at),
                Action::Protect(..) | Action::Beyond(_) => {}
            }
        }
    }

    /// What the process waited for is done; an access that waited happens now.
    fn goes_on(&self, state: &mut State<C>, at: usize) {
        let process = Rc::make_mut(&mut state.processes[at]);
        process.waits = false;
        let op = self.scripts[at][process.done];
        if op.access().is_some() {
            self.access(state, at, op);
        } else {
            process.done += 1;
        }
    }

    fn access(&self, state: &mut State<C>, at: usize, op: Op) {
        let Some((byte, write)) = op.access() else { return };
        let process = Rc::make_mut(&mut state.processes[at]);
        let page = byte / self.shape.page_size();
        let wanted = if write { Protection::Write } else { Protection::Read };
        if process.node.protection(page) < wanted {
            process.waits = true;
            self.send_event(state, at, Event::Fault { page, write });
            return;
        }
        process.done += 1;
        match op {
            Op::Store(_) => {
                // Operations are fewer than values.
                let value = self.first[at].wrapping_add(narrow(process.done - 1));
                process.memory.set(byte, value);
                state.latest[byte] = value;
            }
            Op::StoreSame(_) => process.memory.set(byte, state.latest[byte]),
            _ => {
                let found = process.memory.byte(byte);
                if found != state.latest[byte] {
                    state.wrong = Some(Property::Stale);
                }
                if let Op::Unless(_, skip) = op
                    && found == 0
                {
                    process.done += skip;
                }
            }
        }
    }

    fn call(&self, state: &mut State<C>, at: usize, op: Op) {
        let event = match op {
            Op::Acquire(lock) => Event::Acquire(lock),
            Op::Release(lock) => Event::Release(lock),
            Op::Meet(site) => Event::Barrier(site),
            _ => return self.access(state, at, op),
        };
        Rc::make_mut(&mut state.processes[at]).waits = true;
        self.send_event(state, at, event);
    }

    fn ended(&self, state: &State<C>) -> bool {
        let ended = |(process, script): (&Rc<Process<C>>, &Vec<Op>)| {
            process.done >= script.len() && !process.waits
        };
        state.channels.is_empty() && state.processes.iter().zip(&self.scripts).all(ended)
    }
}

impl<C: Observed> Checkable for System<C> {
    type State = State<C>;
    type Step = Step<What<C::Message>>;
    type Property = Property;

    fn start(&self) -> State<C> {
        let process = |node: &C| {
            let memory = Pages::new(self.shape);
            Rc::new(Process { node: node.clone(), memory, done: 0, waits: false })
        };
        State {
            processes: self.nodes.iter().map(process).collect(),
            channels: BTreeMap::new(),
            latest: vec![0; self.shape.bytes()],
            wrong: None,
        }
    }

    fn steps(&self, state: &State<C>, next: &mut Vec<Next<Self>>) {
        for (at, process) in state.processes.iter().enumerate() {
            if let Some(&op) = self.scripts[at].get(process.done)
                && !process.waits
            {
                let mut state = state.clone();
                self.call(&mut state, at, op);
                let step = Step { node: at, what: What::Calls(op), after: String::new() };
                next.push(Next { step, state, action: Some(action(at, 0)) });
            }
        }
        for &(from, to) in state.channels.keys() {
            let mut state = state.clone();
            let Some(messages) = state.channels.get_mut(&(from, to)) else { continue };
            let Some(message) = messages.pop_front() else { continue };
            if messages.is_empty() {
                state.channels.remove(&(from, to));
            }
            let what = What::Arrives(from, message.clone());
            self.send_event(&mut state, to.index(), Event::Message(from, message));
            let step = Step { node: to.index(), what, after: String::new() };
            let channel = (1 + from.index()) * self.shape.nodes() + to.index();
            next.push(Next { step, state, action: Some(action(channel, 1)) });
        }
    }

    fn broken(&self, state: &State<C>) -> Option<Property> {
        let nodes = || state.processes.iter().map(|one| (&one.node, &one.memory));
        let last = |script: &Vec<Op>| matches!(script.last(), Some(Op::Meet(_)));
        let rest = self.scripts.iter().all(last) && self.ended(state);
        state.wrong.or_else(|| C::wrong(&nodes().collect::<Vec<_>>(), &state.latest, rest))
    }

    fn done(&self, state: &State<C>) -> bool {
        self.ended(state)
    }

    fn describe(&self, step: &mut Self::Step, after: &State<C>) {
        step.after = after.processes[step.node].node.summary();
    }
}
