// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every run of one-sided programs on a small cluster: processes, a server for each node, messages that arrive in
//! order between two ends, and puts beside the messages of the protocols.

use super::explore::{Checkable, Next, action};
use super::step::Step;
use crate::firmware::onesided::{Action, Client, End, Event, Message, Server};
use awgstar_frame::quantity::{NodeId, narrow};
use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    rc::Rc,
};

/// A call of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// A put to this process.
    Put(usize),
    /// A put of the library, which no process counts.
    LibraryPut(usize),
    /// The barrier after which all puts are written.
    Barrier,
    Acquire(u32),
    /// As [`Call::Acquire`], but a process that does not get the lock goes on after its next release.
    Try(u32),
    /// Under a lock: to get a word of this process, and to put it back, one more.
    Update(usize),
    Release(u32),
}

/// What processes do, and what the network does.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The node of each process.
    pub nodes: Vec<usize>,
    /// The calls of each process.
    pub scripts: Vec<Vec<Call>>,
    /// Messages of a process to a server arrive in their order.
    pub ordered: bool,
    /// Messages between the processes of a queue may arrive once more, so often.
    pub copies: u8,
}

impl Settings {
    /// A process on each node, for each of these scripts, and no fault.
    #[must_use]
    pub fn new(scripts: Vec<Vec<Call>>) -> Self {
        Settings { nodes: (0..scripts.len()).collect(), scripts, ordered: true, copies: 0 }
    }
}

/// A property that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// After the barrier all puts in the group that were made before it are written.
    Written,
    /// No process passes the barrier before all have arrived.
    Together,
    /// No two processes have the lock.
    Exclusion,
    /// Who has the lock gets what the holders before it put.
    Current,
    /// No call of the script is an error.
    Calls,
}

impl Property {
    /// The property in words, as one that is violated.
    #[must_use]
    pub const fn violated(self) -> &'static str {
        match self {
            Property::Written => "a put is missing after the barrier",
            Property::Together => "a process passes before all have arrived",
            Property::Exclusion => "two processes have the lock",
            Property::Current => "a holder reads stale data",
            Property::Calls => "a call is taken for an error",
        }
    }
}

/// Processes and servers to be checked.
#[derive(Clone, Debug)]
pub struct Cluster<C: Client> {
    pub settings: Settings,
    pub processes: Vec<C>,
    /// One for each node.
    pub servers: Vec<C::Server>,
}

/// What travels between two ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Packet {
    Protocol(Message),
    /// A put to this process: its number among those of the sender, from 0; one of the library has none.
    Put {
        target: usize,
        number: Option<u8>,
    },
    /// A get of the word of a lock's data.
    Get(usize),
    /// The word of a lock's data, to the process that wants it, or to be written.
    Value(usize, u8),
}

impl fmt::Display for Packet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Packet::Protocol(message) => write!(f, "{message}"),
            Packet::Put { target, number: Some(number) } => write!(f, "put {number} to {target}"),
            Packet::Put { target, number: None } => write!(f, "put of the library to {target}"),
            Packet::Get(target) => write!(f, "get from {target}"),
            Packet::Value(target, value) => write!(f, "{value}, a word of {target}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sleeps {
    No,
    /// The process is about to sleep; with a value only if that is still the same.
    Soon(Option<u32>),
    Yes,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Process<C> {
    client: C,
    /// Calls that were begun.
    begun: usize,
    waits: bool,
    sleeps: Sleeps,
    goes_on: bool,
    fences: bool,
    inside: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node<S> {
    server: S,
    /// A put that is counted and not written: source, target, number.
    writes: Option<(usize, usize, u8)>,
}

/// A state of the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<C: Client> {
    processes: Vec<Rc<Process<C>>>,
    nodes: Vec<Rc<Node<C::Server>>>,
    channels: BTreeMap<(End, End), VecDeque<Packet>>,
    /// Copies that may arrive any time.
    late: Vec<(End, End, Packet)>,
    copies: u8,
    /// Puts that are written, by target and source: a bit for each number.
    written: Vec<Vec<u16>>,
    /// Words of the data of locks.
    words: Vec<u8>,
    /// Updates that were begun under a lock, by word.
    updates: Vec<u8>,
    wrong: Option<Property>,
}

/// What happens in a step.
#[derive(Clone, Debug)]
pub enum What {
    Calls(usize, Call),
    GoesOn(usize),
    Fenced(usize),
    Sleeps(usize),
    Writes(usize, usize),
    Arrives(End, End, Packet),
    Late(End, End, Packet),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Process(process) => write!(f, "P{process}"),
            End::Server(node) => write!(f, "S{node}"),
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Calls(process, Call::Put(to)) => write!(f, "P{process} puts to {to}"),
            What::Calls(process, Call::LibraryPut(to)) => {
                write!(f, "P{process}: the library puts to {to}")
            }
            What::Calls(process, Call::Barrier) => write!(f, "P{process} calls the barrier"),
            What::Calls(process, Call::Acquire(lock)) => write!(f, "P{process} wants lock {lock}"),
            What::Calls(process, Call::Try(lock)) => write!(f, "P{process} tries lock {lock}"),
            What::Calls(process, Call::Update(of)) => {
                write!(f, "P{process} updates a word of {of}")
            }
            What::Calls(process, Call::Release(lock)) => {
                write!(f, "P{process} releases lock {lock}")
            }
            What::GoesOn(process) => write!(f, "P{process} goes on"),
            What::Fenced(process) => write!(f, "P{process}: all its puts are in place"),
            What::Sleeps(process) => write!(f, "P{process} goes to sleep"),
            What::Writes(node, source) => write!(f, "S{node} writes the put of {source}"),
            What::Arrives(from, to, packet) => write!(f, "{to} gets from {from}: {packet}"),
            What::Late(from, to, packet) => write!(f, "{to} gets from {from} once more: {packet}"),
        }
    }
}

impl<C: Client> Cluster<C> {
    fn ranks(&self) -> usize {
        self.settings.nodes.len()
    }

    /// The node of an end of a message: a server is named by a process of its node.
    fn end(&self, end: End) -> End {
        match end {
            End::Server(rank) => End::Server(NodeId::at(self.settings.nodes[rank.index()])),
            End::Process(_) => end,
        }
    }

    fn send(&self, state: &mut State<C>, from: End, to: End, packet: Packet) {
        state.channels.entry((from, self.end(to))).or_default().push_back(packet);
    }

    fn process(at: usize) -> End {
        End::Process(NodeId::at(at))
    }

    fn server(at: usize) -> End {
        End::Server(NodeId::at(at))
    }

    /// Tells a process something, and carries its actions out.
    fn tell(&self, state: &mut State<C>, at: usize, event: Event) {
        let mut actions = Vec::new();
        let node = Rc::make_mut(&mut state.nodes[self.settings.nodes[at]]);
        let process = Rc::make_mut(&mut state.processes[at]);
        process.client.step(event, &mut node.server, &mut actions);
        self.act(state, Self::process(at), actions);
    }

    /// The server of a node has done something, or a process there: others there look.
    fn look(&self, state: &mut State<C>, node: usize, but: Option<usize>) {
        for at in (0..self.ranks()).filter(|at| self.settings.nodes[*at] == node) {
            let process = &mut state.processes[at];
            // One that is about to sleep does not look.
            if Some(at) == but || process.goes_on || matches!(process.sleeps, Sleeps::Soon(_)) {
                continue;
            }
            if process.sleeps == Sleeps::Yes {
                Rc::make_mut(process).sleeps = Sleeps::No;
            }
            self.tell(state, at, Event::Look);
        }
    }

    fn act(&self, state: &mut State<C>, who: End, actions: Vec<Action>) {
        for action in actions {
            if let Action::Send(to, message) = action {
                self.send(state, who, to, Packet::Protocol(message));
                continue;
            }
            let End::Process(process) = who else { continue };
            let at = process.index();
            let process = Rc::make_mut(&mut state.processes[at]);
            match action {
                Action::Fence => process.fences = true,
                Action::GoOn => process.goes_on = true,
                Action::Sleep(seen) => process.sleeps = Sleeps::Soon(seen),
                Action::Passed => {
                    process.waits = false;
                    self.passed(state, at);
                }
                Action::Acquired(lock) => {
                    process.waits = false;
                    process.inside.push(lock);
                    let holders = state.processes.iter().filter(|one| one.inside.contains(&lock));
                    if holders.count() > 1 {
                        state.wrong = Some(Property::Exclusion);
                    }
                }
                Action::Taken(lock) => {
                    process.waits = false;
                    let rest = self.settings.scripts[at].iter().enumerate().skip(process.begun);
                    let mut releases = rest.filter(|(_, call)| **call == Call::Release(lock));
                    process.begun = releases.next().map_or(process.begun, |(place, _)| place + 1);
                }
                Action::Released(_) => process.waits = false,
                Action::Misuse(_) => state.wrong = Some(Property::Calls),
                Action::Send(..) => {}
            }
        }
    }

    /// Calls of the barrier among the first so many calls of a process.
    fn barriers(&self, at: usize, calls: usize) -> usize {
        self.settings.scripts[at][..calls].iter().filter(|call| **call == Call::Barrier).count()
    }

    /// Puts of a process to another one before its barrier of this number.
    fn puts(&self, from: usize, to: usize, barrier: usize) -> usize {
        let script = &self.settings.scripts[from];
        let last = (0..script.len()).find(|calls| self.barriers(from, calls + 1) == barrier);
        let before = &script[..last.unwrap_or(0)];
        before.iter().filter(|call| **call == Call::Put(to)).count()
    }

    /// Nodes, for a listing of a run.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.servers.len()
    }

    /// A step, and the node on which it happens.
    fn step(&self, what: What) -> Step<What> {
        let node = match what {
            What::Calls(at, _) | What::GoesOn(at) | What::Fenced(at) | What::Sleeps(at) => {
                self.settings.nodes[at]
            }
            What::Arrives(_, End::Process(to), _) | What::Late(_, End::Process(to), _) => {
                self.settings.nodes[to.index()]
            }
            What::Arrives(_, End::Server(node), _) | What::Late(_, End::Server(node), _) => {
                node.index()
            }
            What::Writes(node, _) => node,
        };
        Step { node, what, after: String::new() }
    }

    fn passed(&self, state: &mut State<C>, at: usize) {
        let barrier = self.barriers(at, state.processes[at].begun);
        let member = |at: &usize| self.barriers(*at, self.settings.scripts[*at].len()) > 0;
        let members: Vec<usize> = (0..self.ranks()).filter(member).collect();
        for &other in &members {
            let written = |&to: &usize| {
                state.written[to][other].trailing_ones() as usize >= self.puts(other, to, barrier)
            };
            if self.barriers(other, state.processes[other].begun) < barrier {
                state.wrong = Some(Property::Together);
            } else if !members.iter().all(written) {
                state.wrong = Some(Property::Written);
            }
        }
    }

    fn call(&self, state: &mut State<C>, at: usize, call: Call) {
        let process = Rc::make_mut(&mut state.processes[at]);
        process.begun += 1;
        match call {
            Call::Put(target) => {
                let before = &self.settings.scripts[at][..process.begun - 1];
                let before = before.iter().filter(|one| **one == call).count();
                let put = Packet::Put { target, number: Some(narrow(before)) };
                self.send(state, Self::process(at), Self::server(target), put);
                self.tell(state, at, Event::Put(NodeId::at(target)));
                return;
            }
            Call::LibraryPut(target) => {
                let put = Packet::Put { target, number: None };
                self.send(state, Self::process(at), Self::server(target), put);
                return;
            }
            Call::Update(target) if self.settings.nodes[target] == self.settings.nodes[at] => {
                let value = Self::update(state, target, state.words[target]);
                state.words[target] = value;
                return;
            }
            Call::Update(target) => {
                process.waits = true;
                self.send(state, Self::process(at), Self::server(target), Packet::Get(target));
                return;
            }
            Call::Release(lock) => process.inside.retain(|held| *held != lock),
            Call::Barrier | Call::Acquire(_) | Call::Try(_) => {}
        }
        process.waits = true;
        let event = match call {
            Call::Acquire(lock) => Event::Acquire(lock),
            Call::Try(lock) => Event::Try(lock),
            Call::Release(lock) => Event::Release(lock),
            _ => Event::Enter,
        };
        self.tell(state, at, event);
        self.look(state, self.settings.nodes[at], Some(at));
    }

    /// The value that comes after the one that the holder of a lock has got.
    fn update(state: &mut State<C>, target: usize, value: u8) -> u8 {
        if value != state.updates[target] {
            state.wrong = Some(Property::Current);
        }
        state.updates[target] += 1;
        value + 1
    }

    fn arrives(&self, state: &mut State<C>, from: End, to: End, packet: Packet) {
        match (to, packet) {
            (End::Process(process), Packet::Value(target, value)) => {
                let value = Self::update(state, target, value);
                let at = process.index();
                Rc::make_mut(&mut state.processes[at]).waits = false;
                self.send(state, to, Self::server(target), Packet::Value(target, value));
            }
            (End::Process(process), Packet::Protocol(message)) => {
                let (End::Process(from) | End::Server(from)) = from;
                self.tell(state, process.index(), Event::Message(from, message));
                self.look(state, self.settings.nodes[process.index()], Some(process.index()));
            }
            (End::Server(node), packet) => self.serves(state, node.index(), from, packet),
            (End::Process(_), Packet::Put { .. } | Packet::Get(_)) => {}
        }
    }

    fn serves(&self, state: &mut State<C>, at: usize, from: End, packet: Packet) {
        let End::Process(source) = from else { return };
        let mut actions = Vec::new();
        let node = Rc::make_mut(&mut state.nodes[at]);
        match packet {
            Packet::Protocol(message) => node.server.serve(source, &message, &mut actions),
            Packet::Put { target, number } => {
                let puts = (source, NodeId::at(target));
                node.server.count(puts, number.is_none(), &mut actions);
                // No property is about the data of the library.
                if let Some(number) = number {
                    if node.server.counts_first() {
                        node.writes = Some((source.index(), target, number));
                    } else {
                        state.written[target][source.index()] |= 1 << number;
                    }
                }
            }
            Packet::Get(target) => {
                let value = Packet::Value(target, state.words[target]);
                self.send(state, Self::server(target), from, value);
            }
            Packet::Value(target, value) => state.words[target] = value,
        }
        self.act(state, Self::server(at), actions);
        self.look(state, at, None);
    }

    /// Puts of a process are on their way, or counted only.
    fn puts_open(state: &State<C>, at: usize) -> bool {
        let sent = |packet: &Packet| matches!(packet, Packet::Put { .. } | Packet::Value(..));
        let from = |(ends, packets): (&(End, End), &VecDeque<Packet>)| {
            ends.0 == Self::process(at) && packets.iter().any(sent)
        };
        state.channels.iter().any(from)
            || state.nodes.iter().any(|node| node.writes.is_some_and(|(source, ..)| source == at))
    }

    /// Number of an end, for actions.
    fn number(&self, end: End) -> usize {
        match end {
            End::Process(process) => process.index(),
            End::Server(node) => self.ranks() + node.index(),
        }
    }

    fn of_processes(&self, state: &State<C>, next: &mut Vec<Next<Self>>) {
        for (at, process) in state.processes.iter().enumerate() {
            let mut take = |kind, what, work: &dyn Fn(&mut State<C>)| {
                let mut state = state.clone();
                work(&mut state);
                next.push(Next { step: self.step(what), state, action: Some(action(at, kind)) });
            };
            if process.goes_on {
                take(1, What::GoesOn(at), &|state| {
                    Rc::make_mut(&mut state.processes[at]).goes_on = false;
                    self.tell(state, at, Event::Look);
                });
            }
            if process.fences && !Self::puts_open(state, at) {
                take(2, What::Fenced(at), &|state| {
                    Rc::make_mut(&mut state.processes[at]).fences = false;
                    self.tell(state, at, Event::Fenced);
                    self.look(state, self.settings.nodes[at], Some(at));
                });
            }
            if let Sleeps::Soon(seen) = process.sleeps {
                let node = &state.nodes[self.settings.nodes[at]];
                let same = seen.is_none_or(|seen| seen == process.client.watched(&node.server));
                take(3, What::Sleeps(at), &|state| {
                    let sleeps = if same { Sleeps::Yes } else { Sleeps::No };
                    Rc::make_mut(&mut state.processes[at]).sleeps = sleeps;
                    if !same {
                        self.tell(state, at, Event::Look);
                    }
                });
            }
            if let Some(call) = self.settings.scripts[at].get(process.begun)
                && !process.waits
            {
                take(0, What::Calls(at, *call), &|state| self.call(state, at, *call));
            }
        }
    }

    fn of_the_network(&self, state: &State<C>, next: &mut Vec<Next<Self>>) {
        for (at, node) in state.nodes.iter().enumerate() {
            if let Some((source, target, number)) = node.writes {
                let mut state = state.clone();
                Rc::make_mut(&mut state.nodes[at]).writes = None;
                state.written[target][source] |= 1 << number;
                let step = self.step(What::Writes(at, source));
                let action = Some(action(self.number(Self::server(at)), 4));
                next.push(Next { step, state, action });
            }
        }
        for (&(from, to), packets) in &state.channels {
            if let End::Server(node) = to
                && state.nodes[node.index()].writes.is_some()
            {
                continue;
            }
            let any = !self.settings.ordered && matches!(to, End::Server(_));
            for place in 0..if any { packets.len() } else { 1 } {
                let mut state = state.clone();
                let Some(packets) = state.channels.get_mut(&(from, to)) else { continue };
                let Some(packet) = packets.remove(place) else { continue };
                if packets.is_empty() {
                    state.channels.remove(&(from, to));
                }
                let twice =
                    matches!(packet, Packet::Protocol(Message::Free { .. } | Message::Link { .. }));
                let step = self.step(What::Arrives(from, to, packet.clone()));
                // A copy is a fault, which need not happen.
                if twice && state.copies > 0 {
                    let mut state = state.clone();
                    state.copies -= 1;
                    state.late.push((from, to, packet.clone()));
                    self.arrives(&mut state, from, to, packet.clone());
                    next.push(Next { step: step.clone(), state, action: None });
                }
                self.arrives(&mut state, from, to, packet);
                let channel = self.number(from) * 2 * self.ranks() + self.number(to);
                let action = Some(action(2 * self.ranks() + channel, 5));
                next.push(Next { step, state, action });
            }
        }
        for place in 0..state.late.len() {
            let mut state = state.clone();
            let (from, to, packet) = state.late.remove(place);
            self.arrives(&mut state, from, to, packet.clone());
            let step = self.step(What::Late(from, to, packet));
            next.push(Next { step, state, action: None });
        }
    }
}

impl<C: Client> Checkable for Cluster<C> {
    type State = State<C>;
    type Step = Step<What>;
    type Property = Property;

    fn start(&self) -> State<C> {
        let ranks = self.ranks();
        let process = |client: &C| {
            Rc::new(Process {
                client: client.clone(),
                begun: 0,
                waits: false,
                sleeps: Sleeps::No,
                goes_on: false,
                fences: false,
                inside: Vec::new(),
            })
        };
        let node = |server: &C::Server| Rc::new(Node { server: server.clone(), writes: None });
        State {
            processes: self.processes.iter().map(process).collect(),
            nodes: self.servers.iter().map(node).collect(),
            channels: BTreeMap::new(),
            late: Vec::new(),
            copies: self.settings.copies,
            written: vec![vec![0; ranks]; ranks],
            words: vec![0; ranks],
            updates: vec![0; ranks],
            wrong: None,
        }
    }

    fn steps(&self, state: &State<C>, next: &mut Vec<Next<Self>>) {
        self.of_processes(state, next);
        self.of_the_network(state, next);
    }

    fn broken(&self, state: &State<C>) -> Option<Property> {
        state.wrong
    }

    fn done(&self, state: &State<C>) -> bool {
        let ended = |(at, process): (usize, &Rc<Process<C>>)| {
            process.begun == self.settings.scripts[at].len() && !process.waits
        };
        state.channels.is_empty()
            && state.nodes.iter().all(|node| node.writes.is_none())
            && state.processes.iter().enumerate().all(ended)
    }

    fn describe(&self, step: &mut Step<What>, after: &State<C>) {
        let on = |at: &usize| self.settings.nodes[*at] == step.node;
        // Of the process to which it happens, or of the first one on the node.
        let at = match step.what {
            What::Calls(at, _) | What::GoesOn(at) | What::Fenced(at) | What::Sleeps(at) => Some(at),
            What::Arrives(_, End::Process(to), _) => Some(to.index()),
            _ => (0..self.ranks()).find(on),
        };
        if let Some(at) = at {
            step.after = after.processes[at].client.summary(&after.nodes[step.node].server);
        }
    }
}
