// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every run of gateways on a small system: rings of replicas, and links between neighbouring gateways.
//!
//! Frames of a node come to each other node in their order and those of different nodes in any order, however late: that
//! is what boards do that send again what was lost (RCV-2, ACK-3). A restart keeps memory and board, and loses what the
//! firmware knew, its actions that were not carried out, and what is on its links.
//!
//! [`room`](mod@room), [`locks`](mod@locks) and [`reflection`](mod@reflection) are smaller systems for what has no
//! channels.

mod carry;
mod faults;
pub mod locks;
pub mod reflection;
pub mod room;
mod settings;
mod state;
mod step;

pub use settings::{Op, Property, RingShape, Settings};
pub use state::{Replica, State};
pub use step::{Happens, What};

use crate::client::Client;
use crate::gateway::{Event, Gateway, Place};
use crate::interface::{Action, Block, Memory, Order};
use crate::words::{Requester, RingNumber, Slot, Word};
use awgstar_frame::quantity::{ByteAddress, NodeId, narrow};
use awgstar_sync::check::Step;
use awgstar_sync::check::explore::{Checkable, Next, action};
use state::{Firmware, Kind, Node, Packet, Process};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Words of each ring's memory.
const WORDS: usize = 8;

/// Where a node is: its ring, and its place there, gateways first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct At {
    ring: usize,
    place: usize,
    gateways: usize,
}

/// Rings, gateways and processes to be checked.
#[derive(Clone, Debug)]
pub struct System {
    settings: Settings,
    places: Vec<At>,
}

/// The value of a word that the operation of this number of a node stores.
fn value(node: usize, op: usize, word: usize) -> u32 {
    narrow::<u32>((node + 1) * 64 + op * 8 + word)
}

/// Words that were not stored differ, too.
fn first_value(ring: usize, word: usize) -> u32 {
    narrow::<u32>(word + 1 + 8 * ring)
}

fn ring(at: usize) -> RingNumber {
    RingNumber(narrow::<u16>(at))
}

/// A step of a node; `kind` is that of its action.
fn push<S: Checkable<Step = Step<W>>, W>(
    next: &mut Vec<Next<S>>,
    (node, kind): (usize, Option<u16>),
    what: W,
    state: S::State,
) {
    let step = Step { node, what, after: String::new() };
    next.push(Next { step, state, action: kind.map(|kind| action(node, kind)) });
}

impl System {
    #[must_use]
    pub fn new(settings: Settings) -> System {
        let place = |(ring, shape): (usize, &RingShape)| {
            let gateways = 1 + usize::from(shape.standby);
            (0..gateways + shape.scripts.len()).map(move |place| At { ring, place, gateways })
        };
        let places = settings.rings.iter().enumerate().flat_map(place).collect();
        System { settings, places }
    }

    /// Nodes, for a listing of a run.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.places.len()
    }

    /// Nodes of a ring but one.
    fn others(&self, at: usize) -> impl Iterator<Item = usize> {
        let ring = self.places[at].ring;
        (0..self.nodes()).filter(move |other| *other != at && self.places[*other].ring == ring)
    }

    fn script(&self, at: usize) -> &[Op] {
        let At { ring, place, gateways } = self.places[at];
        let scripts = &self.settings.rings[ring].scripts;
        place.checked_sub(gateways).and_then(|at| scripts.get(at)).map_or(&[], Vec::as_slice)
    }

    /// The operation that a client has begun last.
    fn op(&self, at: usize, process: &Process) -> Option<Op> {
        process.begun.checked_sub(1).and_then(|last| self.script(at).get(last)).copied()
    }

    fn is_gateway(&self, at: usize) -> bool {
        self.places[at].place < self.places[at].gateways
    }

    /// Nodes look at a word. On a ring with a standby all frames go to all nodes: the order in which they come counts.
    fn looks(&self, at: usize, word: Word) -> bool {
        let At { ring, place, gateways } = self.places[at];
        if self.is_gateway(at) || self.settings.rings[ring].standby {
            return true;
        }
        let mine = |node: NodeId| node.index() + gateways == place;
        match word {
            Word::Reply(_, node) | Word::Value(_, node, _) => mine(node),
            Word::Line(_) | Word::LineRing(_) | Word::LineAddress(_) | Word::Cached(..) => {
                self.script(at).iter().any(|op| matches!(op, Op::Get(..)))
            }
            Word::Release(_) => self.script(at).contains(&Op::Meet),
            Word::Grant(_, lock) => self.script(at).contains(&Op::Lock(lock)),
            Word::Memory(_) => {
                let looks = |op: &Op| matches!(op, Op::See(..) | Op::Set(_) | Op::Compare(..));
                self.script(at).iter().any(looks)
            }
            _ => false,
        }
    }

    fn machine(&self, at: usize) -> Gateway {
        let At { ring: own, place, gateways } = self.places[at];
        let shape = &self.settings.rings[own];
        let clients = || NodeId::all(shape.scripts.len());
        let far = |(other, shape): (usize, &RingShape)| {
            let from = move |client| Requester { ring: ring(other), client };
            NodeId::all(shape.scripts.len()).filter(move |_| other != own).map(from)
        };
        let meets = |client: &NodeId| shape.scripts[client.index()].contains(&Op::Meet);
        let place = Place {
            ring: ring(own),
            slot: Slot(narrow::<u8>(place)),
            gateways: narrow::<u8>(gateways),
            clients: clients().collect(),
            members: clients().filter(meets).collect(),
            end: ByteAddress::at_word(WORDS),
            routes: shape.routes.clone(),
            neighbours: shape.neighbours.clone(),
            far: self.settings.rings.iter().enumerate().flat_map(far).collect(),
            credits: self.settings.credits,
            windows: self.settings.windows.clone(),
            locks: self.settings.locks,
            cache: self.settings.cache,
        };
        Gateway::new(place, self.settings.repairs)
    }

    fn start_node(&self, at: usize) -> Rc<Node> {
        let At { place, gateways, .. } = self.places[at];
        let kind = if place < gateways {
            let (gateway, actions) = (self.machine(at), VecDeque::new());
            let (flushing, filling, dead) = (false, None, false);
            Kind::Gateway(Box::new(Firmware { gateway, actions, flushing, filling, dead }))
        } else {
            let (me, slots) = (NodeId::at(place - gateways), narrow::<u8>(gateways));
            let Settings { repairs, cache, .. } = self.settings;
            let client = Client::new(me, slots, repairs.requests);
            let cached = |cache| client.clone().with_cache(cache, repairs.cache);
            let client = cache.map_or(client.clone(), cached);
            Kind::Client(Box::new(Process {
                client,
                begun: 0,
                waits: false,
                allowed: Vec::new(),
                read: Vec::new(),
                whole: [0; 2],
            }))
        };
        let first = |word| first_value(self.places[at].ring, word);
        let words = (0..WORDS).map(|word| (Word::Memory(ByteAddress::at_word(word)), first(word)));
        let mut words: BTreeMap<Word, u32> = words.collect();
        for window in &self.settings.windows {
            let of = |word| first_value(window.ring.0.into(), word);
            words.extend(
                window.words().map(|word| (Word::Memory(ByteAddress::at_word(word)), of(word))),
            );
            words.extend(window.whole.map(|at| (Word::Memory(at), 1)));
        }
        if self.settings.cache.is_some() && place < gateways {
            // The first start was before.
            words.insert(Word::Begun(Slot(narrow::<u8>(place))), 1);
        }
        Rc::new(Node { replica: Replica { words, stored: [0; 2] }, kind })
    }

    /// Takes a step: `act` changes the state and says what was done.
    fn push(
        next: &mut Vec<Next<Self>>,
        node: usize,
        what: What,
        (state, done): (State, Vec<String>),
        kind: Option<usize>,
    ) {
        push(next, (node, kind.map(narrow::<u16>)), Happens { what, done }, state);
    }

    /// An event of a gateway; `None`: nothing has happened.
    fn tell(&self, state: &State, at: usize, event: Event) -> Option<(State, Vec<String>)> {
        let mut after = state.clone();
        let done = self.tell_in(&mut after, at, event);
        (after.nodes[at] != state.nodes[at] || !done.is_empty()).then_some((after, done))
    }

    fn tell_in(&self, state: &mut State, at: usize, event: Event) -> Vec<String> {
        let mut actions = Vec::new();
        let replica = state.nodes[at].replica.clone();
        let Some(firmware) = state.firmware(at) else { return Vec::new() };
        firmware.gateway.step(event, &replica, &mut actions);
        firmware.actions.extend(actions);
        if firmware.gateway.waiting() > self.settings.room {
            state.wrong = Some(Property::Room);
        }
        self.carry_out(state, at)
    }

    fn of_clients(&self, state: &State, at: usize, next: &mut Vec<Next<Self>>) {
        let Kind::Client(process) = &state.nodes[at].kind else { return };
        if process.waits && matches!(self.op(at, process), Some(Op::Compare(..))) {
            let mut after = state.clone();
            let Some(what) = self.compare(&mut after, at) else { return };
            Self::push(next, at, what, (after, Vec::new()), Some(0));
        } else if process.waits {
            let (mut client, mut actions) = (process.client.clone(), Vec::new());
            client.poll(&state.nodes[at].replica, &mut actions);
            if client == process.client {
                return;
            }
            let mut after = state.clone();
            if let Some(process) = after.process(at) {
                process.client = client;
            }
            let ends = |one: &Action| matches!(one, Action::Done(..) | Action::Passed);
            let what = match actions.iter().position(ends) {
                Some(last) => {
                    let action = actions.swap_remove(last);
                    let Some(what) = self.goes_on(&mut after, at, action) else { return };
                    what
                }
                None => What::Looks(!actions.is_empty()),
            };
            self.store_all(&mut after, at, actions);
            Self::push(next, at, what, (after, Vec::new()), Some(0));
        } else if let Some(&op) = self.script(at).get(process.begun) {
            let mut after = state.clone();
            if self.call(&mut after, at, op) {
                Self::push(next, at, What::Calls(op), (after, Vec::new()), Some(0));
            }
        }
    }

    fn of_gateways(&self, state: &State, at: usize, next: &mut Vec<Next<Self>>) {
        let Kind::Gateway(firmware) = &state.nodes[at].kind else { return };
        if firmware.dead || !firmware.gateway.active() {
            return;
        }
        if !firmware.actions.is_empty() {
            let mut after = state.clone();
            let done = self.carry_out(&mut after, at);
            if !done.is_empty() {
                Self::push(next, at, What::Acts, (after, done), Some(1));
            }
            return;
        }
        if firmware.flushing && !state.frames.keys().any(|(from, _)| *from == at) {
            let mut before = state.clone();
            if let Some(firmware) = before.firmware(at) {
                firmware.flushing = false;
            }
            let done = self.tell_in(&mut before, at, Event::Flushed);
            Self::push(next, at, What::Confirmed, (before, done), Some(2));
        }
        if let Some(words) = &firmware.filling {
            let word = words.front().copied();
            let mut after = state.clone();
            if let Some(firmware) = after.firmware(at) {
                let rest = words.iter().skip(1).copied().collect();
                firmware.filling = word.map(|_| rest);
            }
            let event = word.map_or(Event::Filled, |word| {
                let first = ByteAddress::at_word(word);
                let values = vec![state.nodes[at].replica.word(Word::Memory(first))];
                Event::Written(Block { first, values })
            });
            let done = self.tell_in(&mut after, at, event);
            Self::push(next, at, What::Fills(word), (after, done), Some(6));
        }
        if let Some(after) = self.tell(state, at, Event::Poll) {
            Self::push(next, at, What::Polls, after, Some(3));
        }
        let own = ring(self.places[at].ring);
        for (&(from, _), packets) in state.links.iter().filter(|((_, to), _)| *to == own) {
            let Some(packet) = packets.front() else { continue };
            let mut after = state.clone();
            if let Some(packets) = after.links.get_mut(&(from, own)) {
                packets.pop_front();
            }
            after.links.retain(|_, packets| !packets.is_empty());
            let event = match packet {
                Packet::Message(message) => Event::Message(from, message.clone()),
                Packet::Reset => Event::Reset(from),
            };
            let done = self.tell_in(&mut after, at, event);
            let kind = 8 + usize::from(from.0);
            Self::push(next, at, What::got(from, packet), (after, done), Some(kind));
        }
    }

    fn of_frames(&self, state: &State, next: &mut Vec<Next<Self>>) {
        for (&(from, to), frames) in &state.frames {
            let Some(frame) = frames.front() else { continue };
            if self.before_standby(state, from, to) {
                continue;
            }
            let mut after = state.clone();
            if let Some(frames) = after.frames.get_mut(&(from, to)) {
                frames.pop_front();
            }
            after.frames.retain(|_, frames| !frames.is_empty());
            self.place(&mut after, to, from, frame);
            let what = What::Comes(from, frame.clone(), Order::After);
            Self::push(next, to, what, (after, Vec::new()), Some(32 + from));
        }
        for (at, (from, to, frame)) in state.beside.iter().enumerate() {
            let mut after = state.clone();
            after.beside.remove(at);
            self.place(&mut after, *to, *from, frame);
            let what = What::Comes(*from, frame.clone(), Order::Beside);
            Self::push(next, *to, what, (after, Vec::new()), Some(64 + from));
        }
    }
}

impl Checkable for System {
    type State = State;
    type Step = Step<Happens>;
    type Property = Property;

    fn start(&self) -> State {
        let &Settings { restarts, resets, early, deaths, .. } = &self.settings;
        State {
            nodes: (0..self.nodes()).map(|at| self.start_node(at)).collect(),
            frames: BTreeMap::new(),
            beside: Vec::new(),
            links: BTreeMap::new(),
            applied: BTreeMap::new(),
            current: self.first_values(),
            restarts,
            resets,
            early,
            deaths,
            wrong: None,
        }
    }

    fn steps(&self, state: &State, next: &mut Vec<Next<Self>>) {
        for at in 0..self.nodes() {
            self.of_clients(state, at, next);
            self.of_gateways(state, at, next);
        }
        self.of_frames(state, next);
        self.take_overs(state, next);
        let quiet = next.is_empty();
        self.timers(state, quiet, next);
        self.faults(state, next);
    }

    fn broken(&self, state: &State) -> Option<Property> {
        state.wrong
    }

    fn done(&self, state: &State) -> bool {
        let ended = |(at, node): (usize, &Rc<Node>)| match &node.kind {
            Kind::Gateway(_) => true,
            Kind::Client(process) => !process.waits && process.begun == self.script(at).len(),
        };
        state.nodes.iter().enumerate().all(ended)
    }

    fn describe(&self, step: &mut Self::Step, after: &State) {
        step.after = match &after.nodes[step.node].kind {
            Kind::Gateway(firmware) if firmware.dead => "dead".to_owned(),
            Kind::Gateway(firmware) => firmware.gateway.summary(),
            Kind::Client(process) => process.client.summary(),
        };
    }
}
